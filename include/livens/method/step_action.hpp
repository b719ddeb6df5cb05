// The discrete action of one Galerkin step as a function of its control configurations Q^0 .. Q^s (galerkin.hpp),
//
//   (1)  S = h sum_i b_i L(t_i, q_i, q'_i) ,   q_i = Q^0 + h sum_nu l_nu(c_i) U^nu ,   q'_i = sum_nu l_nu'(c_i) U^nu ,
//        U^nu = (Q^nu - Q^0)/h ,
//
// and its derivatives with the work of forces, which boundary value problems are put together from:
//
//   (2)  F_nu = sum_i b_i ( h l_nu(c_i) f + l_nu'(c_i) p )_i ,                                     f = L_q + F , p =
//   L_v (3)  h dF_nu/dQ^l = sum_i b_i ( h l_nu ( h l_l f_q + l_l' f_v ) + l_nu' ( h l_l p_q + l_l' p_v ) )_i
//
// Points come with the remainders of their sums, and velocities from both: differences of rounded points would cost a
// factor 1/h in the momenta.
#pragma once

#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/method/galerkin.hpp"
#include "livens/method/stages.hpp"
#include "livens/system/generalised_force.hpp"

namespace livens {

template <class System>
class StepAction {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Node = typename GalerkinCoefficients<T>::Node;

  StepAction(const System& system, const Galerkin& method)
      : k(method), q(system.coordinates()), v(q), U(several<Dynamic>(k.s, q)), system_(system), force_(system) {}

  const GalerkinCoefficients<T> k;
  Coordinates q, v;  // where `place` was last
  std::vector<Coordinates> U;

  // To be called once, with any values.
  void start(const T& t, const Coordinates& somewhere, const Coordinates& velocity) {
    force_.start(t, somewhere, velocity);
  }

  // The step from t to t + h with these points and remainders, s + 1 of them, which have to stay where they are.
  void look_at(const T& t, const T& h, const Coordinates* points, const Coordinates* remainders) {
    t_ = t, h_ = h, q0_ = points, rest_ = remainders;
    for (int nu = 1; nu <= k.s; ++nu)
      for (int i = 0; i < q.size(); ++i)
        U[at(nu - 1)][i] = ((points[nu][i] - points[0][i]) + (remainders[nu][i] - remainders[0][i])) / h;
  }
  T time(const Node& node) const { return t_ + node.c * h_; }
  void place(const Node& node) {
    for (int i = 0; i < q.size(); ++i) {
      T value(0), slope(0);
      for (int nu = 1; nu <= k.s; ++nu) {
        value += node.value[at(nu)] * U[at(nu - 1)][i];
        slope += node.slope[at(nu)] * U[at(nu - 1)][i];
      }
      q[i] = (*q0_)[i] + (h_ * value + (*rest_)[i]);
      v[i] = slope;
    }
  }

  // (1)
  void add_value(CompensatedSum<T>& sum) {
    for (const Node& node : k.lagrangian) {
      place(node);
      sum += h_ * node.weight * system_.lagrangian(time(node), q, v);
    }
  }
  // (2), to F[0] .. F[s]
  void add_gradient(Coordinates* F) {
    for (const Node& node : k.lagrangian) {
      place(node);
      force_.force_and_momentum(time(node), q, v, f_, p_);
      for (int nu = 0; nu <= k.s; ++nu) {
        const T by_f = node.weight * h_ * node.value[at(nu)], by_p = node.weight * node.slope[at(nu)];
        for (int i = 0; i < q.size(); ++i) F[nu][i] += by_f * f_[i] + by_p * p_[i];
      }
    }
  }
  // (3), for the points of which row(nu) tells the place in the matrix; negative: none
  template <class Matrix, class Row>
  void add_derivatives(Matrix& A, const Row& row) {
    for (const Node& node : k.lagrangian) {
      place(node);
      force_.differentiate(time(node), q, v);
      for (int nu = 0; nu <= k.s; ++nu)
        for (int l = 0; l <= k.s; ++l) {
          if (row(nu) < 0 || row(l) < 0) continue;
          const typename Matrix::Block block{row(nu), row(l)};
          force_.add(A, block, block,
                     {.force = node.weight * h_ * node.value[at(nu)],
                      .inertia = node.weight * node.slope[at(nu)],
                      .moved = h_ * node.value[at(l)],
                      .slope = node.slope[at(l)]});
        }
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const System& system_;
  GeneralisedForce<System> force_;
  Coordinates f_ = q, p_ = q;
  T t_{}, h_{};
  const Coordinates *q0_ = nullptr, *rest_ = nullptr;
};

}  // namespace livens
