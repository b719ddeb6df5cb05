#include "livens/model/redundant.hpp"

#include <fmt/format.h>

#include "livens/model/element_lagrangian.hpp"
#include "livens/system/rank.hpp"

namespace livens {

std::vector<int> redundant_constraints(const Model& model) {
  if (model.solver.redundant != "least-norm" || model.lagrangian->constraints() == 0) return {};
  const ElementSystem<double> system = element_lagrangian<double>(model.lagrangian, {});
  Vec<double> q(system.coordinates()), g(system.constraints());
  for (int i = 0; i < q.size(); ++i) q[i] = static_cast<double>(model.initial.q[static_cast<std::size_t>(i)]);
  SparseMat<double> G = system.jacobian();
  system.constraint_jacobian(static_cast<double>(model.initial.t), q, g, G);
  std::vector<int> rows = dependent_rows(G);
  std::erase_if(rows, [&](int row) {  // no gradient at all is another fault, which the start values name
    bool zero = true;
    for_row(G, row, [&](int, double x) { zero = zero && x == 0; });
    return zero;
  });
  return rows;
}

std::string constraint_list(const std::vector<int>& rows) {
  std::string list = rows.size() == 1 ? "constraint " : "constraints ";
  for (std::size_t k = 0; k < rows.size(); ++k)
    list += fmt::format("{}{}", k == 0 ? "" : k + 1 == rows.size() ? " and " : ", ", rows[k] + 1);
  return list;
}

}  // namespace livens
