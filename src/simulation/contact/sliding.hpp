// A mode in which contacts slip (formulas.hpp): positions are q and the directions of sliding. SPARK with one stage,
// the midpoint form of rattle for overdetermined systems, steps it: order 2, consistent multipliers, exact where forces
// are constant.
//
// A contact of two coordinates slips along a line, and its direction is renewed only where it has turned. In space the
// direction is that of v0 + v1 of every step, v1 from a step with the direction of v0: once, which keeps order 2, and
// again where it turned by more than 8 degrees.
#pragma once

#include "simulation/contact/modes.hpp"

namespace livens {

template <class T>
class SlidingMode : public Mode<T> {
 public:
  using System = FormulaOdae<T>;
  using MakeStep = typename OdaeMode<T>::MakeStep;
  using Gradient = std::function<void(const T&, const Vec<T>&, int, Vec<T>&)>;
  struct Slipping {
    std::vector<int> coordinates;
    int place;  // in ContactStates::sliding
  };

  SlidingMode(System system, int coordinates, ModeRows rows, std::vector<Slipping> slipping, MakeStep make_step,
              Gradient gradient, double friction, double exponent)
      : system_(std::move(system)),
        n_(coordinates),
        rows_(std::move(rows)),
        slipping_(std::move(slipping)),
        make_step_(std::move(make_step)),
        gradient_(std::move(gradient)),
        friction_(friction),
        exponent_(exponent),
        hidden_(system_),
        y_(system_.positions()),
        v_(y_),
        psi_(system_.multipliers()) {}

  std::unique_ptr<Motion<T>> motion() override {
    return std::make_unique<SlidingMotion>(std::static_pointer_cast<SlidingMode>(this->shared_from_this()));
  }

  Outcome look(const T& t, const Vec<T>& q, const Vec<T>& p, const ContactStates<T>& states,
               ContactForces<T>& forces) override {
    put_positions(q, states.sliding, y_);
    system_.velocity(t, y_, p, v_);
    for (int i = 0; i < n_; ++i) forces.v[i] = v_[i];
    if (!is_finite(size_of(forces.v))) return Outcome::not_finite;
    guess(forces, psi_);
    const Outcome outcome = hidden_.solve(t, y_, p, psi_);
    if (!succeeded(outcome)) return outcome;
    take_multipliers(rows_, psi_, forces);
    if (!rows_.held.empty()) hold_contacts(rows_, t, q, psi_, gradient_, friction_, exponent_, forces);
    return outcome;
  }
  void save(ArchiveWriter&) override {}
  void restore(ArchiveReader&) override {}

 private:
  // Those of coordinates held are not known; they follow from equations in which they are alone with known ones.
  void guess(const ContactForces<T>& forces, Vec<T>& psi) const {
    psi.fill(T(0));
    for (std::size_t k = 0; k < rows_.constraint.size(); ++k) {
      const T& known = forces.lambda[rows_.constraint[k]];
      psi[static_cast<int>(k)] = known != T(0) ? known : T(-1);
    }
  }
  void put_positions(const Vec<T>& q, const Vec<T>& sliding, Vec<T>& y) const {
    for (int i = 0; i < n_; ++i) y[i] = q[i];
    int at = n_;
    for (const Slipping& s : slipping_)
      for (std::size_t k = 0; k < s.coordinates.size(); ++k) y[at++] = sliding[s.place + static_cast<int>(k)];
  }

  class SlidingMotion : public Motion<T> {
   public:
    explicit SlidingMotion(std::shared_ptr<SlidingMode> mode)
        : mode_(std::move(mode)),
          walk_(mode_->system_, mode_->make_step_(mode_->system_)),
          q_(mode_->n_),
          y_(mode_->system_.positions()),
          v0_(y_),
          v1_(y_),
          psi_(mode_->psi_) {
      for (const Slipping& s : mode_->slipping_) in_space_ = in_space_ || s.coordinates.size() > 2;
    }

