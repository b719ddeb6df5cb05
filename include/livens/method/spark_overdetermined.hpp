// (s,s)-Gauss-Lobatto SPARK for overdetermined systems (system/odae.hpp) whose reaction r may be nonlinear in psi.
// Gauss stages c_i, a_ij, b_j; Lobatto points x_0 = 0 .. x_s = 1 with weights w_j; abar and at as in spark.hpp, ahat_ij
// = int_0^{x_i} of the Lagrange polynomials of the points, Lobatto IIIA. Order 2s in y and z, s in psi_s.  Keeps: g = 0
// and G v = 0.
//
//   (1)  Y_i = y0 + h sum_j a_ij v(Y_j,Z_j)                                                      i = 1..s
//   (2)  Z_i = z0 + h sum_j a_ij f(Y_j,Z_j) + h sum_{j<s} at_ij R_j
//   (3)  Zt_i = z0 + h sum_j abar_ij f(Y_j,Z_j) + h sum_{j<=s} ahat_ij R_j ,   Zt_0 = z0 ,  Zt_s = z1
//   (4)  g(Yt_i)/h^2 = 0 ,   Yt_i = y0 + h sum_j abar_ij v(Y_j,Z_j) ,          Yt_0 = y0 ,  Yt_s = y1
//   (5)  G(y1) v(y1,z1)/h = 0 ,   R_j = r(Yt_j,Zt_j,psi_j) , j = 0..s
//
// One system for all of Y, Z, Zt and psi_0 .. psi_s. psi_0 tends to the multiplier of the state, unlike those of the
// natural Euler method: that is why these methods are consistent. A step has other roots: one whose det(G v_z r_psi)
// has another sign than at the multiplier of the state is refused.
#pragma once

#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/math/tableau.hpp"
#include "livens/method/method.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/hidden_equation.hpp"

namespace livens {

template <class System>
class OverdeterminedSpark {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Positions = typename System::Positions;
  using Velocities = typename System::Velocities;
  using Multipliers = typename System::Multipliers;

  // table: that of spark.hpp
  OverdeterminedSpark(const System& system, const StageTable<Widest>& table, const SolverSettings<Real>& settings)
      : system_(system), settings_(settings), s_(table.stages()), hidden_(system) {
    const int s = s_;
    const Tableau inner = lobatto_IIIA(s + 1);
    const auto rounded = [](const Widest& x) { return static_cast<Real>(x); };
    for (int i = 0; i < s; ++i) {
      c_.push_back(rounded(table.c[at(i)])), b_.push_back(rounded(table.weight[at(i)]));
      for (int j = 0; j < s; ++j) a_(i, j) = rounded(table.A(i, j)), reaction_share_(i, j) = rounded(table.B(i, j));
    }
    for (int i = 0; i <= s; ++i) {
      x_.push_back(rounded(inner.c[at(i)])), w_.push_back(rounded(inner.b[at(i)]));
      for (int j = 0; j < s; ++j) reach_(i, j) = rounded(table.reach(i, j));
      for (int j = 0; j <= s; ++j) inner_(i, j) = rounded(inner.a(i, j));
    }
    Y_.assign(at(s), Positions(ny_)), V_ = Y_;
    Z_.assign(at(s), Velocities(nz_)), F_ = Z_;
    Yt_.assign(at(s + 1), Positions(ny_));
    Zt_.assign(at(s + 1), Velocities(nz_)), R_ = Zt_;
    psi_now_.assign(at(s + 1), Multipliers(m_));
    for (int j = 0; j < s; ++j) {
      vy_.emplace_back(ny_, ny_), vz_.emplace_back(ny_, nz_), fy_.emplace_back(nz_, ny_), fz_.emplace_back(nz_, nz_);
    }
    for (int j = 0; j <= s; ++j) {
      ry_.emplace_back(nz_, ny_), rz_.emplace_back(nz_, nz_), rpsi_.emplace_back(nz_, m_), G_.emplace_back(m_, ny_);
      Ry_.emplace_back(nz_, size_);
    }
  }

  bool start(const T&, const State<System>& x, const Multipliers& psi) {
    for (int a = 0; a < m_; ++a) lambda_[s_ * m_ + a] = psi[a];
    attempted_ = x.q;
    return true;
  }

