// Modes of a system with contacts (contact/system.hpp): while nothing opens or closes it is a system of formulas,
// stepped by a method, with the multipliers of its state.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "livens/contact/system.hpp"
#include "livens/math/lu.hpp"
#include "livens/model/odae_formulas.hpp"
#include "livens/run/walk.hpp"
#include "livens/system/hidden_equation.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

// What a mode has to know of the model: where its multipliers belong.
struct ModeRows {
  std::vector<int> constraint;  // of the model, of every row but those of coordinates held
  std::vector<int> contact;     // of the model's constraints: number of the contact, -1: two-sided
  std::vector<int> push_sign;   // of every contact: N_i = push_sign lambda_i
  struct Held {
    int contact, coordinate, place;  // place: in ContactStates::held
  };
  std::vector<Held> held;  // their rows come last; of contacts that hold one point those of the first
  // Of the model's multipliers: first guesses of those that were 0, where a law of friction may have no derivative.
  std::vector<double> guess = {};
  // The contacts that hold the point of a contact of `held`, that one first: where in ContactStates they have its
  // coordinates, in its order.
  struct Holder {
    int contact;
    std::vector<int> places;
  };
  std::map<int, std::vector<Holder>> holders = {};
};

// The multipliers of the model and the pushes from those of the rows.
template <class T>
void take_multipliers(const ModeRows& rows, const Vec<T>& of_rows, ContactForces<T>& forces) {
  forces.lambda.fill(T(0));
  forces.push.fill(T(0));
  for (std::size_t k = 0; k < rows.constraint.size(); ++k) {
    const int a = rows.constraint[k], i = rows.contact[static_cast<std::size_t>(a)];
    forces.lambda[a] = of_rows[static_cast<int>(k)];
    if (i >= 0) forces.push[i] = T(rows.push_sign[static_cast<std::size_t>(i)]) * forces.lambda[a];
  }
}

// The contacts i that hold a point do so by a force R = -mu on its coordinates,
//
//   R = - sum_i G_i^T lambda_i + F_T ,   G_i F_T = 0 ,   so that   (G_i.G_j) lambda_j = -G_i.R ,   F_N,i = |lambda_i|
//   |G_i| ,
//
// and F_T is what friction holds (closed_set.hpp, (3) and (4)).
// Reserve, escape, push and multiplier of the contacts that stick; mu: of all rows.
template <class T, class Gradient>
Outcome hold_contacts(const ModeRows& rows, const T& t, const Vec<T>& q, const Vec<T>& mu, const Gradient& gradient,
                      double friction, double exponent, ContactForces<T>& forces) {
  using std::pow, std::sqrt;
  const int first = static_cast<int>(rows.constraint.size());
  for (std::size_t k = 0; k < rows.held.size();) {
    const std::vector<ModeRows::Holder>& holders = rows.holders.at(rows.held[k].contact);
    const int n = static_cast<int>(holders.front().places.size()), count = static_cast<int>(holders.size());
    Mat<T> G(count, n);
    Vec<T> row(q.size()), F(n), r(count), lambda(count);
    for (int c = 0; c < n; ++c) F[c] = -mu[first + static_cast<int>(k) + c];
    for (int i = 0; i < count; ++i) {
      gradient(t, q, holders[static_cast<std::size_t>(i)].contact, row);
      for (int c = 0; c < n; ++c) {
        G(i, c) = row[rows.held[k + static_cast<std::size_t>(c)].coordinate];
        r[i] -= G(i, c) * F[c];
      }
    }
    Lu<T> lu(count);
    Vec<T> length(count);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        lu.matrix()(i, j) = T(0);
        for (int c = 0; c < n; ++c) lu.matrix()(i, j) += G(i, c) * G(j, c);
        if (i == j) length[i] = sqrt(lu.matrix()(i, i));
      }
    if (!lu.factorise()) return Outcome::contact_undecided;
    lu.solve(r, lambda);
    T most(0), square(0);
    for (int i = 0; i < count; ++i) {
      for (int c = 0; c < n; ++c) F[c] += G(i, c) * lambda[i];
      const T normal = abs_of(lambda[i]) * length[i];
      most += T(friction) * (exponent == 1 ? normal : pow(normal, T(exponent)));
    }
    for (const T& x : F) square += x * x;
    const T tangential = sqrt(square);
    for (int i = 0; i < count; ++i) {
      const ModeRows::Holder& holder = holders[static_cast<std::size_t>(i)];
      int constraint = 0;
      while (rows.contact[static_cast<std::size_t>(constraint)] != holder.contact) ++constraint;
      forces.lambda[constraint] = lambda[i];
      forces.push[holder.contact] = T(rows.push_sign[static_cast<std::size_t>(holder.contact)]) * lambda[i];
      // On the edge, as a block at the critical angle, it holds.
      forces.reserve[holder.contact] = most * (T(1) + T(1e4) * epsilon<T>()) - tangential;
      for (int c = 0; c < n; ++c)
        forces.escape[holder.places[static_cast<std::size_t>(c)]] = tangential > T(0) ? -F[c] / tangential : T(0);
    }
    k += static_cast<std::size_t>(n);
  }
  return Outcome::converged;
}

template <class System>
class WalkMotion : public Motion<typename System::Scalar> {
 public:
  using T = typename System::Scalar;
  WalkMotion(std::shared_ptr<Mode<T>> mode, const ModeRows& rows, Walk<System> walk)
      : mode_(std::move(mode)), rows_(rows), walk_(std::move(walk)) {}

