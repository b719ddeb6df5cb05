// Ten million steps of the pendulum: energy oscillates in a fixed band, nothing drifts, memory stays flat.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include "livens/method/rattle.hpp"
#include "livens/run/march.hpp"

using namespace livens;

namespace {

struct Pendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - 9.81 * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};

// Largest energy error in each tenth of the run.
struct Tenths : RowSink {
  long long rows = 0, total;
  std::vector<double> largest = std::vector<double>(10);
  double first = 0;
  explicit Tenths(long long count) : total(count) {}
  void write(std::span<const double> row) override {
    const double energy = row[row.size() - 3];
    if (rows == 0) first = energy;
    auto& band = largest[static_cast<std::size_t>(std::min(9LL, 10 * rows / total))];
    band = std::max(band, std::abs(energy - first));
    ++rows;
  }
};

long peak_memory_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

TEST_CASE("ten million rattle steps of the pendulum: energy bounded, no drift, memory flat" *
          doctest::test_suite("long")) {
  using System = Lagrangian<Pendulum>;
  const System system(Pendulum{});
  StartValues<System> start(system);
  start.q = {std::sin(1.0), -std::cos(1.0)}, start.v = {0.5 * std::cos(1.0), 0.5 * std::sin(1.0)};
  REQUIRE(!start.make_consistent(false, {}));
  const long long steps = 10'000'000;
  March<System>(system, Rattle{}, {.t0 = 0, .step = 0.01, .steps = 1000}).run(start, nullptr, nullptr);  // its code
  const long before = peak_memory_kib();
  Tenths tenths(steps / 7);
  March<System> run(system, Rattle{}, {.t0 = 0, .step = 0.01, .steps = steps, .every = 7});
  const RunReport report = run.run(start, &tenths, nullptr);
  REQUIRE(report.outcome == RunOutcome::finished);
  CHECK(report.steps == steps);
  // Oscillation 8.8e-4 in every tenth of the run, the same to three digits.
  for (const double band : tenths.largest) CHECK(std::abs(band / tenths.largest[0] - 1) < 1e-2);
  CHECK(run.audit().energy.max_error < 2e-3);
  CHECK(std::abs(run.audit().energy.course.slope()) * 1e5 < 1e-6);  // over the 10^5 units of time
  CHECK(run.audit().constraint < 4 * 2.3e-16);
  CHECK(run.audit().hidden_constraint < 4 * 1.3e-15);
  CHECK(peak_memory_kib() - before < 512);
}
