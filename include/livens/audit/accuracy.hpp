// How wrong a motion is, from the same motion with half and with a quarter of the step:
//
//   D1(t) = max_i |x_h - x_h/2| ,   D2(t) = max_i |x_h/2 - x_h/4| ,   slope s = log2(max D1 / max D2) ,
//   error(t) = D1(t) 2^s / (2^s - 1)     (Richardson), or D1 + D2 where no slope shows:
//                                        s < 1/2, or D1 or D2 within the round-off of x.
//
// Errors are those of the largest component, divided by the largest |x| of the run.
//
// Horizon. Where errors of q have grown to a tenth of the range that q moves in, the motion is lost. If they came there
// exponentially, a smaller step hardly helps: the time when that happened is the horizon. Growth counts as exponential
// if D2 grew by more than 2^4 while the time since the start doubled, just before it came there, and that at most twice
// as late as D1, or both D1 and D2 did just before D1 came there; errors of regular motion grow like t or t^2. It has
// to be steady: without the eighth of that time in which it was largest, more than half of its logarithm is left, and a
// factor of 4. Of fewer than 64 steps until then nothing is said: the windows in which growth is looked for hold four
// of them each then, and what a few large steps do to a regular motion near a saddle or a centre grows as steadily as
// chaos. At a close encounter or a blow that steps do not resolve errors grow at once. Where D1 alone grows
// exponentially, the step is too large to follow the motion, and a smaller one does. It is too large, too, where q
// itself has run away: where the range of q became a thousand times larger while the time since the start doubled.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace livens {

struct Accuracy {
  struct Errors {
    double end = 0, max = 0;
  };
  std::optional<double> asked;        // run.accuracy
  Errors q, p;                        // relative to the largest |q|, |p|
  std::optional<double> slope;        // observed order of q
  std::optional<double> p_slope;      // of p
  std::optional<double> horizon;      // time beyond which the motion cannot be known
  bool at_rest = false;               // q moves by no more than its round-off
  bool at_round_off = false;          // what is left of the error is no longer one of the step
  std::optional<double> valid_until;  // where a finer run could not go on
  double factor = 1;                  // from D1 of q to its relative error
};

// D1 and D2 of a run in the making. Courses are kept as the largest of at most 512 blocks of nodes of equal length:
// where there are more, two become one. So what is remembered does not depend on where the run will end.
class Differences {
 public:
  struct Node {
    double t, q1, q2, p1, p2;
    double range = 0;  // of q until then, found here
  };

  void take_sizes(std::span<const double> q, std::span<const double> p);
  void add(const Node& node);
  void stop(double t) {
    if (!stopped_) stopped_ = true, stopped_at_ = t;
  }
  bool stopped() const { return stopped_; }
  const Node& last() const { return last_; }
  const std::vector<Node>& blocks() const { return blocks_; }

  // t0: the start; epsilon: of the run's precision; what counts as exponential growth: so much, in so many nodes since
  // the start.
  struct Growth {
    double least = 16;
    long long nodes = 64;
  };
  Accuracy estimate(double t0, double epsilon, const Growth& growth) const;
  Accuracy estimate(double t0, double epsilon) const { return estimate(t0, epsilon, Growth{}); }

  template <class Archive>
  void archive(Archive& a) {
    a(blocks_, last_, nodes_per_block_, in_block_, lowest_, highest_, q_size_, p_size_, stopped_, stopped_at_);
  }

 private:
  double range() const;  // of the coordinate that moves most
  std::optional<double> horizon(double t0, double noise, const Growth& growth) const;

  std::vector<Node> blocks_;
  Node last_{};
  long long nodes_per_block_ = 1, in_block_ = 0;
  std::vector<double> lowest_, highest_;  // of every coordinate
  double q_size_ = 0, p_size_ = 0;
  bool stopped_ = false;
  double stopped_at_ = 0;
};

// "the motion is right to about 3e-7 of its size; half the step would give 2e-8". Where the relative error of p is more
// than three times that of q, it is told beside it, by the name that p has: "momenta", "velocities"; empty where p says
// nothing that q does not.
std::string accuracy_in_words(const Accuracy& accuracy, std::string_view p = "momenta");

}  // namespace livens
