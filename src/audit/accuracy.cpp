#include "livens/audit/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace livens {

namespace {

constexpr std::size_t most_blocks = 512;

// The larger one, and not-a-number if either is: a difference that is none must not be lost.
double larger(double a, double b) {
  return a >= b || std::isnan(a) ? a : b;
}

void merge(Differences::Node& into, const Differences::Node& from) {
  into.t = from.t;
  into.q1 = larger(into.q1, from.q1), into.q2 = larger(into.q2, from.q2);
  into.p1 = larger(into.p1, from.p1), into.p2 = larger(into.p2, from.p2);
  into.range = from.range;
}

std::optional<double> slope_of(double first, double second, double noise) {
  if (!(first > noise) || !(second > noise)) return {};
  const double slope = std::log2(first / second);
  return slope >= 0.5 ? std::optional(slope) : std::nullopt;
}

struct Factors {
  double first, second;  // error = first D1 + second D2
};
Factors factors_of(const std::optional<double>& slope) {
  if (!slope) return {1, 1};
  return {std::exp2(*slope) / (std::exp2(*slope) - 1), 0};
}

std::string short_number(double x) {
  return fmt::format("{:.1g}", x);
}

}  // namespace

void Differences::take_sizes(std::span<const double> q, std::span<const double> p) {
  if (lowest_.empty()) lowest_.assign(q.begin(), q.end()), highest_ = lowest_;
  for (std::size_t i = 0; i < q.size(); ++i) {
    lowest_[i] = std::min(lowest_[i], q[i]), highest_[i] = std::max(highest_[i], q[i]);
    q_size_ = std::max(q_size_, std::abs(q[i]));
  }
  for (const double x : p) p_size_ = std::max(p_size_, std::abs(x));
}

void Differences::add(const Node& node) {
  last_ = node;
  last_.range = range();
  if (in_block_ == 0)
    blocks_.push_back(last_);
  else
    merge(blocks_.back(), last_);
  if (++in_block_ < nodes_per_block_) return;
  in_block_ = 0;
  if (blocks_.size() < most_blocks) return;
  for (std::size_t k = 0; k < most_blocks / 2; ++k) {
    blocks_[k] = blocks_[2 * k];
    merge(blocks_[k], blocks_[2 * k + 1]);
  }
  blocks_.resize(most_blocks / 2);
  nodes_per_block_ *= 2;
}

double Differences::range() const {
  double range = 0;
  for (std::size_t i = 0; i < lowest_.size(); ++i) range = std::max(range, highest_[i] - lowest_[i]);
  return range;
}

std::optional<double> Differences::horizon(double t0, double noise, const Growth& enough) const {
  const double lost = range() / 10;
  if (!(lost > 0)) return {};
  using Difference = double Node::*;
  const auto when_lost = [&](Difference difference) -> std::optional<double> {
    for (const Node& block : blocks_)
      if (!(block.*difference < lost)) return block.t;
    return {};
  };
  const auto largest_until = [&](Difference difference, double time) {
    double largest = 0;
    for (const Node& block : blocks_)
      if (std::abs(block.t - t0) <= time) largest = larger(largest, block.*difference);
    return largest;
  };
  const auto nodes_until = [&](double time) {
    return nodes_per_block_ * std::count_if(blocks_.begin(), blocks_.end(),
                                            [&](const Node& block) { return std::abs(block.t - t0) <= time; });
  };
  // From half the time since the start on, without the eighth of that time in which most was.
  const auto grew = [&](Difference difference, double t, double least) {
    constexpr int windows = 8;
    const double time = std::abs(t - t0), before = largest_until(difference, time / 2);
    if (!(before > least)) return false;
    std::array<double, windows + 1> size;
    for (int k = 0; k <= windows; ++k)
      size[static_cast<std::size_t>(k)] =
          std::log(std::max(noise, largest_until(difference, time * (windows + k) / (2 * windows))));
    double most = 0;
    for (std::size_t k = 2; k < size.size(); ++k) most = std::max(most, size[k] - size[k - 2]);
    const double growth = size.back() - size.front(), rest = growth - most;
    return growth > std::log(enough.least) && rest > std::log(4) && rest > growth / 2;
  };
  const auto runs_away = [&](double t) {
    double before = 0, then = 0;
    for (const Node& block : blocks_) {
      if (std::abs(block.t - t0) <= std::abs(t - t0) / 2) before = block.range;
      if (std::abs(block.t - t0) <= std::abs(t - t0)) then = block.range;
    }
    return before > 0 && !(then < 1000 * before);
  };
  const std::optional<double> first = when_lost(&Node::q1), second = when_lost(&Node::q2);
  if (!first || nodes_until(std::abs(*first - t0)) < enough.nodes || runs_away(*first)) return {};
  const bool both = grew(&Node::q1, *first, noise) && grew(&Node::q2, *first, 0);
  const bool finer = second && std::abs(*second - t0) <= 2 * std::abs(*first - t0) && grew(&Node::q2, *second, noise);
  return both || finer ? first : std::nullopt;
}

