#include "livens/audit/course.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <span>

namespace livens {

double moved_by_window(const std::vector<double>& m) {
  const auto B = static_cast<double>(m.size());
  double sum = 0, unit = 0;
  for (std::size_t k = 0; k < m.size(); ++k) {
    const double u = (static_cast<double>(k) + 0.5) / B, s = std::sin(std::numbers::pi * u);
    const double K = -s * s * s * s * s * std::cos(std::numbers::pi * u);
    sum += K * m[k], unit += K * u;
  }
  return sum / unit;
}

namespace {

// Least squares with a few columns, by Gram-Schmidt: what is left of x.
class Fit {
 public:
  explicit Fit(std::vector<double> x) : rest_(std::move(x)) {}
  void add(std::vector<double> column) {
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& b : basis_) subtract(column, b, dot(column, b));
    const double length = std::sqrt(dot(column, column));
    if (!(length > 1e-6 * std::sqrt(static_cast<double>(column.size())))) return;
    for (double& x : column) x /= length;
    subtract(rest_, column, dot(rest_, column));
    basis_.push_back(std::move(column));
  }
  double squares() const { return dot(rest_, rest_); }
  const std::vector<double>& rest() const { return rest_; }
  // What of a column the others do not have.
  std::vector<double> beside(std::vector<double> column) const {
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& b : basis_) subtract(column, b, dot(column, b));
    return column;
  }
  // By how much the squares become smaller with these columns, which are used up.
  double gain(std::vector<double>& first, std::vector<double>& second) const {
    double sum = 0;
    for (std::vector<double>* column : {&first, &second}) {
      for (const auto& b : basis_) subtract(*column, b, dot(*column, b));
      if (column == &second && dot(first, first) > 0) subtract(second, first, dot(second, first) / dot(first, first));
      const double length = dot(*column, *column), along = dot(rest_, *column);
      if (length > 1e-9 * static_cast<double>(column->size())) sum += along * along / length;
    }
    return sum;
  }

 private:
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  }
  static void subtract(std::vector<double>& from, const std::vector<double>& b, double factor) {
    for (std::size_t k = 0; k < from.size(); ++k) from[k] -= factor * b[k];
  }
  std::vector<double> rest_;
  std::vector<std::vector<double>> basis_;
};

template <class F>
std::vector<double> sampled(std::size_t count, const F& f) {
  std::vector<double> column(count);
  for (std::size_t k = 0; k < count; ++k) column[k] = f((static_cast<double>(k) + 0.5) / static_cast<double>(count));
  return column;
}

std::array<std::vector<double>, 2> oscillation(std::size_t count, double periods) {
  const double w = 2 * std::numbers::pi * periods;
  return {sampled(count, [=](double u) { return std::cos(w * u); }),
          sampled(count, [=](double u) { return std::sin(w * u); })};
}

// The oscillation that explains most, out of so many periods, and by how much the squares become smaller with it.
struct Strongest {
  double periods, gain = -1;
};
Strongest strongest(const Fit& fit, std::size_t count, double least, double most, double step, bool finer = false) {
  Strongest best{least};
  const auto look = [&](double periods) {
    auto [c, s] = oscillation(count, periods);
    if (const double now = fit.gain(c, s); now > best.gain) best = {periods, now};
  };
  for (double periods = least; periods < most; periods += step) look(periods);
  for (int halved = 0; finer && halved < 4; ++halved) {
    step /= 2;
    for (const double periods : {best.periods - step, best.periods + step})
      if (periods >= least && periods < most) look(periods);
  }
  return best;
}

struct Slow {
  double moved, doubt;
  Course::Bent bent, bent_alone;
  double amplitude;
};

