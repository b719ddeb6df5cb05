// Lagrangian and overdetermined systems in one form,
//
//   y' = v(t,y,z) ,   z' = f(t,y,z) + r(t,y,z,psi) ,   0 = g(t,y) ,   0 = G v + g_t ,   G = g_y .
//
// Overdetermined systems have it (system/odae.hpp; their g is without t). For Lagrangian ones it is that of Hamilton:
//
//   y = q ,  z = p ,  v(t,q,p): L_v(t,q,v) = p ,   f = L_q + F ,   r = -G^T psi .
//
// One object is the workspace of one thread; nothing allocates after construction.
#pragma once

#include <limits>

#include "livens/math/lu.hpp"
#include "livens/system/kinetics.hpp"
#include "livens/system/odae.hpp"
#include "livens/system/state.hpp"

namespace livens {

template <class System>
class FirstOrderForm {  // Lagrangian
 public:
  static constexpr int ny = System::n, nz = System::n, m = System::m;
  using T = typename System::Scalar;
  using Positions = typename System::Coordinates;
  using Velocities = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using MatYY = typename System::Square;
  using MatYZ = MatYY;
  using MatZY = MatYY;
  using MatZZ = MatYY;
  using MatZM = Mat<T, nz, m>;
  using Jacobian = typename System::Jacobian;

  explicit FirstOrderForm(const System& system) : system_(system) {}

  int positions() const { return system_.coordinates(); }
  int velocities() const { return system_.coordinates(); }
  int multipliers() const { return system_.constraints(); }
  const System& system() const { return system_; }

  // Once, with the velocity of a state: the mass matrix where it is constant. False if it is singular.
  bool start(const T& t, const Positions& y, const Positions& v) {
    v_ = v;
    return kinetics_.start(t, y, v) && (!structure_.constant_mass || invert(kinetics_.mass().matrix()));
  }
  void velocity(const T& t, const Positions& y, const Velocities& z, Positions& v) {
    v = v_;
    if (!succeeded(kinetics_.velocity(t, y, z, v))) return v.fill(T(std::numeric_limits<double>::quiet_NaN()));
    v_ = v;
  }
  void velocity_jacobian(const T& t, const Positions& y, const Velocities& z, MatYY& vy, MatYZ& vz) {
    velocity(t, y, z, u_);
    if (!structure_.constant_mass) find_derivatives(t, y);
    vy = vq_, vz = vp_;
  }
  void velocity_rate(const T& t, const Positions& y, const Velocities& z, Positions& vt) {
    if (!structure_.time_in_lagrangian || structure_.constant_mass) return vt.fill(T(0));
    velocity(t, y, z, u_);
    find_derivatives(t, y);
    system_.momentum_rate(t, y, u_, a_);
    for (T& x : a_) x = -x;
    multiply(vp_, a_, vt);
  }

  void force(const T& t, const Positions& y, const Velocities& z, Velocities& f) {
    velocity(t, y, z, u_);
    if (structure_.constant_mass) {
      system_.potential_gradient(t, y, f);
      for (T& x : f) x = -x;
    } else {
      system_.gradient(t, y, u_, f, a_);
    }
    if (!structure_.forces) return;
    system_.force(t, y, u_, a_);
    for (int i = 0; i < f.size(); ++i) f[i] += a_[i];
  }
  void force_jacobian(const T& t, const Positions& y, const Velocities& z, MatZY& fy, MatZZ& fz) {
    velocity(t, y, z, u_);
    find_derivatives(t, y);
    fy = Lqq_;
    if (structure_.forces) {
      system_.force_position_jacobian(t, y, u_, F_);
      add_scaled(T(1), F_, fy);
      system_.force_velocity_jacobian(t, y, u_, F_);
      add_scaled(T(1), F_, Lqv_);
    }
    add_product(Lqv_, vq_, fy);
    fz.fill(T(0));
    add_product(Lqv_, vp_, fz);
  }

  void reaction(const T& t, const Positions& y, const Velocities&, const Multipliers& psi, Velocities& r) {
    system_.constraint_jacobian(t, y, g_, G_);
    multiply_transposed(G_, psi, r);
    for (T& x : r) x = -x;
  }
  void reaction_jacobian(const T& t, const Positions& y, const Velocities&, const Multipliers& psi, MatZY& ry,
                         MatZZ& rz, MatZM& rpsi) {
    system_.constraint_hessian(t, y, psi, ry);
    for (int i = 0; i < ry.rows(); ++i)
      for (int j = 0; j < ry.cols(); ++j) ry(i, j) = -ry(i, j);
    rz.fill(T(0));
    system_.constraint_jacobian(t, y, g_, G_);
    for (int i = 0; i < rpsi.rows(); ++i)
      for (int a = 0; a < rpsi.cols(); ++a) rpsi(i, a) = -G_(a, i);
  }

