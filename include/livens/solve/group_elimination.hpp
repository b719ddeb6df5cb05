// LU without pivoting by groups of rows (elimination_groups.hpp): the internal constraints of a rigid body, the rows of
// a joint. For the same matrices as elimination.hpp, which chooses between the two.
//
// A group has w rows and meets r later ones, R. With its parts of the matrix, as they are when its turn comes,
//
//   D = L_D U_D ,   U := L_D^-1 U (w x r) ,   L := L U_D^-1 (r x w) ,   A_RR := A_RR - L U .
//
// All products are of rows of L_D, L and columns of U_D, U, which are stored as such.
#pragma once

#include <type_traits>
#include <utility>

#include "livens/solve/elimination_groups.hpp"

namespace livens {

template <class T>
class GroupElimination {
 public:
  using Real = RealOf<T>;
  using Group = EliminationGroups::Group;

  GroupElimination() = default;
  explicit GroupElimination(EliminationGroups found)
      : in_(std::move(found)), numbers_(in_.numbers), inverse_(static_cast<int>(in_.order.size())), x_(inverse_) {}

  bool empty() const { return in_.groups.empty(); }
  int singular_row() const { return singular_row_; }

  // Values in the order of the pattern. False if a pivot is at most `tiny` times its diagonal; singular_row() names it.
  bool factorise(const T* values, const Real& tiny) {
    for (const int place : in_.zeros) numbers_[place] = T(0);
    for (const int place : in_.place_of_entry) numbers_[place] = *values++;
    for (const Group& group : in_.groups) {
      bool regular = true;
      with_size(group.width, [&](auto w) { regular = eliminate(w, group, tiny); });
      if (!regular) return false;
    }
    return true;
  }

  // x = A^-1 b
  void solve(const Vec<T>& b, Vec<T>& x) {
    T* next = x_.data();
    for (const int row : in_.order) *next++ = b[row];
    for (const Group& group : in_.groups) with_size(group.width, [&](auto w) { forward(w, group); });
    for (auto group = in_.groups.rbegin(); group != in_.groups.rend(); ++group)
      with_size(group->width, [&](auto w) { backward(w, *group); });
    next = x_.data();
    for (const int row : in_.order) x[row] = *next++;
  }

 private:
  // ---- small loops, written out where their length is known ---------------------------------------------------------
  template <class F>
  static void with_size(int width, const F& f) {
    if constexpr (std::is_same_v<T, double>) {
      if (width == 1) return f(std::integral_constant<int, 1>());
      if (width == 2) return f(std::integral_constant<int, 2>());
      if (width == 3) return f(std::integral_constant<int, 3>());
      if (width == 6) return f(std::integral_constant<int, 6>());
      if (width == 9) return f(std::integral_constant<int, 9>());
    }
    f(width);
  }
  template <class W, class F>
  [[gnu::always_inline]] static void for_each(W w, const F& f) {
    if constexpr (std::is_same_v<W, int>)
      for (int k = 0; k < w; ++k) f(k);
    else
      for_all(std::make_integer_sequence<int, W::value>(), f);
  }
  template <int... k, class F>
  [[gnu::always_inline]] static void for_all(std::integer_sequence<int, k...>, const F& f) {
    (f(std::integral_constant<int, k>()), ...);
  }
  // w - 1 - j
  static int before(int w, int j) { return w - 1 - j; }
  template <int w, int j>
  static auto before(std::integral_constant<int, w>, std::integral_constant<int, j>) {
    return std::integral_constant<int, w - 1 - j>();
  }
  // x - a.b
  template <class N>
  [[gnu::always_inline]] static T less_product(T x, N n, const T* a, const T* b) {
    if constexpr (std::is_same_v<N, int>)
      for (int k = 0; k < n; ++k) x -= a[k] * b[k];
    else
      subtract_products(std::make_integer_sequence<int, N::value>(), x, a, b);
    return x;
  }
  template <int... k>
  [[gnu::always_inline]] static void subtract_products(std::integer_sequence<int, k...>, T& x,
                                                       [[maybe_unused]] const T* a, [[maybe_unused]] const T* b) {
    ((x -= a[k] * b[k]), ...);
  }