  Outcome start(const T& t, const Vec<T>& q, const Vec<T>& p, const ContactStates<T>&,
                const ContactForces<T>& forces) override {
    if constexpr (OverdeterminedSystem<System>) {
      Vec<T> psi(static_cast<int>(rows_.constraint.size()));
      for (std::size_t k = 0; k < rows_.constraint.size(); ++k)
        psi[static_cast<int>(k)] = forces.lambda[rows_.constraint[k]];
      return walk_.start(t, q, p, psi);
    } else {
      return walk_.start(t, q, p, forces.v);
    }
  }
  void advance(const T& t0, const T& t1, const T& h, StepReport& report) override { walk_.advance(t0, t1, h, report); }
  const Vec<T>& q() const override { return walk_.q(); }
  const Vec<T>& p() const override { return walk_.state().p; }
  const Vec<T>& attempted_position() const override { return walk_.attempted_position(); }
  void multipliers(Vec<T>& lambda) const override {
    lambda.fill(T(0));
    walk_.raw_values([&](const RawValue& what, std::span<const T> x) {
      if (what.name != raw_multipliers.name) return;
      for (std::size_t k = 0; k < rows_.constraint.size() && k < x.size(); ++k) lambda[rows_.constraint[k]] = x[k];
    });
  }
  std::string save() override { return walk_.save(); }
  void restore(const std::string& bytes, const T& t) override { walk_.restore(bytes, t); }

 private:
  std::shared_ptr<Mode<T>> mode_;  // whose system the walk is of
  const ModeRows& rows_;
  Walk<System> walk_;
};

// A Lagrangian system, contacts that stick among its constraints.
template <class System>
class LagrangianMode : public Mode<typename System::Scalar> {
 public:
  using T = typename System::Scalar;
  using MakeStep = std::function<std::unique_ptr<StepOf<System>>(const System&)>;
  // The rate of a held contact's constraint: G_i at q.
  using Gradient = std::function<void(const T&, const Vec<T>&, int, Vec<T>&)>;

  LagrangianMode(System system, ModeRows rows, MakeStep make_step, Gradient gradient, double friction, double exponent)
      : system_(std::move(system)),
        rows_(std::move(rows)),
        make_step_(std::move(make_step)),
        gradient_(std::move(gradient)),
        friction_(friction),
        exponent_(exponent),
        kinetics_(system_),
        mu_(system_.constraints()) {}

  std::unique_ptr<Motion<T>> motion() override {
    return std::make_unique<WalkMotion<System>>(this->shared_from_this(), rows_,
                                                Walk<System>(system_, make_step_(system_)));
  }

  Outcome look(const T& t, const Vec<T>& q, const Vec<T>& p, const ContactStates<T>&,
               ContactForces<T>& forces) override {
    if (!started_ && !kinetics_.start(t, q, forces.v)) return Outcome::singular_jacobian;
    started_ = true;
    Outcome outcome = kinetics_.velocity(t, q, p, forces.v);
    if (succeeded(outcome)) outcome = kinetics_.multiplier(t, q, forces.v, mu_);
    if (!succeeded(outcome)) return outcome;
    take_multipliers(rows_, mu_, forces);
    if (!rows_.held.empty()) outcome = hold_contacts(rows_, t, q, mu_, gradient_, friction_, exponent_, forces);
    return outcome;
  }

  void save(ArchiveWriter& a) override { a(kinetics_); }
  void restore(ArchiveReader& a) override {
    a(kinetics_);
    started_ = false;  // the mass matrix itself is not among what is kept
  }

 private:
  System system_;
  ModeRows rows_;
  MakeStep make_step_;
  Gradient gradient_;
  double friction_, exponent_;
  Kinetics<System> kinetics_;
  Vec<T> mu_;
  bool started_ = false;
};

// A system of y = q, z = p and psi.
template <class T>
class OdaeMode : public Mode<T> {
 public:
  using System = FormulaOdae<T>;
  using MakeStep = std::function<std::unique_ptr<StepOf<System>>(const System&)>;
  OdaeMode(System system, ModeRows rows, MakeStep make_step)
      : system_(std::move(system)),
        rows_(std::move(rows)),
        make_step_(std::move(make_step)),
        hidden_(system_),
        psi_(system_.multipliers()) {}

  std::unique_ptr<Motion<T>> motion() override {
    return std::make_unique<WalkMotion<System>>(this->shared_from_this(), rows_,
                                                Walk<System>(system_, make_step_(system_)));
  }
  Outcome look(const T& t, const Vec<T>& q, const Vec<T>& p, const ContactStates<T>&,
               ContactForces<T>& forces) override {
    system_.velocity(t, q, p, forces.v);
    if (!is_finite(size_of(forces.v))) return Outcome::not_finite;
    for (std::size_t k = 0; k < rows_.constraint.size(); ++k) {
      const int a = rows_.constraint[k];
      const T& known = forces.lambda[a];
      psi_[static_cast<int>(k)] = known != T(0) ? known : T(rows_.guess[static_cast<std::size_t>(a)]);
    }
    const Outcome outcome = hidden_.solve(t, q, p, psi_);
    if (succeeded(outcome)) take_multipliers(rows_, psi_, forces);
    return outcome;
  }
  void save(ArchiveWriter&) override {}
  void restore(ArchiveReader&) override {}

 private:
  System system_;
  ModeRows rows_;
  MakeStep make_step_;
  HiddenEquation<System> hidden_;
  Vec<T> psi_;
};

}  // namespace livens
