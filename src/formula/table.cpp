#include "livens/formula/table.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace livens::formula {

namespace {

constexpr std::size_t degree = Table::degree;
using Polynomial = std::array<Widest, degree + 1>;

// (a + b u) p, whose degree is below 5
Polynomial times_linear(const Polynomial& p, const Widest& a, const Widest& b) {
  Polynomial out{};
  for (std::size_t m = 0; m <= degree; ++m) {
    out[m] += a * p[m];
    if (m < degree) out[m + 1] += b * p[m];
  }
  return out;
}

// (2), each as often as it counts.
std::vector<Widest> knots_of(const std::vector<Widest>& x) {
  std::vector<Widest> knots(degree + 1, x.front());
  knots.insert(knots.end(), x.begin() + 3, x.end() - 3);
  knots.insert(knots.end(), degree + 1, x.back());
  return knots;
}

// The six B-splines that are not 0 between knots t_i and t_(i+1), as polynomials of u, x = t_i + w u, by
//   N_(j,k) = (x - t_j)/(t_(j+k) - t_j) N_(j,k-1) + (t_(j+k+1) - x)/(t_(j+k+1) - t_(j+1)) N_(j+1,k-1)
std::array<Polynomial, degree + 1> splines_after(const std::vector<Widest>& t, std::size_t i) {
  const Widest w = t[i + 1] - t[i];
  std::array<Polynomial, degree + 1> N{};  // of degree k: N_(i-k) .. N_i
  N[0][0] = 1;
  for (std::size_t k = 1; k <= degree; ++k) {
    std::array<Polynomial, degree + 1> higher{};
    for (std::size_t j = 0; j < k; ++j) {  // N[j] is N_(i-k+1+j, k-1), part of N_(i-k+j, k) and of N_(i-k+1+j, k)
      const Widest left = t[i - k + 1 + j], width = t[i + 1 + j] - left;
      const Polynomial rising = times_linear(N[j], (t[i] - left) / width, w / width);
      for (std::size_t m = 0; m <= degree; ++m) {
        higher[j + 1][m] += rising[m];
        higher[j][m] += N[j][m] - rising[m];
      }
    }
    N = higher;
  }
  return N;
}

// The matrix N_j(x_i), which has at most 2*5 + 1 diagonals, as L U. It is totally positive: no pivots are needed
// (de Boor, Pinkus: Backward error analysis for totally positive linear systems, 1977).
class Collocation {
 public:
  template <class Basis>
  Collocation(std::size_t n, const Basis& basis) : n_(n), A_(n) {
    std::array<Widest, degree + 1> N;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t first = basis(i, N);
      for (std::size_t j = 0; j <= degree; ++j)
        if (N[j] != 0) at(i, first + j) = N[j];
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = k + 1; i < std::min(n, k + degree + 1); ++i) {
        if (at(i, k) == 0) continue;
        at(i, k) /= at(k, k);
        for (std::size_t j = k + 1; j < std::min(n, k + degree + 1); ++j) at(i, j) -= at(i, k) * at(k, j);
      }
  }

  // Numbers that lie `stride` apart.
  void solve(Widest* x, std::size_t stride) const {
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t k = i < degree ? 0 : i - degree; k < i; ++k) x[i * stride] -= at(i, k) * x[k * stride];
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t k = i + 1; k < std::min(n_, i + degree + 1); ++k) x[i * stride] -= at(i, k) * x[k * stride];
      x[i * stride] /= at(i, i);
    }
  }

 private:
  Widest& at(std::size_t i, std::size_t j) { return A_[i][j + degree - i]; }
  const Widest& at(std::size_t i, std::size_t j) const { return A_[i][j + degree - i]; }

  std::size_t n_;
  std::vector<std::array<Widest, 2 * degree + 1>> A_;
};

}  // namespace

Table::Table(std::string name, std::vector<Variable> variables, std::vector<Widest> values)
    : name_(std::move(name)), variables_(std::move(variables)) {
  if (variables_.empty() || variables_.size() > most_variables)
    throw std::invalid_argument("a table has one to three variables");
  std::size_t count = 1;
  In<Widest> all;
  for (const Variable& variable : variables_) {
    const std::vector<Widest>& x = variable.points;
    if (x.size() < least_points || std::adjacent_find(x.begin(), x.end(), std::greater_equal<>()) != x.end())
      throw std::invalid_argument("a variable of a table has at least six ascending points");
    count *= x.size();
    const std::vector<Widest> t = knots_of(x);
    Axis<Widest> axis;
    axis.points = x.size();
    for (std::size_t i = degree; i + degree + 1 < t.size(); ++i) {
      axis.knots.push_back(t[i]);
      axis.scale.push_back(1 / (t[i + 1] - t[i]));
      axis.splines.push_back(splines_after(t, i));
    }
    axis.knots.push_back(t.back());
    all.axes.push_back(std::move(axis));
  }
  if (count != values.size()) throw std::invalid_argument("a table has a value for every point of its grid");

  std::size_t stride = count;
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    const Axis<Widest>& axis = all.axes[k];
    const std::vector<Widest>& x = variables_[k].points;
    const Collocation matrix(axis.points, [&](std::size_t i, std::array<Widest, degree + 1>& N) {
      const auto next = std::upper_bound(axis.knots.begin() + 1, axis.knots.end() - 1, x[i]);
      const auto interval = static_cast<std::size_t>(next - axis.knots.begin()) - 1;
      axis.basis(interval, 0, x[i], N);
      // A spline that only touches 0 there must not leave a trace of rounding outside of the diagonals.
      if (x[i] == axis.knots[interval]) N[degree] = 0;
      return interval;
    });
    const std::size_t length = stride;  // of the numbers that have the same points of the variables before
    stride /= axis.points;
    for (std::size_t block = 0; block < count; block += length)
      for (std::size_t line = 0; line < stride; ++line) matrix.solve(values.data() + block + line, stride);
  }
  all.coefficients = std::move(values);
  convert(all, in_double_);
  convert(all, in_extended_);
#if LIVENS_QUAD
  in_widest_ = std::move(all);
#endif
}

template <class Real>
void Table::convert(const In<Widest>& from, In<Real>& to) const {
  const auto converted = [](const std::vector<Widest>& x) {
    std::vector<Real> out;
    out.reserve(x.size());
    for (const Widest& number : x) out.push_back(static_cast<Real>(number));
    return out;
  };
  to.coefficients = converted(from.coefficients);
  for (const Axis<Widest>& axis : from.axes) {
    Axis<Real> out{converted(axis.knots), converted(axis.scale), {}, axis.points};
    for (const auto& interval : axis.splines) {
      auto& splines = out.splines.emplace_back();
      for (std::size_t j = 0; j <= degree; ++j)
        for (std::size_t m = 0; m <= degree; ++m) splines[j][m] = static_cast<Real>(interval[j][m]);
    }
    to.axes.push_back(std::move(out));
  }
}

std::string Table::outside(std::span<const double> x) const {
  for (std::size_t k = 0; k < variables(); ++k) {
    const auto &first = variables_[k].points.front(), &last = variables_[k].points.back();
    if (x[k] >= to_double(first) && x[k] <= to_double(last)) continue;
    std::ostringstream out;
    out.precision(10);
    out << "outside of table " << name_ << ", whose ";
    if (variables_[k].name.empty())
      out << (variables() == 1 ? "variable" : "variable " + std::to_string(k + 1));
    else
      out << variables_[k].name;
    out << " goes from " << to_double(first) << " to " << to_double(last);
    return out.str();
  }
  return "";
}

}  // namespace livens::formula
