// The part of a velocity that is normal to the constraints in the mass norm,
//
//   n = W G^T (G W G^T)^-1 G v ,    n.Mn = (G v).(G W G^T)^-1 (G v) ,    W = M^-1 .
#pragma once

#include "livens/solve/mass.hpp"
#include "livens/solve/schur.hpp"

namespace livens {

template <class System>
class NormalPart {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Jacobian = typename System::Jacobian;

  explicit NormalPart(const System& system)
      : schur_(system), rate_(system.constraints()), impulse_(rate_), row_(system.coordinates()), n_(row_) {}

  // False where there are no constraints or they depend on each other.
  bool factorise(const Jacobian& G, const Mass<typename System::Square>& mass) {
    regular_ = rate_.size() > 0 && schur_.factorise(G, mass, G);
    return regular_;
  }
  // x = (G W G^T)^-1 r
  void solve(const Multipliers& r, Multipliers& x) { schur_.solve(r, x); }

  // v.Mv
  Real kinetic(const Mass<typename System::Square>& mass, const Coordinates& v) {
    multiply(mass.matrix(), v, row_);
    return abs_of(dot(v, row_));
  }
  // Whether it is more than half of v, and moves positions of that size by more than round-off in time h.
  bool prevails(const Jacobian& G, const Mass<typename System::Square>& mass, const Coordinates& v, const T& h,
                const Real& positions) {
    if (!regular_) return false;
    multiply(G, v, rate_);
    schur_.solve(rate_, impulse_);
    if (2 * abs_of(dot(rate_, impulse_)) <= kinetic(mass, v)) return false;
    multiply_transposed(G, impulse_, row_);
    mass.solve(row_, n_);
    return abs_of(h) * size_of(n_) > 4096 * epsilon<T>() * positions;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(schur_);
  }

 private:
  Schur<Jacobian> schur_;
  Multipliers rate_, impulse_;
  Coordinates row_, n_;
  bool regular_ = false;
};

}  // namespace livens