Slow slow_part(const std::vector<double>& means) {
  constexpr double few = 2.75;
  const std::size_t joined = std::max<std::size_t>(1, means.size() / 64), count = means.size() / joined;
  std::vector<double> m(count, 0.0);
  for (std::size_t k = 0; k < count * joined; ++k) m[k / joined] += means[k] / static_cast<double>(joined);
  const auto n = static_cast<double>(count);
  Fit level(m);
  level.add(sampled(count, [](double) { return 1.0; }));
  const double step = count < 32 ? 0.125 : 0.25, strongest_of_all = strongest(level, count, step, n / 2, step).periods;
  const bool is_fast = strongest_of_all >= few, harmonics = is_fast && count >= 64;
  Fit line = level, without = level;
  line.add(sampled(count, [](double u) { return u - 0.5; }));
  // Three, and where the strongest of all is no slow one, which they would take to pieces, three more of those that are
  // told from what is left: harmonics, which would hide the line. Of few steps they leave too little.
  int tones = 0;
  double parameters = 2;
  for (; tones < (harmonics ? 6 : 3); ++tones, parameters += 3) {
    const Strongest next = strongest(line, count, tones < 3 ? few : 4, n / 2, 0.25, harmonics);
    if (tones >= 3 && !(next.gain * (n - parameters - 3) > 40 * (line.squares() - next.gain))) break;
    auto [c, s] = oscillation(count, next.periods);
    without.add(c), without.add(s);
    line.add(std::move(c)), line.add(std::move(s));
  }
  // What the line does that the oscillations do not: along the part of u - 1/2 that is at right angles to them.
  const std::vector<double> ramp = without.beside(sampled(count, [](double u) { return u - 0.5; }));
  double along = 0, length = 0;
  for (std::size_t k = 0; k < count; ++k) along += without.rest()[k] * ramp[k], length += ramp[k] * ramp[k];
  auto [c, s] = oscillation(count, strongest(without, count, 0.25, few, 0.25).periods);
  Fit slow = without;
  slow.add(std::move(c)), slow.add(std::move(s));
  // Of the line, as far as what the fit leaves says; the frequencies were chosen, too.
  const double left = std::max(n - parameters, 1.0),
               doubt = length > 0 ? std::sqrt(line.squares() / (left * length)) : INFINITY;
  double alone = 0;
  if (!is_fast) {  // the three may have taken it to pieces
    auto [a, b] = oscillation(count, strongest_of_all);
    alone = level.gain(a, b);
  }
  const auto explained = [n](const Fit& less, const Fit& more, double chosen) {
    const double squares = std::max(0.0, less.squares() - more.squares());
    return Course::Bent{std::sqrt(squares / n),
                        more.squares() > 0 ? squares * std::max(n - chosen, 1.0) / more.squares() : INFINITY};
  };
  Fit only_line = level, only_slow = level;
  only_line.add(sampled(count, [](double u) { return u - 0.5; }));
  auto [a, b] = oscillation(count, strongest(level, count, step, few, step).periods);
  only_slow.add(std::move(a)), only_slow.add(std::move(b));
  return {length > 0 ? along / length : 0, doubt, explained(line, slow, parameters + 1),
          explained(only_line, only_slow, 4),
          std::sqrt(2 * std::max({0.0, without.squares() - slow.squares(), alone}) / n)};
}

// The two levels that fit best: after which block the second one begins, and what they leave.
struct Levels {
  std::size_t first = 0;
  double jump = 0, squares = INFINITY;
};
Levels best_levels(const std::vector<double>& m) {
  Levels best;
  double sum = 0, all = 0, squares = 0;
  for (const double x : m) all += x, squares += x * x;
  const auto n = static_cast<double>(m.size());
  for (std::size_t k = 0; k + 1 < m.size(); ++k) {
    sum += m[k];
    const double a = static_cast<double>(k + 1), b = n - a;
    if (a < 4 || b < 4) continue;
    const double left = squares - sum * sum / a - (all - sum) * (all - sum) / b;
    if (left < best.squares) best = {k + 1, (all - sum) / b - sum / a, left};
  }
  return best;
}

// On either side of a jump, where e may be on the way: three blocks, fewer where that were more than a tenth of the
// run.
std::size_t blocks_of_jump(std::size_t blocks) {
  return std::clamp<std::size_t>(blocks / 20, 1, 3);
}

