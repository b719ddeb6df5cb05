// What contacts of Lagrangian and of overdetermined systems have in common: the rows of a model that are closed, modes
// that were made, and the start.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

#include "livens/contact/kind.hpp"
#include "livens/contact/step.hpp"
#include "livens/methods/methods.hpp"
#include "simulation/contact/modes.hpp"
#include "simulation/model_system.hpp"
#include "simulation/systems.hpp"

namespace livens {

// A system with contacts that knows how it starts.
template <class T>
class ModelContacts : public ContactSystem<T> {
 public:
  // On the two-sided constraints and not below a surface; sets the states of the contacts there. Throws InputError.
  virtual ModelStart<ContactSystem<T>> start(const Model& model) = 0;
};

// The model with these of its constraints only, ascending.
inline Model with_rows(const Model& given, const std::vector<int>& rows) {
  std::vector<int> left_out;
  for (int a = 0; a < given.system->constraints(); ++a)
    if (!std::binary_search(rows.begin(), rows.end(), a)) left_out.push_back(a);
  Model model = given;
  if (!left_out.empty()) model.system = given.system->without_constraints(left_out);
  model.contact = {};
  return model;
}

inline const MethodEntry& method_named(std::string_view name) {
  return *std::find_if(methods().begin(), methods().end(), [&](const MethodEntry& m) { return m.name == name; });
}

template <class System>
std::unique_ptr<StepOf<System>> make_mode_step(const MethodEntry& method, const Options& options, const System& system,
                                               const SolverSettings<RealOf<typename System::Scalar>>& solver) {
  const StartState<System> start(system);
  return method.steps->of<System>()(options, StepRequest<System>{system, start, typename System::Scalar(1), solver});
}

// What is common to both kinds: rows, and modes that were made.
template <class T>
class ContactsOfModel : public ModelContacts<T> {
 public:
  ContactsOfModel(const Model& model, const MethodEntry& method, const Options& options,
                  const SolverSettings<T>& solver, int lagrangian_sign)
      : model_(model), method_(method), options_(options), solver_(solver) {
    const Model::Contact& contact = model.contact;
    contact_of_.assign(static_cast<std::size_t>(model.system->constraints()), -1);
    for (std::size_t i = 0; i < contact.one_sided.size(); ++i) {
      const Model::Contact::OneSided& c = contact.one_sided[i];
      contact_of_[static_cast<std::size_t>(c.constraint)] = static_cast<int>(i);
      row_.push_back(c.constraint);
      side_.push_back(c.side);
      push_sign_.push_back(lagrangian_sign * c.side);
      this->rules.restitution.push_back(c.restitution);
    }
    for (int a = 0; a < model.system->constraints(); ++a)
      if (contact_of_[static_cast<std::size_t>(a)] < 0) two_sided_rows_.push_back(a);
    this->rules.threshold = contact.threshold;
    this->rules.events_per_step = contact.events_per_step;
    this->traits = method.traits(options);
    this->traits.raw = RawValues::end_of_step;
    this->start_states.of.assign(row_.size(), ContactState::open);
  }

  int coordinates() const override { return model_.system->coordinates(); }
  int momenta() const override { return model_.system->momenta(); }
  int constraints() const override { return model_.system->constraints(); }
  int invariants() const override { return static_cast<int>(model_.system->invariant_names().size()); }

  Mode<T>& mode(const ContactStates<T>& states) const override {
    Kept& kept = modes_[states.of];
    const bool holds = std::count(states.of.begin(), states.of.end(), ContactState::sticks) > 0;
    if (!kept.mode || (holds && !same_held(kept.held, states))) {
      kept.mode = make_mode(states);
      kept.held = states.held;
    }
    return *kept.mode;
  }

  std::unique_ptr<StepOf<ContactSystem<T>>> make_step() const override {
    return std::make_unique<ContactStep<T>>(*this);
  }
  const std::vector<RunEvent>& happened(const StepOf<ContactSystem<T>>& step) const override {
    return static_cast<const ContactStep<T>&>(step).happened();
  }

  void save(ArchiveWriter& a) const override {
    std::size_t count = modes_.size();
    a(count);
    for (auto& [of, kept] : modes_) {
      ContactStates<T> states = this->start_states;
      states.of = of, states.held = kept.held;
      a(states);
      kept.mode->save(a);
    }
  }
  void restore(ArchiveReader& a) const override {
    std::size_t count = 0;
    a(count);
    for (std::size_t k = 0; k < count; ++k) {
      ContactStates<T> states = this->start_states;
      a(states);
      if (states.of.size() != row_.size()) throw ArchiveError();
      mode(states).restore(a);
    }
  }

 protected:
  virtual std::shared_ptr<Mode<T>> make_mode(const ContactStates<T>& states) const = 0;

