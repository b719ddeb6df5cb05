// A mode in which contacts slip (formulas.hpp): positions are q and the directions of sliding. SPARK with one stage,
// the midpoint form of rattle for overdetermined systems, steps it: order 2, consistent multipliers, exact where forces
// are constant.
//
// A contact of two coordinates slips along a line, and its direction is renewed only where it has turned. In space the
// direction of a step is that of its mean velocity,
//
//   (1)  e = (v0 + v1) / |v0 + v1| ,
//
// of which v1 depends itself: friction changes it by -kappa e, kappa = h c N^r / m. Where the motion is slow that is
// most of it, and e <- dir(v0 + v1) would lead away. So it is sought as the direction of
//
//   (2)  w = v0 + v1 + kappa e ,
//
// which does not depend on e where forces and normal are constant, and little elsewhere. |w| <= kappa: the contact
// comes to rest within the step, and v1 with the direction of v0 shows it by its sign.
#pragma once

#include <array>

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
    int contact;
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
    Outcome outcome = hidden_.solve(t, y_, p, psi_);
    if (!succeeded(outcome)) return outcome;
    take_multipliers(rows_, psi_, forces);
    if (!rows_.held.empty()) outcome = hold_contacts(rows_, t, q, psi_, gradient_, friction_, exponent_, forces);
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
          psi_(mode_->psi_),
          v_(y_),
          change_(y_),
          lambda_(static_cast<int>(mode_->rows_.contact.size())),
          G_(mode_->n_) {
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
      if (aim(v0_) && !restart(t0, report)) return;
      walk_.advance(t0, t1, h, report);
      StepReport before;
      for (int k = 0; succeeded(report.outcome) && in_space_; ++k) {
        mode_->system_.velocity(t1, walk_.q(), walk_.state().p, v1_);
        for (int i = 0; i < v1_.size(); ++i) v1_[i] += v0_[i];
        const T turned = aim_at_mean(t1, h);
        if (turned <= T(k == 0 ? 1e-12 : 1e-9)) break;
        if (constexpr int most = 40; k == most) {
          report.outcome = Outcome::stalled;
          return;
        }
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
    // The directions of these velocities into y_, in the plane of contacts whose own has turned by 26 degrees; whether
    // one changed.
    bool aim(const Vec<T>& v) {
      using std::sqrt;
      bool changed = false;
      for_contacts([&](const Slipping& s, T* e) {
        T vv(0), ve(0);
        for (std::size_t k = 0; k < s.coordinates.size(); ++k) {
          const T& vk = v[s.coordinates[k]];
          vv += vk * vk, ve += vk * e[k];
        }
        const T speed = sqrt(vv);
        if (!(speed > T(0) && ve > T(0)) || (s.coordinates.size() == 2 && !(ve < T(0.9) * speed))) return;
        changed = true;
        for (std::size_t k = 0; k < s.coordinates.size(); ++k) e[k] = v[s.coordinates[k]] / speed;
      });
      return changed;
    }
    // (2) from v0 + v1 in v1_, in space; by how much a direction has turned.
    T aim_at_mean(const T& t, const T& h) {
      using std::pow, std::sqrt;
      for (int i = 0; i < q_.size(); ++i) q_[i] = walk_.q()[i];
      multipliers(lambda_);
      T turned(0);
      for_contacts([&](const Slipping& s, T* e) {
        const std::size_t n = s.coordinates.size();
        if (n == 2) return;
        mode_->gradient_(t, q_, s.contact, G_);
        T GG(0), inverse_mass(0), ww(0);
        for (const int c : s.coordinates) GG += G_[c] * G_[c];
        int row = 0;
        while (mode_->rows_.contact[static_cast<std::size_t>(row)] != s.contact) ++row;
        const T normal = abs_of(lambda_[row]) * sqrt(GG);
        // v is linear in p.
        pushed_ = walk_.state().p;
        for (std::size_t k = 0; k < n; ++k) pushed_[s.coordinates[k]] += e[k];
        mode_->system_.velocity(t, walk_.q(), walk_.state().p, v_);
        mode_->system_.velocity(t, walk_.q(), pushed_, change_);
        for (std::size_t k = 0; k < n; ++k) inverse_mass += e[k] * (change_[s.coordinates[k]] - v_[s.coordinates[k]]);
        const T kappa = abs_of(h) * inverse_mass * T(mode_->friction_) *
                        (mode_->exponent_ == 1 ? normal : pow(normal, T(mode_->exponent_)));
        for (std::size_t k = 0; k < n; ++k) {
          w_[k] = v1_[s.coordinates[k]] + kappa * e[k];
          ww += w_[k] * w_[k];
        }
        const T size = sqrt(ww);
        for (std::size_t k = 0; k < n && size > kappa; ++k) {
          turned = std::max<T>(turned, abs_of(w_[k] / size - e[k]));
          e[k] = w_[k] / size;
        }
      });
      return turned;
    }
    template <class Body>
    void for_contacts(const Body& body) {
      int at = q_.size();
      for (const Slipping& s : mode_->slipping_) {
        body(s, &y_[at]);
        at += static_cast<int>(s.coordinates.size());
      }
    }
    bool restart(const T& t, StepReport& report) {
      report.outcome = walk_.start(t, y_, p_, psi_);
      return succeeded(report.outcome);
    }

    std::shared_ptr<SlidingMode> mode_;
    Walk<System> walk_;
    Vec<T> q_, y_, v0_, v1_, psi_, p_;
    Vec<T> v_, change_, pushed_, lambda_, G_;
    std::array<T, 3> w_{};
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