  template <class W>
  bool eliminate(W w, const Group& group, const Real& tiny) {
    T *const L_D = numbers_.data() + group.lower, *const U_D = numbers_.data() + group.upper;
    T *const L = numbers_.data() + group.left, *const U = numbers_.data() + group.top;
    T* const inverse = inverse_.data() + group.first;
    int singular = -1;
    for_each(w, [&](auto k) {
      using std::abs;
      T *const row = L_D + k * w, *const column = U_D + k * w;
      const T diagonal = column[k];
      for_each(k, [&](auto j) { row[j] = less_product(row[j], j, row, U_D + j * w) * inverse[j]; });
      for_each(k, [&](auto j) { column[j] = less_product(column[j], j, L_D + j * w, column); });
      column[k] = less_product(diagonal, k, row, column);
      if (!(abs(value_of(column[k])) > tiny * abs(value_of(diagonal))) && singular < 0) singular = k;  // NaN too
      inverse[k] = T(1) / column[k];
    });
    if (singular >= 0) {
      singular_row_ = in_.order[static_cast<std::size_t>(group.first + singular)];
      return false;
    }
    for (int i = 0; i < group.later; ++i) {
      T *const row = L + i * w, *const column = U + i * w;
      for_each(w, [&](auto k) { row[k] = less_product(row[k], k, row, U_D + k * w) * inverse[k]; });
      for_each(w, [&](auto k) { column[k] = less_product(column[k], k, L_D + k * w, column); });
    }
    for (int t = group.first_target; t < group.last_target; ++t)
      update(w, group, in_.targets[static_cast<std::size_t>(t)]);
    return true;
  }

  // A_RR - L U, as far as it belongs to one later group.
  template <class W>
  void update(W w, const Group& group, const EliminationGroups::Target& target) {
    const T *const L = numbers_.data() + group.left, *const U = numbers_.data() + group.top;
    const Group& to = in_.groups[static_cast<std::size_t>(target.group)];
    const int *const rows = in_.rows.data() + group.rows, *const places = in_.places.data() + target.places;
    T *const L_D = numbers_.data() + to.lower, *const U_D = numbers_.data() + to.upper;
    T *const left = numbers_.data() + to.left, *const top = numbers_.data() + to.top;
    for (int i = target.from; i < target.to; ++i) {
      const int own = rows[i] - to.first;
      const T *const row = L + i * w, *const column = U + i * w;
      for (int j = target.from; j < i; ++j) {
        const int place = own * to.width + rows[j] - to.first;
        L_D[place] = less_product(L_D[place], w, row, U + j * w);
        U_D[place] = less_product(U_D[place], w, L + j * w, column);
      }
      T& diagonal = U_D[own * to.width + own];
      diagonal = less_product(diagonal, w, row, column);
      for (int j = target.to; j < group.later; ++j) {
        const int place = places[j - target.to] * to.width + own;
        left[place] = less_product(left[place], w, L + j * w, column);
        top[place] = less_product(top[place], w, row, U + j * w);
      }
    }
  }

  template <class W>
  void forward(W w, const Group& group) {
    const T *const L_D = numbers_.data() + group.lower, *const L = numbers_.data() + group.left;
    const int* const rows = in_.rows.data() + group.rows;
    T* const x = x_.data() + group.first;
    for_each(w, [&](auto k) { x[k] = less_product(x[k], k, L_D + k * w, x); });
    for (int i = 0; i < group.later; ++i) x_[rows[i]] = less_product(x_[rows[i]], w, L + i * w, x);
  }
  template <class W>
  void backward(W w, const Group& group) {
    const T *const U_D = numbers_.data() + group.upper, *const U = numbers_.data() + group.top;
    const T* const inverse = inverse_.data() + group.first;
    const int* const rows = in_.rows.data() + group.rows;
    T* const x = x_.data() + group.first;
    for (int i = 0; i < group.later; ++i) {
      const T later = x_[rows[i]];
      for_each(w, [&](auto k) { x[k] -= U[i * w + k] * later; });
    }
    for_each(w, [&](auto j) {
      const auto k = before(w, j);
      const T now = x[k] *= inverse[k];
      for_each(k, [&](auto i) { x[i] -= U_D[k * w + i] * now; });
    });
  }

  EliminationGroups in_;
  Vec<T> numbers_, inverse_, x_;  // inverse_: of the pivots
  int singular_row_ = 0;
};

}  // namespace livens
