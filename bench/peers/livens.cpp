#include "livens.hpp"

#include "../hanging_chain.hpp"
#include "livens/method/rattle.hpp"

namespace peers {

Run livens_rattle(const Chain& chain, double end, double step) {
  using System = livens::ElementSystem<double>;
  const System system = hanging_chain::elements(static_cast<int>(chain.N), {});
  const std::size_t N = chain.N;
  const auto at = [](std::size_t i, std::size_t k) { return static_cast<int>(3 * i + k); };

  const State s = chain.start();
  livens::State<System> x(system);
  livens::Vec<double> v(system.coordinates());
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      x.q[at(i, k)] = s.q[k * N + i];
      v[at(i, k)] = s.v[k * N + i];
      x.p[at(i, k)] = chain.l * s.v[k * N + i];
    }
  livens::Rattle::Step<System> rattle(system, livens::Rattle{}, {});
  Run run;
  run.succeeded = rattle.start(0, x, v);
  livens::StepReport report;
  const long steps = std::lround(end / step);

  const double begin = process_seconds();
  while (run.succeeded && run.steps < steps) {
    const double t = static_cast<double>(run.steps) * step;
    rattle.advance(t, t + step, step, x, report);
    run.succeeded = livens::succeeded(report.outcome);
    run.evaluations += report.evaluations;
    ++run.steps;
  }
  run.seconds = process_seconds() - begin;

  run.end = s;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      run.end.q[k * N + i] = x.q[at(i, k)];
      run.end.v[k * N + i] = x.p[at(i, k)] / chain.l;
    }
  return run;
}

}  // namespace peers
