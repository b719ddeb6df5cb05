// The audit in words: how a quantity that mechanics conserves was kept over a run.
//
// Let e(t) = value(t) - value(t_0), E its largest absolute value, and M, A and the others the figures of its course
// over all steps (course.hpp). The first of these that holds is said:
//
//   conserved        E <= rounding, what a random walk of rounding errors can do in that many steps, and at no time
//                    more than in the steps until then; beside it a drift where |trend| > 5
//   not known        e is no finite number at some step
//   too short        less than 16 blocks; less than 32 where e does not rest before and after a jump
//   jumps            two levels leave at most half of the squares that a line leaves, and are A/10 apart; or e rests
//                    before and after; or it is left at once and rests then
//   grows            growth > 2.5 (t sin t: 3), or > 8 where e turns round at more than 0.9 of the steps, late_widening
//                    > 1.24 (t sin t: 4/3; a beat that hardly grows any more: less), from an
//                    oscillation of which the first quarter has seen three swings, and the means have gone to and fro
//                    eight times
//   drifts           |M| > A/10 and 3 doubt, and it is a line: bent < |M|/36, or < |M|/14 with evidence below 20 (half
//                    a period, from one extreme to the other: |M|/29); of |M| > 2 A bent_alone, too; of less than 64
//                    blocks |M| > A/2, too
//   leaves           0 is outside the range of e after the first sixteenth of the run, by more than half of its width:
//                    e has left its start for good, be it only that it started at an extreme of many oscillations
//   too short        |M| > A/10 otherwise; or an oscillation of less than 2.75 periods is larger than 0.3 A; or
//                    growth > 1.5 or widening > 1.5; or the last quarter leaves the range of what was before by more
//                    than half of it; or two levels fit best that are 0.6 A and more apart
//   oscillates       otherwise
//
// Whatever is said, E > size/4, size being that of its terms, is told as not kept: a run that left the motion
// altogether is no question of drift.
//
// An error that follows the motion looks like a drift until the motion has come back: where no velocity has changed its
// sign four times, two turns there and back, and the means have not gone to and fro eight times, drifts and jumps that
// are not between two rests are too short to tell, too. How often the rule errs is measured in tests/audit/words.cpp
// and told in docs/results.md.
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

inline bool is_rounding(const Course& c) {
  return c.largest <= c.rounding && c.early * std::sqrt(std::max(c.steps, 1.0)) <= c.rounding;
}

enum class Keeping { no_step, round_off, too_short, jumps, leaves, grows, drifts, oscillates };

inline Keeping keeping(const Course& c) {
  if (c.duration == 0) return Keeping::no_step;
  if (is_rounding(c)) return Keeping::round_off;
  if (c.blocks < 16 || !std::isfinite(c.largest)) return Keeping::too_short;
  const bool came_back = c.turns >= 4 || c.back >= 8;
  const Keeping not_told = c.left ? Keeping::leaves : Keeping::too_short;
  const double moved = std::abs(c.moved), least = c.amplitude / 10;
  if (c.jump && c.jump->between_rests) return Keeping::jumps;
  if (c.blocks < 32) return Keeping::too_short;
  if (c.jump && std::abs(c.jump->size) > least) return came_back ? Keeping::jumps : not_told;
  // The beat of a bounded oscillation with the steps grows by up to 6, from a node on in the first quarter.
  const double wide = c.reversals > 0.9 ? 8 : 2.5;
  if (c.growth > wide && c.late_widening > 1.24 && c.back >= 8 && c.early_swings >= 3) return Keeping::grows;
  if (moved > least) {
    const bool enough = moved > 3 * c.doubt && (c.blocks >= 64 || moved > c.amplitude / 2);
    const auto straight = [moved](const Course::Bent& bent) {
      return bent.size < moved / 36 || (bent.size < moved / 14 && bent.evidence < 20);
    };
    const bool line = straight(c.bent) && (moved < 2 * c.amplitude || straight(c.bent_alone));
    return line && enough && came_back ? Keeping::drifts : not_told;
  }
  if (c.left) return Keeping::leaves;
  const bool wider = c.growth > 1.5 || c.widening > 1.5;
  const bool moved_away = c.leaving > 0.5 || c.apart > 0.6 * c.amplitude;
  return c.slow > 0.3 * c.amplitude || wider || moved_away ? Keeping::too_short : Keeping::oscillates;
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

// To a hundredth of the run.
inline std::string time_in_words(double t, double duration) {
  const int decimals = duration > 0 ? static_cast<int>(std::ceil(2 - std::log10(duration))) : 0;
  std::array<char, 64> text;
  if (decimals > 9 || std::abs(t) >= 1e12)
    std::snprintf(text.data(), text.size(), "%.4g", t);
  else
    std::snprintf(text.data(), text.size(), "%.*f", std::max(decimals, 0), t);
  return text.data();
}

inline bool is_kept(const Course& c) {
  return !(c.size > 0 && c.largest > c.size / 4) || is_rounding(c);
}

inline std::string course_in_words(const Course& c) {
  if (!std::isfinite(c.largest)) return "not known: it is no finite number at some steps";
  const std::string most = in_two_digits(c.largest);
  switch (keeping(c)) {
    case Keeping::no_step:
      return "no step was done";
    case Keeping::round_off: {
      if (c.largest == 0) return "conserved exactly";
      const bool drifts = c.blocks >= 64 && std::abs(c.trend) > 5;
      return "conserved to round-off, within " + most +
             (drifts ? ", drifting by " + in_two_digits(c.moved / c.steps * 1e6) + " per 10^6 steps" : "");
    }
    case Keeping::too_short:
      return "changes within " + most + "; the run is too short to tell drift from oscillation";
    case Keeping::jumps:
      return "jumps by " + in_two_digits(c.jump->size) + " near t = " + time_in_words(c.jump->t, c.duration) + ", to " +
             most;
    case Keeping::leaves:
      return "leaves its start near t = " + time_in_words(c.left->t, c.duration) + " and stays off it, by " +
             in_two_digits(c.left->nearest) + " to " + in_two_digits(c.left->farthest) + ", at most " + most;
    case Keeping::grows:
      return "the error grows to the end of the run, to " + most;
    case Keeping::drifts:
      return "drifts by " + in_two_digits(c.moved / c.duration) + " per unit of time, to " + most;
    case Keeping::oscillates:
      return "oscillates within " + most + ", no drift";
  }
  return "";
}

inline std::string audit_in_words(const Course& c) {
  return course_in_words(c) + (is_kept(c) ? "" : "; it is not kept: its terms are hardly larger");
}

// Forces may be at right angles to the velocity, as magnetic ones are: what they do to the energy is not known.
inline std::string energy_in_words(const Course& c, bool model_conserves) {
  if (model_conserves || c.duration == 0) return audit_in_words(c);
  if (keeping(c) == Keeping::round_off) return course_in_words(c) + "; the model need not conserve it";
  return "the model need not conserve energy: changes by at most " + in_two_digits(c.largest);
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
  if (largest <= rounding) return "satisfied to round-off, within " + in_two_digits(largest);
  return (largest <= 64 * rounding ? "satisfied a little above round-off, within " : "violated by at most ") +
         in_two_digits(largest);
}

}  // namespace livens
