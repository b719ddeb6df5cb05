// LU without pivoting in an order of elimination that is found once, for matrices of a symmetric pattern that are close
// to positive definite: the Schur complements G1 M^-1 G0^T of a step. Any scalar, nothing to remember between runs.
//
// Row i of L and U from the rows before it:
//
//   l_ik = (a_ik - sum_{j<k} l_ij u_jk) / u_kk  for k < i ,     u_ij = a_ij - sum_{k<i} l_ik u_kj  for j >= i
//
// Fill is kept small by eliminating in order of minimum degree. A tridiagonal matrix, as of chains, needs
// neither order nor indices and has loops of its own. Where rows come in groups, as those of rigid bodies do, and
// eliminating them group by group takes fewer instructions, that is done (group_elimination.hpp). Singular is a pivot
// below (size * epsilon) times its diagonal.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "livens/math/sparse.hpp"
#include "livens/solve/group_elimination.hpp"

namespace livens {

enum class EliminateRows {
  any,        // one by one or in groups, whatever takes less
  one_by_one  // as factorise_dropping needs them
};

template <class T>
class Elimination {
 public:
  using Real = RealOf<T>;

  Elimination() = default;
  // The pattern must be symmetric, with ascending columns and all diagonal entries.
  explicit Elimination(std::shared_ptr<const SparsePattern> pattern, EliminateRows rows = EliminateRows::any)
      : pattern_(std::move(pattern)), a_(pattern_->entries()), pivot_(pattern_->rows), x_(pattern_->rows) {
    tridiagonal_ = pattern_->entries() == 3 * size() - 2;
    for (int i = 0; i < size(); ++i)
      for (int k = pattern_->begin(i); k < pattern_->end(i); ++k)
        if (std::abs(pattern_->col(k) - i) > 1) tridiagonal_ = false;
    if (tridiagonal_)
      lower_ = Vec<T>(size());
    else
      find_order(), find_fill(rows == EliminateRows::any);
  }

  int size() const { return pattern_ ? pattern_->rows : 0; }
  const SparsePattern& pattern() const { return *pattern_; }
  // Fill these, in the order of the pattern, then factorise.
  T* values() { return a_.data(); }

  // False if a pivot vanishes; singular_row() then names its row.
  bool factorise() {
    if (tridiagonal_) return factorise_tridiagonal();
    if (groups_.empty()) return factorise_sparse();
    if (groups_.factorise(a_.data(), tiny())) return true;
    singular_row_ = groups_.singular_row();
    return false;
  }

  // Leaves out rows whose pivot is at most `threshold` times the diagonal: they depend on those eliminated before. The
  // solution of the rest follows with `solve`, the rows left out having x = 0. Rows must be taken one by one.
  std::vector<int> factorise_dropping(const Real& threshold) {
    if (!groups_.empty()) throw std::logic_error("rows are left out only where they are eliminated one by one");
    std::vector<int> dropped;
    dropped_ = &dropped;
    threshold_ = threshold;
    factorise();
    dropped_ = nullptr;
    return dropped;
  }

  // x = A^-1 b
  void solve(const Vec<T>& b, Vec<T>& x) {
    if (tridiagonal_)
      solve_tridiagonal(b, x);
    else if (groups_.empty())
      solve_sparse(b, x);
    else
      groups_.solve(b, x);
  }

  int singular_row() const { return singular_row_; }
  // 1/u_ii in the order of elimination, which is the same for all matrices of a pattern; rows taken one by one.
  const Vec<T>& inverse_pivots() const { return pivot_; }

 private:
  // False for a pivot that is not a number too.
  bool accept_pivot(int row, const T& pivot, const T& diagonal, const Real& tiny, T& inverse) {
    using std::abs;
    if (abs(value_of(pivot)) > tiny * abs(value_of(diagonal))) [[likely]] {
      inverse = T(1) / pivot;
      return true;
    }
    singular_row_ = row;
    inverse = T(0);
    if (dropped_) dropped_->push_back(row);
    return dropped_ != nullptr;
  }
  Real tiny() const { return dropped_ ? threshold_ : static_cast<Real>(size()) * epsilon<T>(); }

