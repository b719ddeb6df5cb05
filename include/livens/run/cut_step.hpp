// Steps that are cut at moments where velocities jump or the equations change, as those with contacts: who watches the
// motion asks for what it was there, and may have the step end at one of them.
#pragma once

#include <cstddef>
#include <vector>

#include "livens/system/state.hpp"

namespace livens {

template <class System>
struct StepMoment {
  typename System::Scalar t;
  State<System> before, after;
  bool opens;  // what was held is free from there
};

template <class System>
class CutStep {
 public:
  virtual ~CutStep() = default;
  virtual void keep_moments() = 0;  // from now on
  // Of the last step, by time.
  virtual const std::vector<StepMoment<System>>& moments() const = 0;
  // The last step is made once more and ends at that moment, to the bit, with the state after it: whatever length the
  // next call of `advance` says.
  virtual void end_at(std::size_t moment) = 0;
};

}  // namespace livens
