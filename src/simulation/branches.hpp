// Whether two configurations of constraints g(t,q) = 0 lie on the same branch.
//
// Rows of G = dg/dq are normal to the configurations. In the metric of the inertias W = diag(1/M_ii), taken once, let
//
//   (1)  d_k(x,y) ,  k = 1..m ,   be the pivots of  G(x) W G(y)^T ,  eliminated without pivoting.
//
// d_k(x,x) is the square of the length r_k(x) of the part of normal k that is independent of those eliminated before:
// constraints lose rank where one of them vanishes. From x to y the normals change their lengths and turn by
//
//   (2)  change = max_k |r_k(y) - r_k(x)| / min(r_k(x), r_k(y)) ,    turn^2 = max_k 2 (1 - d_k(x,y)/(r_k(x) r_k(y))) .
//
// Two branches that pass each other at a small gap, as the assembly modes of a four-bar do near its dead points, have
// opposite normals there: a step that leaps from one to the other goes straight on, and d_k(x,y) < 0 for some k. Where
// branches meet, r_k is proportional to the distance from there. On branches that lie beside each other, as those of
// sin(y - x^2) = 0 or shells about a centre, normals may be the same. Along a branch g changes by what its derivatives
// say, up to the third order; what of the way from x to y leads across branches is
//
//   (3)  across^2 = e^T (G(y) W G(x)^T)^-1 e / |y - x|^2 ,
//        e = (G(x) + G(y))/2 (y - x) + (g_t(x) + g_t(y))/2 (t_y - t_x) - (g(y) - g(x)) .
//
// So x and y are neighbours if
//
//   (4)  change < 1/2 ,  turn^2 < 0.6 ,  less than 46 degrees,  and  across < 1/20 ,
//
// and what is between x and y that are none is found by a walk on g = 0, each point a neighbour of the one before and
// not further from it than lengths, at the rate at which they change, allow: arms of two branches that meet at a sharp
// angle have nearly the same normals, and the leap from one to the other is as long as their way to the place where
// they meet. Points are those of the cubic through x and y with their velocities, projected to g = 0 in the metric of
// the inertias; where such neighbours cannot be had the stride is halved:
//
//   y is reached                                          the motion is continued, the step was large
//   strides vanish, and so do the leaps between points    branches meet there, the motion is not determined: singular
//   strides vanish, leaps do not                          there is a gap: apart
//   projections fail                                      unknown
//
// A straight line and one between both are tried where the cubic leads nowhere: it bulges far where bodies turn by more
// than pi in a step. So is the cubic without what leads across branches at the last point, as other branches may be
// nearer to the cubic than its own. A motion that turns round where branches meet has the place beside these lines:
// before x and y are called apart a walk from x goes as near to y as it leads.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "livens/math/sparse.hpp"
#include "livens/model/model.hpp"
#include "livens/solve/elimination.hpp"
#include "livens/solve/sparse_product.hpp"

namespace livens {

// Constraints to be looked at, whatever kind of system they are of.
struct WatchedConstraints {
  std::shared_ptr<const SparsePattern> jacobian;
  std::function<void(double t, const Vec<double>& q, Vec<double>& g, SparseMat<double>& G)> evaluate;
  std::function<void(double t, const Vec<double>& q, Vec<double>& gt)> rate;  // none: time does not enter
  Vec<double> inertia;                                                        // of the coordinates
};
// Of a model's start values, without those that are one-sided; no rows: nothing to watch.
WatchedConstraints watched_constraints(const Model& model);

class Branches {
 public:
  enum class Way { continued, singular, apart, unknown };
  struct Place {
    double t = 0;
    Vec<double> q, v;
  };
  // A place with its normals.
  struct Point {
    Place at;
    SparseMat<double> normals;  // G W^1/2
    Vec<double> g, rate;        // g_t
    Vec<double> length;         // r_k; unless regular not all are there
    bool regular = false;
  };
  struct Change {  // (2), (3)
    double length = 0, turn_squared = 0, across = 0;
    bool is_small() const { return length < 0.5 && turn_squared < 0.6 && across < 0.05; }
  };

  explicit Branches(WatchedConstraints constraints);
  Point point() const;
  const Vec<double>& inertia() const { return constraints_.inertia; }

  void look(Point& x);                            // fills in the normals
  Change change(const Point& x, const Point& y);  // of regular points
  Way way(const Point& x, const Point& y);        // between regular points
  bool project(Point& x, double furthest);        // to g = 0, and looks; not further than so far in one correction
  double unknown_part(const Place& x) const;      // of positions
  template <class Coordinates>
  double distance_squared(const Vec<double>& x, const Coordinates& y) const {
    double sum = 0;
    const double* inertia = constraints_.inertia.data();
    const double* from = x.data();
    for (const auto& to : y) {
      const double d = to_double(to) - *from++;
      sum += *inertia++ * d * d;
    }
    return sum;
  }

 private:
  struct Line {
    double bulge;        // 1: the cubic, 0: straight
    bool along = false;  // points of it as seen from the last point, along its branch
  };
  Way walk(const Point& x, const Point& y, const Line& line);
  bool ends_singular(const Point& x, const Point& y);
  bool is_point(double leap, double whole, const Point& x) const;
  void evaluate(Point& x);
  double across(const Point& x, const Point& y);
  void lead_along(const Point& x, Place& y);
  double distance(const Place& x, const Place& y) const { return std::sqrt(distance_squared(x.q, y.q)); }
  double size(const Place& x) const;

  WatchedConstraints constraints_;
  Vec<double> weight_;  // W^1/2
  SparseProduct<double> product_;
  Elimination<double> elimination_;
  Vec<double> mismatch_, impulse_, step_;
  Point last_, next_;  // of a walk
};

}  // namespace livens
