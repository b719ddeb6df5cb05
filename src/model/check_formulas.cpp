#include "livens/model/check_formulas.hpp"

namespace livens {

DerivativeReport check_derivatives(const std::shared_ptr<const LagrangianFormulas>& formulas, double t,
                                   const Vec<double>& q, const Vec<double>& v) {
  const auto over = [&]<class S>(const S&) { return FormulaLagrangian<S>(formulas); };
  return checking::check_lagrangian(over, t, q, v);
}

DerivativeReport check_derivatives(const std::shared_ptr<const DegenerateFormulas>& formulas, const Vec<double>& q) {
  const auto over = [&]<class S>(const S&) { return FormulaDegenerate<S>(formulas); };
  return checking::check_degenerate(over, q);
}

DerivativeReport check_derivatives(const std::shared_ptr<const OdaeFormulas>& formulas, double t, const Vec<double>& y,
                                   const Vec<double>& z, const Vec<double>& psi) {
  const auto over = [&]<class S>(const S&) { return FormulaOdae<S>(formulas); };
  return checking::check_odae(over, t, y, z, psi);
}

}  // namespace livens
