#include "study/corners.hpp"

#include <algorithm>

namespace livens {

using Kind = formula::Corner::Kind;

namespace {

const CompiledParts& parts_of(const SystemDescription& system) {
  switch (system.kind()) {
    case SystemKind::lagrangian:
      return *system.lagrangian();
    case SystemKind::degenerate:
      return *system.degenerate();
    case SystemKind::odae:
      break;
  }
  return *system.odae();
}

}  // namespace

Corners::Corners(const SystemDescription& system, double order_of_method)
    : Corners(parts_of(system).corners(),
              system.kind() == SystemKind::lagrangian
                  ? Blocks{LagrangianFormulas::time, LagrangianFormulas::q, LagrangianFormulas::v, -1, -1}
              : system.kind() == SystemKind::degenerate
                  ? Blocks{-1, DegenerateFormulas::q, -1, -1, -1}
                  : Blocks{OdaeFormulas::time, OdaeFormulas::y, -1, OdaeFormulas::z, OdaeFormulas::psi}) {
  crossed_ = order_of_method > 4 && !parts_of(system).graph().tables().empty();
}

Corners::Corners(const CompiledParts::Corners& corners, const Blocks& blocks)
    : blocks_(blocks),
      kinds_(corners.kinds),
      formulas_(corners.x),
      pointers_(static_cast<std::size_t>(std::max({blocks.time, blocks.q, blocks.v, blocks.p, blocks.multipliers})) +
                1),
      now_(kinds_.size()),
      x_(kinds_.size()),
      sign_(kinds_.size(), 0) {
  for (const formula::Program::Input& input : formulas_.program().inputs)
    need_multipliers_ = need_multipliers_ || input.block == blocks_.multipliers;
}

void Corners::look(const Place& at, const std::vector<double>& multipliers) {
  const auto put = [&](int block, const double* numbers) {
    if (block >= 0) pointers_[static_cast<std::size_t>(block)] = numbers;
  };
  put(blocks_.time, &at.t), put(blocks_.q, at.q.data()), put(blocks_.v, at.v.data()), put(blocks_.p, at.p.data());
  put(blocks_.multipliers, multipliers.data());
  formulas_(pointers_.data(), now_.data());
  ++seen_;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    std::array<double, span>& x = x_[k];
    std::shift_right(x.begin(), x.end(), 1);
    x[0] = now_[k];
    const int sign = (x[0] > 0) - (x[0] < 0);
    switch (kinds_[k]) {
      case Kind::sharp:
      case Kind::jump:
        crossed_ = crossed_ || sign * sign_[k] < 0;
        jumped_ = jumped_ || (kinds_[k] == Kind::jump && sign * sign_[k] < 0);
        break;
      case Kind::root:
        unresolved_ = unresolved_ || (seen_ >= span && 4 * x[2] < std::min(x[0], x[4]));
        break;
      case Kind::sigmoid:
        unresolved_ = unresolved_ || (seen_ > 2 && x[0] * x[2] < 0 && std::abs(x[0] - x[2]) > 2);
        break;
      case Kind::blow: {
        const bool largest = seen_ > 2 && x[1] >= x[0] && x[1] >= x[2];
        overlooked_ = overlooked_ || (largest && 2 * x[1] - x[0] - x[2] > 4);
        break;
      }
    }
    if (sign != 0) sign_[k] = sign;
  }
}

}  // namespace livens
