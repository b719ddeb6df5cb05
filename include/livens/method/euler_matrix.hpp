// The Newton matrix of one Euler map (euler_map.hpp): of (a,b,c) for Z1, y1, P0, of (d,e) for z1, P1, or of all of
// them.
#pragma once

#include <array>

#include "livens/math/lu.hpp"

namespace livens {

struct EulerScheme {
  enum class Variant { hamiltonian, natural, true_ };
  Variant variant = Variant::true_;
  bool late = false;  // the conjugate methods
  double alpha = 0.5;
  bool adjoint = false;

  double w0() const { return variant == Variant::hamiltonian ? 1 : alpha; }
  double w1() const { return variant == Variant::natural ? 1 - alpha : 1; }
  double wm() const { return variant == Variant::true_ ? alpha : 0; }
  // The adjoint of a Hamiltonian method is its conjugate.
  EulerScheme adjoint_of() const {
    EulerScheme other = *this;
    other.late = !late;
    other.adjoint = variant == Variant::true_ ? !adjoint : false;
    return other;
  }
};

enum class EulerBlock { first, last, all };

// A step from (y0, z0) with its unknowns; G at y1.
template <class Form>
struct EulerPoint {
  using T = typename Form::T;
  const T &t0, &t1, &h;
  const typename Form::Positions &y0, &y1;
  const typename Form::Velocities &z0, &Z1, &z1;
  const typename Form::Multipliers &P0, &P1;
  const typename Form::Jacobian& G;
};

template <class Form>
class EulerMatrix {
 public:
  using T = typename Form::T;

  // all_at_once: whether that block is asked for
  EulerMatrix(const Form& form, bool all_at_once)
      : ny_(form.positions()),
        nz_(form.velocities()),
        m_(form.multipliers()),
        first_{nz_ + ny_ + m_},
        last_{nz_ + m_},
        solvers_{Solver(first_), Solver(last_), Solver(all_at_once ? first_ + last_ : 0)} {}

  bool factorise(EulerBlock block, const EulerScheme& scheme, Form& form, const EulerPoint<Form>& at) {
    Lu<T>& lu = solver(block).lu;
    lu.matrix().fill(T(0));
    if (block != EulerBlock::last) fill_first(scheme, form, at, lu.matrix());
    if (block != EulerBlock::first) fill_last(block, scheme, form, at, lu.matrix());
    note_reach(block, at);
    note_way(at.h);
    return lu.factorise();
  }
  // |A| |x| of row i, x the unknowns where the matrix was made: their round-off moves the row by epsilon times that.
  const RealOf<T>& reach(EulerBlock block, int i) const { return solvers_[static_cast<std::size_t>(block)].reach[i]; }
  // How far a step moves positions with a unit of the velocity z_i.
  const RealOf<T>& way(int i) const { return way_[i]; }
  // The last correction.
  const Vec<T>& change(EulerBlock block) const { return solvers_[static_cast<std::size_t>(block)].change; }
  // rows: of the block, from the first on
  const Vec<T>& solve(EulerBlock block, const Vec<T>& rows) {
    Solver& s = solver(block);
    for (int i = 0; i < s.right.size(); ++i) s.right[i] = rows[i];
    s.lu.solve(s.right, s.change);
    return s.change;
  }

 private:
  struct Solver {
    explicit Solver(int size) : lu(size), right(size), change(size), reach(size) {}
    Lu<T> lu;
    Vec<T> right, change;
    Vec<RealOf<T>> reach;
  };
  Solver& solver(EulerBlock block) { return solvers_[static_cast<std::size_t>(block)]; }

  void note_reach(EulerBlock block, const EulerPoint<Form>& at) {
    Solver& s = solver(block);
    s.reach.fill(RealOf<T>(0));
    int column = 0;
    const auto add = [&](const auto& unknown) {
      for (const T& x : unknown) {
        const RealOf<T> size = abs_of(x);
        for (int i = 0; i < s.reach.size(); ++i) s.reach[i] += abs_of(s.lu.matrix()(i, column)) * size;
        ++column;
      }
    };
    if (block != EulerBlock::last) add(at.Z1), add(at.y1), add(at.P0);
    if (block != EulerBlock::first) add(at.z1), add(at.P1);
  }

