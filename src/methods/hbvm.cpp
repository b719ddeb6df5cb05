#include "livens/method/hbvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "livens/math/magnitude.hpp"
#include "methods/steps_of.hpp"

namespace livens {

namespace {

Hbvm method(const Options& options) {
  return {.k = static_cast<int>(options.get<long long>("k")),
          .s = static_cast<int>(options.get<long long>("s")),
          .r = static_cast<int>(options.get<long long>("r")),
          .iteration = options.get<std::string>("iteration") == "newton" ? Hbvm::Iteration::newton
                                                                         : Hbvm::Iteration::fixed_point};
}

void complete(const Model& model, Options& options) {
  if (const std::string reason = method(options).inadmissible(); !reason.empty())
    throw InputError(model.at("method." + reason.substr(0, reason.find(' ')), reason));
}

std::string misfit(const Model& model) {
  if (const std::string reason = Hbvm::misfit(model.system->structure()); !reason.empty()) return reason;
  const ElementSystem<double> system = model.system->elements<double>();
  Mass<SparseMat<double>> mass(system);
  Vec<double> q(system.coordinates()), v(q);
  for (int i = 0; i < q.size(); ++i) q[i] = static_cast<double>(model.initial.q[static_cast<std::size_t>(i)]);
  system.mass(static_cast<double>(model.initial.t), q, v, mass.matrix());
  return mass.factorise() ? Hbvm::misfit_of_mass(mass.matrix())
                          : "";  // a singular one is refused with the start values
}

// Size of the terms of L; at rest those of V.
double lagrangian_size(const LagrangianFormulas& formulas, const std::vector<double>& q, const std::vector<double>& v) {
  using S = Magnitude<double>;
  using F = LagrangianFormulas;
  const std::vector<S> q_sized(q.begin(), q.end()), v_sized(v.begin(), v.end());
  const S t(0.0);
  S L;
  const S* const blocks[F::blocks] = {&t, q_sized.data(), v_sized.data(), nullptr, nullptr, nullptr};
  formula::Evaluator<S>(formulas.program(F::value))(blocks, &L);
  return L.size;
}

// What was not conserved, where it is more than round-off, which walks at random: the sizes of energy and constraints
// are those at the start and at the end.
std::string excess(const Model& model, const RunResult& result, const Hbvm& method) {
  std::vector<double> start;
  for (const auto& x : model.initial.q) start.push_back(static_cast<double>(x));
  const auto &end = result.final.q.numbers, &v = result.final.v->numbers;
  const std::vector<double> at_rest(start.size());
  const double energy_size =
      std::max({std::abs(result.audit.energy.initial), lagrangian_size(*model.system->lagrangian(), end, v),
                lagrangian_size(*model.system->lagrangian(), start, at_rest)});
  const ElementSystem<double> system = model.system->elements<double>();
  Vec<double> position(system.coordinates()), sizes(system.constraints());
  double constraint_size = 0;
  for (const std::vector<double>* q : {&std::as_const(start), &end}) {
    std::copy(q->begin(), q->end(), position.begin());
    system.constraint_size(0, position, sizes);
    if (sizes.size() > 0) constraint_size = std::max(constraint_size, max_norm(sizes));
  }

  double eps = epsilon<double>();
  if (model.run.precision == Precision::extended) eps = to_double(epsilon<long double>());
  if (model.run.precision == Precision::quad) eps = to_double(epsilon<Widest>());
  const double round_off = eps * (64 + 4 * std::sqrt(static_cast<double>(result.report.steps)));

  std::string found;
  if (result.audit.energy.max_error > round_off * energy_size)
    found = fmt::format("the energy changed by {:.1e}", result.audit.energy.max_error);
  if (result.audit.constraint > round_off * constraint_size)
    found += fmt::format("{}a constraint is {:.1e}", found.empty() ? "" : " and ", result.audit.constraint);
  if (found.empty()) return "";
  const Structure& structure = model.system->structure();
  const int exact_k = exact_points(method.s, structure);
  const bool exact = exact_k != 0 && method.k >= exact_k;
  if (!exact) return fmt::format("with k = {} {}, more than round-off: a larger k conserves it", method.k, found);
  return fmt::format("{}, more than round-off, although k = {} is exact for these polynomials: {}", found, method.k,
                     model.solver.tolerance                             ? "solver.tolerance leaves it"
                     : method.iteration == Hbvm::Iteration::fixed_point ? "the iteration leaves it; halve the step or "
                                                                          "set method.iteration = \"newton\""
                                                                        : "the iteration leaves it; halve the step");
}

std::vector<std::string> remarks(const Model& model, const Options& options, const RunResult& result) {
  Hbvm used = method(options);
  for (const auto& [name, value] : result.chosen)
    if (name == "k") used.k = static_cast<int>(value);
  std::vector<std::string> words;
  if (const int exact = exact_points(used.s, model.system->structure()); used.k < exact && method(options).k == 0)
    words.push_back(
        fmt::format("k = {} was found by trial, at most {}: {} points would be exact for these polynomials; method.k "
                    "sets it",
                    used.k, most_points(used.s), exact));
  if (result.report.failure && result.report.failure->outcome == Outcome::stalled &&
      used.iteration == Hbvm::Iteration::fixed_point)
    words.push_back("method.iteration = \"newton\" converges where sweeps do not");
  if (const long long doubtful = result.report.cost.doubtful; doubtful > 0)
    words.push_back(
        fmt::format("in {} of {} steps no solution that continues the motion from step size 0 was found, and another "
                    "one was taken: halve the step",
                    doubtful, result.report.steps));
  words.push_back(excess(model, result, used));
  std::erase(words, "");
  return words;
}

}  // namespace

MethodEntry hbvm_entry() {
  return {.name = "hbvm",
          .summary = "HBVM(k,s): line-integral method, conserves energy and constraints",
          .options = {whole_number("k", 0, "as many as conservation needs", "quadrature points", 100),
                      whole_number("s", 2, "", "degree of the motion in a step", 100),
                      whole_number("r", 1, "", "multiplier coefficients of a step", 100),
                      one_of("iteration", "fixed-point", "fixed-point needs first derivatives only",
                             {"fixed-point", "newton"})},
          .kinds = {SystemKind::lagrangian},
          .misfit = misfit,
          .order = "2s, at most 2r+2 (2r for even r)",
          .symplectic = false,
          .symmetric = true,
          .keeps = "energy, constraints",
          .complete = complete,
          .traits = traits_of(method),
          .steps = steps_of(method),
          .remarks = remarks};
}

}  // namespace livens
