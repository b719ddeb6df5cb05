// What moves a degenerate system, as methods with stages ask for it (generalised_force.hpp): L_v = theta(q) is the
// momentum, L_vv = 0, and
//
//   (1)  f = J^T v - grad H ,   p = theta                        (2)  f_q = sum_k v_k D2 theta_k - D2 H ,   f_v = J^T ,
//   p_q = J
#pragma once

#include "livens/system/generalised_force.hpp"
#include "livens/system/state.hpp"

namespace livens {

template <DegenerateSystem System>
class GeneralisedForce<System> {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Square = typename System::Square;

  explicit GeneralisedForce(const System& system)
      : system_(system), J_(system.square()), fq_(J_), work_(system.coordinates()) {}

  static constexpr Structure structure() { return {}; }
  static constexpr bool constant_mass() { return false; }
  static constexpr bool uniform() { return false; }
  static constexpr bool of_position() { return false; }
  void start(const T&, const Coordinates&, const Coordinates&) {}

  void force(const T&, const Coordinates& q, const Coordinates& v, Coordinates& f) {
    system_.force_and_momentum(q, v, f, work_, J_);
  }
  void force_and_momentum(const T&, const Coordinates& q, const Coordinates& v, Coordinates& f, Coordinates& p) {
    system_.force_and_momentum(q, v, f, p, J_);
  }
  void differentiate(const T&, const Coordinates& q, const Coordinates& v) { system_.force_jacobian(q, v, J_, fq_); }

  struct Factors {
    T force, inertia, moved, slope;
  };
  template <class Matrix, class Block>
  void add(Matrix& A, const Block& square, const Block& transposed, const Factors& by) const {
    A.add(square, by.force * by.moved, fq_);
    if (!is_zero(by.slope)) A.add_transposed(transposed, by.force * by.slope, J_);
    if (!is_zero(by.inertia)) A.add(square, by.inertia * by.moved, J_);
  }

 private:
  static bool is_zero(const T& x) { return value_of(x) == RealOf<T>(0); }

  const System& system_;
  Square J_, fq_;
  Coordinates work_;
};

}  // namespace livens