  // ---- tridiagonal: row i has its entries at 3i - 1, 3i, 3i + 1 -----------------------------------------------------
  bool factorise_tridiagonal() {
    const T* a = a_.data();
    T *const lower = lower_.data(), *const inverses = pivot_.data();
    const Real vanishing = tiny();
    const int n = size();
    T inverse(0);
    if (n > 0 && !accept_pivot(0, a[0], a[0], vanishing, inverse)) return false;
    if (n > 0) inverses[0] = inverse;
    for (int i = 1; i < n; ++i) {
      const T above = a[1], factor = a[2] * inverse, diagonal = a[3];
      if (!accept_pivot(i, diagonal - factor * above, diagonal, vanishing, inverse)) return false;
      lower[i] = factor, inverses[i] = inverse;
      a += 3;
    }
    return true;
  }
  void solve_tridiagonal(const Vec<T>& b, Vec<T>& x) const {
    const T *const a = a_.data(), *const lower = lower_.data(), *const inverses = pivot_.data();
    const T* const from = b.data();
    T* const to = x.data();
    const int n = size();
    T before(0);
    for (int i = 0; i < n; ++i) to[i] = before = from[i] - lower[i] * before;
    if (n == 0) return;
    T after = to[n - 1] *= inverses[n - 1];
    for (int i = n - 2; i >= 0; --i) to[i] = after = (to[i] - a[3 * i + 1] * after) * inverses[i];
  }

  // ---- any symmetric pattern ----------------------------------------------------------------------------------------
  // Minimum degree: the row with the fewest neighbours is next, and its neighbours become neighbours of each other.
  void find_order() {
    std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(size()));
    std::set<std::pair<std::size_t, int>> by_degree;
    for (int i = 0; i < size(); ++i) {
      auto& list = neighbours[static_cast<std::size_t>(i)];
      for (int k = pattern_->begin(i); k < pattern_->end(i); ++k)
        if (pattern_->col(k) != i) list.push_back(pattern_->col(k));
      by_degree.emplace(list.size(), i);
    }
    place_.assign(neighbours.size(), -1);
    std::vector<int> joined;
    while (!by_degree.empty()) {
      const int next = by_degree.begin()->second;
      by_degree.erase(by_degree.begin());
      place_[static_cast<std::size_t>(next)] = static_cast<int>(order_.size());
      order_.push_back(next);
      const std::vector<int> clique = std::move(neighbours[static_cast<std::size_t>(next)]);
      for (const int row : clique) {
        auto& list = neighbours[static_cast<std::size_t>(row)];
        by_degree.erase({list.size(), row});
        joined.clear();
        std::set_union(list.begin(), list.end(), clique.begin(), clique.end(), std::back_inserter(joined));
        std::erase_if(joined, [&](int j) { return j == row || j == next; });
        list = joined;
        by_degree.emplace(list.size(), row);
      }
    }
  }

  // Rows of L are found by climbing the elimination tree from every entry of A; U has the transposed pattern.
  void find_fill(bool may_be_grouped) {
    const std::size_t n = order_.size();
    std::vector<int> parent(n, -1), seen(n, -1);
    std::vector<std::vector<int>> rows(n);
    for (int i = 0; i < size(); ++i) {
      auto& row = rows[static_cast<std::size_t>(i)];
      seen[static_cast<std::size_t>(i)] = i;
      for (int k = pattern_->begin(order_[static_cast<std::size_t>(i)]);
           k < pattern_->end(order_[static_cast<std::size_t>(i)]); ++k)
        for (int j = place_[static_cast<std::size_t>(pattern_->col(k))];
             j < i && seen[static_cast<std::size_t>(j)] != i; j = parent[static_cast<std::size_t>(j)]) {
          row.push_back(j);
          seen[static_cast<std::size_t>(j)] = i;
          if (parent[static_cast<std::size_t>(j)] < 0) parent[static_cast<std::size_t>(j)] = i;
        }
      std::sort(row.begin(), row.end());
    }
    if (may_be_grouped && find_groups(parent, rows)) return;
    std::vector<std::pair<int, int>> lower, upper;
    for (int i = 0; i < size(); ++i)
      for (const int j : rows[static_cast<std::size_t>(i)]) lower.emplace_back(i, j), upper.emplace_back(j, i);
    lower_pattern_ = make_pattern(size(), size(), std::move(lower));
    upper_pattern_ = make_pattern(size(), size(), std::move(upper));
    lower_ = Vec<T>(lower_pattern_.entries());
    upper_ = Vec<T>(upper_pattern_.entries());
  }

