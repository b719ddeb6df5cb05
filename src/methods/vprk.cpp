#include "livens/method/vprk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "methods/steps_of.hpp"

namespace livens {

namespace {

constexpr std::array<std::pair<std::string_view, Vprk::Family>, 8> families{{
    {"gauss", Vprk::Family::gauss},
    {"lobatto-IIIA", Vprk::Family::lobatto_IIIA},
    {"lobatto-IIIB", Vprk::Family::lobatto_IIIB},
    {"lobatto-IIIC", Vprk::Family::lobatto_IIIC},
    {"lobatto-IIID", Vprk::Family::lobatto_IIID},
    {"lobatto-IIIE", Vprk::Family::lobatto_IIIE},
    {"srk3", Vprk::Family::srk3},
    {"radau-IIA", Vprk::Family::radau_IIA},
}};
constexpr std::array<std::pair<std::string_view, Vprk::Projection>, 5> projections{{
    {"symmetric", Vprk::Projection::symmetric},
    {"none", Vprk::Projection::none},
    {"standard", Vprk::Projection::standard},
    {"symplectic", Vprk::Projection::symplectic},
    {"midpoint", Vprk::Projection::midpoint},
}};
constexpr std::array<std::pair<std::string_view, Vprk::Coefficients>, 3> roundings{{
    {"symplectic", Vprk::Coefficients::symplectic},
    {"split", Vprk::Coefficients::split},
    {"rounded", Vprk::Coefficients::rounded},
}};

template <class Table>
auto chosen(const Table& table, const std::string& word) {
  for (const auto& [name, value] : table)
    if (name == word) return value;
  throw std::logic_error("vprk: " + word);
}
template <class Table>
std::vector<std::string> words(const Table& table) {
  std::vector<std::string> all;
  for (const auto& entry : table) all.emplace_back(entry.first);
  return all;
}

Vprk method(const Options& options) {
  return {.tableau = chosen(families, options.get<std::string>("tableau")),
          .stages = static_cast<int>(options.get<long long>("stages")),
          .projection = chosen(projections, options.get<std::string>("projection")),
          .coefficients = chosen(roundings, options.get<std::string>("coefficients"))};
}

// Radau IIA has one projection only, srk3 one number of stages: what is not asked for is what fits.
void complete(const Model& model, Options& options) {
  const std::string& tableau = options.get<std::string>("tableau");
  if (tableau == "radau-IIA" && !model.method.options.contains("projection"))
    options.replace("projection", std::string("none"));
  if (tableau == "srk3" && !model.method.options.contains("stages")) options.replace("stages", 3LL);
  if (const std::string reason = method(options).inadmissible(); !reason.empty())
    throw InputError(model.at(tableau == "radau-IIA" && options.get<std::string>("projection") != "none"
                                  ? "method.projection"
                                  : "method.stages",
                              reason));
}

// The first stage equation of IIIC-IIIC* has no force: the first row of IIIC* is 0. A component of theta that does not
// depend on q leaves nothing of it.
std::vector<std::string> remarks(const Model& model, const Options& options, const RunResult& result) {
  const Vprk used = method(options);
  if (used.tableau != Vprk::Family::lobatto_IIIC || used.is_coupled() || !result.report.failure ||
      result.report.failure->outcome != Outcome::singular_jacobian)
    return {};
  const FormulaDegenerate<double> system(model.system->degenerate());
  Vec<double> q(system.coordinates()), theta(q);
  Mat<double> J = system.square();
  std::copy(result.final.q.numbers.begin(), result.final.q.numbers.end(), q.begin());
  system.theta_jacobian(q, theta, J);
  for (int i = 0; i < J.rows(); ++i)
    if (std::all_of(&J(i, 0), &J(i, 0) + J.cols(), [](double x) { return x == 0; }))
      return {
          fmt::format("the theta of {} does not depend on the coordinates, and lobatto-IIIC, whose partner has no "
                      "force in its first stage, leaves that stage undetermined: take another tableau",
                      model.system->coordinate_names()[static_cast<std::size_t>(i)])};
  return {};
}

}  // namespace

MethodEntry vprk_entry() {
  return {.name = "vprk",
          .summary = "variational Runge-Kutta with projection onto p = theta(q)",
          .options = {one_of("tableau", "gauss", "Runge-Kutta pair; IIIA: IIIA-IIIB, IIIB: IIIB-IIIA, IIIC: IIIC-IIIC*",
                             words(families)),
                      whole_number("stages", 2, "2, srk3: 3", "number of stages", 40),
                      one_of("projection", "symmetric", "onto p = theta(q); radau-IIA has none", words(projections)),
                      one_of("coefficients", "symplectic", "how they are rounded", words(roundings))},
          .kinds = {SystemKind::degenerate},
          .order = "gauss: 2s; lobatto: 2s-2; none and midpoint less",
          .symplectic = {},
          .symmetric = {},
          .keeps = "p = theta(q), momentum maps affine in theta",
          .complete = complete,
          .traits = traits_of(method),
          .steps = steps_of(method),
          .remarks = remarks};
}

}  // namespace livens
