// Poincare integral invariants of degenerate systems L = theta(q).v - H(q): a closed loop or a surface of start points
// is carried along by a method, and the one-form is integrated along the loop, its two-form over the surface.
// Source: Kraus (2017), "Projected variational integrators for degenerate Lagrangian systems", section 5.6, signs as
// recomputed: docs/studies.md.
//
//   J = dtheta/dq ,   Om(a, b) = (J a).b - (J b).a ,   q' = dq/dtau ,   q_s, q_t = dq/dsigma, dq/dtau
//
//                   first: int_0^1 .. dtau       second: int int .. dsigma dtau
//   noncanonical    theta(q).q'                  Om(q_s, q_t)
//   canonical       p.q'                         p_s.q_t - p_t.q_s
//   corrected       P.Q'                         P_s.Q_t - P_t.Q_s     Q = q + h lam ,  P = theta(q) + h J(q)^T lam
//
// canonical: p as the method carries it; where it is theta(q), both forms are one. corrected: lam is the multiplier of
// a projection that keeps this form (MethodTraits::keeps_projection_form). Written out, its two-form is
//
//   Om(q_s, q_t) - h^2 Om(lam_s, lam_t) + h^2 (q_s.T lam_t - q_t.T lam_s) ,   T = sum_k lam_k D2 theta_k
//
// Loops are sampled at equidistant tau and differentiated mode by mode, surfaces at Chebyshev points
// (math/spectral.hpp). Every sample point is a trajectory of its own; threads share them, and sums are made in one
// order: results do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "livens/run/march.hpp"
#include "livens/run/walk.hpp"
#include "livens/study/form_integrals.hpp"
#include "livens/study/parallel.hpp"
#include "livens/study/stopped.hpp"

namespace livens {

// One form over time. `change` is (I - I(0)) / unit, computed in the scalar of the run; `upper` what the upper
// modes contribute to it (study/form_integrals.hpp).
struct InvariantCourse {
  // Of `upper`, for a record that is resolved. Guiding centres in a tokamak show errors of the integrals of at most
  // 5e-13 then with 24 to 1536 points of a loop and 12 x 12 to 60 x 60 of a surface, 2e-10 with 8 x 8.
  static constexpr double most_in_upper_modes = 1e-5;

  std::vector<double> value, change, upper;
  double unit = 0;           // |I(0)|; where that is nothing but round-off beside its terms, their absolute sum
  std::size_t resolved = 0;  // records from the start on whose integrals the points resolve, in all forms

  bool last_is_resolved() const { return !(upper.back() > most_in_upper_modes) || !is_finite(value.back()); }
  // Of the resolved records; not a number where there is none.
  double largest_change() const {
    if (resolved == 0) return std::numeric_limits<double>::quiet_NaN();
    double largest = 0;
    for (std::size_t k = 0; k < resolved; ++k) {
      if (!is_finite(change[k])) return change[k];
      largest = std::max(largest, std::abs(change[k]));
    }
    return largest;
  }
};

// The trajectory that could not be gone on with.
struct SampleFailure {
  std::size_t point = 0;
  long long step = 0;  // from 1; 0: it could not be started
  StepReport report;
  Attempt attempt;
};

struct Invariant {
  std::vector<double> t;  // of the records before a failure
  InvariantCourse noncanonical;
  std::optional<InvariantCourse> canonical, corrected;  // where the method has such a form
  std::optional<SampleFailure> failure;

  std::size_t resolved() const { return noncanonical.resolved; }
};

// The trajectories from all points, and their integrals. Records every settings.every steps, the first and the last
// state as well; `make_step(system)` makes the step of a method on a system; `watch` is told the steps done.
// Throws Stopped where settings.stop asks for it.
template <class System, class Integral>
class InvariantStudy {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using MakeStep = std::function<std::unique_ptr<StepOf<System>>(const System&)>;

  InvariantStudy(const System& system, const MakeStep& make_step, const Integral& integral,
                 const MarchSettings<T>& settings, std::size_t threads = cores())
      : settings_(settings), points_(integral.points()), n_(static_cast<std::size_t>(system.coordinates())) {
    for (std::size_t k = 0; k < std::max<std::size_t>(threads, 1); ++k)
      threads_.push_back(std::make_unique<Thread>(system, make_step, integral));
    const MethodTraits& traits = threads_.front()->walk.traits();
    canonical_ = !traits.carries_final_momentum;
    corrected_ = traits.keeps_projection_form;
  }

  // start(k): q of the k-th point
  template <class Start>
  Invariant run(const Start& start, const std::function<void(long long)>& watch = {}) {
    result_ = {};
    if (canonical_) result_.canonical.emplace();
    if (corrected_) result_.corrected.emplace();
    memory_.assign(points_, "");
    failures_.assign(points_, std::nullopt);
    rows_.assign(1, Row(*this, 0));
    for (const auto& own : threads_) own->start(settings_.t0, start(0));  // a walk that never started cannot go on
    in_parallel(threads_.size(), points_,
                [&](std::size_t thread, std::size_t k) { begin(*threads_[thread], k, start(k)); });
    finish_rows();
    // Some records at a time: rows of many points take memory, and a trajectory is followed fastest for a while.
    const long long every = settings_.every,
                    at_once = std::max<long long>(1, static_cast<long long>(numbers_at_once / (points_ * n_)));
    for (long long done = 0; done < settings_.steps && !result_.failure;) {
      const long long last = std::min(settings_.steps, done + at_once * every);
      rows_.clear();
      for (long long n = done; n < last;) rows_.emplace_back(*this, n = std::min(last, n + every));
      in_parallel(threads_.size(), points_,
                  [&](std::size_t thread, std::size_t k) { go(*threads_[thread], k, done, last); });
      finish_rows();
      done = last;
      if (watch) watch(done);
    }
    return std::move(result_);
  }

