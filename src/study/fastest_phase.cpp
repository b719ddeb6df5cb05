#include "study/fastest_phase.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "simulation/fastest_oscillation.hpp"

namespace livens {

using formula::Number;

FastestPhase::FastestPhase(const Model& model, double points, double order) : points_(points), order_(order) {
  const Model::Initial& initial = model.initial;
  const auto plain = [](const std::vector<Number>& x) {
    std::vector<double> out;
    for (const Number& number : x) out.push_back(to_double(number));
    return out;
  };
  const auto found = fastest_oscillation(model, {to_double(initial.t), plain(initial.q), plain(initial.v), {}});
  radians_ = found ? found->omega * std::abs(to_double(Number(model.run.end - initial.t))) : 0;
}

bool FastestPhase::is_followed_by(double N) const {
  return is_resolved_by(N / std::pow(std::max(1.0, radians_), 1 / order_));
}

}  // namespace livens
