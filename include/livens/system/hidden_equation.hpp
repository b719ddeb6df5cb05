// The multiplier psi_c of a state, from the constraint differentiated twice,
//
//   (H)  0 = g''(v,v) + G (v_y v + v_t) + G v_z (f + r(t,y,z,psi)) ,    g''(v,v) = d2/de2 g(t + e, y + e v)
//
// by Newton's method with a matrix S = G v_z r_psi of every iterate. r may have several roots, and the guess decides
// which one is meant: between two of them det(S) changes its sign, so corrections that change it are halved until they
// do not. With other shares of the curvature g''(v,v), the
// drift G (v_y v + v_t), the force and the reaction it gives the limits that multipliers of Euler methods have.
#pragma once

#include "livens/math/lu.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/first_order_form.hpp"

namespace livens {

// Shares of the terms of (H); all 1: the multiplier of the state.
struct HiddenShares {
  double curvature = 1, drift = 1, force = 1, reaction = 1;
};

// One object is the workspace of one thread.
template <class System>
class HiddenEquation {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Form = FirstOrderForm<System>;
  using Positions = typename Form::Positions;
  using Velocities = typename Form::Velocities;
  using Multipliers = typename Form::Multipliers;

  explicit HiddenEquation(const System& system) : form_(system) {}

  // Once, with the velocity of a state; false if the mass matrix of a Lagrangian system is singular.
  bool start(const T& t, const Positions& y, const Positions& v) { return form_.start(t, y, v); }

  template <class Archive>
  void archive(Archive& a) {
    if constexpr (requires { form_.archive(a); }) a(form_);
  }

  // psi holds the guess on entry and the solution on return.
  Outcome solve(const T& t, const Positions& y, const Velocities& z, Multipliers& psi,
                const HiddenShares& shares = {}) {
    if (form_.multipliers() == 0) return Outcome::converged;
    prepare(t, y, z, shares);
    Equations equations{*this, t, y, z, psi};
    d_.fill(T(0));
    StepReport report;
    newton<T>(equations, SolverSettings<Real>{}, report);
    return report.outcome;
  }

  // The matrix g_y v_z r_psi of (3.1e) at a state, and the size of the terms that its entries are summed from.
  void solvability(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi,
                   Mat<T, Form::m, Form::m>& S, Mat<T, Form::m, Form::m>& size) {
    using std::abs;
    prepare(t, y, z, {});
    evaluate_matrix(t, y, z, psi);
    S = S_;
    for (int a = 0; a < S.rows(); ++a)
      for (int b = 0; b < S.cols(); ++b) {
        size(a, b) = T(0);
        for (int j = 0; j < f_.size(); ++j) size(a, b) += abs(B_(a, j) * rpsi_(j, b));
      }
  }

 private:
  // B = G v_z, with the share of the reaction, and the terms of (H) without psi.
  void prepare(const T& t, const Positions& y, const Velocities& z, const HiddenShares& shares) {
    using std::abs;
    form_.constraint_jacobian(t, y, residual_, G_);
    form_.velocity(t, y, z, v_);
    form_.velocity_jacobian(t, y, z, vy_, vz_);
    form_.velocity_rate(t, y, z, a_);
    for (int i = 0; i < v_.size(); ++i)
      for (int j = 0; j < v_.size(); ++j) a_[i] += vy_(i, j) * v_[j];
    form_.force(t, y, z, f_);
    form_.constraint_curvature(t, y, v_, given_);
    // Sizes are those of all terms, whatever their shares: with other shares psi may be 0 where they do not cancel.
    for (int a = 0; a < given_.size(); ++a) {
      given_size_[a] = abs(given_[a]);
      given_[a] *= T(shares.curvature);
      for (int i = 0; i < v_.size(); ++i) {
        const T term = G_(a, i) * a_[i];
        given_[a] += T(shares.drift) * term, given_size_[a] += abs(term);
      }
      for (int j = 0; j < f_.size(); ++j) {
        T sum(0);
        for (int i = 0; i < v_.size(); ++i) sum += G_(a, i) * vz_(i, j);
        given_[a] += T(shares.force) * (sum * f_[j]), given_size_[a] += abs(sum * f_[j]);
        B_(a, j) = T(shares.reaction) * sum;
      }
    }
  }

  void evaluate_matrix(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi) {
    form_.reaction_jacobian(t, y, z, psi, ry_, rz_, rpsi_);
    for (int a = 0; a < S_.rows(); ++a)
      for (int b = 0; b < S_.cols(); ++b) {
        T sum(0);
        for (int j = 0; j < f_.size(); ++j) sum += B_(a, j) * rpsi_(j, b);
        S_(a, b) = sum;
      }
  }

  struct Equations {
    HiddenEquation& h;
    const T& t;
    const Positions& y;
    const Velocities& z;
    Multipliers& psi;
    int sign = 0;  // of det(S) at the guess; 0: not known yet

    bool renews_matrix() const { return true; }
    Real residual() {
      using std::abs;
      h.form_.reaction(t, y, z, psi, h.r_);
      for (int a = 0; a < psi.size(); ++a) {
        h.residual_[a] = h.given_[a], h.size_[a] = h.given_size_[a];
        for (int j = 0; j < h.r_.size(); ++j) {
          const T term = h.B_(a, j) * h.r_[j];
          h.residual_[a] += term, h.size_[a] += abs(term);
        }
      }
      return size_of(h.residual_);
    }
    bool factorise() {
      constexpr int most_halvings = 40;
      for (int k = 0; k <= most_halvings; ++k) {
        h.evaluate_matrix(t, y, z, psi);
        h.lu_.matrix() = h.S_;
        const bool regular = h.lu_.factorise();
        if (regular && sign == 0) sign = h.lu_.determinant_sign();
        if (regular && h.lu_.determinant_sign() == sign) return true;
        if (sign == 0) return false;
        for (int a = 0; a < psi.size(); ++a) h.d_[a] /= T(2), psi[a] += h.d_[a];
        residual();
      }
      return false;
    }
    // Relative to psi and to what the terms of (H) stand for in psi: where they cancel, psi = 0 is a solution like any
    // other.
    Real correct() {
      h.lu_.solve(h.residual_, h.d_);
      h.lu_.solve(h.size_, h.d_size_);
      for (int a = 0; a < psi.size(); ++a) psi[a] -= h.d_[a];
      const Real size = size_of(psi) + size_of(h.d_size_), increment = size_of(h.d_);
      return size > Real(0) ? increment / size : increment;
    }
  };

  Form form_;
  const int ny_ = form_.positions(), nz_ = form_.velocities(), m_ = form_.multipliers();
  Lu<T, Form::m> lu_{m_};
  Mat<T, Form::m, Form::m> S_{m_, m_};
  typename Form::Jacobian G_{m_, ny_};
  Mat<T, Form::m, Form::nz> B_{m_, nz_};
  typename Form::MatYY vy_{ny_, ny_};
  typename Form::MatYZ vz_{ny_, nz_};
  typename Form::MatZY ry_{nz_, ny_};
  typename Form::MatZZ rz_{nz_, nz_};
  typename Form::MatZM rpsi_{nz_, m_};
  Positions v_ = Positions(ny_), a_ = v_;
  Velocities f_ = Velocities(nz_), r_ = f_;
  Multipliers given_ = Multipliers(m_), given_size_ = given_, residual_ = given_, size_ = given_, d_ = given_,
              d_size_ = given_;
};

}  // namespace livens