// Where e rests before and after: the block after which the means, but for those of the jump, stay within a tenth of
// the way between the two levels.
std::optional<Levels> rests(const std::vector<double>& m) {
  const std::size_t n = m.size(), least = 8;
  if (n < 2 * least) return {};
  const auto ranges = [&](auto at) {  // of the first k + 1, for every k
    std::vector<std::array<double, 2>> range(n);
    double low = INFINITY, high = -INFINITY;
    for (std::size_t k = 0; k < n; ++k) range[k] = {low = std::min(low, at(k)), high = std::max(high, at(k))};
    return range;
  };
  const auto before = ranges([&](std::size_t k) { return m[k]; });
  const auto after = ranges([&](std::size_t k) { return m[n - 1 - k]; });
  std::optional<Levels> best;
  double least_unrest = 0.1;
  const std::size_t way = blocks_of_jump(n);
  for (std::size_t first = least; first + least <= n; ++first) {
    const auto [low0, high0] = before[first - 1 - way];
    const auto [low1, high1] = after[n - 1 - (first + way)];
    const double jump = (low1 + high1 - low0 - high0) / 2, unrest = std::max(high0 - low0, high1 - low1);
    if (unrest < least_unrest * std::abs(jump)) least_unrest = unrest / std::abs(jump), best = {first, jump, 0};
  }
  return best;
}

// The block in which e leaves its rest: of those that belong to the jump the first that goes beyond all before by a
// tenth of the way.
std::size_t begin_of_jump(const std::vector<CourseWatch::Block>& blocks, const Levels& levels) {
  const std::size_t way = blocks_of_jump(blocks.size());
  double low = INFINITY, high = -INFINITY;
  for (std::size_t k = 0; k < levels.first - way; ++k)
    low = std::min(low, blocks[k].low), high = std::max(high, blocks[k].high);
  const double beyond = std::abs(levels.jump) / 10;
  for (std::size_t k = levels.first - way; k < levels.first + way; ++k)
    if (blocks[k].low < low - beyond || blocks[k].high > high + beyond) return k;
  return levels.first + way - 1;
}

// The least width in the windows of the last quarter over the largest in those of the first; 0 where those of the third
// have not become larger, too.
double growth_of(const std::vector<CourseWatch::Block>& blocks, std::size_t windows) {
  const std::size_t each = blocks.size() / windows;
  double early = 0, later = INFINITY, late = INFINITY;
  for (std::size_t w = 0; each >= 4 && w < windows; ++w) {
    double low = INFINITY, high = -INFINITY;
    for (std::size_t k = w * each; k < (w + 1) * each; ++k)
      low = std::min(low, blocks[k].low), high = std::max(high, blocks[k].high);
    if (4 * w < windows) early = std::max(early, high - low);
    if (2 * w >= windows) later = std::min(later, high - low);
    if (4 * w >= 3 * windows) late = std::min(late, high - low);
  }
  return early > 0 && later > 1.5 * early ? late / early : 0;
}

// The width of the last quarter over that of the first (0) or the third one (2).
double widening_since(std::size_t before, const std::vector<CourseWatch::Block>& blocks) {
  const std::size_t n = blocks.size(), quarter = n / 4;
  const auto width = [&](std::size_t first) {
    double low = INFINITY, high = -INFINITY;
    for (std::size_t k = first; k < first + quarter; ++k)
      low = std::min(low, blocks[k].low), high = std::max(high, blocks[k].high);
    return high - low;
  };
  const double early = width(before * quarter), late = width(n - quarter);
  return early > 0 ? late / early : late > 0 ? INFINITY : 0;
}

using Blocks = std::span<const CourseWatch::Block>;

CourseWatch::Block joined(Blocks blocks) {
  CourseWatch::Block all = blocks.front();
  for (const CourseWatch::Block& block : blocks.subspan(1)) all.join(block);
  return all;
}

// How often e goes up or down by more than 0.4 of its range.
double swings_of(Blocks blocks) {
  const CourseWatch::Block all = joined(blocks);
  const double enough = 0.4 * (all.high - all.low);
  double swings = 0, top = -INFINITY, bottom = INFINITY;
  int way = 0;  // 1: it last went up
  const auto pass = [&](double e) {
    top = std::max(top, e), bottom = std::min(bottom, e);
    if (way != 1 && e - bottom > enough) way = 1, swings += 1, top = e;
    if (way != -1 && top - e > enough) way = -1, swings += 1, bottom = e;
  };
  for (const CourseWatch::Block& block : blocks) {
    pass(way == 1 ? block.high : block.low);
    pass(way == 1 ? block.low : block.high);
  }
  return swings;
}

