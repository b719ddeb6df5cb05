// The compiled derivatives of formulas against jets run through the formulas themselves; see
// system/check_derivatives.hpp.
#pragma once

#include <memory>

#include "livens/model/degenerate_formulas.hpp"
#include "livens/model/lagrangian_formulas.hpp"
#include "livens/model/odae_formulas.hpp"
#include "livens/system/check_derivatives.hpp"

namespace livens {

DerivativeReport check_derivatives(const std::shared_ptr<const LagrangianFormulas>& formulas, double t,
                                   const Vec<double>& q, const Vec<double>& v);
DerivativeReport check_derivatives(const std::shared_ptr<const DegenerateFormulas>& formulas, const Vec<double>& q);
DerivativeReport check_derivatives(const std::shared_ptr<const OdaeFormulas>& formulas, double t, const Vec<double>& y,
                                   const Vec<double>& z, const Vec<double>& psi);

}  // namespace livens
