#include "simulation/friction_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "livens/model/odae_formulas.hpp"
#include "livens/multibody/mechanism.hpp"

namespace livens {

template <class T>
FrictionWatch<T>::FrictionWatch(const SystemDescription& system)
    : system_(system), friction_(*system.friction()), values_(friction_.program) {
  now_.resize(friction_.program->outputs.size());
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
  // A joint that the others hold slides by round-off.
  const double slow = MechanismFriction::slow_beside(std::span<const T>(x.v));
  std::size_t k = 0;
  for (const MechanismFriction::Part& part : friction_.parts) {
    // A vector that turns by more than a right angle in a step has passed 0.
    const auto passed = [&](std::size_t first, int count) {
      double along = 0;
      for (std::size_t i = first; i < first + static_cast<std::size_t>(count); ++i)
        along += now_[i] * (last_.empty() ? now_[i] : last_[i]);
      return !(along > 0);
    };
    const auto is_slow = [&](std::size_t first, int count) {
      return std::all_of(now_.begin() + static_cast<std::ptrdiff_t>(first),
                         now_.begin() + static_cast<std::ptrdiff_t>(first) + count,
                         [&](double rate) { return std::abs(rate) <= slow; });
    };
    const auto loads = static_cast<std::size_t>(part.loads), rates = static_cast<std::size_t>(part.rates);
    const bool unloaded = passed(k, part.loads),
               at_rest = passed(k + loads, part.rates) || is_slow(k + loads, part.rates);
    if (unloaded || at_rest) {
      stopped_ = fmt::format("joint '{}' {}", system_.mechanism()->joints()[static_cast<std::size_t>(part.joint)].name,
                             unloaded ? "that carries no load" : "that comes to rest");
      return unloaded ? Outcome::unloaded : Outcome::at_rest;
    }
    k += loads + rates + part.coordinates.size();
  }
  return Outcome::converged;
}

template <class T>
bool FrictionWatch<T>::is_about_to_rest(const StateView<T>& x, double step) {
  using F = OdaeFormulas;
  evaluate(x, now_);
  const double t = to_double(x.t);
  const double* const blocks[F::blocks] = {&t, y_.data(), z_.data(), psi_.data(), nullptr};
  const auto values_of = [&](F::Part part) {
    formula::Evaluator<double> of(system_.odae()->program(part));
    std::vector<double> out(of.program().outputs.size());
    of(blocks, out.data());
    return out;
  };
  const std::vector<double> v = values_of(F::velocity), f = values_of(F::force), r = values_of(F::reaction);
  for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += step * v[i];
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += step * (f[i] + r[i]);
  std::vector<double> next(now_.size());
  values_(blocks, next.data());
  std::size_t k = 0;
  for (const MechanismFriction::Part& part : friction_.parts) {
    double after_two = 0;
    for (std::size_t i = k + static_cast<std::size_t>(part.loads), j = 0; j < static_cast<std::size_t>(part.rates);
         ++i, ++j)
      after_two += now_[i] * (2 * next[i] - now_[i]);
    if (!(after_two > 0)) {
      stopped_ = fmt::format("joint '{}' that comes to rest",
                             system_.mechanism()->joints()[static_cast<std::size_t>(part.joint)].name);
      return true;
    }
    k += static_cast<std::size_t>(part.loads + part.rates) + part.coordinates.size();
  }
  return false;
}

template class FrictionWatch<double>;
template class FrictionWatch<long double>;
#if LIVENS_QUAD
template class FrictionWatch<Widest>;
#endif

}  // namespace livens