// Whether e lies on two levels, rather than on its way through an oscillation that grows or is damped: what oscillates
// about either is seen to, by three swings of it, or is small beside what lies between; and where the ranges of e meet
// it is of the same size.
bool are_two_levels(Blocks before, Blocks after) {
  if (before.size() < 4 || after.size() < 4) return false;
  const CourseWatch::Block a = joined(before), b = joined(after);
  const double width0 = a.high - a.low, width1 = b.high - b.low, gap = std::max(b.low - a.high, a.low - b.high);
  const bool seen = (2 * width0 < gap || swings_of(before) >= 3) && (2 * width1 < gap || swings_of(after) >= 3);
  return seen && (gap > 0 || (width0 < 2 * width1 && width1 < 2 * width0));
}

// How far the last quarter goes beyond the range of what was before, in widths of that.
double leaving_of(const std::vector<CourseWatch::Block>& blocks) {
  const std::size_t before = blocks.size() - blocks.size() / 4;
  double low = INFINITY, high = -INFINITY, beyond = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (k < before)
      low = std::min(low, blocks[k].low), high = std::max(high, blocks[k].high);
    else
      beyond = std::max({beyond, low - blocks[k].low, blocks[k].high - high});
  }
  return beyond > 0 ? beyond / (high - low) : 0;
}

std::optional<Course::Left> left_of(const std::vector<CourseWatch::Block>& blocks) {
  double low = INFINITY, high = -INFINITY;
  for (std::size_t k = blocks.size() / 16; k < blocks.size(); ++k)
    low = std::min(low, blocks[k].low), high = std::max(high, blocks[k].high);
  const double side = low > 0 ? 1 : -1, nearest = low > 0 ? low : high, farthest = low > 0 ? high : low;
  if (!(side * nearest > (high - low) / 2)) return {};
  std::size_t last = blocks.size() / 16;
  const auto is_near = [&](const CourseWatch::Block& block) {
    return (low > 0 ? block.low : -block.high) < side * nearest / 2;
  };
  while (last > 0 && !is_near(blocks[last])) --last;
  return Course::Left{blocks[last].t, nearest, farthest};
}

// Not slowly, and not to and fro, as what is damped does: e rests at its start for as long as the way takes; or one
// step makes a quarter of the way, and on it e never goes back by more than a tenth.
bool goes_there_at_once(const Course::Left& left, Blocks blocks) {
  if (blocks.size() < 64) return false;
  const double level = (left.nearest + left.farthest) / 2, near = std::abs(level) / 10;
  const Blocks start = blocks.first(blocks.size() / 16 + 1);
  const auto is_off = [&](double from) {
    return [=](const CourseWatch::Block& block) { return block.high > from + near || block.low < from - near; };
  };
  const auto begin = std::find_if(start.begin(), start.end(), is_off(0));
  const auto end = std::find_if(start.rbegin(), start.rend(), is_off(level)).base();
  if (begin != start.begin() && end - begin <= begin - start.begin()) return true;
  const CourseWatch::Block all = joined(start);
  return all.leap > std::abs(level) / 2 && (level > 0 ? all.down : all.up) < near;
}

void scale(CourseWatch::Block& block, int exponent) {
  for (double* const x : {&block.sum, &block.low, &block.high, &block.up, &block.down, &block.leap})
    *x = std::ldexp(*x, exponent);
}

void scale(Course& c, int exponent) {
  for (double* const x : {&c.moved, &c.doubt, &c.amplitude, &c.slow, &c.apart, &c.bent.size, &c.bent_alone.size})
    *x = std::ldexp(*x, exponent);
  if (c.jump) c.jump->size = std::ldexp(c.jump->size, exponent);
  if (c.left) c.left->nearest = std::ldexp(c.left->nearest, exponent);
  if (c.left) c.left->farthest = std::ldexp(c.left->farthest, exponent);
}

