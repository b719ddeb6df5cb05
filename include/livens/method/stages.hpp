// What methods with several stages share: the linear equations of a Newton correction of velocities U and impulses mu,
//
//   [ A   B ] [ dU  ]     [ balance of momentum ]
//   [ C   0 ] [ dmu ]  =  [ constraints / h     ]
//
// A made of squares (masses and curvatures), B of transposed constraint Jacobians G^T, C of Jacobians.
//
// Impulses are corrected in the units of impulse_units.hpp: B must not be larger than A.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/method/method.hpp"
#include "livens/solve/block_matrix.hpp"
#include "livens/solve/impulse_units.hpp"
#include "livens/solve/outcome.hpp"

namespace livens {

// One X a stage; their number known when compiling or when running.
template <class X, int Count>
using Several =
    std::conditional_t<Count == Dynamic, std::vector<X>, std::array<X, static_cast<std::size_t>(std::max(Count, 0))>>;

template <int Count, class X>
Several<X, Count> several(int count, const X& x) {
  if constexpr (Count == Dynamic) {
    return std::vector<X>(static_cast<std::size_t>(count), x);
  } else {
    Several<X, Count> all;
    all.fill(x);
    return all;
  }
}

// What is added to a momentum, with what it has beyond its last digit.
template <class T, int N>
struct Increment {
  explicit Increment(int n) : value(n), rest(n) { value.fill(T(0)), rest.fill(T(0)); }
  Vec<T, N> value, rest;

  template <class W>
  void round(const Vec<W, N>& sum) {
    for (int i = 0; i < value.size(); ++i) {
      value[i] = static_cast<T>(sum[i]);
      rest[i] = static_cast<T>(sum[i] - W(value[i]));
    }
  }
};

template <class System, int Velocities = Dynamic, int Impulses = Dynamic>
class StageEquations {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  static constexpr int size = size_sum(size_product(Velocities, System::n), size_product(Impulses, System::m));
  using Matrix = BlockMatrix<System, size>;
  using Block = typename Matrix::Block;

  StageEquations(const System& system, int velocities, int impulses, bool with_matrix = true)
      : matrix(system, with_matrix ? velocities * system.coordinates() + impulses * system.constraints() : 0),
        residual(with_matrix ? velocities * system.coordinates() + impulses * system.constraints() : 0),
        change(several<Velocities>(velocities, Coordinates(system.coordinates()))),
        rest(change),
        correction_(residual),
        inertia_(system.coordinates()),
        unit_(system.constraints()) {
    unit_.fill(T(1));
  }

  Matrix matrix;
  Vec<T, size> residual;                    // balances one after another, then constraints
  Several<Coordinates, Velocities> change;  // the last correction of U
  Several<Coordinates, Velocities> rest;    // what U has beyond its last digit, where the step keeps it: else 0
  bool keeps_rest = false;

  // Once, with M and G of the start: only sizes matter. Else units are 1.
  void choose_units(const typename System::Square& M, const typename System::Jacobian& G) {
    if (unit_.size() > 0) choose_impulse_units(M, G, inertia_, unit_);
  }
  // Adds factor G^T, in the units.
  void add_reaction(const Block& at, const T& factor, const typename System::Jacobian& G) {
    matrix.add_transposed(at, factor, unit_, G);
  }

  // Corrects U and mu by the solution for `residual`; returns the size of the correction of U.
  template <class Velocity, class Impulse>
  Real correct(Velocity& U, Impulse& mu) {
    matrix.solve(residual, correction_);
    const T* next = correction_.data();
    for (Coordinates& dU : change)
      for (T& x : dU) x = *next++;
    for (auto& impulse : mu)
      for (int a = 0; a < unit_.size(); ++a) impulse[a] -= unit_[a] * *next++;
    return apply_change(U);
  }
  template <class Velocity>
  Real apply_change(Velocity& U) {
    Real size_of_all(0);
    for (std::size_t k = 0; k < change.size(); ++k) {
      for (int i = 0; i < change[k].size(); ++i) {
        if constexpr (std::is_same_v<typename Velocity::value_type, Coordinates>)
          if (keeps_rest) {
            const auto [sum, lost] = two_sum(U[k][i], T(rest[k][i] - change[k][i]));
            U[k][i] = sum, rest[k][i] = lost;
            continue;
          }
        U[k][i] -= change[k][i];
      }
      size_of_all += size_of(change[k]);
    }
    return size_of_all;
  }

  // Whether the error left after the last correction, `left` times it, is at round-off, a few epsilon, in every
  // coordinate by itself: one that is large must not loosen the others. u: the velocity of the step.
  bool settled(const Real& left, const T& h, const Coordinates& q, const Coordinates& u, const Real& few) const {
    using std::abs;
    const Real step = abs(value_of(h)), allowed = few * epsilon<T>();
    for (const Coordinates& dU : change)
      for (int i = 0; i < q.size(); ++i) {
        const Real room = abs(value_of(q[i])) + step * abs(value_of(u[i]));
        if (!(left * step * abs(value_of(dU[i])) <= allowed * room)) return false;
      }
    return true;
  }

 private:
  Vec<T, size> correction_;
  Vec<Real, System::n> inertia_;
  Multipliers unit_;
};

}  // namespace livens
