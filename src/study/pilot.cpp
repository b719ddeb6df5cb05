#include "study/pilot.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "study/corners.hpp"
#include "study/studied_system.hpp"

namespace livens {

Pilot run_pilot(const Model& given, const MethodEntry& method, const Options& options, long long steps, long long nodes,
                const std::atomic<bool>* stop) {
  const IndependentModel independent = without_redundant(given);
  const formula::Number step = (given.run.end - given.initial.t) / formula::Number(steps);
  Model model = given;
  model.run.accuracy.reset();
  model.run.step = step, model.run.steps = steps;
  return with_walk(model, independent, method, options, step,
                   [&](const auto& system, const auto& start, const auto& settings, auto walk) {
                     using System = std::decay_t<decltype(system)>;
                     using T = typename System::Scalar;
                     Pilot pilot;
                     pilot.steps = steps, pilot.nodes = nodes, pilot.found = walk.found();
                     std::vector<double> lowest, highest;
                     const SystemDescription& description = *independent.model.system;
                     Corners corners(description, method.traits(options).order_with(description.constraints()));
                     const auto look_for_corners = [&](const T& t) {
                       const bool multipliers = corners.need_multipliers();
                       if (multipliers && !succeeded(walk.look_final(t))) return;
                       std::vector<double> psi;
                       if (multipliers)
                         for (const T& x : walk.multipliers()) psi.push_back(to_double(x));
                       corners.look(walk.kind().audited_place(t, walk.state()), psi);
                     };
                     const auto take = [&](const T& t, bool is_node) {
                       if (!is_node && !corners.any()) return true;
                       if (!succeeded(is_node ? walk.look_final_momentum(t) : walk.look(t))) return false;
                       if (corners.any()) look_for_corners(t);
                       if (!is_node) return true;
                       pilot.t.push_back(to_double(t));
                       for (int i = 0; i < walk.q().size(); ++i) {
                         const double x = to_double(walk.q()[i]);
                         pilot.q.push_back(static_cast<Widest>(walk.q()[i]));
                         pilot.q_size = std::max(pilot.q_size, std::abs(x));
                         if (pilot.t.size() == 1) lowest.push_back(x), highest.push_back(x);
                         const auto at = static_cast<std::size_t>(i);
                         lowest[at] = std::min(lowest[at], x), highest[at] = std::max(highest[at], x);
                         pilot.range = std::max(pilot.range, highest[at] - lowest[at]);
                       }
                       for (const T& x : walk.final_momentum()) {
                         pilot.p.push_back(static_cast<Widest>(x));
                         pilot.p_size = std::max(pilot.p_size, std::abs(to_double(x)));
                       }
                       return true;
                     };
                     const auto begin = std::chrono::steady_clock::now();
                     StepReport report;
                     report.outcome = walk.start(start);
                     bool good = succeeded(report.outcome) && take(start.t, true);
                     for (long long n = 0; good && n < steps; ++n) {
                       if (stop && stop->load(std::memory_order_relaxed)) return pilot;
                       const auto time = [&](long long k) { return T(start.t + static_cast<T>(k) * settings.step); };
                       walk.advance(time(n), time(n + 1), settings.step, report);
                       pilot.cost.add(report);
                       good = succeeded(report.outcome);
                       good = good && take(time(n + 1), (n + 1) % (steps / nodes) == 0);
                     }
                     pilot.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
                     pilot.solved = good && std::isfinite(pilot.q_size);
                     pilot.crossed_corners = corners.crossed(), pilot.unresolved_corners = corners.unresolved();
                     pilot.jumped = corners.jumped(), pilot.overlooked = corners.overlooked();
                     return pilot;
                   });
}

}  // namespace livens