  void constraint_jacobian(const T& t, const Positions& y, Multipliers& g, Jacobian& G) {
    system_.constraint_jacobian(t, y, g, G);
  }
  void constraint_rate(const T& t, const Positions& y, Multipliers& gt) { system_.constraint_rate(t, y, gt); }
  // The second derivative of g(t + e, y + e v) by e
  void constraint_curvature(const T& t, const Positions& y, const Positions& v, Multipliers& second) {
    system_.constraint_curvature(t, y, v, second);
  }
  // dG/de of G(t, y + e v)
  void constraint_jacobian_along(const T& t, const Positions& y, const Positions& v, Jacobian& Gv) {
    system_.constraint_jacobian_along(t, y, v, Gv);
  }

  template <class Archive>
  void archive(Archive& a) {
    a(kinetics_, v_);
  }

 private:
  // At u_: v_q = -M^-1 L_vq , v_p = M^-1 , which is known where the mass is constant
  void find_derivatives(const T& t, const Positions& y) {
    system_.hessian(t, y, u_, Lqq_, Lqv_, Lvv_);
    if (structure_.constant_mass) return;
    invert(Lvv_);
    for (int k = 0; k < positions(); ++k) {
      for (int i = 0; i < positions(); ++i) a_[i] = -Lqv_(k, i);
      lu_.solve(a_, b_);
      for (int i = 0; i < positions(); ++i) vq_(i, k) = b_[i];
    }
  }
  bool invert(const MatYY& M) {
    lu_.matrix() = M;
    if (!lu_.factorise()) return false;
    for (int k = 0; k < positions(); ++k) {
      a_.fill(T(0));
      a_[k] = T(1);
      lu_.solve(a_, b_);
      for (int i = 0; i < positions(); ++i) vp_(i, k) = b_[i];
    }
    return true;
  }

  const System& system_;
  const Structure structure_ = system_.structure();
  Kinetics<System> kinetics_{system_};
  Lu<T, ny> lu_{system_.coordinates()};
  MatYY Lqq_ = system_.square(), Lqv_ = Lqq_, Lvv_ = Lqq_, vq_ = Lqq_, vp_ = Lqq_, F_ = Lqq_;
  Jacobian G_ = system_.jacobian();
  Multipliers g_ = Multipliers(system_.constraints());
  Positions v_ = Positions(system_.coordinates()), u_ = v_, a_ = v_, b_ = v_;
};

template <OverdeterminedSystem System>
class FirstOrderForm<System> {
 public:
  static constexpr int ny = System::ny, nz = System::nz, m = System::m;
  using T = typename System::Scalar;
  using Positions = typename System::Positions;
  using Velocities = typename System::Velocities;
  using Multipliers = typename System::Multipliers;
  using MatYY = typename System::MatYY;
  using MatYZ = typename System::MatYZ;
  using MatZY = typename System::MatZY;
  using MatZZ = typename System::MatZZ;
  using MatZM = typename System::MatZM;
  using Jacobian = typename System::Jacobian;

  explicit FirstOrderForm(const System& system) : system_(system) {}

  int positions() const { return system_.positions(); }
  int velocities() const { return system_.velocities(); }
  int multipliers() const { return system_.multipliers(); }
  const System& system() const { return system_; }
  static bool start(const T&, const Positions&, const Positions&) { return true; }

  void velocity(const T& t, const Positions& y, const Velocities& z, Positions& v) { system_.velocity(t, y, z, v); }
  void velocity_jacobian(const T& t, const Positions& y, const Velocities& z, MatYY& vy, MatYZ& vz) {
    system_.velocity_jacobian(t, y, z, vy, vz);
  }
  void velocity_rate(const T& t, const Positions& y, const Velocities& z, Positions& vt) {
    system_.velocity_rate(t, y, z, vt);
  }
  void force(const T& t, const Positions& y, const Velocities& z, Velocities& f) { system_.force(t, y, z, f); }
  void force_jacobian(const T& t, const Positions& y, const Velocities& z, MatZY& fy, MatZZ& fz) {
    system_.force_jacobian(t, y, z, fy, fz);
  }
  void reaction(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi, Velocities& r) {
    system_.reaction(t, y, z, psi, r);
  }
  void reaction_jacobian(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi, MatZY& ry,
                         MatZZ& rz, MatZM& rpsi) {
    system_.reaction_jacobian(t, y, z, psi, ry, rz, rpsi);
  }
  void constraint_jacobian(const T&, const Positions& y, Multipliers& g, Jacobian& G) {
    system_.constraint_jacobian(y, g, G);
  }
  void constraint_rate(const T&, const Positions&, Multipliers& gt) { gt.fill(T(0)); }
  void constraint_curvature(const T&, const Positions& y, const Positions& v, Multipliers& second) {
    system_.constraint_curvature(y, v, second);
  }
  void constraint_jacobian_along(const T&, const Positions& y, const Positions& v, Jacobian& Gv) {
    for (int a = 0; a < multipliers(); ++a) {
      weight_.fill(T(0));
      weight_[a] = T(1);
      system_.constraint_hessian(y, weight_, H_);
      for (int j = 0; j < positions(); ++j) {
        T sum(0);
        for (int i = 0; i < positions(); ++i) sum += H_(j, i) * v[i];
        Gv(a, j) = sum;
      }
    }
  }

 private:
  const System& system_;
  MatYY H_ = MatYY(system_.positions(), system_.positions());
  Multipliers weight_ = Multipliers(system_.multipliers());
};

}  // namespace livens