  void advance(const T& t0, const T&, const T& h, State<System>& x, StepReport& report) {
    Equations equations{*this, t0, h, x};
    equations.guess();
    newton<T>(equations, settings_, report);
    attempted_ = Yt_.back();
    if (!succeeded(report.outcome)) return;
    equations.residual();  // at the corrected unknowns
    if (jumped(t0, h, x)) {
      report.outcome = Outcome::other_root;
      return;
    }
    for (int i = 0; i < ny_; ++i) {
      T sum(0);
      for (int j = 0; j < s_; ++j) sum += b_[at(j)] * V_[at(j)][i];
      add_compensated(x.q[i], x.q_remainder[i], h * sum);
    }
    for (int i = 0; i < nz_; ++i) {
      T sum(0);
      for (int j = 0; j < s_; ++j) sum += b_[at(j)] * F_[at(j)][i];
      for (int j = 0; j <= s_; ++j) sum += w_[at(j)] * R_[at(j)][i];
      add_compensated(x.p[i], x.p_remainder[i], h * sum);
    }
    for (int j = 0; j <= s_; ++j)
      for (int a = 0; a < m_; ++a) lambda_[j * m_ + a] = psi_now_[at(j)][a];
  }

  template <class Archive>
  void archive(Archive& a) {
    a(lambda_);
  }
  void resume(const T&, const State<System>&) {}
  const Positions& attempted_position() const { return attempted_; }
  // psi_0 .. psi_s in sequence
  template <class Take>
  void raw_values(const State<System>&, const Take& take) const {
    take(raw_multipliers, lambda_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // Looked at where a multiplier differs by more than a quarter from that of the state.
  bool jumped(const T& t0, const T& h, const State<System>& x) {
    int sign = 0;
    for (int j = 0; j <= s_; ++j) {
      bool large = false;
      for (int a = 0; a < m_; ++a)
        large = large || 4 * abs_of(psi_now_[at(j)][a] - psi_of_state_[a]) > abs_of(psi_of_state_[a]);
      if (!large) continue;
      if (sign == 0) sign = sign_of(t0, x.q, x.p, psi_of_state_);
      if (sign_of(t0 + x_[at(j)] * h, Yt_[at(j)], Zt_[at(j)], psi_now_[at(j)]) != sign) return true;
    }
    return false;
  }
  int sign_of(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi) {
    hidden_.solvability(t, y, z, psi, S_.matrix(), S_size_);
    return S_.factorise() ? S_.determinant_sign() : 0;
  }

  struct Equations {
    OverdeterminedSpark& o;
    const T t0, h;
    const State<System>& x;

    T stage_time(int i) const { return t0 + o.c_[at(i)] * h; }
    T point_time(int i) const { return t0 + o.x_[at(i)] * h; }

    // Uniform acceleration with the multiplier of the state.
    void guess() {
      for (Multipliers& psi : o.psi_now_)
        for (int a = 0; a < o.m_; ++a) psi[a] = o.lambda_[o.s_ * o.m_ + a];
      if (succeeded(o.hidden_.solve(t0, x.q, x.p, o.psi_now_[0])))
        for (Multipliers& psi : o.psi_now_) psi = o.psi_now_[0];
      o.psi_of_state_ = o.psi_now_[0];
      o.Zt_[0] = x.p;
      o.system_.velocity(t0, x.q, x.p, o.V_[0]);
      o.system_.force(t0, x.q, x.p, o.F_[0]);
      o.system_.reaction(t0, x.q, x.p, o.psi_now_[0], o.R_[0]);
      for (int i = 0; i < o.s_; ++i) {
        for (int k = 0; k < o.ny_; ++k) o.Y_[at(i)][k] = x.q[k] + o.c_[at(i)] * h * o.V_[0][k];
        for (int k = 0; k < o.nz_; ++k) {
          const T rate = o.F_[0][k] + o.R_[0][k];
          o.Z_[at(i)][k] = x.p[k] + o.c_[at(i)] * h * rate;
          o.Zt_[at(i + 1)][k] = x.p[k] + o.x_[at(i + 1)] * h * rate;
        }
      }
    }

    Real residual() {
      const int s = o.s_, ny = o.ny_, nz = o.nz_, m = o.m_;
      for (int j = 0; j < s; ++j) {
        o.system_.velocity(stage_time(j), o.Y_[at(j)], o.Z_[at(j)], o.V_[at(j)]);
        o.system_.force(stage_time(j), o.Y_[at(j)], o.Z_[at(j)], o.F_[at(j)]);
      }
      for (int i = 0; i <= s; ++i) {
        for (int k = 0; k < ny; ++k) {
          T sum(0);
          for (int j = 0; j < s; ++j) sum += o.reach_(i, j) * o.V_[at(j)][k];
          o.Yt_[at(i)][k] = x.q[k] + (h * sum + x.q_remainder[k]);
        }
        o.system_.reaction(point_time(i), o.Yt_[at(i)], o.Zt_[at(i)], o.psi_now_[at(i)], o.R_[at(i)]);
        if (i > 0) {
          o.system_.constraint_jacobian(o.Yt_[at(i)], o.g_, o.G_[at(i)]);
          for (int a = 0; a < m; ++a) o.rows_[o.constraint_at(i - 1) + a] = o.g_[a] / (h * h);
        }
      }
      for (int i = 0; i < s; ++i) {
        for (int k = 0; k < ny; ++k) {
          T sum(0);
          for (int j = 0; j < s; ++j) sum += o.a_(i, j) * o.V_[at(j)][k];
          o.rows_[o.Y_at(i) + k] = (o.Y_[at(i)][k] - x.q[k]) - (h * sum + x.q_remainder[k]);
        }
        for (int k = 0; k < nz; ++k) {
          T stage(0), point(0);
          for (int j = 0; j < s; ++j) {
            stage += o.a_(i, j) * o.F_[at(j)][k] + o.reaction_share_(i, j) * o.R_[at(j)][k];
            point += o.reach_(i + 1, j) * o.F_[at(j)][k];
          }
          for (int j = 0; j <= s; ++j) point += o.inner_(i + 1, j) * o.R_[at(j)][k];
          o.rows_[o.Z_at(i) + k] = (o.Z_[at(i)][k] - x.p[k]) - (h * stage + x.p_remainder[k]);
          o.rows_[o.Zt_at(i) + k] = (o.Zt_[at(i + 1)][k] - x.p[k]) - (h * point + x.p_remainder[k]);
        }
      }
      o.system_.velocity(point_time(s), o.Yt_[at(s)], o.Zt_[at(s)], o.u_);
      multiply(o.G_[at(s)], o.u_, o.g_);
      for (int a = 0; a < m; ++a) o.rows_[o.constraint_at(s) + a] = o.g_[a] / h;
      return size_of(o.rows_);
    }
    // Every row at the round-off of its own terms and of the unknowns in it: that of g/h^2 and G v/h is far above the
    // one of the unknowns, and so is that of r far from the origin.
    bool at_floor() const {
      for (int i = 0; i < o.size_; ++i)
        if (!(abs_of(o.rows_[i]) <= 4 * epsilon<T>() * o.floor_[i])) return false;
      return true;
    }
    // Whether what is left of the last correction moves no position by more than its own round-off.
    bool settled(const Real& left) const {
      bool all = true;
      for (int i = 0; i < o.s_; ++i)
        for (int k = 0; k < o.ny_; ++k) all = all && left * moved(i, k) <= 4 * epsilon<T>() * room(i, k);
      return all;
    }
    // Constraints share the round-off of one position among all.
    bool lost_in_rounding() const {
      Real moves(0), rooms(0);
      for (int i = 0; i < o.s_; ++i)
        for (int k = 0; k < o.ny_; ++k) moves += moved(i, k), rooms += room(i, k);
      return moves <= 4 * epsilon<T>() * rooms;
    }
    // By the last correction.
    Real moved(int i, int k) const {
      T by_Z(0), by_Zt(0);
      for (int l = 0; l < o.nz_; ++l) {
        by_Z += o.vz_[at(i)](k, l) * o.change_[o.Z_at(i) + l];
        by_Zt += o.vz_[at(i)](k, l) * o.change_[o.Zt_at(i) + l];
      }
      return abs_of(o.change_[o.Y_at(i) + k]) + abs_of(h * by_Z) + abs_of(h * by_Zt);
    }
    Real room(int i, int k) const { return abs_of(o.Y_[at(i)][k]) + abs_of(h * o.V_[at(i)][k]); }
    // |A| |x| of the unknowns x, |rows by Yt| |Yt|, and kicks, which may be far above z where a motion turns.
    void note_floor(const Mat<T>& A) {
      const int s = o.s_, ny = o.ny_, nz = o.nz_, m = o.m_;
      const Real step = abs_of(h);
      o.floor_.fill(Real(0));
      int column = 0;
      const auto add = [&](const auto& unknown) {
        for (const T& value : unknown) {
          const Real size = abs_of(value);
          for (int i = 0; i < o.size_; ++i) o.floor_[i] += abs_of(A(i, column)) * size;
          ++column;
        }
      };
      for (int i = 0; i < s; ++i) add(o.Y_[at(i)]), add(o.Z_[at(i)]), add(o.Zt_[at(i + 1)]);
      for (int j = 0; j <= s; ++j) add(o.psi_now_[at(j)]);
      for (int k = 0; k < nz; ++k) {
        Real kick(0);
        for (const Velocities& F : o.F_) kick += step * abs_of(F[k]);
        for (int j = 0; j <= s; ++j) {
          kick += step * abs_of(o.R_[at(j)][k]);
          for (int l = 0; l < ny; ++l) kick += step * abs_of(o.ry_[at(j)](k, l) * o.Yt_[at(j)][l]);
        }
        for (int i = 0; i < s; ++i) o.floor_[o.Z_at(i) + k] += kick, o.floor_[o.Zt_at(i) + k] += kick;
      }
      for (int i = 0; i < s; ++i)
        for (int a = 0; a < m; ++a)
          for (int l = 0; l < ny; ++l)
            o.floor_[o.constraint_at(i) + a] += abs_of(o.G_[at(i + 1)](a, l) * o.Yt_[at(i + 1)][l]) / (step * step);
      for (int a = 0; a < m; ++a)
        for (int l = 0; l < ny; ++l)
          o.floor_[o.constraint_at(s) + a] +=
              (abs_of(o.end_G_(a, l) * o.Yt_[at(s)][l]) + abs_of(o.G_[at(s)](a, l) * o.u_[l])) / step;
    }

    // dYt_i = h sum_j abar_ij (v_y dY_j + v_z dZ_j) ,   dR_j = r_y dYt_j + r_z dZt_j + r_psi dpsi_j
    bool factorise() {
      const int s = o.s_, ny = o.ny_, nz = o.nz_, m = o.m_;
      Mat<T>& A = o.lu_.matrix();
      A.fill(T(0));
      for (int j = 0; j < s; ++j) {
        o.system_.velocity_jacobian(stage_time(j), o.Y_[at(j)], o.Z_[at(j)], o.vy_[at(j)], o.vz_[at(j)]);
        o.system_.force_jacobian(stage_time(j), o.Y_[at(j)], o.Z_[at(j)], o.fy_[at(j)], o.fz_[at(j)]);
      }
      for (int i = 0; i < s * (ny + 2 * nz); ++i) A(i, i) = T(1);
      for (int j = 0; j <= s; ++j) differentiate_reaction(j);
      for (int i = 0; i < s; ++i) {
        for (int j = 0; j < s; ++j) {
          add_block(A, o.Y_at(i), o.Y_at(j), -h * o.a_(i, j), o.vy_[at(j)]);
          add_block(A, o.Y_at(i), o.Z_at(j), -h * o.a_(i, j), o.vz_[at(j)]);
          add_block(A, o.Z_at(i), o.Y_at(j), -h * o.a_(i, j), o.fy_[at(j)]);
          add_block(A, o.Z_at(i), o.Z_at(j), -h * o.a_(i, j), o.fz_[at(j)]);
          add_block(A, o.Zt_at(i), o.Y_at(j), -h * o.reach_(i + 1, j), o.fy_[at(j)]);
          add_block(A, o.Zt_at(i), o.Z_at(j), -h * o.reach_(i + 1, j), o.fz_[at(j)]);
          add_block(A, o.Z_at(i), 0, -h * o.reaction_share_(i, j), o.Ry_[at(j)]);
        }
        for (int j = 0; j <= s; ++j) add_block(A, o.Zt_at(i), 0, -h * o.inner_(i + 1, j), o.Ry_[at(j)]);
        add_reach(o.G_[at(i + 1)], i + 1, T(1) / (h * h), A, o.constraint_at(i));
      }
      // (5)
      o.system_.velocity_jacobian(point_time(s), o.Yt_[at(s)], o.Zt_[at(s)], o.end_vy_, o.end_vz_);
      for (int a = 0; a < m; ++a) {
        o.g_.fill(T(0));
        o.g_[a] = T(1);
        o.system_.constraint_hessian(o.Yt_[at(s)], o.g_, o.H_);
        for (int k = 0; k < ny; ++k) {
          T sum(0);
          for (int i = 0; i < ny; ++i) sum += o.H_(k, i) * o.u_[i] + o.G_[at(s)](a, i) * o.end_vy_(i, k);
          o.end_G_(a, k) = sum;
        }
      }
      add_reach(o.end_G_, s, T(1) / h, A, o.constraint_at(s));
      o.Gvz_.fill(T(0));
      add_product(o.G_[at(s)], o.end_vz_, o.Gvz_);
      add_block(A, o.constraint_at(s), o.Zt_at(s - 1), T(1) / h, o.Gvz_);
      note_floor(A);
      return o.lu_.factorise();
    }
    // Ry_j = dR_j by all unknowns
    void differentiate_reaction(int j) {
      Mat<T>& R = o.Ry_[at(j)];
      R.fill(T(0));
      o.system_.reaction_jacobian(point_time(j), o.Yt_[at(j)], o.Zt_[at(j)], o.psi_now_[at(j)], o.ry_[at(j)],
                                  o.rz_[at(j)], o.rpsi_[at(j)]);
      if (j > 0) {
        add_reach(o.ry_[at(j)], j, T(1), R, 0);
        add_block(R, 0, o.Zt_at(j - 1), T(1), o.rz_[at(j)]);
      }
      add_block(R, 0, o.psi_at(j), T(1), o.rpsi_[at(j)]);
    }
    // A += factor B dYt_i from a row on
    template <class Matrix>
    void add_reach(const Matrix& B, int i, const T& factor, Mat<T>& A, int row) {
      for (int j = 0; j < o.s_; ++j) {
        const T f = factor * h * o.reach_(i, j);
        for (int k = 0; k < B.rows(); ++k)
          for (int l = 0; l < o.ny_; ++l) {
            const T g = f * B(k, l);
            for (int c = 0; c < o.ny_; ++c) A(row + k, o.Y_at(j) + c) += g * o.vy_[at(j)](l, c);
            for (int c = 0; c < o.nz_; ++c) A(row + k, o.Z_at(j) + c) += g * o.vz_[at(j)](l, c);
          }
      }
    }

    Real correct() {
      o.lu_.solve(o.rows_, o.change_);
      Real y_change(0), z_change(0), y_size(0), z_size(0);
      for (int i = 0; i < o.s_; ++i) {
        take(o.Y_[at(i)], o.Y_at(i), y_change, y_size);
        take(o.Z_[at(i)], o.Z_at(i), z_change, z_size);
        take(o.Zt_[at(i + 1)], o.Zt_at(i), z_change, z_size);
      }
      for (int j = 0; j <= o.s_; ++j)
        for (int a = 0; a < o.m_; ++a) o.psi_now_[at(j)][a] -= o.change_[o.psi_at(j) + a];
      return relative_to(y_size, y_change) + relative_to(z_size, z_change);
    }
    template <class Vector>
    void take(Vector& unknown, int from, Real& change, Real& size) {
      for (int k = 0; k < unknown.size(); ++k) {
        unknown[k] -= o.change_[from + k];
        change += abs_of(o.change_[from + k]), size += abs_of(unknown[k]);
      }
    }
  };

  // Where unknowns and equations stand.
  int Y_at(int i) const { return i * (ny_ + 2 * nz_); }
  int Z_at(int i) const { return Y_at(i) + ny_; }
  int Zt_at(int i) const { return Z_at(i) + nz_; }  // of point i + 1
  int psi_at(int j) const { return s_ * (ny_ + 2 * nz_) + j * m_; }
  int constraint_at(int i) const { return psi_at(i); }

  const System& system_;
  const SolverSettings<Real> settings_;
  const int s_, ny_ = system_.positions(), nz_ = system_.velocities(), m_ = system_.multipliers(),
                size_ = s_ * (ny_ + 2 * nz_) + (s_ + 1) * m_;
  HiddenEquation<System> hidden_;
  std::vector<Real> c_, b_, x_, w_;
  Mat<Real> a_{s_, s_}, reaction_share_{s_, s_}, reach_{s_ + 1, s_}, inner_{s_ + 1, s_ + 1};
  std::vector<Positions> Y_, V_, Yt_;
  std::vector<Velocities> Z_, F_, Zt_, R_;
  std::vector<Multipliers> psi_now_;
  std::vector<typename System::MatYY> vy_;
  std::vector<typename System::MatYZ> vz_;
  std::vector<typename System::MatZY> fy_, ry_;
  std::vector<typename System::MatZZ> fz_, rz_;
  std::vector<typename System::MatZM> rpsi_;
  std::vector<typename System::Jacobian> G_;
  std::vector<Mat<T>> Ry_;
  typename System::MatYY end_vy_{ny_, ny_}, H_{ny_, ny_};
  typename System::MatYZ end_vz_{ny_, nz_};
  typename System::Jacobian end_G_{m_, ny_};
  Mat<T, System::m, System::nz> Gvz_{m_, nz_};
  Positions u_ = Positions(ny_), attempted_ = u_;
  Multipliers g_ = Multipliers(m_), psi_of_state_ = g_;
  Lu<T, System::m> S_{m_};
  Mat<T, System::m, System::m> S_size_{m_, m_};
  Vec<T> lambda_ = Vec<T>((s_ + 1) * m_), rows_ = Vec<T>(size_), change_ = rows_;
  Vec<Real> floor_ = Vec<Real>(size_);
  Lu<T> lu_{size_};
};

}  // namespace livens
