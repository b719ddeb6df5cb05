// The hanging chain: N masses 1/N on N rods of length l = 1/N in R^3, hung at the origin, gravity along -z.
//
//   d_i = x_i - x_{i-1} ,  w_i = v_i - v_{i-1}   (rod i = 0 .. N-1; the ground is x_{-1} = 0)
//   g_i = (|d_i|^2 - l^2) / (2 l) = 0            divided by l, so that G has entries of size 1
//   x_i'' = -gravity e_z - mu_i d_i / l + mu_{i+1} d_{i+1} / l ,   mu = multipliers / mass
//
// Differentiated twice, the constraints give a symmetric tridiagonal system for mu (index 1):
//   ( (2 or 1) |d_i|^2 mu_i - d_i.d_{i-1} mu_{i-1} - d_i.d_{i+1} mu_{i+1} ) / l = |w_i|^2 + d_i.f_i ,
// where 1 and f_0 = -gravity e_z belong to rod 0, 2 and f_i = 0 to the others.
//
// The start is smooth, so that errors of an order can be measured: with S the series below, rod i points along
// (sin a_i, 0, -cos a_i), a_i = S((i+1/2)/N)/2, and w_i = (0, S((i+1/2)/N)/N, 0).
//
// Vectors hold all x, then all y, then all z, so that loops over masses vectorise.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace peers {

using Vector = std::vector<double>;

struct State {
  Vector q, v;  // 3 N each
};

class Chain {
 public:
  static constexpr double gravity = 9.81;

  explicit Chain(std::size_t masses);

  const std::size_t N;
  const double l;

  State start() const;
  // d and w of all rods, from positions or velocities.
  void differences(const double* x, double* d) const;
  // mu from d and w.
  void multipliers(const double* d, const double* w, double* mu);
  // Index 1: accelerations from positions and velocities.
  void accelerations(const double* q, const double* v, double* a);

  double energy(const State& s) const;
  double constraint_error(const State& s) const;         // max | |d_i| - l |
  double hidden_constraint_error(const State& s) const;  // max |d_i.w_i| / |d_i|

 private:
  Vector d_, w_, mu_, pivot_, inverse_, off_;
};

// What a run shows.
struct Run {
  bool succeeded = false;
  State end;
  long steps = 0, evaluations = 0;
  double seconds = 0;
};

double position_error(const State& a, const State& b);
double process_seconds();

}  // namespace peers
