#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "body_chain.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/simulation/simulate.hpp"

namespace body_chain {

namespace {

// Ends a run that takes too long.
class Limit : public livens::Monitor {
 public:
  explicit Limit(double longest) : longest_(longest) {}
  void start() { begin_ = process_seconds(); }
  double seconds() const { return process_seconds() - begin_; }
  long long watch(long long step, double, const livens::AuditFigures&) override {
    if (seconds() > longest_) stop = true;
    return step + 1;
  }
  void warn(const std::string&) override {}
  std::atomic<bool> stop = false;

 private:
  double longest_, begin_ = 0;
};

// Steps as a user gets them: with the audit of energy, constraints and momenta at every one.
Run run(const Chain& chain, const Setting& setting, const std::string& method, int s) {
  const long long steps = std::llround(setting.end / setting.step);
  livens::Overrides set = {{"system.parameters.N", fmt::format("{}", chain.N)},
                           {"system.parameters.l", fmt::format("{}", Chain::l)},
                           {"system.parameters.w", fmt::format("{}", chain.turn)},
                           {"method.name", method},
                           {"run.step", fmt::format("{}", setting.end / static_cast<double>(steps))},
                           {"run.end", fmt::format("{}", setting.end)}};
  if (s > 0) set.emplace_back("method.s", fmt::format("{}", s));
  const livens::Model model = livens::load_model("body-chain", set);
  const livens::MethodEntry& entry = livens::choose_method(model);
  Run run;
  Limit limit(setting.longest);
  livens::RunContext context;
  context.monitor = &limit;
  context.stop = &limit.stop;
  context.open_rows = [&](const livens::Columns&) -> livens::RowSink* {
    limit.start();  // the model is ready, the first step comes
    return nullptr;
  };
  const livens::RunResult result = livens::simulate(model, entry, livens::read_options(model, entry), context);
  run.seconds = limit.seconds();
  run.steps = result.report.steps;
  run.largest_energy_error = result.audit.energy.max_error / chain.energy_scale();
  if (result.report.outcome == livens::RunOutcome::failed)
    run.failure = fmt::format("failed after {} of {} steps, {:.2f} s", run.steps, steps, run.seconds);
  run.too_long = result.report.outcome == livens::RunOutcome::interrupted;
  if (run.too_long) run.failure = fmt::format("stopped after {} of {} steps, {:.2f} s", run.steps, steps, run.seconds);

  run.bodies.resize(static_cast<std::size_t>(chain.N));
  for (const auto& [column, x] : result.parts) {
    int link = 0;
    char quantity[32];
    if (std::sscanf(column.name.c_str(), "bodies/link[%d]/%31s", &link, quantity) != 2) continue;
    Body& body = run.bodies.at(static_cast<std::size_t>(link - 1));
    const std::string_view what = quantity;
    if (what == "position") std::copy_n(x.begin(), 3, body.position.begin());
    if (what == "velocity") std::copy_n(x.begin(), 3, body.velocity.begin());
    if (what == "angular_velocity") std::copy_n(x.begin(), 3, body.angular_velocity.begin());
    if (what == "rotation")
      for (std::size_t i = 0; i < 9; ++i) body.rotation[i / 3][i % 3] = x[i];
  }
  return run;
}

Method method(const std::string& name, double first_step, int s = 0) {
  return {.program = "Livens",
          .name = s > 0 ? fmt::format("{} s = {}", name, s) : name,
          .first_step = first_step,
          .run = [name, s](const Chain& chain, const Setting& setting) { return run(chain, setting, name, s); }};
}

}  // namespace

Run reference(const Chain& chain, const Setting& setting) {
  return run(chain, setting, "galerkin", 4);
}

std::vector<Method> livens_methods() {
  // Coarser steps of ggl and galerkin cost more than these, or fail.
  return {method("rattle", 0.02), method("ggl", 0.000625), method("galerkin", 0.01, 2), method("galerkin", 0.01, 3)};
}

}  // namespace body_chain
