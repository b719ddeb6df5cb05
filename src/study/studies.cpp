#include "livens/study/studies.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "livens/formula/names.hpp"
#include "livens/formula/program.hpp"
#include "livens/methods/methods.hpp"
#include "livens/simulation/failure.hpp"
#include "livens/simulation/simulate.hpp"
#include "study/model_studies.hpp"
#include "study/references.hpp"

namespace livens {

using formula::Number;

namespace {

constexpr long long most_steps = 1'000'000'000;

// The method and its options, once the model is found to be complete.
struct Chosen {
  const MethodEntry& method;
  Options options;
};

enum class Needs { end, step };

Chosen choose(const Model& model, Needs needs = Needs::step) {
  if (model.is_boundary_problem())
    throw InputError(model.at("final", "studies are about initial value problems; leave it out and give initial.v"));
  if (model.has_contact())
    throw InputError(model.at(model.contact.one_sided.front().key,
                              "studies are made for constraints that hold on both sides; run the model with several "
                              "steps, or with --estimate"));
  const MethodEntry& method = choose_method(model);
  Options options = read_options(model, method);
  if (!model.run.given)
    throw InputError(
        model.at("run", "the section is missing; add [run] with step = 0.01 and end = 10.0 or steps = 1000"));
  if (model.run.accuracy)
    throw InputError(model.at("run.accuracy", "studies have step sizes of their own; write step = 0.01 instead"));
  if (needs == Needs::step) require_step(model);
  return {method, std::move(options)};
}

Number span_of(const Model& model) {
  return model.run.steps > 0 ? model.run.step * Number(model.run.steps) : model.run.end - model.initial.t;
}

// How often h fits into the time span of the run.
long long steps_of(const Model& model, const Number& h) {
  using std::abs, std::floor;
  const Number span = span_of(model), count = span / h, whole = floor(count + Number(0.5));
  const double step = to_double(h), time = to_double(span);
  if (whole < 1 || abs(count - whole) > Number(1e-9) * whole)
    throw InputError(fmt::format("--step-sizes: {} does not divide the time span {} of the run ({:.10g} steps)", step,
                                 time, to_double(count)));
  if (whole > Number(most_steps))
    throw InputError(fmt::format("--step-sizes: {} makes {:.1e} steps; write a larger one", step, to_double(whole)));
  return static_cast<long long>(whole);
}

std::vector<long long> steps_of(const Model& model, const std::vector<Number>& step_sizes) {
  std::vector<long long> steps;
  for (const Number& h : step_sizes) {
    steps.push_back(steps_of(model, h));
    if (std::count(steps.begin(), steps.end(), steps.back()) > 1)
      throw InputError(fmt::format("--step-sizes: {} is given twice", to_double(h)));
  }
  return steps;
}

// Why a run has no errors, in words; empty if it has.
std::string words_of_failure(const Model& model, const RunErrors& run) {
  if (run.failure)
    return fmt::format("step size {}: {}", run.step, describe_failure(model, *run.failure, run.attempt, run.steps + 1));
  if (run.reference_failed)
    return fmt::format("step size {}: the reference has no solution after step {}", run.step, run.steps);
  return "";
}

ReferenceChoice choose_reference(const Model& model, const std::string& name) {
  if (name == "fine") return fine_reference(model);
  if (name == "exact") return exact_reference(model);
  return file_reference(model, name);
}

struct Effort {
  double seconds;
  Cost cost;
};

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// CPU seconds of the steps alone, without what is set up before the first one, of the fastest of several runs: what
// others do on the machine only adds.
Effort effort_of(const Chosen& chosen, const Model& model, const std::atomic<bool>* stop) {
  constexpr double enough = 0.2;
  Effort effort{};
  double all = 0;
  for (int call = 0; call < 3 || (call < 20 && all < enough); ++call) {
    double begin = 0;
    RunContext context;
    context.stop = stop;
    context.open_rows = [&](const Columns&) -> RowSink* {
      begin = cpu_seconds();
      return nullptr;
    };
    effort.cost = simulate(model, chosen.method, chosen.options, context).report.cost;
    end_if_asked(stop);
    const double seconds = cpu_seconds() - begin;
    effort.seconds = call == 0 ? seconds : std::min(effort.seconds, seconds);
    all += seconds;
    if (all > 10 * enough) break;
  }
  return effort;
}

double round_off(Precision precision) {
  switch (precision) {
    case Precision::double_:
      return epsilon<double>();
    case Precision::extended:
      return static_cast<double>(epsilon<long double>());
    case Precision::quad:
      break;
  }
  return to_double(epsilon<Widest>());
}

}  // namespace

const std::vector<StudyEntry>& studies() {
  static const std::vector<StudyEntry> table = {
      {"order", "errors and slopes of q, p and lambda over several step sizes"},
      {"efficiency", "errors against seconds and evaluations, of several methods over several step sizes"},
      {"symplecticity", "defect of the two-form under the exact derivative of one step"},
      {"reversibility", "distance to the start after N steps with h and N with -h"},
      {"invariants", "Poincare integral invariants along [loop] and over [surface]"},
  };
  return table;
}

OrderStudy study_order(const Model& model, const std::vector<Number>& step_sizes, const std::string& reference,
                       const std::function<void(const OrderRow&)>& watch, const std::atomic<bool>* stop) {
  const Chosen chosen = choose(model, Needs::end);
  const std::vector<long long> steps = steps_of(model, step_sizes);
  const ReferenceChoice choice = choose_reference(model, reference);
  OrderStudy study{.reference = reference,
                   .reference_description = choice.description,
                   .constrained = model.system->constraints() > 0,
                   .rows = {},
                   .failures = {}};
  const double eps = std::max(choice.round_off, round_off(model.run.precision));
  std::vector<RunErrors> runs;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::unique_ptr<Reference> solution = choice.make();
    runs.push_back(model_errors(model, chosen.method, chosen.options, step_sizes[k], steps[k], *solution, stop));
    if (std::string words = words_of_failure(model, runs.back()); !words.empty())
      study.failures.push_back(std::move(words));
    study.rows = order_rows(runs, eps);
    if (watch) watch(study.rows.back());
  }
  return study;
}

