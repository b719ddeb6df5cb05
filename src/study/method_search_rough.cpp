// The search where corners of formulas are crossed, or steps are too large for them (study/corners.hpp): errors fall
// slowly and unevenly, as these lie in their steps, and only what was tried is taken, whatever it costs.
#include <algorithm>
#include <cmath>

#include "study/method_search.hpp"

namespace livens {

// The power of the steps with which errors fall: the order, or what is seen where corners of formulas are crossed.
double MethodSearch::falling() const {
  if (!is_rough()) return order_;
  const std::vector<Level>& levels = scouting_ ? scouts_ : errors_;
  const std::size_t n = levels.size();
  for (const std::size_t back : {4UL, 3UL})  // over three pilots, or two: they fall unevenly
    if (n > back - 1)
      if (const std::optional<double> seen = slope(levels[n - back], levels[n - 2]))
        return std::clamp(*seen, 1.0, order_);
  return 1;
}

// Where corners of formulas are crossed errors fall slowly and unevenly, as these lie in their steps: only what was
// tried is taken, whatever it costs.
void MethodSearch::judge_rough() {
  const std::size_t k = errors_.size() - 2;
  const Level now = errors_[k];
  const double s = falling(), error = now.q * now.whole(s);
  needed_ = steps_for(now, s, good_enough * asked_);
  if (error <= good_enough * asked_) {
    if (error >= 0.05 * asked_) return accept(static_cast<double>(now.steps), now, s, s);
    const bool between = !common_.jumps && k > 0 && errors_[k - 1].known && errors_[k - 1].steps >= 16;
    return between ? settle_by_trial(1, errors_[k - 1].steps, now) : coarsen(now);
  }
  if (now.q <= noise(now.steps)) state_ = State::round_off;
  constexpr std::size_t earlier = 6;  // pilots
  const std::optional<double> trend = k >= earlier ? slope(errors_[k - earlier], now) : std::nullopt;
  if (state_ != State::going || !trend) return;
  const auto is_small = [&](const Level& level) { return level.q < 0.1 * range(last_); };
  const bool is_stalled = *trend < 1.0 / 3 && last_.steps >= 4096;
  if (!is_small(now) && is_stalled) return look_for_horizon();
  if (!is_small(errors_[k - earlier])) return;
  needed_ = steps_for(now, std::clamp(*trend, 1.0, order_), good_enough * asked_);
  if (is_stalled && (!common_.jumps || now.q <= 1e4 * noise(now.steps)))
    state_ = State::round_off;
  else if (needed_ > most_found_steps)
    state_ = State::too_long;
}

// Less and less steps, as long as they are enough.
void MethodSearch::coarsen(Level level) {
  for (double factor = 0.25; level.steps > 1; factor /= 2) {
    const Mesh mesh = common_.jumps ? numbers_.apart_from(last_, factor) : Mesh{level.steps / 2, 0};
    if (mesh.steps < 1 || mesh.steps >= level.steps) break;
    const Pilot trial = run(mesh.steps, model_.run.precision, 1, {}, mesh.nodes);
    if (state_ == State::stopped) return;
    if (!trial.solved) break;
    const Level coarser = compare(trial, last_);
    rows_.back().error = error_of(coarser);
    if (coarser.q * coarser.whole(1) > good_enough * asked_) break;
    level = coarser;
  }
  accept(static_cast<double>(level.steps), level, 1, 1);
}

}  // namespace livens
