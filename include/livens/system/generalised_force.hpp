// What moves a Lagrangian system with forces, d/dt L_v = f - G^T lambda, and what every implicit step needs of it:
//
//   (1)  f = L_q + F ,     p = L_v                               at (t, q, v)
//   (2)  f_q = L_qq + F_q ,   f_v = L_qv + F_v ,   p_q = L_qv^T ,   p_v = L_vv
//
// With q = ... + moved U and v = ... + slope U the equation  force f + inertia p = 0  has the derivative by U
//
//   (3)  force ( moved f_q + slope f_v ) + inertia ( moved p_q + slope p_v ) ,
//
// one block of the matrix of a step.
//
// What the structure of the system says is used here and nowhere else. With a constant mass, L = v.Mv/2 - V(t,q),
//   f = -V_q + F needs no velocity but that of the forces, f_v = F_v, p_q = 0, and p = M v is left to the method, which
//   has M at hand (kinetics.hpp);  V linear in q and no forces: f is uniform, and has no derivatives;  V quadratic:
//   L_qq is constant. All are known when compiling for C++ systems.
//
// One object is the workspace of one trajectory; nothing allocates after construction.
#pragma once

#include "livens/math/sparse.hpp"
#include "livens/system/structure.hpp"

namespace livens {

template <class System>
class GeneralisedForce {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Square = typename System::Square;

  // Without derivatives only (1), and no memory for more.
  explicit GeneralisedForce(const System& system, bool derivatives = true)
      : system_(system),
        structure_(system.structure()),
        facts_(facts_of(structure_)),
        Lqq_(derivatives ? system.square() : Square()),
        Lqv_(Lqq_),
        Lvv_(Lqq_),
        Fq_(structure_.forces ? Lqq_ : Square()),
        Fv_(structure_.velocity_in_forces ? Lqq_ : Square()),
        work_(system.coordinates()) {}

  constexpr Structure structure() const {
    if constexpr (HasKnownStructure<System>)
      return System::structure();
    else
      return structure_;
  }
  constexpr bool constant_mass() const { return facts().constant_mass; }
  // f is the same at all times and places, as under gravity alone.
  constexpr bool uniform() const { return facts().uniform; }
  // f can be evaluated without v.
  constexpr bool of_position() const { return facts().of_position; }

  // To be called once with the start values, or any others: second derivatives that are constant.
  void start(const T& t, const Coordinates& q, const Coordinates& v) {
    if (facts().constant_hessian) system_.hessian(t, q, v, Lqq_, Lqv_, Lvv_);
  }

  // ---- (1) ----------------------------------------------------------------------------------------------------------
  void force(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& f) {
    if (constant_mass()) {
      system_.potential_gradient(t, q, f);
      for (T& x : f) x = -x;
    } else {
      system_.gradient(t, q, v, f, work_);
    }
    add_applied(t, q, v, f);
  }
  void force_and_momentum(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& f, Coordinates& p) {
    system_.gradient(t, q, v, f, p);
    add_applied(t, q, v, f);
  }

  // ---- (2) ----------------------------------------------------------------------------------------------------------
  void differentiate(const T& t, const Coordinates& q, const Coordinates& v) {
    differentiate_but_f_q(t, q, v);
    if (facts().forces) {
      system_.force_position_jacobian(t, q, v, Fq_);
      add_scaled(T(1), Lqq_, Fq_);
    }
  }
  // Where q does not change with the unknowns.
  void differentiate_but_f_q(const T& t, const Coordinates& q, const Coordinates& v) {
    differentiate_momentum(t, q, v);
    if (facts().velocity_in_forces) {
      system_.force_velocity_jacobian(t, q, v, Fv_);
      if (!constant_mass()) add_scaled(T(1), Lqv_, Fv_);
    }
  }
  void differentiate_momentum(const T& t, const Coordinates& q, const Coordinates& v) {
    if (!facts().constant_hessian) system_.hessian(t, q, v, Lqq_, Lqv_, Lvv_);
  }
  // Of the last `differentiate`.
  const Square& f_q() const { return facts().forces ? Fq_ : Lqq_; }
  const Square& f_v() const { return facts().velocity_in_forces ? Fv_ : Lqv_; }  // 0 if f is of_position()
  const Square& p_q_transposed() const { return Lqv_; }                          // 0 with a constant mass
  const Square& p_v() const { return Lvv_; }

  // ---- (3) ----------------------------------------------------------------------------------------------------------
  struct Factors {
    T force, inertia, moved, slope;
  };
  // Adds (3) to a matrix made of blocks (block_matrix.hpp): `square` was declared for squares, `transposed` for
  // transposed ones and is not looked at where the mass is constant. M itself is left out there: added once by the
  // method, it stands alone in the matrix and keeps large ones sparse.
  template <class Matrix, class Block>
  void add_but_constant_mass(Matrix& A, const Block& square, const Block& transposed, const Factors& by) const {
    A.add(square, by.force * by.moved, f_q());
    if (!of_position() && !is_zero(by.slope)) A.add(square, by.force * by.slope, f_v());
    if (constant_mass() || is_zero(by.inertia)) return;
    A.add_transposed(transposed, by.inertia * by.moved, p_q_transposed());
    if (!is_zero(by.slope)) A.add(square, by.inertia * by.slope, p_v());
  }
  template <class Matrix, class Block>
  void add(Matrix& A, const Block& square, const Block& transposed, const Factors& by) const {
    add_but_constant_mass(A, square, transposed, by);
    if (constant_mass()) A.add(square, by.inertia * by.slope, p_v());
  }

 private:
  // What is asked for in every step, found once where it is not known when compiling.
  struct Facts {
    bool constant_mass, forces, velocity_in_forces, of_position, uniform, constant_hessian;
  };
  static constexpr Facts facts_of(const Structure& s) {
    const auto has_degree = [&](int degree) {  // L = v.Mv/2 - V(q), V of at most this degree
      return s.constant_mass && !s.time_in_lagrangian && s.potential_degree.value_or(degree + 1) <= degree;
    };
    return {.constant_mass = s.constant_mass,
            .forces = s.forces,
            .velocity_in_forces = s.velocity_in_forces,
            .of_position = s.constant_mass && !s.velocity_in_forces,
            .uniform = has_degree(1) && !s.forces,
            .constant_hessian = has_degree(2)};
  }
  constexpr Facts facts() const {
    if constexpr (requires { std::bool_constant<System::structure().constant_mass>(); })
      return facts_of(System::structure());
    else
      return facts_;
  }
  static bool is_zero(const T& x) { return value_of(x) == RealOf<T>(0); }

  void add_applied(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& f) {
    if (!facts().forces) return;
    system_.force(t, q, v, work_);
    for (int i = 0; i < f.size(); ++i) f[i] += work_[i];
  }

  const System& system_;
  Structure structure_;
  Facts facts_;
  Square Lqq_, Lqv_, Lvv_, Fq_, Fv_;
  Coordinates work_;
};

}  // namespace livens