// What the blocks show.
void look_at(std::vector<CourseWatch::Block> blocks, Course& c) {
  // Squares of what is very small or large are 0 or infinite: in units of the largest they are not.
  const int exponent = c.largest > 0 ? std::ilogb(c.largest) : 0;
  for (CourseWatch::Block& block : blocks) scale(block, -exponent);
  std::vector<double> m;
  for (const CourseWatch::Block& block : blocks) m.push_back(block.sum / block.steps);
  const auto B = static_cast<double>(c.blocks);

  const Slow slow = slow_part(m);
  const double by_window = moved_by_window(m);
  c.moved =
      by_window * slow.moved > 0 ? std::copysign(std::min(std::abs(by_window), std::abs(slow.moved)), by_window) : 0;
  c.doubt = slow.doubt, c.bent = slow.bent, c.bent_alone = slow.bent_alone, c.slow = slow.amplitude;
  double low = INFINITY, high = -INFINITY;
  for (std::size_t k = 0; k < m.size(); ++k) {
    const double line = c.moved * (static_cast<double>(k) + 0.5) / B;
    low = std::min(low, blocks[k].low - line), high = std::max(high, blocks[k].high - line);
  }
  c.amplitude = (high - low) / 2;

  c.widening = widening_since(0, blocks), c.late_widening = widening_since(2, blocks),
  c.early_swings = swings_of(Blocks(blocks).first(blocks.size() / 4));
  for (const std::size_t windows : {8u, 32u}) c.growth = std::max(c.growth, growth_of(blocks, windows));
  c.leaving = leaving_of(blocks), c.left = left_of(blocks);

  Fit line(m);
  line.add(sampled(m.size(), [](double) { return 1.0; }));
  line.add(sampled(m.size(), [](double u) { return u - 0.5; }));
  const Levels levels = best_levels(m);
  if (const std::optional<Levels> at_rest = rests(m)) {
    c.jump = Course::Jump{blocks[begin_of_jump(blocks, *at_rest)].t, at_rest->jump, true};
  } else if (c.left && c.left->rests() && goes_there_at_once(*c.left, blocks)) {
    c.jump = Course::Jump{c.left->t, (c.left->nearest + c.left->farthest) / 2, true};
  } else {
    const std::size_t way = blocks_of_jump(m.size());
    const Blocks all = blocks;
    if (are_two_levels(all.first(levels.first - std::min(way, levels.first)),
                       all.subspan(std::min(levels.first + way, all.size())))) {
      double there = 0;
      for (std::size_t k = 0; k < way; ++k)
        there += (m[levels.first + k] - m[levels.first - 1 - k]) / static_cast<double>(way);
      if (there / levels.jump > 0.6 && levels.squares < line.squares() / 2)
        c.jump = Course::Jump{blocks[levels.first - 1].t, levels.jump, false};
      else if (m.size() >= 64)
        c.apart = std::abs(levels.jump);
    }
  }

  double mean = 0, square = 0, within = 0, between = 0;
  for (std::size_t k = 1; k < m.size(); ++k) {
    const double change = m[k] - m[k - 1];
    mean += change / (B - 1), between += std::abs(change) / (B - 1), square += change * change / (B - 1);
    within += (blocks[k].high - blocks[k].low) / (B - 1);
    c.back += line.rest()[k] * line.rest()[k - 1] < 0;
  }
  const double deviation = std::sqrt(std::max(square - mean * mean, 0.0) / (B - 1));
  c.trend = deviation > 0 ? mean / deviation : mean == 0 ? 0 : std::copysign(INFINITY, mean);
  if (within > 2 * between) c.back = INFINITY;
  scale(c, exponent);
}

}  // namespace

Course course_of(const CourseWatch& watch) {
  Course c;
  c.steps = watch.steps();
  if (c.steps == 0) return c;
  c.duration = watch.duration();
  c.largest = watch.largest();
  c.slope = watch.slope();
  c.reversals = watch.reversals();
  std::vector<CourseWatch::Block> blocks = watch.blocks();
  double steps = 0;
  for (const CourseWatch::Block& block : blocks) {
    steps += block.steps;
    c.early = std::max(c.early, std::max(-block.low, block.high) / (std::sqrt(steps) + 16));
  }
  c.blocks = static_cast<int>(blocks.size());
  if (c.blocks >= 8 && std::isfinite(c.largest)) look_at(std::move(blocks), c);
  return c;
}

}  // namespace livens
