#include "livens/method/galerkin.hpp"

#include "methods/entries.hpp"
#include "methods/galerkin_boundary.hpp"
#include "methods/lagrangian_run.hpp"
#include "methods/lagrangian_study.hpp"

namespace livens {

namespace {

Galerkin method(const Options& options) {
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

void complete(const Model& model, Options& options) {
  const long long s = options.get<long long>("s");
  if (options.get<long long>("w") == 0) options.replace("w", s);
  if (options.get<long long>("order") == 0) options.replace("order", 2 * s);
  if (const std::string reason = method(options).inadmissible(); !reason.empty()) {
    const std::string key = "method." + reason.substr(0, reason.find(' '));
    throw InputError(model.at(key, reason));
  }
  check_boundary_options(model, method(options));
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
  if (model.lagrangian->constraints() > 0) words.push_back(warning_of_constraints(method));
  std::erase(words, "");
  return words;
}

}  // namespace

MethodEntry galerkin_entry() {
  const auto whole = [](std::string name, long long standard, std::string words, std::string help, long long largest) {
    return Option{.name = std::move(name),
                  .standard = standard,
                  .standard_words = std::move(words),
                  .help = std::move(help),
                  .smallest = 1,
                  .largest = largest,
                  .choices = {}};
  };
  const auto word = [](std::string name, std::string standard, std::string help, std::vector<std::string> choices) {
    return Option{.name = std::move(name),
                  .standard = std::move(standard),
                  .standard_words = {},
                  .help = std::move(help),
                  .smallest = {},
                  .largest = {},
                  .choices = std::move(choices)};
  };
  return {
      .name = "galerkin",
      .summary = "Galerkin variational integrator of any order",
      .options = {whole("s", 2, "", "degree of the motion in a step", 40),
                  whole("w", 0, "s", "degree of the multipliers in a step", 40),
                  word("quadrature", "gauss", "of the Lagrangian", {"gauss", "lobatto"}),
                  whole("order", 0, "2s", "of that quadrature", 100),
                  word("constraint_quadrature", "lobatto",
                       "of the constraints; gauss and radau (w nodes) only to compare", {"lobatto", "gauss", "radau"}),
                  word("points", "lobatto", "control points; the motion does not depend on them",
                       {"lobatto", "equidistant"})},
      .kinds = {SystemKind::lagrangian},
      .misfit = nullptr,
      .order = "2w for s = w, w+1",
      .symplectic = true,
      .symmetric = true,
      .keeps = "constraints, linear momentum maps",
      .studies = lagrangian_studies(method),
      .complete = complete,
      .run =
          [](const Model& model, const Options& options, const RunContext& context) {
            RunResult result = model.is_boundary_problem() ? run_galerkin_boundary(model, method(options), context)
                                                           : run_lagrangian(model, method(options), context);
            for (const std::string& words : warnings(model, method(options)))
              result.message += (result.message.empty() ? "" : "; ") + words;
            return result;
          },
      .solves_boundary_problems = true};
}

}  // namespace livens