  // False if rows one by one take less: some 8 instructions for every l_ik u_kj.
  bool find_groups(const std::vector<int>& parent, const std::vector<std::vector<int>>& rows) {
    std::vector<int> later(rows.size(), 0);
    for (const auto& row : rows)
      for (const int j : row) ++later[static_cast<std::size_t>(j)];
    double one_by_one = 0;
    for (const double r : later) one_by_one += 40 + 30 * r + 8 * r * r;
    EliminationGroups found = EliminationGroups::find(*pattern_, order_, parent, later);
    if (!(found.instructions < one_by_one)) return false;
    groups_ = GroupElimination<T>(std::move(found));
    return true;
  }

  bool factorise_sparse() {
    const Real vanishing = tiny();
    for (int i = 0; i < size(); ++i) {
      for (int k = lower_pattern_.begin(i); k < lower_pattern_.end(i); ++k) x_[lower_pattern_.col(k)] = T(0);
      for (int k = upper_pattern_.begin(i); k < upper_pattern_.end(i); ++k) x_[upper_pattern_.col(k)] = T(0);
      const int row = order_[static_cast<std::size_t>(i)];
      for (int k = pattern_->begin(row); k < pattern_->end(row); ++k)
        x_[place_[static_cast<std::size_t>(pattern_->col(k))]] = a_[k];
      const T diagonal = x_[i];
      for (int k = lower_pattern_.begin(i); k < lower_pattern_.end(i); ++k) {
        const int j = lower_pattern_.col(k);
        const T factor = x_[j] * pivot_[j];
        lower_[k] = factor;
        for (int l = upper_pattern_.begin(j); l < upper_pattern_.end(j); ++l)
          x_[upper_pattern_.col(l)] -= factor * upper_[l];
      }
      if (!accept_pivot(row, x_[i], diagonal, vanishing, pivot_[i])) return false;
      for (int k = upper_pattern_.begin(i); k < upper_pattern_.end(i); ++k) upper_[k] = x_[upper_pattern_.col(k)];
    }
    return true;
  }
  void solve_sparse(const Vec<T>& b, Vec<T>& x) {
    for (int i = 0; i < size(); ++i) {
      T sum = b[order_[static_cast<std::size_t>(i)]];
      for (int k = lower_pattern_.begin(i); k < lower_pattern_.end(i); ++k)
        sum -= lower_[k] * x_[lower_pattern_.col(k)];
      x_[i] = sum;
    }
    for (int i = size() - 1; i >= 0; --i) {
      T sum = x_[i];
      for (int k = upper_pattern_.begin(i); k < upper_pattern_.end(i); ++k)
        sum -= upper_[k] * x_[upper_pattern_.col(k)];
      x_[i] = sum * pivot_[i];
    }
    for (int i = 0; i < size(); ++i) x[order_[static_cast<std::size_t>(i)]] = x_[i];
  }

  std::shared_ptr<const SparsePattern> pattern_;
  Vec<T> a_, lower_, upper_, pivot_, x_;  // pivot_: their inverses
  bool tridiagonal_ = true;
  std::vector<int> order_, place_;  // order_[k]: the row eliminated k-th; place_ its inverse
  SparsePattern lower_pattern_, upper_pattern_;
  GroupElimination<T> groups_;  // empty: row by row
  int singular_row_ = 0;
  std::vector<int>* dropped_ = nullptr;  // set while rows may be left out
  Real threshold_{};
};

}  // namespace livens
