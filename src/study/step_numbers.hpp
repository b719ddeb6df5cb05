// Numbers of steps that suit a span of time and a pilot through it.
#pragma once

#include "livens/model/model.hpp"
#include "study/pilot.hpp"

namespace livens {

struct Mesh {
  long long steps = 0, nodes = 0;  // nodes 0: as many as are useful
};

// Nodes at which a pilot is looked at: all, or every second, fourth, .. while they are more than 1024 and even.
long long nodes_of(long long steps);

class StepNumbers {
 public:
  StepNumbers(const formula::Number& start, const formula::Number& end) : start_(start), end_(end) {}

  // Whether t + N step is the end to the last bit in double; N or a little more, for which it is.
  bool meets_end(long long N) const;
  long long meeting_end(long long N) const;

  // About N steps that have many nodes in common with a pilot.
  long long beside(double N, const Pilot& pilot) const;

  // About factor times the steps of a pilot. A jump just after a node is taken for one at it, by steps and by their
  // halves: so the two have only those nodes in common at which they are compared.
  Mesh apart_from(const Pilot& pilot, double factor) const;

 private:
  formula::Number start_, end_;
};

}  // namespace livens
