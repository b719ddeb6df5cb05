// The same run with half and with a quarter of the step, node by node beside it, and how far apart they are
// (audit/accuracy.hpp). Momenta are those of the rows: a scheme may carry others, whose errors have another size.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "livens/audit/accuracy.hpp"
#include "livens/run/companion.hpp"
#include "livens/run/walk.hpp"

namespace livens {

template <class System>
class FinerRuns : public Companion<typename System::Scalar> {
 public:
  using T = typename System::Scalar;
  static constexpr int finer = 2;

  // half, quarter: at none of their nodes yet.
  FinerRuns(const System& system, Walk<System> half, Walk<System> quarter, const StartState<System>& start,
            const T& step)
      : kind_(system, half.traits()),
        state_(system),
        walks_{std::move(half), std::move(quarter)},
        t0_(start.t),
        step_(step) {
    state_.q = start.q, state_.p = start.p;
    if (!kind_.audits_final_momentum()) kind_.place(start.t, state_, start.hint);
    for (Walk<System>& walk : walks_) started_ = started_ && succeeded(walk.start(start));
  }

  void observe(const StateView<T>& x) override {
    if (node_ < 0) {
      node_ = 0;
      take_sizes(x);
      if (!started_) differences_.stop(to_double(t0_));
      return;
    }
    ++node_;
    if (differences_.stopped() || !advance(x.t)) return;
    take_sizes(x);
    const auto farthest = [](std::span<const T> a, std::span<const T> b) {
      double largest = 0;
      for (std::size_t i = 0; i < b.size(); ++i) {
        const double apart = std::abs(to_double(T(a[i] - b[i])));
        if (!(apart <= largest)) largest = apart;
      }
      return largest;
    };
    // Where momenta are not determined, those before say how far they are apart.
    const auto known = [](double now, double before) { return std::isnan(now) ? before : now; };
    const auto& [half, quarter] = walks_;
    const Differences::Node& last = differences_.last();
    differences_.add({to_double(x.t), farthest(x.q, span(half.q())), farthest(span(half.q()), span(quarter.q())),
                      known(farthest(momentum(x), span(half.final_momentum())), last.p1),
                      known(farthest(span(half.final_momentum()), span(quarter.final_momentum())), last.p2)});
  }

  Columns columns() const override { return {{"accuracy/q", 0, Role::companion}, {"accuracy/p", 0, Role::companion}}; }
  void record(const StateView<T>&, std::vector<double>& row) override {
    const double none = std::numeric_limits<double>::quiet_NaN();
    row.push_back(differences_.stopped() ? none : differences_.last().q1);
    row.push_back(differences_.stopped() ? none : differences_.last().p1);
  }

  Accuracy estimate() const { return differences_.estimate(to_double(t0_), to_double(epsilon<T>())); }

  void save(ArchiveWriter& a) override {
    a(node_, differences_);
    for (Walk<System>& walk : walks_) {
      std::string bytes = walk.save();
      a(bytes);
    }
  }
  void restore(ArchiveReader& a) override {
    a(node_, differences_);
    for (Walk<System>& walk : walks_) {
      std::string bytes;
      a(bytes);
      walk.restore(bytes, time(node_, 0, 1));
    }
  }

 private:
  template <class Vector>
  static std::span<const T> span(const Vector& v) {
    return {v.begin(), static_cast<std::size_t>(v.size())};
  }

  // That of its row.
  std::span<const T> momentum(const StateView<T>& x) {
    if (kind_.audits_final_momentum()) return x.p;
    std::copy(x.q.begin(), x.q.end(), state_.q.begin());
    std::copy(x.p.begin(), x.p.end(), state_.p.begin());
    if (succeeded(kind_.look(x.t, state_))) kind_.finalise_momentum(x.t, state_);
    return span(kind_.final_momentum());
  }

  // After part of the step from node n, in parts.
  T time(long long n, int part, int parts) const {
    return t0_ + static_cast<T>(n * parts + part) * (step_ / static_cast<T>(parts));
  }

  void take_sizes(const StateView<T>& x) {
    const auto doubles = [](std::span<const T> v, std::vector<double>& to) {
      to.clear();
      for (const T& xi : v) to.push_back(to_double(xi));
    };
    doubles(x.q, q_), doubles(x.p, p_);
    differences_.take_sizes(q_, p_);
  }

  // To node_, or to the event before it at which the run stops.
  bool advance(const T& t) {
    const bool to_node = t == time(node_, 0, 1);
    const T begin = time(node_ - 1, 0, 1), step = to_node ? step_ : T(t - begin);
    for (int k = 0; k < finer; ++k) {
      const int parts = 2 << k;
      const auto at = [&](int part) {
        if (to_node) return time(node_ - 1, part, parts);
        return part == parts ? t : T(begin + static_cast<T>(part) * (step / static_cast<T>(parts)));
      };
      Walk<System>& walk = walks_[static_cast<std::size_t>(k)];
      for (int part = 0; part < parts; ++part) {
        StepReport report;
        walk.advance(at(part), at(part + 1), step / static_cast<T>(parts), report);
        if (!succeeded(report.outcome)) return differences_.stop(to_double(at(part))), false;
      }
      if (!succeeded(walk.look_final_momentum(t))) return differences_.stop(to_double(t)), false;
    }
    return true;
  }

  KindOf<System> kind_;  // of the run
  State<System> state_;
  std::array<Walk<System>, finer> walks_;
  const T t0_, step_;
  bool started_ = true;
  long long node_ = -1;
  Differences differences_;
  std::vector<double> q_, p_;
};

}  // namespace livens