 private:
  static constexpr std::size_t numbers_at_once = 2'000'000;

  // What belongs to a thread: formulas and integrals have registers of their own.
  struct Thread {
    Thread(const System& given, const MakeStep& make_step, const Integral& one)
        : system(given),
          walk(system, make_step(system)),
          integral(one),
          x(system.coordinates()),
          theta(x),
          lam(x),
          P(x) {}
    Outcome start(const T& t, const Coordinates& q) {
      system.theta(q, theta);
      if (!is_finite(system.hamiltonian(q))) return Outcome::not_finite;
      return walk.start(t, q, theta, theta);
    }
    System system;
    Walk<System> walk;
    Integral integral;
    Coordinates x, theta, lam, P;
    typename System::Square J = system.square();
  };

  // What a record needs of all points: q, and the pair of the canonical or the corrected form.
  struct Row {
    Row(const InvariantStudy& study, long long after) : step(after), q(study.points_ * study.n_) {
      if (study.canonical_ || study.corrected_) P.resize(q.size());
      if (study.corrected_) Q.resize(q.size());
    }
    long long step;
    std::vector<T> q, Q, P;
    InvariantSum<T> noncanonical, pair;
  };

  T time(long long n) const { return settings_.t0 + static_cast<T>(n) * settings_.step; }

  void begin(Thread& own, std::size_t k, const Coordinates& q) {
    StepReport report;
    report.outcome = own.start(settings_.t0, q);
    if (!succeeded(report.outcome)) {
      failures_[k] = SampleFailure{k, 0, report, {}};
      return;
    }
    record(own, k, rows_.front());
    memory_[k] = own.walk.save();
  }

  // From step `from` to step `to`, leaving records in the rows.
  void go(Thread& own, std::size_t k, long long from, long long to) {
    own.walk.restore(memory_[k], time(from));
    StepReport report;
    auto row = rows_.begin();
    for (long long n = from + 1; n <= to; ++n) {
      end_if_asked(settings_.stop);
      own.walk.advance(time(n - 1), time(n), settings_.step, report);
      if (!succeeded(report.outcome)) {
        failures_[k] = SampleFailure{k, n, report, own.walk.attempt(time(n - 1), time(n), false)};
        return;
      }
      if (n == row->step) record(own, k, *row++);
    }
    memory_[k] = own.walk.save();
  }

  void record(Thread& own, std::size_t k, Row& row) {
    const State<System>& x = own.walk.state();
    store(x.q, k, row.q);
    if (canonical_) store(x.p, k, row.P);
    if (!corrected_) return;
    own.walk.raw_values([&](const RawValue& what, const auto& values) {
      if (what.per == RawValue::Per::coordinate) std::copy(values.begin(), values.end(), own.lam.begin());
    });
    own.system.theta_jacobian(x.q, own.theta, own.J);
    multiply_transposed(own.J, own.lam, own.P);
    for (int c = 0; c < own.x.size(); ++c) {
      own.x[c] = x.q[c] + settings_.step * own.lam[c];
      own.P[c] = own.theta[c] + settings_.step * own.P[c];
    }
    store(own.x, k, row.Q), store(own.P, k, row.P);
  }
  void store(const Coordinates& x, std::size_t k, std::vector<T>& to) const {
    for (std::size_t c = 0; c < n_; ++c) to[c * points_ + k] = x[static_cast<int>(c)];
  }

  // The integrals of the rows before the first step that failed at any point.
  void finish_rows() {
    for (const auto& failure : failures_)
      if (failure && (!result_.failure || failure->step < result_.failure->step)) result_.failure = failure;
    if (result_.failure) std::erase_if(rows_, [&](const Row& row) { return row.step >= result_.failure->step; });
    in_parallel(threads_.size(), rows_.size(), [&](std::size_t thread, std::size_t i) {
      Thread& own = *threads_[thread];
      Row& row = rows_[i];
      row.noncanonical = own.integral.noncanonical(own.system, row.q);
      if (canonical_) row.pair = own.integral.canonical(row.q, row.P);
      if (corrected_) row.pair = own.integral.canonical(row.Q, row.P);
    });
    InvariantCourse& form = result_.noncanonical;
    InvariantCourse* const pair = canonical_ ? &*result_.canonical : corrected_ ? &*result_.corrected : nullptr;
    for (const Row& row : rows_) {
      const bool all_before = form.resolved == result_.t.size();
      result_.t.push_back(to_double(time(row.step)));
      take(row.noncanonical, first_, form);
      if (pair) take(row.pair, first_pair_, *pair);
      if (!all_before || !form.last_is_resolved() || (pair && !pair->last_is_resolved())) continue;
      ++form.resolved;
      if (pair) ++pair->resolved;
    }
  }

  static void take(const InvariantSum<T>& sum, InvariantSum<T>& first, InvariantCourse& course) {
    using std::abs, std::sqrt;
    if (course.value.empty()) first = sum;
    T unit = abs(first.value) > sqrt(epsilon<T>()) * first.size ? abs(first.value) : first.size;
    if (!(unit > T(0))) unit = T(1);
    course.unit = to_double(unit);
    course.value.push_back(to_double(sum.value));
    course.change.push_back(to_double((sum.value - first.value) / unit));
    course.upper.push_back(to_double(sum.upper / unit));
  }

  const MarchSettings<T> settings_;
  const std::size_t points_, n_;
  bool canonical_ = false, corrected_ = false;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<std::string> memory_;  // of every trajectory
  std::vector<std::optional<SampleFailure>> failures_;
  std::vector<Row> rows_;
  InvariantSum<T> first_, first_pair_;
  Invariant result_;
};

}  // namespace livens