EfficiencyStudy study_efficiency(const std::vector<Model>& models, const std::vector<Number>& step_sizes,
                                 const std::string& reference, const std::function<void(const EfficiencyRow&)>& watch,
                                 const std::atomic<bool>* stop) {
  std::vector<Chosen> chosen;
  for (const Model& model : models) chosen.push_back(choose(model, Needs::end));
  const std::vector<long long> steps = steps_of(models.front(), step_sizes);
  const ReferenceChoice choice = choose_reference(models.front(), reference);
  EfficiencyStudy study{.reference = reference,
                        .reference_description = choice.description,
                        .constrained = models.front().system->constraints() > 0,
                        .rows = {},
                        .failures = {}};
  for (std::size_t i = 0; i < models.size(); ++i)
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const MethodEntry& method = chosen[i].method;
      const Options& options = chosen[i].options;
      const std::unique_ptr<Reference> solution = choice.make();
      const RunErrors run = model_errors(models[i], method, options, step_sizes[k], steps[k], *solution, stop);
      EfficiencyRow row{.method = i, .step = run.step, .error = {}, .seconds = {}, .cost = {}};
      if (run.ok()) {
        row.error = {run.error.q, run.error.p, run.error.lambda};
        Model timed = models[i];
        timed.run.step = step_sizes[k], timed.run.steps = steps[k];
        const Effort effort = effort_of(chosen[i], timed, stop);
        row.seconds = effort.seconds, row.cost = effort.cost;
      } else {
        study.failures.push_back(method.name + ", " + words_of_failure(models[i], run));
      }
      study.rows.push_back(row);
      if (watch) watch(row);
    }
  return study;
}

Symplecticity study_symplecticity(const Model& model, const std::atomic<bool>* stop) {
  if (model.system->kind() == SystemKind::odae)
    throw InputError(
        model.at("system.kind", model.system->friction()
                                    ? "a mechanism with friction has no two-form to study; leave friction out"
                                    : "\"odae\" has no two-form to study; state the system as \"lagrangian\""));
  const Chosen chosen = choose(model);
  return model_symplecticity(model, chosen.method, chosen.options, stop);
}

Reversibility study_reversibility(const Model& model, const std::atomic<bool>* stop) {
  const Chosen chosen = choose(model);
  return model_reversibility(model, chosen.method, chosen.options, stop);
}

InvariantsStudy study_invariants(const Model& model, const InvariantOptions& options) {
  if (model.system->kind() != SystemKind::degenerate)
    throw InputError(
        model.at("system.kind", fmt::format("\"{}\": the study is made for kind \"degenerate\", whose one-form "
                                            "is theta(q).dq",
                                            model.system->written_kind())));
  const Chosen chosen = choose(model);
  if (!model.loop.program && !model.surface.program)
    throw InputError(
        model.at("loop",
                 "the model has neither a loop nor a surface; add [loop] with q = [...] as formulas in tau "
                 "of period 1, or [surface] with formulas in sigma and tau on [0, 1]"));
  return model_invariants(model, chosen.method, chosen.options, options);
}

std::vector<Number> default_step_sizes(const Model& model) {
  choose(model, Needs::end);
  if (model.run.steps == 0)
    throw InputError(model.at("run.step", "missing, and no step sizes are given; write --step-sizes 0.1,0.05,0.025"));
  const Number span = span_of(model);
  std::vector<Number> sizes;
  for (const long long part : {8, 4, 2, 1}) {
    const long long steps = std::max(1LL, model.run.steps / part);
    if (const Number h = span / Number(steps); sizes.empty() || sizes.back() != h) sizes.push_back(h);
  }
  return sizes;
}

std::vector<Number> read_step_sizes(const std::string& text) {
  std::vector<Number> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    try {
      formula::Graph graph;
      const std::vector<formula::NodeId> node = {formula::Names(graph).parse(part)};
      formula::Evaluator<Number> value(std::make_shared<const formula::Program>(formula::compile(graph, node)));
      sizes.emplace_back();
      value(nullptr, &sizes.back());
    } catch (const formula::FormulaError& e) {
      throw InputError(fmt::format("--step-sizes: \"{}\": {}; write numbers such as 0.1,0.05,0.025", part, e.what()));
    }
    if (!is_finite(sizes.back()) || sizes.back() == 0)
      throw InputError(fmt::format("--step-sizes: {} is {}; write a step size", part, to_double(sizes.back())));
    begin = end + 1;
  }
  return sizes;
}

}  // namespace livens
