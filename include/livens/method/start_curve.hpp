// A curve between two positions from which boundary value problems are solved: points at given times t_0 .. t_N.
//
//   (1)  q(tau) = (1 - tau) q_0 + tau q_N + (v - vbar) T (tau - tau^2 (3 - tau)/2) ,   tau = (t - t_0)/T , T = t_N -
//   t_0
//
// the straight line, or with a start velocity v the cubic that begins with it and ends without curvature; vbar is the
// mean velocity. Points are moved onto the constraints along M^-1 G^T,
//
//   (2)  q <- q - M^-1 G^T (G M^-1 G^T)^-1 g(t,q) .
//
// The middle one first, halfway between two others and bent as (1) is there: a line that passes close to a pivot would
// otherwise have its points far from each other.
#pragma once

#include <optional>
#include <vector>

#include "livens/math/sparse.hpp"
#include "livens/math/vec.hpp"
#include "livens/solve/impulse_units.hpp"
#include "livens/solve/mass.hpp"
#include "livens/solve/schur.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

template <class System>
class StartCurve {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  // time(P): of the points 0 .. last
  template <class Time>
  StartCurve(const System& system, int last, const Time& time) : system_(system) {
    for (int P = 0; P <= last; ++P) times_.push_back(time(P));
    points_.assign(times_.size(), mean_velocity_);
  }

  const std::vector<Coordinates>& points() const { return points_; }
  const Coordinates& mean_velocity() const { return mean_velocity_; }

  // Returns the point where the way onto the constraints was not found, if there is one.
  std::optional<int> connect(const Coordinates& q_first, const Coordinates& q_last, const Coordinates* v) {
    const T duration = times_.back() - times_.front();
    for (int i = 0; i < q_first.size(); ++i) {
      mean_velocity_[i] = (q_last[i] - q_first[i]) / duration;
      bend_[i] = v ? duration * ((*v)[i] - mean_velocity_[i]) : T(0);
    }
    points_.front() = q_first, points_.back() = q_last;
    return fill(0, static_cast<int>(points_.size()) - 1);
  }

  // Units of impulses at the start; false where they are not finite, or a constraint has no gradient there.
  bool choose_units(Multipliers& unit) {
    system_.mass(times_.front(), points_.front(), mean_velocity_, mass_.matrix());
    system_.constraint_jacobian(times_.front(), points_.front(), g_, G_);
    choose_impulse_units(mass_.matrix(), G_, way_, unit);
    for (const T& x : unit)
      if (!is_finite(x)) return false;
    return true;
  }

  // h lambda of a motion through (q, v), and 0 where there is none
  void find_impulse(const T& t, const Coordinates& q, const Coordinates& v, const T& h, Multipliers& mu) {
    if (!kinetics_.start(t, q, v) || !succeeded(kinetics_.multiplier(t, q, v, mu))) mu.fill(T(0));
    for (T& x : mu) x *= h;
  }

  // (2), the matrix new in every iteration: far from the constraints an old one leads astray.
  bool move_onto_constraints(const T& t, Coordinates& q) {
    constexpr int most = 50;
    constexpr double close = 1e-8;  // it is only a guess
    for (int iteration = 0; iteration < most && g_.size() > 0; ++iteration) {
      system_.constraint_jacobian(t, q, g_, G_);
      system_.mass(t, q, mean_velocity_, mass_.matrix());
      if (!mass_.factorise() || !schur_.factorise(G_, mass_, G_)) return false;
      schur_.solve(g_, mu_);
      multiply_transposed(G_, mu_, way_);
      mass_.solve(way_, change_);
      for (int i = 0; i < q.size(); ++i) q[i] -= change_[i];
      if (!is_finite(size_of(q))) return false;
      if (size_of(change_) <= RealOf<T>(close) * size_of(q)) return true;
    }
    return g_.size() == 0;
  }

 private:
  // The points between two points of the curve
  std::optional<int> fill(int left, int right) {
    if (right - left < 2) return std::nullopt;
    const int P = (left + right) / 2;
    const T share = (tau(P) - tau(left)) / (tau(right) - tau(left));
    const T bent = shape(P) - (1 - share) * shape(left) - share * shape(right);
    Coordinates &q = point(P), &before = point(left), &after = point(right);
    for (int i = 0; i < q.size(); ++i) q[i] = (1 - share) * before[i] + share * after[i] + bent * bend_[i];
    if (!move_onto_constraints(time(P), q)) return P;
    const std::optional<int> failed = fill(left, P);
    return failed ? failed : fill(P, right);
  }
  const T& time(int P) const { return times_[static_cast<std::size_t>(P)]; }
  Coordinates& point(int P) { return points_[static_cast<std::size_t>(P)]; }
  T tau(int P) const { return (time(P) - times_.front()) / (times_.back() - times_.front()); }
  T shape(int P) const {
    const T x = tau(P);
    return x - x * x * (3 - x) / 2;
  }

  const System& system_;
  std::vector<T> times_;
  Coordinates mean_velocity_ = Coordinates(system_.coordinates());
  Coordinates bend_ = mean_velocity_, way_ = mean_velocity_, change_ = mean_velocity_;
  std::vector<Coordinates> points_;
  Kinetics<System> kinetics_{system_};
  Mass<typename System::Square> mass_{system_};
  Schur<typename System::Jacobian> schur_{system_};
  typename System::Jacobian G_ = system_.jacobian();
  Multipliers g_ = Multipliers(system_.constraints()), mu_ = g_;
};

}  // namespace livens
