// Ordinary differential equations x' = f(t,x) solved to round-off: Gragg's midpoint rule with extrapolation in h^2
// (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, sec. II.9) from node to node, order and inner
// steps chosen so that the last correction of the extrapolation is at round-off.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/math/vec.hpp"

namespace livens {

// Phase: an array of vectors, such as (q, v); the errors of each are judged beside its own size.
// Everywhere rate(t, x, out) is f; false where it is not defined.
template <class T, class Phase>
class ExtrapolatedSolution {
 public:
  ExtrapolatedSolution(const T& t, const Phase& start)
      : t_(t), now_(start), remainder_(start), point_(start), rate_(start) {
    clear(remainder_);
    columns_.assign(most_columns, std::vector<Phase>(most_columns, start));
  }

  const Phase& now() const { return now_; }

  // False: no solution can be had there.
  template <class Rate>
  bool go_to(const T& t, const Rate& rate) {
    using std::abs;
    int halvings = 0;
    while (t_ != t) {
      const T rest = t - t_;
      const bool last = inner_step_ == T(0) || abs(inner_step_) >= abs(rest);
      const T H = last ? rest : inner_step_;
      if (const int columns = extrapolate(H, rate); columns > 0) {
        t_ = last ? t : T(t_ + H);
        halvings = 0;
        if (columns <= most_columns / 2 && !last) inner_step_ = 2 * H;
      } else {
        if (++halvings > most_halvings) return false;
        inner_step_ = H / 2;
      }
    }
    return true;
  }

 private:
  static constexpr int most_columns = 16, most_halvings = 60;

  static void clear(Phase& x) {
    for (auto& part : x) part.fill(T(0));
  }
  // out = a + factor * b
  static void combine(const Phase& a, const T& factor, const Phase& b, Phase& out) {
    for (std::size_t k = 0; k < a.size(); ++k)
      for (int i = 0; i < a[k].size(); ++i) out[k][i] = a[k][i] + factor * b[k][i];
  }

  // One step of size H; the number of columns that it took, 0: no convergence, nothing is changed. Increments are
  // extrapolated, not states: their round-off is smaller by H.
  template <class Rate>
  int extrapolate(const T& H, const Rate& rate) {
    const T floor = 4 * epsilon<T>();
    T correction_before(0);
    for (int j = 0; j < most_columns; ++j) {
      std::vector<Phase>& row = columns_[static_cast<std::size_t>(j)];
      if (!midpoint(H, 2 * (j + 1), row[0], rate)) return 0;
      for (int k = 0; k < j; ++k) {
        const T ratio = T(j + 1) / T(j - k);  // of the numbers of midpoint steps
        const Phase& above = columns_[static_cast<std::size_t>(j - 1)][static_cast<std::size_t>(k)];
        Phase& next = row[static_cast<std::size_t>(k + 1)];
        combine(row[static_cast<std::size_t>(k)], T(-1), above, next);
        combine(row[static_cast<std::size_t>(k)], T(1) / (ratio * ratio - 1), next, next);
      }
      if (j == 0) continue;
      const Phase &best = row[static_cast<std::size_t>(j)], &before = row[static_cast<std::size_t>(j - 1)];
      T correction(0);
      for (std::size_t k = 0; k < now_.size(); ++k)
        if (const T d = distance(best[k], before[k], now_[k]); !(d <= correction)) correction = d;
      if (j > 4 && !(correction < std::max(correction_before, T(1000 * floor)))) return 0;  // H is too large
      // Long sums of formulas are noisier than the floor: where corrections stop to fall near it, that is their noise.
      const bool noise = j > 4 && correction <= 1000 * floor && 2 * correction >= correction_before;
      correction_before = correction;
      if (correction <= floor || noise) {
        for (std::size_t k = 0; k < now_.size(); ++k)
          for (int i = 0; i < now_[k].size(); ++i) add_compensated(now_[k][i], remainder_[k][i], best[k][i]);
        return j + 1;
      }
    }
    return 0;
  }

  // The largest |a - b| of a component relative to x and its increment a.
  template <class Vector>
  static T distance(const Vector& a, const Vector& b, const Vector& x) {
    using std::abs;
    T largest(0);
    for (int i = 0; i < a.size(); ++i)
      if (const T d = abs(a[i] - b[i]); !(d <= largest)) largest = d;
    return largest == T(0) ? largest : T(largest / (max_norm(x) + max_norm(a)));
  }

  // The increment over H by `count` (even) midpoint steps, the first an Euler step.
  template <class Rate>
  bool midpoint(const T& H, int count, Phase& increment, const Rate& rate) {
    const T h = H / T(count);
    Phase before = now_;
    clear(before);
    if (!rate(t_, now_, rate_)) return false;
    combine(before, h, rate_, increment);
    for (int i = 1; i < count; ++i) {
      combine(now_, T(1), increment, point_);
      if (!rate(t_ + T(i) * h, point_, rate_)) return false;
      combine(before, 2 * h, rate_, before);
      std::swap(before, increment);
    }
    return true;
  }

  T t_, inner_step_ = T(0);
  Phase now_, remainder_, point_, rate_;
  std::vector<std::vector<Phase>> columns_;  // the triangle of the extrapolation
};

}  // namespace livens
