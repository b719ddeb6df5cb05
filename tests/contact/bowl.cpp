// A ball in a bowl with walls: from any start it stays inside. bench/bowl.cpp runs 10^5 of them.
#include "contact/bowl.hpp"

#include <doctest/doctest.h>

using namespace livens;
using namespace livens::test;

TEST_CASE("balls_from_random_starts_stay_in_their_bowl_and_win_no_energy") {
  std::mt19937_64 random(20260131);
  for (int k = 0; k < 200; ++k) {
    CAPTURE(k);
    Energies rows;
    const bool flat = k % 4 == 0;
    const BowlRun bowl = run_in_bowl(random, 60, flat, rows.context());
    if (bowl.result.report.outcome != RunOutcome::finished) {
      std::string words;
      for (const auto& [key, value] : bowl.set) words += " --set '" + key + "=" + value + "'";
      FAIL_CHECK(words << ": " << name(bowl.result.report.failure->outcome));
    }
    CHECK(bowl.result.audit.constraint < 1e-12);
    for (std::size_t n = 1; flat && n < rows.energy.size(); ++n) CHECK(rows.energy[n] <= rows.energy[n - 1] + 4e-14);
  }
}