  void note_way(const T& h) {
    for (int j = 0; j < nz_; ++j) {
      way_[j] = RealOf<T>(0);
      for (int i = 0; i < ny_; ++i) way_[j] += abs_of(h * vz_(i, j));
    }
  }

  void fill_first(const EulerScheme& scheme, Form& form, const EulerPoint<Form>& at, Mat<T>& A) {
    const int nz = nz_, ny = ny_, P0 = nz + ny, P1 = nz + ny + m_ + nz;
    const T& h = at.h;
    for (int i = 0; i < nz + ny; ++i) A(i, i) = T(1);
    if (!scheme.late) {
      form.force_jacobian(at.t0, at.y0, at.Z1, ry_, rz_);
      add_block(A, 0, 0, -h, rz_);
    }
    form.reaction_jacobian(at.t0, at.y0, at.z0, at.P0, ry_, rz_, rpsi_);
    add_block(A, 0, P0, -h * T(scheme.adjoint ? -scheme.wm() : scheme.w0()), rpsi_);
    if (scheme.adjoint) {
      form.reaction_jacobian(at.t0, at.y0, at.z0, at.P1, ry_, rz_, rpsi_);
      add_block(A, 0, P1, -h * T(scheme.w1()), rpsi_);
    }
    form.velocity_jacobian(scheme.late ? at.t1 : at.t0, scheme.late ? at.y1 : at.y0, at.Z1, vy_, vz_);
    add_block(A, nz, 0, -h, vz_);
    if (scheme.late) add_block(A, nz, nz, -h, vy_);
    add_block(A, nz + ny, nz, T(1) / (h * h), at.G);
  }
  void fill_last(EulerBlock block, const EulerScheme& scheme, Form& form, const EulerPoint<Form>& at, Mat<T>& A) {
    const int nz = nz_, ny = ny_, row = block == EulerBlock::last ? 0 : first_;
    const T& h = at.h;
    for (int i = 0; i < nz; ++i) A(row + i, row + i) = T(1);
    form.reaction_jacobian(at.t1, at.y1, at.z1, scheme.adjoint ? at.P0 : at.P1, ry_, rz_, rpsi_);
    const T w(scheme.adjoint ? scheme.w0() : scheme.w1());
    add_block(A, row, row, -h * w, rz_);
    add_block(A, row, scheme.adjoint ? nz + ny : row + nz, -h * w, rpsi_);
    if (block == EulerBlock::all) add_block(A, row, nz, -h * w, ry_);
    if (!scheme.adjoint && scheme.wm() != 0) {
      form.reaction_jacobian(at.t1, at.y1, at.z1, at.P0, ry_, rz_, rpsi_);
      add_block(A, row, row, h * T(scheme.wm()), rz_);
    }
    form.velocity_jacobian(at.t1, at.y1, at.z1, vy_, vz_);
    Gvz_.fill(T(0));
    add_product(at.G, vz_, Gvz_);
    add_block(A, row + nz, row, T(1) / h, Gvz_);
    if (block != EulerBlock::all) return;
    for (int i = 0; i < nz; ++i) A(row + i, i) -= T(1);
    if (scheme.late) {
      form.force_jacobian(at.t1, at.y1, at.Z1, ry_, rz_);
      add_block(A, row, 0, -h, rz_), add_block(A, row, nz, -h, ry_);
    }
    form.velocity(at.t1, at.y1, at.z1, u_);
    form.constraint_jacobian_along(at.t1, at.y1, u_, Gv_);
    add_product(at.G, vy_, Gv_);
    add_block(A, row + nz, nz, T(1) / h, Gv_);
  }

  int ny_, nz_, m_, first_, last_;
  std::array<Solver, 3> solvers_;
  typename Form::Jacobian Gv_{m_, ny_};
  Mat<T, Form::m, Form::nz> Gvz_{m_, nz_};
  typename Form::MatYY vy_{ny_, ny_};
  typename Form::MatYZ vz_{ny_, nz_};
  typename Form::MatZY ry_{nz_, ny_};
  typename Form::MatZZ rz_{nz_, nz_};
  typename Form::MatZM rpsi_{nz_, m_};
  Vec<RealOf<T>> way_ = Vec<RealOf<T>>(nz_);
  typename Form::Positions u_ = typename Form::Positions(ny_);
};

}  // namespace livens
