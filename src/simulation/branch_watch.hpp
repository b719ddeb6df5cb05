// Whether every step of a Lagrangian system with constraints stays on the branch that it is on, whatever the method.
//
// Rows of G(t,q) span the directions normal to the configurations g = 0, in the order of the constraints; where they
// are independent that order orients them. Two configurations q0, q1 are oriented alike if
//
//   (1)  det( G(q0) M^-1 G(q1)^T ) > 0 ,
//
// which holds for q1 = q0 and as long as normals turn by less than a right angle in the mass norm. Two branches that
// pass each other at a small gap, as the assembly modes of a four-bar do near its dead points, are oriented oppositely
// there: a step that leaps from one to the other goes straight on, and (1) fails. So it does where a body turns by more
// than a right angle in one step. What it was is found by bisection: the middle of q0 and q1, by their velocities at
// first, is projected to g = 0 in the mass norm, and the half that fails is looked at again, until
//
//   none fails                                            the step was large: the motion is continued
//   halves become shorter than 2^-20 |q1 - q0|            q0 and q1 meet in a point where constraints lose rank: the
//                                                         branch is not determined there. Told.
//   halves do not become shorter                          there is a gap: refused, Outcome::other_root
//   the projection fails                                  not known. Told.
//
// Matrices are dense: systems with more than `most` constraints are not watched.
#pragma once

#include <string>
#include <vector>

#include "livens/math/lu.hpp"
#include "livens/model/model.hpp"
#include "livens/run/companion.hpp"
#include "livens/solve/mass.hpp"

namespace livens {

class Branches {
 public:
  static constexpr int most = 64;
  enum class Step { continued, singular, apart, unknown };

  explicit Branches(const SystemDescription& system);
  struct Place {
    double t = 0;
    Vec<double> q, v;
  };
  Step compare(const Place& before, const Place& now);

 private:
  bool alike(const Place& a, const Place& b);
  bool project(Place& x);
  double distance(const Place& a, const Place& b) const;

  FormulaLagrangian<double> system_;
  Mass<Mat<double>> mass_;
  Mat<double> G0_, G1_, weighted_;
  Lu<double> lu_;
  Vec<double> g_, impulse_, change_, moved_;
};

template <class T>
class BranchWatch : public Companion<T> {
 public:
  explicit BranchWatch(const SystemDescription& system) : branches_(system) {}

  Outcome judge(const StateView<T>& x) override {
    found_ = branches_.compare(last_, place(x));
    return found_ == Branches::Step::apart ? Outcome::other_root : Outcome::converged;
  }
  void observe(const StateView<T>& x) override {
    note(singular_, first_singular_, Branches::Step::singular, to_double(x.t));
    note(unknown_, first_unknown_, Branches::Step::unknown, to_double(x.t));
    found_ = Branches::Step::continued;
    last_ = place(x);
  }
  void save(ArchiveWriter& a) override { archive(a); }
  void restore(ArchiveReader& a) override { archive(a); }

  // What is worth knowing, in words; empty: nothing.
  std::string words() const;

 private:
  static Branches::Place place(const StateView<T>& x) {
    Branches::Place p{to_double(x.t), Vec<double>(static_cast<int>(x.q.size())), {}};
    p.v = p.q;
    for (int i = 0; i < p.q.size(); ++i) {
      p.q[i] = to_double(x.q[static_cast<std::size_t>(i)]);
      p.v[i] = to_double(x.v[static_cast<std::size_t>(i)]);
    }
    return p;
  }
  void note(long long& count, double& first, Branches::Step what, double t) const {
    if (found_ == what && count++ == 0) first = t;
  }
  template <class Archive>
  void archive(Archive& a) {
    a(last_.t, last_.q, last_.v, singular_, unknown_, first_singular_, first_unknown_);
  }

  Branches branches_;
  Branches::Place last_;
  Branches::Step found_ = Branches::Step::continued;
  long long singular_ = 0, unknown_ = 0;  // steps
  double first_singular_ = 0, first_unknown_ = 0;
};

}  // namespace livens
