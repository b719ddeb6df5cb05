// Tabulated functions: a tensor product of splines of degree 5 through values on a full grid of one to three variables.
//
//   B(x_1, .., x_d) = sum c_(i_1 .. i_d) N_(i_1)(x_1) .. N_(i_d)(x_d)                                           (1)
//
// N_i are the B-splines of degree 5 (de Boor: A Practical Guide to Splines, ch. IX, X) on the knots
//
//   x^1 (six times),  x^4, x^5, .., x^(n-3),  x^n (six times)                                                   (2)
//
// of the n >= 6 grid points x^1 < .. < x^n of a variable: not-a-knot conditions at both ends, which reproduce every
// polynomial of degree 5. B takes the values of the table at the grid, is C^4, its error O(spacing^6), that of its k-th
// derivatives O(spacing^(6-k)). Derivatives are those of (1), exactly: of order 5 in one variable they are constant
// between knots, beyond it 0.
//
// Outside the grid B is not a number: nothing is extrapolated.
//
// Coefficients are computed in the widest precision, and kept in that of every scalar. Between two knots each of the
// six N_i that are not 0 is a polynomial of u = (x - knot)/(next knot - knot), so that the same lines serve jets.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "livens/math/scalar.hpp"

namespace livens::formula {

class Table {
 public:
  static constexpr std::size_t degree = 5, least_points = degree + 1, most_variables = 3;
  using Order = std::array<std::uint8_t, most_variables>;  // of the derivative by each variable
  struct Variable {
    std::string name;  // for messages; may be empty
    std::vector<Widest> points;
  };

  // Ascending points of each variable, at least six, and the values, the last variable running fastest. Throws
  // std::invalid_argument where these do not fit.
  Table(std::string name, std::vector<Variable> variables, std::vector<Widest> values);

  const std::string& name() const { return name_; }
  std::size_t variables() const { return variables_.size(); }
  // "B(x, y) is outside of its table, x from 0 to 2" where x is; empty inside.
  std::string outside(std::span<const double> x) const;

  // A derivative of B; arguments beyond the number of variables do not count.
  template <class T>
  T operator()(const Order& order, const T& a, const T& b, const T& c) const {
    using Real = RealOf<T>;
    const In<Real>& table = in<Real>();
    const std::array<const T*, most_variables> x{&a, &b, &c};
    std::array<std::array<T, least_points>, most_variables> N;
    std::array<std::size_t, most_variables> first{};
    for (std::size_t k = 0; k < variables(); ++k) {
      const Axis<Real>& axis = table.axes[k];
      const Real at = value_of(*x[k]);
      if (!(at >= axis.knots.front() && at <= axis.knots.back())) return T(std::numeric_limits<Real>::quiet_NaN());
      const auto next = std::upper_bound(axis.knots.begin() + 1, axis.knots.end() - 1, at);
      first[k] = static_cast<std::size_t>(next - axis.knots.begin()) - 1;
      axis.basis(first[k], order[k], *x[k], N[k]);
    }
    return sum(table, N, first, 0, 0);
  }

 private:
  template <class Real>
  struct Axis {
    using Polynomial = std::array<Real, degree + 1>;          // coefficients of 1, u, u^2, ...
    std::vector<Real> knots;                                  // each once
    std::vector<Real> scale;                                  // 1/width of the interval after a knot
    std::vector<std::array<Polynomial, degree + 1>> splines;  // the B-splines that are not 0 there
    std::size_t points = 0;

    // d^r N/dx^r of the B-splines that are not 0 in an interval.
    template <class T>
    void basis(std::size_t interval, std::size_t r, const T& x, std::array<T, degree + 1>& N) const {
      const T u = (x - T(knots[interval])) * T(scale[interval]);
      Real power(1);
      for (std::size_t k = 0; k < r; ++k) power *= scale[interval];
      for (std::size_t j = 0; j <= degree; ++j) {
        const Polynomial& p = splines[interval][j];
        T value(0);
        for (std::size_t m = degree + 1; m-- > r;) {
          int factor = 1;  // m (m-1) .. (m-r+1)
          for (std::size_t k = 0; k < r; ++k) factor *= static_cast<int>(m - k);
          value = value * u + T(Real(factor) * p[m]);
        }
        N[j] = r == 0 ? value : value * T(power);
      }
    }
  };
  template <class Real>
  struct In {
    std::vector<Axis<Real>> axes;
    std::vector<Real> coefficients;
  };

  template <class T, class Real>
  static T sum(const In<Real>& table, const std::array<std::array<T, least_points>, most_variables>& N,
               const std::array<std::size_t, most_variables>& first, std::size_t k, std::size_t offset) {
    const std::size_t start = offset * table.axes[k].points + first[k];
    T total(0);
    for (std::size_t j = 0; j <= degree; ++j)
      total = total + N[k][j] * (k + 1 == table.axes.size() ? T(table.coefficients[start + j])
                                                            : sum(table, N, first, k + 1, start + j));
    return total;
  }

  template <class Real>
  const In<Real>& in() const {
    if constexpr (std::is_same_v<Real, double>)
      return in_double_;
    else if constexpr (std::is_same_v<Real, long double>)
      return in_extended_;
#if LIVENS_QUAD
    else
      return in_widest_;
#endif
  }
  template <class Real>
  void convert(const In<Widest>& from, In<Real>& to) const;

  std::string name_;
  std::vector<Variable> variables_;
  In<double> in_double_;
  In<long double> in_extended_;
#if LIVENS_QUAD
  In<Quad> in_widest_;
#endif
};

// A derivative of one of the tables that a program or graph holds.
struct TableCall {
  std::uint32_t table = 0;  // its number
  Table::Order order{};
  friend bool operator==(const TableCall&, const TableCall&) = default;
};

}  // namespace livens::formula
