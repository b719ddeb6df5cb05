// Newton's matrices of vprk against differences of its rows, at unknowns that solve nothing: lam, which is small in a
// step, is as large as velocities here, for theta'' stands beside it everywhere. Steps do not show such mistakes: they
// begin with lam = 0 and make a new matrix only where the first one is poor.
#include <doctest/doctest.h>

#include <vector>

#include "livens/method/vprk.hpp"
#include "method/vprk_orbit.hpp"

namespace {

using namespace livens;
using Projection = Vprk::Projection;
using System = Degenerate<EqualVortices>;
using Four = Vec<double, 4>;

constexpr double h = 0.7, e = 1e-5, tolerance = 1e-9;  // e^2, and eps/e

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// The matrix of StageSolve, as VprkExtra sees it.
struct Dense {
  struct Corner {
    int row, column;
  };
  Table<double> a;
  void add(const Corner& to, double by, const Mat<double, 4, 4>& A) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) a[at(to.row + i)][at(to.column + j)] += by * A(i, j);
  }
  void add_transposed(const Corner& to, double by, const Mat<double, 4, 4>& A) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) a[at(to.row + i)][at(to.column + j)] += by * A(j, i);
  }
  void add_diagonal(const Corner& to, int n, double by) {
    for (int i = 0; i < n; ++i) a[at(to.row + i)][at(to.column + i)] += by;
  }
};

// StageSolve, as VprkExtra sees it: unknowns and rows, and no stages.
class Stages {
 public:
  explicit Stages(const Vprk& method)
      : table_(method.table<double>()),
        unknowns_(at(table_.stages())),
        rows_(unknowns_),
        dense_{zeros<double>(4 * size())} {
    for (int k = 0; k < size(); ++k)
      for (int c = 0; c < 4; ++c) unknowns_[at(k)][c] = 0.3 * std::sin(1 + 5 * k + 2 * c);
  }
  int size() const { return table_.stages(); }
  Four& unknown(int k) { return unknowns_[at(k)]; }
  void place(const Four& q0) {
    q1_ = q0;
    for (int k = 0; k < size(); ++k) {
      rows_[at(k)].fill(0);
      for (int c = 0; c < 4; ++c) q1_[c] += h * end(k) * unknowns_[at(k)][c];
    }
  }

  const Four& U(int k) const { return unknowns_[at(k)]; }
  Four increment_of(int k) const {
    Four increment;
    for (int c = 0; c < 4; ++c) increment[c] = shared(k, unknowns_[at(k)][c]);
    return increment;
  }
  double increment_by(int k) const { return shared(k, 1); }
  Four& row(int k) { return rows_[at(k)]; }
  const Four& attempted_position() const { return q1_; }
  double shared(int k, double coefficient) const { return coefficient * to_double(table_.share[at(k)]); }
  double end(int k) const { return shared(k, to_double(table_.end[at(k)])); }
  Dense& matrix() { return dense_; }

 private:
  StageTable<Widest> table_;
  std::vector<Four> unknowns_, rows_;
  Four q1_;
  Dense dense_;
};

// Largest entry of the matrix, and largest difference to that of the rows.
struct Compared {
  double largest = 0, wrong = 0;
};
Compared compare_derivatives(const Vprk& method) {
  const System system(EqualVortices{});
  State<System> x(system);
  x.q = {0.8, 0.3, -0.4, 0.5};
  const double t0 = 0;
  const StageStep<System> step{t0, h, h, x};
  Stages stages(method);
  VprkExtra<System, 0> extra(system, method);
  extra.begin(x.q);
  const auto rows = [&] {
    stages.place(x.q);
    extra.add_terms(stages, step);
    std::vector<double> all;
    for (int k = 0; k < stages.size(); ++k) all.insert(all.end(), stages.row(k).begin(), stages.row(k).end());
    return all;
  };
  rows();
  extra.add_derivatives(stages, step);
  Compared result;
  for (int column = 0; column < 4 * stages.size(); ++column) {
    double& u = stages.unknown(column / 4)[column % 4];
    const double here = u;
    u = here - e;
    const auto left = rows();
    u = here + e;
    const auto right = rows();
    u = here;
    for (int row = 0; row < 4 * stages.size(); ++row) {
      const double known = stages.matrix().a[at(row)][at(column)];
      const double difference = (right[at(row)] - left[at(row)]) / (2 * e);
      result.largest = std::max(result.largest, std::abs(known));
      result.wrong = std::max(result.wrong, std::abs(known - difference));
    }
  }
  return result;
}

}  // namespace

TEST_CASE("null_vector_and_coupled_projections_know_the_derivatives_of_their_rows") {
  for_methods({PairFamily::gauss, PairFamily::lobatto_IIIA, PairFamily::lobatto_IIIB}, {1, 2, 3}, all_projections,
              [](const Vprk& method) {
                const auto [largest, wrong] = compare_derivatives(method);
                CHECK((largest > 0.05) == (method.more() > 0));
                CHECK(wrong < tolerance);
              });
}

TEST_CASE("the_projection_at_the_end_converges_quadratically") {
  for (const double k : {h, -h}) {
    EndProjection<Wide::System> end(vortices);
    Point q = crooked, p;
    vortices.theta(q, p);
    for (int c = 0; c < 4; ++c) p[c] += Widest(0.01 * (c - 1));
    StepReport report;
    end.solve(Widest(k), q, p, {}, report);
    REQUIRE(succeeded(report.outcome));
    const Point lam = end.lam;
    CHECK(distance(lam, Point{}) > 0.05);
    for (int c = 0; c < 4; ++c) end.lam[c] += Widest(1e-7 * (c + 1));
    end.residual();
    REQUIRE(end.factorise());
    end.correct();
    CHECK(distance(end.lam, lam) < 1e-12);
  }
}
