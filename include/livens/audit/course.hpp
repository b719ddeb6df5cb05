// The course of an error e(t) over all steps of a run: what the words of the audit (words.hpp) are made from. Memory
// does not grow with the run: sums and extremes of blocks of steps, at most 256 of them, two joined to one when there
// are more. With m_k, low_k, high_k the mean and the extremes of block k of B, u_k = (k + 1/2)/B its place in the run:
//
//   moved      what a line moves over the run, M: the smaller of two figures. M_1 = (16/5) (1/B) sum_k K(u_k) m_k with
//              -K the derivative of the smooth window sin^6(pi u), to which an oscillation of k >= 4 periods in the run
//              counts for at most 4 % of its amplitude (to a least-squares line: 24 % of its width for k = 4); M_2 that
//              of the line beside the three strongest oscillations of at least 2.75 periods, fitted to 64 means
//   amplitude  A = half the width of e - M u, from the extremes of the blocks
//   bent       root mean square of what a slow oscillation, of less than 2.75 periods, explains better than the line
//              beside those three
//   slow       the amplitude of that slow oscillation
//   growth     M_1 of the widths of e in 32 windows, relative to their mean
//   jump       of the two levels that fit the means best, if they leave at most half of the squares that a line leaves,
//              and most of the way between them is gone within six blocks
//   trend      mean / (standard deviation / sqrt B) of the differences of neighbouring means: for round-off, which
//              walks at random where it does not drift
//   back       how often the means have crossed their line, twice a period; without bound where e goes to and fro
//   within
//              blocks more than from one to the next
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace livens {

class Drift {
 public:
  void add(double t, double value) {
    count_ += 1;
    const double dt = t - mean_t_, dv = value - mean_value_;
    mean_t_ += dt / count_;
    mean_value_ += dv / count_;
    tt_ += dt * (t - mean_t_);
    tv_ += dt * (value - mean_value_);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(count_, mean_t_, mean_value_, tt_, tv_);
  }
  double slope() const { return tt_ > 0 ? tv_ / tt_ : 0; }

 private:
  double count_ = 0, mean_t_ = 0, mean_value_ = 0, tt_ = 0, tv_ = 0;
};

struct Course {
  double steps = 0, duration = 0;
  double largest = 0;  // E, of |e|
  double slope = 0;    // of the least-squares line, per unit of time
  int blocks = 0;      // B
  double moved = 0, amplitude = 0, bent = 0, slow = 0, growth = 0, trend = 0, back = 0;
  struct Jump {
    double t, size;
  };
  std::optional<Jump> jump;
  double rounding = 0;      // what round-off may do; the caller knows the size of the terms
  double size = 0;          // of the terms; 0: not known
  double turns = INFINITY;  // of the motion: the most changes of sign of a velocity; infinite where nobody counted
};

class CourseWatch {
 public:
  CourseWatch() { blocks_.reserve(most); }

  void add(double t, double e) {
    if (steps_ == 0) begin_ = t;
    end_ = t, steps_ += 1;
    if (!(std::abs(e) <= largest_)) largest_ = std::abs(e);
    line_.add(t, e);
    if (blocks_.empty() || blocks_.back().steps >= steps_of_block_) {
      if (blocks_.size() == most) join();
      if (blocks_.empty() || blocks_.back().steps >= steps_of_block_) {
        blocks_.push_back({t, 1, e, e, e});
        return;
      }
    }
    Block& block = blocks_.back();
    block.t = t, block.steps += 1, block.sum += e;
    block.low = std::min(block.low, e), block.high = std::max(block.high, e);
  }

  double slope() const { return line_.slope(); }
  double largest() const { return largest_; }

  Course course() const;

  template <class Archive>
  void archive(Archive& a) {
    a(steps_, begin_, end_, largest_, line_, blocks_, steps_of_block_);
  }

 private:
  static constexpr std::size_t most = 256;
  struct Block {
    double t, steps, sum, low, high;  // time of its last step
  };

  void join() {
    for (std::size_t k = 0; k < most / 2; ++k) {
      const Block &a = blocks_[2 * k], &b = blocks_[2 * k + 1];
      blocks_[k] = {b.t, a.steps + b.steps, a.sum + b.sum, std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    blocks_.resize(most / 2);
    steps_of_block_ *= 2;
  }

  double steps_ = 0, begin_ = 0, end_ = 0, largest_ = 0;
  Drift line_;
  std::vector<Block> blocks_;
  double steps_of_block_ = 1;
};

namespace detail {

// What a line moves over the run, by the smooth window.
inline double moved_by(const std::vector<double>& m) {
  const auto B = static_cast<double>(m.size());
  double sum = 0, unit = 0;
  for (std::size_t k = 0; k < m.size(); ++k) {
    const double u = (static_cast<double>(k) + 0.5) / B, s = std::sin(std::numbers::pi * u);
    const double K = -s * s * s * s * s * std::cos(std::numbers::pi * u);
    sum += K * m[k], unit += K * u;
  }
  return sum / unit;
}

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

inline std::array<std::vector<double>, 2> oscillation(std::size_t count, double periods) {
  const double w = 2 * std::numbers::pi * periods;
  return {sampled(count, [=](double u) { return std::cos(w * u); }),
          sampled(count, [=](double u) { return std::sin(w * u); })};
}

// The oscillation that explains most, out of so many periods.
inline double strongest(const Fit& fit, std::size_t count, double least, double most, double step) {
  double best = least, gain = -1;
  for (double periods = least; periods < most; periods += step) {
    auto [c, s] = oscillation(count, periods);
    if (const double now = fit.gain(c, s); now > gain) gain = now, best = periods;
  }
  return best;
}

struct Slow {
  double moved, bent, amplitude;
};

inline Slow slow_part(const std::vector<double>& means) {
  constexpr double few = 2.75;
  const std::size_t joined = std::max<std::size_t>(1, means.size() / 64), count = means.size() / joined;
  std::vector<double> m(count, 0.0);
  for (std::size_t k = 0; k < count * joined; ++k) m[k / joined] += means[k] / static_cast<double>(joined);
  Fit line(m);
  line.add(sampled(count, [](double) { return 1.0; }));
  Fit without = line;
  line.add(sampled(count, [](double u) { return u - 0.5; }));
  for (int tone = 0; tone < 3; ++tone) {
    auto [c, s] = oscillation(count, strongest(line, count, few, static_cast<double>(count) / 2, 0.25));
    without.add(c), without.add(s);
    line.add(std::move(c)), line.add(std::move(s));
  }
  // What the line does that the oscillations do not: along the part of u - 1/2 that is at right angles to them.
  const std::vector<double> ramp = without.beside(sampled(count, [](double u) { return u - 0.5; }));
  double along = 0, length = 0;
  for (std::size_t k = 0; k < count; ++k) along += without.rest()[k] * ramp[k], length += ramp[k] * ramp[k];
  auto [c, s] = oscillation(count, strongest(without, count, 0.25, few, 0.25));
  Fit slow = without;
  slow.add(std::move(c)), slow.add(std::move(s));
  const auto n = static_cast<double>(count);
  return {length > 0 ? along / length : 0, std::sqrt(std::max(0.0, line.squares() - slow.squares()) / n),
          std::sqrt(2 * std::max(0.0, without.squares() - slow.squares()) / n)};
}

// The two levels that fit best: after which block the second one begins, and what they leave.
struct Levels {
  std::size_t first = 0;
  double jump = 0, squares = INFINITY;
};
inline Levels best_levels(const std::vector<double>& m) {
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

}  // namespace detail

inline Course CourseWatch::course() const {
  Course c;
  c.steps = steps_;
  if (steps_ == 0) return c;
  c.duration = std::abs(end_ - begin_);
  c.largest = largest_;
  c.slope = line_.slope();
  std::vector<double> m;
  for (const Block& block : blocks_)
    if (2 * block.steps > steps_of_block_) m.push_back(block.sum / block.steps);
  c.blocks = static_cast<int>(m.size());
  if (c.blocks < 8 || !std::isfinite(largest_)) return c;
  const auto B = static_cast<double>(c.blocks);

  const detail::Slow slow = detail::slow_part(m);
  const double by_window = detail::moved_by(m);
  c.moved =
      by_window * slow.moved > 0 ? std::copysign(std::min(std::abs(by_window), std::abs(slow.moved)), by_window) : 0;
  c.bent = slow.bent, c.slow = slow.amplitude;
  double low = INFINITY, high = -INFINITY;
  for (std::size_t k = 0; k < m.size(); ++k) {
    const double line = c.moved * (static_cast<double>(k) + 0.5) / B;
    low = std::min(low, blocks_[k].low - line), high = std::max(high, blocks_[k].high - line);
  }
  c.amplitude = (high - low) / 2;

  const std::size_t windows = std::min<std::size_t>(32, m.size()), each = m.size() / windows;
  std::vector<double> widths;
  double mean_width = 0;
  for (std::size_t w = 0; w < windows; ++w) {
    low = INFINITY, high = -INFINITY;
    for (std::size_t k = w * each; k < (w + 1) * each; ++k)
      low = std::min(low, blocks_[k].low), high = std::max(high, blocks_[k].high);
    widths.push_back(high - low), mean_width += (high - low) / static_cast<double>(windows);
  }
  c.growth = mean_width > 0 ? detail::moved_by(widths) / mean_width : 0;

  detail::Fit line(m);
  line.add(detail::sampled(m.size(), [](double) { return 1.0; }));
  line.add(detail::sampled(m.size(), [](double u) { return u - 0.5; }));
  const detail::Levels levels = detail::best_levels(m);
  if (levels.squares < line.squares() / 2) {
    double there = 0;
    for (std::size_t k = 0; k < 3; ++k) there += (m[levels.first + k] - m[levels.first - 1 - k]) / 3;
    if (there / levels.jump > 0.6) c.jump = Course::Jump{blocks_[levels.first - 1].t, levels.jump};
  }

  double mean = 0, square = 0, within = 0, between = 0;
  for (std::size_t k = 1; k < m.size(); ++k) {
    const double change = m[k] - m[k - 1];
    mean += change / (B - 1), between += std::abs(change) / (B - 1), square += change * change / (B - 1);
    within += (blocks_[k].high - blocks_[k].low) / (B - 1);
    c.back += line.rest()[k] * line.rest()[k - 1] < 0;
  }
  const double deviation = std::sqrt(std::max(square - mean * mean, 0.0) / (B - 1));
  c.trend = deviation > 0 ? mean / deviation : mean == 0 ? 0 : std::copysign(INFINITY, mean);
  if (within > 2 * between) c.back = INFINITY;
  return c;
}

}  // namespace livens