Accuracy Differences::estimate(double t0, double epsilon, const Growth& growth) const {
  Node most{};
  for (const Node& block : blocks_) merge(most, block);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr Accuracy::Errors nothing_known{none, none};  // where no finer run came to the first node
  const double q_noise = 64 * epsilon * q_size_, p_noise = 64 * epsilon * p_size_;
  Accuracy a;
  a.slope = slope_of(most.q1, most.q2, q_noise), a.p_slope = slope_of(most.p1, most.p2, p_noise);
  a.at_rest = !(range() > q_noise);
  a.at_round_off = !a.slope && !(most.q1 > 1e6 * q_noise);
  if (stopped_) a.valid_until = stopped_at_;
  const auto errors = [&](double end1, double end2, double max1, double max2, const Factors& by, double size) {
    const double unit = size > 0 ? size : 1;
    return Accuracy::Errors{std::max((by.first * end1 + by.second * end2) / unit, epsilon),
                            std::max((by.first * max1 + by.second * max2) / unit, epsilon)};
  };
  const Factors q = factors_of(a.slope);
  a.q = blocks_.empty() ? nothing_known : errors(last_.q1, last_.q2, most.q1, most.q2, q, q_size_);
  a.p = blocks_.empty() ? nothing_known : errors(last_.p1, last_.p2, most.p1, most.p2, factors_of(a.p_slope), p_size_);
  a.factor = q.first / (q_size_ > 0 ? q_size_ : 1);
  a.horizon = horizon(t0, q_noise, growth);
  return a;
}

std::string accuracy_in_words(const Accuracy& a, std::string_view p) {
  const bool tells_p = !p.empty() && !a.at_rest && a.p.max > 3 * a.q.max;
  const std::string right = fmt::format("the motion is right to about {} of its size", short_number(a.q.max)),
                    and_p = tells_p ? fmt::format(", {} to about {}", p, short_number(a.p.max)) : "";
  std::string words;
  if (a.valid_until && std::isnan(a.q.max))
    return fmt::format(
        "how right the motion is is not known: a run with a smaller step could not go on from t = {:.4g}",
        *a.valid_until);
  if (a.horizon)
    words = fmt::format(
        "errors grow exponentially: beyond t = {:.4g} the motion cannot be known, and a smaller step moves that time "
        "only a little; energies and averages still can",
        *a.horizon);
  else if (a.asked)
    words = fmt::format("{}, asked for {}", right, short_number(*a.asked)) +
            (tells_p ? fmt::format("; that is not asked of {}, which are right to about {} of theirs", p,
                                   short_number(a.p.max))
                     : "");
  else if (!(a.q.max < 0.1))
    words = fmt::format("the motion is off by about {} of its size: the step is too large to follow it",
                        short_number(a.q.max));
  else if (a.slope) {
    words = fmt::format("{}{}; half the step would give {}", right, and_p, short_number(a.q.max / std::exp2(*a.slope)));
    if (tells_p && a.p_slope) words += fmt::format(" and {}", short_number(a.p.max / std::exp2(*a.p_slope)));
  } else if (a.at_round_off)
    words = fmt::format("{}, which is round-off{}: a smaller step would not help{}", right, and_p,
                        tells_p ? " the motion" : "");
  else
    words = fmt::format("{}{}, by plain comparison: no order shows", right, and_p);
  if (a.valid_until)
    words = fmt::format("until t = {:.4g}, where a run with a smaller step could not go on, ", *a.valid_until) + words;
  return words;
}

}  // namespace livens