    Outcome start(const T& t, const Vec<T>& q, const Vec<T>& p, const ContactStates<T>& states,
                  const ContactForces<T>& forces) override {
      q_ = q;
      mode_->put_positions(q, states.sliding, y_);
      mode_->guess(forces, psi_);
      return walk_.start(t, y_, p, psi_);
    }
    void advance(const T& t0, const T& t1, const T& h, StepReport& report) override {
      y_ = walk_.q(), p_ = walk_.state().p, psi_ = walk_.kind().hint();
      mode_->system_.velocity(t0, y_, p_, v0_);
      if (aim(v0_, in_space_ ? T(2) : T(0.9)) && !restart(t0, report)) return;
      walk_.advance(t0, t1, h, report);
      StepReport before;
      constexpr int most = 10;
      for (int k = 0; k < most && succeeded(report.outcome) && in_space_; ++k) {
        mode_->system_.velocity(t1, walk_.q(), walk_.state().p, v1_);
        for (int i = 0; i < v1_.size(); ++i) v1_[i] += v0_[i];
        if (!aim(v1_, k == 0 ? T(2) : T(0.99))) break;
        before.iterations += report.iterations, before.jacobians += report.jacobians;
        before.evaluations += report.evaluations;
        if (!restart(t0, report)) return;
        walk_.advance(t0, t1, h, report);
      }
      report.iterations += before.iterations, report.jacobians += before.jacobians;
      report.evaluations += before.evaluations;
      for (int i = 0; i < q_.size(); ++i) q_[i] = walk_.q()[i];
    }
    const Vec<T>& q() const override { return q_; }
    const Vec<T>& p() const override { return walk_.state().p; }
    const Vec<T>& attempted_position() const override { return walk_.attempted_position(); }
    void multipliers(Vec<T>& lambda) const override {
      lambda.fill(T(0));
      walk_.raw_values([&](const RawValue& what, std::span<const T> x) {
        if (what.name != raw_multipliers.name) return;
        for (std::size_t k = 0; k < mode_->rows_.constraint.size() && k < x.size(); ++k)
          lambda[mode_->rows_.constraint[k]] = x[k];
      });
    }
    std::string save() override { return walk_.save(); }
    void restore(const std::string& bytes, const T& t) override {
      walk_.restore(bytes, t);
      for (int i = 0; i < q_.size(); ++i) q_[i] = walk_.q()[i];
    }

   private:
    // The directions of these velocities into y_, of contacts whose own is off by less than `kept`, a cosine; whether
    // one changed.
    bool aim(const Vec<T>& v, const T& kept) {
      using std::sqrt;
      bool changed = false;
      int at = q_.size();
      for (const Slipping& s : mode_->slipping_) {
        T vv(0), vd(0);
        for (std::size_t k = 0; k < s.coordinates.size(); ++k) {
          const T& vk = v[s.coordinates[k]];
          vv += vk * vk, vd += vk * y_[at + static_cast<int>(k)];
        }
        const T speed = sqrt(vv);
        if (speed > T(0) && vd > T(0) && vd < kept * speed) {
          changed = true;
          for (std::size_t k = 0; k < s.coordinates.size(); ++k)
            y_[at + static_cast<int>(k)] = v[s.coordinates[k]] / speed;
        }
        at += static_cast<int>(s.coordinates.size());
      }
      return changed;
    }
    bool restart(const T& t, StepReport& report) {
      report.outcome = walk_.start(t, y_, p_, psi_);
      return succeeded(report.outcome);
    }

    std::shared_ptr<SlidingMode> mode_;
    Walk<System> walk_;
    Vec<T> q_, y_, v0_, v1_, psi_, p_;
    bool in_space_ = false;
  };

  System system_;
  int n_;
  ModeRows rows_;
  std::vector<Slipping> slipping_;
  MakeStep make_step_;
  Gradient gradient_;
  double friction_, exponent_;
  HiddenEquation<System> hidden_;
  Vec<T> y_, v_, psi_;
};

}  // namespace livens
