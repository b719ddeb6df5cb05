// The audit in words: how a quantity that mechanics conserves was kept over a run.
//
// Let e(t) = value(t) - value(t_0), E its largest absolute value over all steps, T the duration, s the slope of the
// least-squares line through e, A the width of the band about that line in which all of e lies, and r1, r2 the root
// mean squares of e over the two halves of the run.
//
//   conserved            E <= rounding, what a random walk of rounding errors can do in that many steps
//   unknown              fewer than 10 rows tell about e
//   drifts               |s| T > A and r2 > 1.5 r1: the line has left the band, and e stays away (a line: r2 = 2.6 r1;
//                        the line through one period of a sine has left its band, too, but r2 = r1)
//   grows                r2 > 2 r1: the band is not bounded (t sin t: r2 = 2.6 r1)
//   undecided            |s| T > A/2: one period of a sine, a random walk, a small drift look like this
//   oscillates           otherwise; for a sine of k whole periods |s| T = 3/(pi k) A
//
// An error that follows the motion looks like a drift until the motion has come back: where no velocity has changed its
// sign four times, two turns there and back, drifts and grows are undecided, too.
//
// A random walk has no course to be told from a part of it: one in three passes for an oscillation.
//
// Constraints are not compared with a start value: relative to the terms that they are summed from, in whatever units,
// they are zero or not.
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "livens/audit/course.hpp"

namespace livens {

// Per step a few operations on terms of this size, each off by half an epsilon in either direction.
inline double rounding_of(double epsilon, double size, double steps) {
  return 16 * epsilon * size * std::sqrt(std::max(steps, 1.0));
}

enum class Keeping { no_step, round_off, unknown, drifts, grows, undecided, oscillates };

inline Keeping keeping(const Course& c) {
  const double moved = std::abs(c.slope) * c.duration;
  const bool turned = c.turns >= 4;
  if (c.duration == 0) return Keeping::no_step;
  if (c.largest <= c.rounding) return Keeping::round_off;
  if (c.rows < 10 || !std::isfinite(c.largest)) return Keeping::unknown;
  if (moved > c.band && c.second_half > 1.5 * c.first_half) return turned ? Keeping::drifts : Keeping::undecided;
  if (c.second_half > 2 * c.first_half) return turned ? Keeping::grows : Keeping::undecided;
  if (moved > c.band / 2) return Keeping::undecided;
  return Keeping::oscillates;
}

// Two digits, as one says them: 2e-7, 1.3e-12, 0.25, 37.
inline std::string in_two_digits(double x) {
  std::array<char, 32> text;
  const double size = std::abs(x);
  if (x == 0 || !std::isfinite(x) || (size >= 0.0095 && size < 99.5)) {
    std::snprintf(text.data(), text.size(), "%.2g", x);
    return text.data();
  }
  std::snprintf(text.data(), text.size(), "%.1e", x);
  const std::string all = text.data();
  const std::size_t e = all.find('e');
  std::string mantissa = all.substr(0, e);
  if (mantissa.ends_with(".0")) mantissa.erase(mantissa.size() - 2);
  return mantissa + "e" + std::to_string(std::stoi(all.substr(e + 1)));
}

inline std::string audit_in_words(const Course& c) {
  const std::string most = in_two_digits(c.largest);
  switch (keeping(c)) {
    case Keeping::no_step:
      return "no step was done";
    case Keeping::round_off:
      return c.largest == 0 ? "conserved exactly" : "conserved to round-off, within " + most;
    case Keeping::unknown:
      return "changes within " + most + "; the recorded rows cannot tell drift from oscillation";
    case Keeping::drifts:
      return "drifts by " + in_two_digits(c.slope) + " per unit of time, to " + most;
    case Keeping::grows:
      return "the error grows, to " + most + "; the second half of the run is " +
             in_two_digits(c.second_half / c.first_half) + " times as far off as the first";
    case Keeping::undecided:
      return "changes within " + most + ", by drift or by a slow oscillation: a longer run would tell";
    case Keeping::oscillates:
      return "oscillates within " + most + ", no drift";
  }
  return "";
}

inline std::string energy_in_words(const Course& c, bool model_conserves) {
  if (model_conserves || c.duration == 0) return audit_in_words(c);
  return "the model does not conserve energy: changes by at most " + in_two_digits(c.largest);
}

// E - E_0 - int P dt (energy_balance.hpp).
inline std::string balance_in_words(double largest, long long steps) {
  if (steps == 0) return "no step was done";
  if (!std::isfinite(largest)) return "not known: forces or multipliers of a state are not finite";
  return "within " + in_two_digits(largest);
}

// rounding: of the terms that the constraint is summed from, rounding_of(epsilon, size, 1).
inline std::string constraint_in_words(double largest, double rounding, long long steps) {
  if (steps == 0) return "no step was done";
  if (largest == 0) return "satisfied exactly";
  return (largest <= rounding ? "satisfied to round-off, within " : "violated by at most ") + in_two_digits(largest);
}

}  // namespace livens
