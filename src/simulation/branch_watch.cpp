#include "simulation/branch_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace livens {

Branches::Branches(const SystemDescription& system)
    : system_(system.dense<double>()),
      mass_(system_),
      G0_(system_.jacobian()),
      G1_(G0_),
      weighted_(G0_),
      lu_(system_.constraints()),
      g_(system_.constraints()),
      impulse_(g_),
      change_(system_.coordinates()),
      moved_(change_) {}

namespace {

// The sign of the determinant of a matrix, which is overwritten; 0: singular, or not finite.
int sign_of_determinant(Mat<double>& a) {
  int sign = 1;
  for (int k = 0; k < a.rows(); ++k) {
    int pivot = k;
    for (int i = k + 1; i < a.rows(); ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    if (!(std::abs(a(pivot, k)) > 0) || !std::isfinite(a(pivot, k))) return 0;
    if (pivot != k) {
      for (int j = k; j < a.cols(); ++j) std::swap(a(k, j), a(pivot, j));
      sign = -sign;
    }
    if (a(k, k) < 0) sign = -sign;
    for (int i = k + 1; i < a.rows(); ++i) {
      const double factor = a(i, k) / a(k, k);
      for (int j = k + 1; j < a.cols(); ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return sign;
}

}  // namespace

// (1)
bool Branches::alike(const Place& a, const Place& b) {
  system_.mass(a.t, a.q, a.v, mass_.matrix());
  if (!mass_.factorise()) return true;  // M is singular: nothing to compare by
  system_.constraint_jacobian(a.t, a.q, g_, G0_);
  system_.constraint_jacobian(b.t, b.q, g_, G1_);
  mass_.solve_rows(G0_, weighted_);
  multiply_by_transposed(G1_, weighted_, lu_.matrix());
  return sign_of_determinant(lu_.matrix()) > 0;
}

double Branches::distance(const Place& a, const Place& b) const {
  Vec<double> d(a.q), Md(a.q);
  for (int i = 0; i < d.size(); ++i) d[i] -= b.q[i];
  multiply(mass_.matrix(), d, Md);
  double sum = 0;
  for (int i = 0; i < d.size(); ++i) sum += d[i] * Md[i];
  return std::sqrt(std::abs(sum));
}

// q <- q - M^-1 G^T (G M^-1 G^T)^-1 g, repeated
bool Branches::project(Place& x) {
  system_.mass(x.t, x.q, x.v, mass_.matrix());
  if (!mass_.factorise()) return false;
  double before = 0;
  for (int k = 0; k < 30; ++k) {
    system_.constraint_jacobian(x.t, x.q, g_, G0_);
    mass_.solve_rows(G0_, weighted_);
    multiply_by_transposed(G0_, weighted_, lu_.matrix());
    if (!lu_.factorise()) return false;
    lu_.solve(g_, impulse_);
    multiply_transposed(weighted_, impulse_, change_);
    double size = 0, all = 0;
    for (int i = 0; i < change_.size(); ++i) {
      x.q[i] -= change_[i];
      size += std::abs(change_[i]), all += std::abs(x.q[i]);
    }
    if (!std::isfinite(size)) return false;
    if (size <= 1e-13 * all || (k > 3 && size >= before && size <= 1e-9 * all)) return true;
    before = size;
  }
  return false;
}

Branches::Step Branches::compare(const Place& before, const Place& now) {
  if (alike(before, now)) return Step::continued;
  Place a = before, b = now;
  const double whole = distance(a, b);
  double last = whole;
  if (!(whole > 0) || !std::isfinite(whole)) return Step::unknown;
  for (int halving = 0, stuck = 0; halving < 60; ++halving) {
    Place middle = a;
    middle.t = (a.t + b.t) / 2;
    for (int i = 0; i < middle.q.size(); ++i) {
      middle.q[i] = (a.q[i] + b.q[i]) / 2;
      // Of the cubic through both, once: the velocities of the parts are not known.
      const double bend = halving == 0 ? (b.t - a.t) / 8 * (a.v[i] - b.v[i]) : 0;
      if (std::isfinite(bend)) middle.q[i] += bend;
    }
    if (!project(middle)) return last < 1e-3 * whole ? Step::singular : Step::unknown;
    const bool first = alike(a, middle), second = alike(middle, b);
    if (first && second) return Step::continued;
    if (!first && !second) return Step::unknown;
    (first ? a : b) = middle;
    const double length = distance(a, b);
    if (length <= whole / 1048576) return Step::singular;
    stuck = length > 0.75 * last ? stuck + 1 : 0;
    if (stuck == 4) return Step::apart;
    last = length;
  }
  return Step::unknown;
}

template <class T>
std::string BranchWatch<T>::words() const {
  std::string words;
  if (singular_ > 0)
    words = fmt::format(
        "the motion passed a singular configuration of the constraints{} at t = {:.10g}: the branch on which it goes "
        "on "
        "is not determined by the equations",
        singular_ == 1 ? "" : fmt::format(" {} times, first", singular_), first_singular_);
  if (unknown_ > 0)
    words += fmt::format(
        "{}in {} {}, first at t = {:.10g}, the constraints turn so far that it is not known whether the motion is "
        "continued; halve the step",
        words.empty() ? "" : "; ", unknown_, unknown_ == 1 ? "step" : "steps", first_unknown_);
  return words;
}

template class BranchWatch<double>;
template class BranchWatch<long double>;
#if LIVENS_QUAD
template class BranchWatch<Widest>;
#endif

}  // namespace livens