  // The rows of a mode, those that are not held: two-sided ones and closed contacts, ascending.
  std::vector<int> rows_of(const ContactStates<T>& states) const {
    std::vector<int> rows = two_sided_rows_;
    for (std::size_t i = 0; i < row_.size(); ++i)
      if (states.of[i] == ContactState::closed || states.of[i] == ContactState::slips) rows.push_back(row_[i]);
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  // Contacts that are closed at the start, and those that only seem to be: q is on the two-sided constraints.
  ModelStart<ContactSystem<T>> start_at(const T& t, const Vec<T>& q, const Vec<T>& p, const Vec<T>& lambda,
                                        const StartMove& move) {
    Vec<T> gap(this->contacts()), size(gap), rate(gap);
    ContactForces<T> forces;
    forces.v = Vec<T>(coordinates());
    forces.lambda = lambda;
    forces.push = forces.reserve = gap;
    forces.escape = this->start_states.sliding;
    this->velocity(t, q, p, forces.v);
    this->gaps(t, q, gap);
    this->gap_sizes(t, q, size);
    this->rates(t, q, forces.v, rate);
    std::vector<int> touching;
    for (int i = 0; i < gap.size(); ++i) {
      const T tolerance = T(model_.initial.tolerance) * size[i];
      if (!is_finite(gap[i]) || !is_finite(rate[i]))
        throw InputError(model_.at(key_of(i), name_of(i) + " is not finite at the start values; correct it or them"));
      if (gap[i] < -tolerance) throw InputError(below(i, to_double(gap[i])));
      T speed(0);
      for (const T& x : forces.v) speed = std::max<T>(speed, abs_of(x));
      if (gap[i] <= tolerance &&
          abs_of(rate[i]) <= std::max<T>(T(model_.initial.tolerance) * speed, T(this->rules.threshold)))
        touching.push_back(i);
    }
    check_that_contacts_differ(t, q);
    ClosedSet<T> closed_set(*this);
    const Outcome outcome = closed_set.find(t, q, p, touching, forces, this->start_states);
    if (!succeeded(outcome))
      throw InputError(model_.at(model_.contact.one_sided.front().key,
                                 fmt::format("which contacts are closed at the start cannot be decided: {}; {}",
                                             livens::name(outcome), advice(outcome, StepPart::multiplier))));
    ModelStart<ContactSystem<T>> out{StartState<ContactSystem<T>>(*this), move};
    out.state.t = t, out.state.q = q, out.state.p = p, out.state.hint = forces.lambda;
    return out;
  }

  // Two contacts that are one: their gaps are proportional, near the start and far from it. Each alone would do all
  // that both do, and their multipliers have no values of their own.
  void check_that_contacts_differ(const T& t, const Vec<T>& q) const {
    std::vector<Vec<T>> gaps, sizes;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> between(-1, 1);
    for (const double scale : {0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0}) {
      Vec<T> there = q, gap(this->contacts()), size(gap);
      for (int c = 0; c < q.size(); ++c) there[c] += T(scale * between(random)) * (T(1) + abs_of(q[c]));
      const T then = t + T(scale);
      this->gaps(then, there, gap);
      this->gap_sizes(then, there, size);
      if (is_finite(size_of(gap)) && is_finite(size_of(size))) gaps.push_back(gap), sizes.push_back(size);
    }
    if (gaps.size() < 4) return;
    for (int i = 0; i < this->contacts(); ++i)
      for (int j = i + 1; j < this->contacts(); ++j) {
        const auto largest = std::max_element(
            gaps.begin(), gaps.end(), [&](const Vec<T>& a, const Vec<T>& b) { return abs_of(a[i]) < abs_of(b[i]); });
        const T ratio = (*largest)[j] / (*largest)[i];
        bool same = is_finite(ratio) && ratio != T(0);
        for (std::size_t k = 0; k < gaps.size() && same; ++k)
          same = abs_of(gaps[k][j] - ratio * gaps[k][i]) <=
                 64 * epsilon<T>() * (sizes[k][j] + abs_of(ratio) * sizes[k][i]);
        if (same)
          throw InputError(model_.at(
              key_of(j), ratio > T(0)
                             ? fmt::format("{} and {} are one contact: the gap of one is {:.4g} times that of the "
                                           "other; leave one out",
                                           name_of(i), name_of(j), to_double(ratio))
                             : fmt::format("{} and {} are the two sides of one surface, so that nothing can move away "
                                           "from it; leave one out, and the other one out of unilateral",
                                           name_of(i), name_of(j))));
      }
  }

  std::string key_of(int contact) const { return model_.contact.one_sided[static_cast<std::size_t>(contact)].key; }
  std::string name_of(int contact) const {
    if (const std::string& joint = model_.contact.one_sided[static_cast<std::size_t>(contact)].joint; !joint.empty())
      return fmt::format("joint '{}'", joint);
    return model_.system->constraint_name(row_[static_cast<std::size_t>(contact)]);
  }
  std::string below(int contact, double gap) const {
    if (model_.system->mechanism())
      return model_.at(
          key_of(contact),
          fmt::format("{} is passed by {:.1e} at the start; correct the poses or its length", name_of(contact),
                      model_.system->constraint_opening(row_[static_cast<std::size_t>(contact)], gap)));
    return model_.at(model_.system->kind() == SystemKind::odae ? "initial.y" : "initial.q",
                     fmt::format("{} is {:.1e}, below 0: the start is on the wrong side of a one-sided constraint; "
                                 "correct it",
                                 name_of(contact), gap));
  }

  const Model model_;
  const MethodEntry& method_;
  const Options options_;
  const SolverSettings<T> solver_;
  std::vector<int> contact_of_;  // of constraints
  std::vector<int> row_, side_, push_sign_;
  std::vector<int> two_sided_rows_;

 private:
  struct Kept {
    std::shared_ptr<Mode<T>> mode;
    Vec<T> held;
  };
  bool same_held(const Vec<T>& held, const ContactStates<T>& states) const {
    for (std::size_t i = 0; i < this->places.size(); ++i)
      for (std::size_t k = 0; k < this->places[i].coordinates.size(); ++k) {
        const int at = this->places[i].first + static_cast<int>(k);
        if (states.of[i] == ContactState::sticks && held[at] != states.held[at]) return false;
      }
    return true;
  }
  mutable std::map<std::vector<ContactState>, Kept> modes_;
};

}  // namespace livens
