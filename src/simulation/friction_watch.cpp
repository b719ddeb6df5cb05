#include "simulation/friction_watch.hpp"

#include <algorithm>

#include "livens/model/odae_formulas.hpp"

namespace livens {

template <class T>
FrictionWatch<T>::FrictionWatch(const MechanismFriction& friction) : friction_(friction), values_(friction.program) {
  now_.resize(friction.program->outputs.size());
}

template <class T>
void FrictionWatch<T>::evaluate(const StateView<T>& x, std::vector<double>& to) {
  const auto copy = [](std::span<const T> from, std::vector<double>& into) {
    into.resize(from.size());
    std::transform(from.begin(), from.end(), into.begin(), [](const T& y) { return to_double(y); });
  };
  copy(x.q, y_), copy(x.p, z_), copy(x.lambda, psi_);
  const double t = to_double(x.t);
  const double* const blocks[OdaeFormulas::blocks] = {&t, y_.data(), z_.data(), psi_.data(), nullptr};
  to.resize(now_.size());
  values_(blocks, to.data());
}

template <class T>
Outcome FrictionWatch<T>::judge(const StateView<T>& x) {
  evaluate(x, now_);
  std::size_t k = 0;
  for (const MechanismFriction::Part& part : friction_.parts) {
    const std::size_t watched = 1 + static_cast<std::size_t>(part.rates);  // F_N, then rates
    for (std::size_t i = k; i < k + watched; ++i) {
      const bool passed = !(now_[i] > 0 || now_[i] < 0) || (!last_.empty() && (now_[i] > 0) != (last_[i] > 0));
      if (passed) return i == k ? Outcome::unloaded : Outcome::at_rest;
    }
    k += watched + part.coordinates.size();
  }
  return Outcome::converged;
}

template class FrictionWatch<double>;
template class FrictionWatch<long double>;
#if LIVENS_QUAD
template class FrictionWatch<Widest>;
#endif

}  // namespace livens
