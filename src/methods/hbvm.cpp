#include "livens/method/hbvm.hpp"

#include <fmt/format.h>

#include <cmath>

#include "methods/entries.hpp"
#include "methods/lagrangian_run.hpp"
#include "methods/lagrangian_study.hpp"

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
  if (const std::string reason = Hbvm::misfit(model.lagrangian->structure()); !reason.empty()) return reason;
  const ElementSystem<double> system = element_lagrangian<double>(model.lagrangian, {});
  Mass<SparseMat<double>> mass(system);
  Vec<double> q(system.coordinates()), v(q);
  for (int i = 0; i < q.size(); ++i) q[i] = static_cast<double>(model.initial.q[static_cast<std::size_t>(i)]);
  system.mass(static_cast<double>(model.initial.t), q, v, mass.matrix());
  return mass.factorise() ? Hbvm::misfit_of_mass(mass.matrix())
                          : "";  // a singular one is refused with the start values
}

// What the chosen k did not conserve, where it is more than round-off. result.final is t, q, v, p, lambda.
std::string excess(const Model& model, const RunResult& result, long long k) {
  const auto &q = result.final[1].numbers, &v = result.final[2].numbers, &p = result.final[3].numbers;
  const Conserved& energy = result.audit.energy;
  const ElementSystem<double> system = element_lagrangian<double>(model.lagrangian, {});
  Vec<double> position(system.coordinates()), at_rest(position), force(position), momentum(position);
  Vec<double> sizes(system.constraints());
  double energy_size = std::abs(energy.initial), constraint_size = 0;
  const auto look = [&] {  // what sums the terms of the energy and of the constraints amount to here
    energy_size = std::max(energy_size, std::abs(system.lagrangian(0, position, at_rest)));
    system.gradient(0, position, at_rest, force, momentum);
    for (int i = 0; i < position.size(); ++i) energy_size = std::max(energy_size, std::abs(position[i] * force[i]));
    system.constraint_size(0, position, sizes);
    if (sizes.size() > 0) constraint_size = std::max(constraint_size, max_norm(sizes));
  };
  for (int i = 0; i < position.size(); ++i) position[i] = q[static_cast<std::size_t>(i)];
  look();
  for (int i = 0; i < position.size(); ++i)
    position[i] = static_cast<double>(model.initial.q[static_cast<std::size_t>(i)]);
  look();
  double kinetic = 0;
  for (std::size_t i = 0; i < v.size(); ++i) kinetic += std::abs(v[i] * p[i]) / 2;
  energy_size = std::max(energy_size, kinetic);

  double eps = epsilon<double>();
  if (model.run.precision == Precision::extended) eps = to_double(epsilon<long double>());
  if (model.run.precision == Precision::quad) eps = to_double(epsilon<Widest>());
  const double round_off = 4096 * eps * std::max(1.0, std::sqrt(static_cast<double>(result.report.steps)) / 16);

  std::string found;
  if (energy.max_error > round_off * energy_size) found = fmt::format("the energy changed by {:.1e}", energy.max_error);
  if (result.audit.constraint > round_off * constraint_size)
    found += fmt::format("{}a constraint is {:.1e}", found.empty() ? "" : " and ", result.audit.constraint);
  if (found.empty()) return "";
  const Structure& structure = model.lagrangian->structure();
  if (structure.potential_degree && structure.constraint_degree)
    return fmt::format(
        "{}, more than round-off, although k = {} is exact for these polynomials: the iteration left it; "
        "halve the step or set method.iteration = \"newton\"",
        found, k);
  return fmt::format("with k = {} {}, more than round-off: a larger k conserves it", k, found);
}

}  // namespace

MethodEntry hbvm_entry() {
  const auto whole = [](std::string name, long long standard, std::string words, std::string help) {
    return Option{.name = std::move(name),
                  .standard = standard,
                  .standard_words = std::move(words),
                  .help = std::move(help),
                  .smallest = 1,
                  .largest = 100,
                  .choices = {}};
  };
  return {.name = "hbvm",
          .summary = "HBVM(k,s): line-integral method, conserves energy and constraints",
          .options = {whole("k", 0, "as many as conservation needs", "quadrature points"),
                      whole("s", 2, "", "degree of the motion in a step"),
                      whole("r", 1, "", "multiplier coefficients of a step"),
                      {.name = "iteration",
                       .standard = std::string("fixed-point"),
                       .standard_words = {},
                       .help = "fixed-point needs first derivatives only",
                       .smallest = {},
                       .largest = {},
                       .choices = {"fixed-point", "newton"}}},
          .kinds = {SystemKind::lagrangian},
          .misfit = misfit,
          .order = "2 (s = 1), 4 (s >= 2), 2s (r = 3, s = 3, 4)",
          .symplectic = false,
          .symmetric = true,
          .keeps = "energy, constraints",
          .studies = lagrangian_studies(method),
          .complete = complete,
          .run = [](const Model& model, const Options& options, const RunContext& context) {
            RunResult result = run_lagrangian(model, method(options), context);
            if (result.chosen.empty()) return result;
            const std::string words = excess(model, result, std::get<long long>(result.chosen.front().second));
            result.message += (result.message.empty() || words.empty() ? "" : "; ") + words;
            return result;
          }};
}

}  // namespace livens
