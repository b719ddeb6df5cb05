#include "livens/method/galerkin.hpp"

#include "livens/methods/galerkin_options.hpp"
#include "methods/steps_of.hpp"

namespace livens {

Galerkin galerkin_of(const Options& options) {
  const auto rule = [&](std::string_view key) {
    const std::string& word = options.get<std::string>(key);
    return word == "gauss" ? Galerkin::Rule::gauss : word == "radau" ? Galerkin::Rule::radau : Galerkin::Rule::lobatto;
  };
  return {.s = static_cast<int>(options.get<long long>("s")),
          .w = static_cast<int>(options.get<long long>("w")),
          .quadrature = rule("quadrature"),
          .order = static_cast<int>(options.get<long long>("order")),
          .constraint_quadrature = rule("constraint_quadrature"),
          .points = options.get<std::string>("points") == "equidistant" ? Galerkin::Points::equidistant
                                                                        : Galerkin::Points::lobatto};
}

namespace {

void complete(const Model& model, Options& options) {
  const long long s = options.get<long long>("s");
  if (options.get<long long>("w") == 0) options.replace("w", s);
  if (options.get<long long>("order") == 0) options.replace("order", 2 * s);
  if (const std::string reason = galerkin_of(options).inadmissible(); !reason.empty()) {
    const std::string key = "method." + reason.substr(0, reason.find(' '));
    throw InputError(model.at(key, reason));
  }
  if (model.is_boundary_problem() && galerkin_of(options).constraint_quadrature != Galerkin::Rule::lobatto)
    throw InputError(model.at("method.constraint_quadrature",
                              "boundary value problems ([final]) need \"lobatto\", which holds the constraints at the "
                              "nodes and has their multipliers on both sides"));
}

// What the choice of options costs beside those of the paper; empty if nothing.
std::string warning_of_points(const Galerkin& method) {
  if (method.points == Galerkin::Points::lobatto || method.s <= 16) return "";
  return "equidistant control points with s = " + std::to_string(method.s) +
         " > 16 lose digits by round-off; points = \"lobatto\" gives the same motion without that";
}

std::string warning_of_constraints(const Galerkin& method) {
  using Rule = Galerkin::Rule;
  const int w = method.multiplier_degree();
  const std::string order = std::to_string(method.order_of_motion());
  if (method.constraint_quadrature == Rule::gauss) {
    if (w < method.s)
      return "gauss quadrature of the constraints with w < s: the motion leaves them within a few steps";
    return "gauss quadrature of the constraints: they do not hold at the nodes and drift; the order is " + order +
           "; lobatto holds them and has order 2w";
  }
  if (method.constraint_quadrature == Rule::radau)
    return "radau quadrature of the constraints: not symmetric" +
           (order == "0" ? ", and of low order" : ", and of order " + order) +
           "; lobatto is symmetric and has order 2w";
  if (method.full_order()) return "";
  if (method.s > w + 1)
    return "s > w+1: the order falls to max(2, 2(2w+1-s)), here " + order + "; w = s or w = s-1 have order 2w";
  return "a quadrature of order " + std::to_string(method.quadrature_order()) + " < 2w: the order falls to " + order +
         "; method.order = " + std::to_string(2 * w) + " has order 2w";
}

std::vector<std::string> warnings(const Model& model, const Galerkin& method) {
  std::vector<std::string> words{warning_of_points(method)};
  if (model.system->constraints() > 0) words.push_back(warning_of_constraints(method));
  std::erase(words, "");
  return words;
}

}  // namespace

MethodEntry galerkin_entry() {
  return {.name = "galerkin",
          .summary = "Galerkin variational integrator of any order",
          .options = {whole_number("s", 2, "", "degree of the motion in a step", 40),
                      whole_number("w", 0, "s", "degree of the multipliers in a step", 40),
                      one_of("quadrature", "gauss", "of the Lagrangian", {"gauss", "lobatto"}),
                      whole_number("order", 0, "2s", "of that quadrature", 100),
                      one_of("constraint_quadrature", "lobatto",
                             "of the constraints; gauss and radau (w nodes) only to compare",
                             {"lobatto", "gauss", "radau"}),
                      one_of("points", "lobatto", "control points; the motion does not depend on them",
                             {"lobatto", "equidistant"})},
          .kinds = {SystemKind::lagrangian},
          .order = "2w for s = w, w+1",
          .symplectic = true,
          .symmetric = true,
          .keeps = "constraints, linear momentum maps",
          .complete = complete,
          .traits = traits_of(galerkin_of),
          .steps = steps_of(galerkin_of),
          .solves_boundary_problems = true,
          .remarks = [](const Model& model, const Options& options, const RunResult&) {
            return warnings(model, galerkin_of(options));
          }};
}

}  // namespace livens
