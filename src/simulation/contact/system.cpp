#include "simulation/contact/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "livens/contact/kind.hpp"
#include "livens/contact/step.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/redundant.hpp"
#include "simulation/contact/formulas.hpp"
#include "simulation/contact/modes.hpp"
#include "simulation/contact/sliding.hpp"
#include "simulation/model_system.hpp"
#include "simulation/systems.hpp"

namespace livens {

namespace {

using Contact = Model::Contact;

// A system with contacts that knows how it starts.
template <class T>
class ModelContacts : public ContactSystem<T> {
 public:
  // On the two-sided constraints and not below a surface; sets the states of the contacts there. Throws InputError.
  virtual ModelStart<ContactSystem<T>> start(const Model& model) = 0;
};

// The model with these of its constraints only, ascending.
Model with_rows(const Model& given, const std::vector<int>& rows) {
  std::vector<int> left_out;
  for (int a = 0; a < given.system->constraints(); ++a)
    if (!std::binary_search(rows.begin(), rows.end(), a)) left_out.push_back(a);
  Model model = given;
  if (!left_out.empty()) model.system = given.system->without_constraints(left_out);
  model.contact = {};
  return model;
}

const MethodEntry& method_named(std::string_view name) {
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
    const Contact& contact = model.contact;
    contact_of_.assign(static_cast<std::size_t>(model.system->constraints()), -1);
    for (std::size_t i = 0; i < contact.one_sided.size(); ++i) {
      const Contact::OneSided& c = contact.one_sided[i];
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

// ---- Lagrangian systems
// ----------------------------------------------------------------------------------------------

// g and G v + g_t of all constraints of a system.
template <class System>
class ConstraintRates {
 public:
  using T = typename System::Scalar;
  static constexpr bool needs_matrix = !requires(const System& s, const T& t, const Vec<T>& x, Vec<T>& y) {
    s.constraint_along(t, x, x, y, y);
  };
  explicit ConstraintRates(const System& system)
      : G(system.jacobian()), g(system.constraints()), rate(g), t_rate_(g), system_(system) {}

  void evaluate(const T& t, const Vec<T>& q, const Vec<T>& v) {
    if constexpr (needs_matrix) {
      system_.constraint_jacobian(t, q, g, G);
      multiply(G, v, rate);
    } else {
      system_.constraint_along(t, q, v, g, rate);
    }
    if (!system_.structure().time_in_constraints) return;
    system_.constraint_rate(t, q, t_rate_);
    for (int a = 0; a < g.size(); ++a) rate[a] += t_rate_[a];
  }
  void evaluate_gradients(const T& t, const Vec<T>& q) { system_.constraint_jacobian(t, q, g, G); }

  typename System::Jacobian G;
  Vec<T> g, rate;

 private:
  Vec<T> t_rate_;
  const System& system_;
};

template <class System>
class LagrangianContacts : public ContactsOfModel<typename System::Scalar> {
 public:
  using T = typename System::Scalar;
  using MakeSystem = std::function<System(const Model&)>;

  LagrangianContacts(const Model& model, const MethodEntry& method, const Options& options,
                     const SolverSettings<T>& solver, const MakeSystem& make)
      : ContactsOfModel<T>(model, method, options, solver, -1),
        make_(make),
        two_sided_model_(with_rows(model, this->two_sided_rows_)),
        two_sided_(make(two_sided_model_)),
        surfaces_(make(with_rows(model, sorted_rows()))),
        kinetics_(two_sided_),
        of_two_sided_(two_sided_),
        of_surfaces_(surfaces_) {
    const std::vector<int> sorted = sorted_rows();
    for (const int row : this->row_)
      place_.push_back(static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), row) - sorted.begin()));
    if (model.contact.friction && *model.contact.friction > 0) take_friction();
  }

  ModelStart<ContactSystem<T>> start(const Model& model) override {
    const ModelStart<System> start = model_start(two_sided_model_, two_sided_);
    kinetics_.start(start.state.t, start.state.q, start.state.hint);
    check_gradients(model, start.state.t, start.state.q);
    return this->start_at(start.state.t, start.state.q, start.state.p, Vec<T>(this->constraints()), start.move);
  }

  Outcome velocity(const T& t, const Vec<T>& q, const Vec<T>& p, Vec<T>& v) const override {
    return kinetics_.velocity(t, q, p, v);
  }
  void gaps(const T& t, const Vec<T>& q, Vec<T>& gap) const override {
    surfaces_.constraint(t, q, of_surfaces_.g);
    for (int i = 0; i < gap.size(); ++i) gap[i] = T(this->side_[at(i)]) * of_surfaces_.g[place_[at(i)]];
  }
  void gap_sizes(const T& t, const Vec<T>& q, Vec<T>& size) const override {
    surfaces_.constraint_size(t, q, of_surfaces_.g);
    for (int i = 0; i < size.size(); ++i) size[i] = of_surfaces_.g[place_[at(i)]];
  }
  void rates(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& rate) const override {
    of_surfaces_.evaluate(t, q, v);
    for (int i = 0; i < rate.size(); ++i) rate[i] = T(this->side_[at(i)]) * of_surfaces_.rate[place_[at(i)]];
  }
  void bring_to_rest(int contact, Vec<T>& p) const override {
    for (const int c : this->places[at(contact)].coordinates) p[c] = T(0);
  }

  void aim(const T& t, const Vec<T>& q, const Vec<T>&) const override { of_surfaces_.evaluate_gradients(t, q); }
  void kick(int contact, const T& impulse, Vec<T>& p) const override {
    const T signed_impulse = T(this->side_[at(contact)]) * impulse;
    for_row(of_surfaces_.G, place_[at(contact)], [&](int j, const T& x) { p[j] += signed_impulse * x; });
  }
  Outcome settle(const T& t, const Vec<T>& q, Vec<T>& p, Vec<T>& v) const override {
    return kinetics_.project(t, q, p, v);
  }

  bool has_energy() const override { return true; }
  T energy(const T& t, const Vec<T>& q, const Vec<T>& p, const Vec<T>& v) const override {
    return dot(v, p) - two_sided_.lagrangian(t, q, v);
  }
  void invariant_values(const T& t, const Vec<T>& q, const Vec<T>& v, const Vec<T>& p, T* values) const override {
    two_sided_.invariant_values(t, q, v, p, values);
  }
  void two_sided(const T& t, const Vec<T>& q, const Vec<T>& v, double& largest, double& largest_rate) const override {
    of_two_sided_.evaluate(t, q, v);
    largest = largest_of(of_two_sided_.g), largest_rate = largest_of(of_two_sided_.rate);
  }

  void save(ArchiveWriter& a) const override {
    a(kinetics_);
    ContactsOfModel<T>::save(a);
  }
  void restore(ArchiveReader& a) const override {
    a(kinetics_);
    ContactsOfModel<T>::restore(a);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::vector<int> sorted_rows() const {
    std::vector<int> rows = this->row_;
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  void take_friction() {
    const Model& model = this->model_;
    const Structure& structure = model.system->structure();
    if (!structure.constant_mass)
      throw InputError(model.at("contact.friction",
                                "needs a constant mass matrix, L = v.Mv/2 - V(t,q); write other coordinates, or leave "
                                "friction out"));
    if (structure.time_in_constraints)
      throw InputError(model.at("contact.friction",
                                "needs constraints without t: a surface that moves has a velocity along itself "
                                "that g does not tell; leave friction out"));
    this->rules.friction = true;
    int first = 0;
    for (std::size_t i = 0; i < this->row_.size(); ++i) {
      this->places.push_back({point_of(i), first});
      first += static_cast<int>(this->places.back().coordinates.size());
    }
    this->start_states.held = this->start_states.sliding = Vec<T>(first);
  }

  // The coordinates of the point that a contact is about: as given; all of them where the system is one point; else
  // those that its gap contains.
  std::vector<int> point_of(std::size_t contact) const {
    const Model& model = this->model_;
    const SystemDescription& system = *model.system;
    const int count = system.coordinates();
    const Vec<T> zero(count);
    Mat<T> M(count, count);
    system.template dense<T>().mass(T(0), zero, zero, M);
    // An entry that is not that of m I, of these coordinates; none: it is.
    const auto odd_entry = [&](const std::vector<int>& own) -> std::optional<std::pair<int, int>> {
      const T mass = M(own.front(), own.front());
      for (const int a : own)
        for (int b = 0; b < count; ++b)
          if (!(abs_of(M(a, b) - (a == b ? mass : T(0))) <= T(1e-12) * abs_of(mass))) return std::pair{a, b};
      return std::nullopt;
    };
    std::vector<int> all;
    for (int c = 0; c < count; ++c) all.push_back(c);
    std::vector<int> own = coordinates_of(*system.lagrangian(), this->row_[contact]);
    if (count <= 3 && !odd_entry(all)) {
      own = all;
    }
    if (own.size() < 2)
      throw InputError(model.at(
          "contact.friction",
          fmt::format("{} contains one coordinate, and which others are those of its point is not known; write it "
                      "with all of them",
                      this->name_of(static_cast<int>(contact)))));
    if (const auto odd = odd_entry(own))
      throw InputError(model.at(
          "contact.friction",
          fmt::format(
              "the mass matrix is not m times the unit matrix in the coordinates of {}: entry {}, {} is {:.6g}; "
              "friction is for points of one mass in Cartesian coordinates",
              this->name_of(static_cast<int>(contact)), system.coordinate_names()[at(odd->first)],
              system.coordinate_names()[at(odd->second)], to_double(M(odd->first, odd->second)))));
    return own;
  }

  void check_gradients(const Model& model, const T& t, const Vec<T>& q) const {
    of_surfaces_.evaluate_gradients(t, q);
    for (int i = 0; i < this->contacts(); ++i) {
      T size(0);
      for_row(of_surfaces_.G, place_[at(i)], [&](int, const T& x) { size += abs_of(x); });
      if (!(size > T(0)))
        throw InputError(model.at(
            this->key_of(i),
            fmt::format("{} has no gradient at the start: what it pushes against is not determined there; start "
                        "elsewhere, or write g instead of g^2",
                        this->name_of(i))));
    }
  }

  std::shared_ptr<Mode<T>> make_mode(const ContactStates<T>& states) const override {
    const LagrangianFormulas& formulas = *this->model_.system->lagrangian();
    ModeRows rows{this->rows_of(states), this->contact_of_, this->push_sign_, {}};
    std::vector<HeldCoordinate> held;
    std::vector<SlippingContact> slipping;
    std::vector<typename SlidingMode<T>::Slipping> sliding;
    for (std::size_t i = 0; i < this->places.size(); ++i) {
      const auto& place = this->places[i];
      if (states.of[i] == ContactState::slips) {
        const auto row = std::lower_bound(rows.constraint.begin(), rows.constraint.end(), this->row_[i]);
        slipping.push_back({static_cast<int>(row - rows.constraint.begin()), place.coordinates});
        sliding.push_back({place.coordinates, place.first});
      }
      for (std::size_t k = 0; states.of[i] == ContactState::sticks && k < place.coordinates.size(); ++k) {
        const int p = place.first + static_cast<int>(k);
        rows.held.push_back({static_cast<int>(i), place.coordinates[k], p});
        held.push_back({place.coordinates[k], formula::Number(states.held[p])});
      }
    }
    const auto gradient = [this](const T& t, const Vec<T>& q, int contact, Vec<T>& G) {
      of_surfaces_.evaluate_gradients(t, q);
      G.fill(T(0));
      for_row(of_surfaces_.G, place_[at(contact)], [&](int j, const T& x) { G[j] = x; });
    };
    const double c = this->model_.contact.friction.value_or(0), r = this->model_.contact.exponent;
    if (!slipping.empty()) {
      FormulaOdae<T> system(
          with_sliding(formulas, rows.constraint, held, slipping, formula::Number(c), formula::Number(r)));
      const auto step = [this](const FormulaOdae<T>& s) {
        static const MethodEntry& spark = method_named("spark");
        Model one = this->model_;
        one.method = {"spark", {{"s", 1LL}}};
        return make_mode_step(spark, read_options(one, spark), s, this->solver_);
      };
      return std::make_shared<SlidingMode<T>>(std::move(system), this->coordinates(), std::move(rows),
                                              std::move(sliding), step, gradient, c, r);
    }
    Model model = held.empty() ? with_rows(this->model_, rows.constraint) : this->model_;
    if (!held.empty())
      model.system = std::make_shared<const SystemDescription>(this->model_.system->coordinate_names(),
                                                               with_held(formulas, rows.constraint, held));
    const auto step = [this](const System& s) {
      return make_mode_step(this->method_, this->options_, s, this->solver_);
    };
    return std::make_shared<LagrangianMode<System>>(make_(model), std::move(rows), step, gradient, c, r);
  }

  MakeSystem make_;
  Model two_sided_model_;
  System two_sided_, surfaces_;  // surfaces: the one-sided constraints alone
  mutable Kinetics<System> kinetics_;
  mutable ConstraintRates<System> of_two_sided_, of_surfaces_;
  std::vector<int> place_;  // of contacts: their rows in `surfaces`
};

// ---- overdetermined systems
// ------------------------------------------------------------------------------------------

template <class T>
class OdaeContacts : public ContactsOfModel<T> {
 public:
  using System = FormulaOdae<T>;

  OdaeContacts(const Model& model, const MethodEntry& method, const Options& options, const SolverSettings<T>& solver)
      : ContactsOfModel<T>(model, method, options, solver, 1),
        all_(model.system->odae()),
        g_(all_.multipliers()),
        rate_(g_),
        psi_(g_),
        G_(all_.multipliers(), all_.positions()),
        vy_(all_.positions(), all_.positions()),
        vz_(all_.positions(), all_.velocities()),
        N_(all_.multipliers(), all_.velocities()),
        plus_(all_.velocities()),
        minus_(plus_) {
    if (model.contact.impulse) impulse_.emplace(model.contact.impulse);
    guess_.assign(static_cast<std::size_t>(all_.multipliers()), 1.0);
    for (std::size_t a = 0; a < model.initial.psi.size(); ++a) guess_[a] = to_double(model.initial.psi[a]);
  }

  ModelStart<ContactSystem<T>> start(const Model& model) override {
    const Model two_sided = start_model(model);
    const ModelStart<System> start = model_start(two_sided, System(two_sided.system->odae()));
    Vec<T> psi(this->constraints());
    std::copy(guess_.begin(), guess_.end(), psi.begin());
    aim(start.state.t, start.state.q, start.state.p);
    for (int i = 0; i < this->contacts(); ++i) {
      T size(0);
      for (int j = 0; j < N_.cols(); ++j) size += abs_of(N_(this->row_[at(i)], j));
      if (!(size > T(0)) || !is_finite(size))
        throw InputError(model.at("contact.unilateral",
                                  fmt::format("the reaction is even in the multiplier of constraint {}, so that it has "
                                              "no direction of an impact; give it by contact.impulse",
                                              this->row_[at(i)] + 1)));
    }
    return this->start_at(start.state.t, start.state.q, start.state.p, psi, start.move);
  }

  Outcome velocity(const T& t, const Vec<T>& q, const Vec<T>& p, Vec<T>& v) const override {
    all_.velocity(t, q, p, v);
    return is_finite(size_of(v)) ? Outcome::converged : Outcome::not_finite;
  }
  void gaps(const T&, const Vec<T>& q, Vec<T>& gap) const override {
    all_.constraint(q, g_);
    for (int i = 0; i < gap.size(); ++i) gap[i] = g_[this->row_[at(i)]];
  }
  void gap_sizes(const T&, const Vec<T>& q, Vec<T>& size) const override {
    all_.constraint_size(q, g_);
    for (int i = 0; i < size.size(); ++i) size[i] = g_[this->row_[at(i)]];
  }
  void rates(const T&, const Vec<T>& q, const Vec<T>& v, Vec<T>& rate) const override {
    all_.constraint_jacobian(q, g_, G_);
    multiply(G_, v, rate_);
    for (int i = 0; i < rate.size(); ++i) rate[i] = rate_[this->row_[at(i)]];
  }
  void bring_to_rest(int, Vec<T>&) const override {}

  // The odd part of the reaction, (r(psi = e_a) - r(psi = -e_a))/2, or what the model says.
  void aim(const T& t, const Vec<T>& q, const Vec<T>& p) const override {
    for (int a = 0; a < N_.rows(); ++a) {
      psi_.fill(T(0));
      psi_[a] = T(1);
      all_.reaction(t, q, p, psi_, plus_);
      psi_[a] = T(-1);
      all_.reaction(t, q, p, psi_, minus_);
      for (int j = 0; j < N_.cols(); ++j) N_(a, j) = (plus_[j] - minus_[j]) / 2;
    }
    if (!impulse_) return;
    std::vector<T> directions(static_cast<std::size_t>(this->contacts() * N_.cols()));
    const T* const blocks[OdaeFormulas::blocks] = {&t, q.data(), p.data(), nullptr, nullptr};
    (*impulse_)(blocks, directions.data());
    for (int i = 0; i < this->contacts(); ++i)
      for (int j = 0; j < N_.cols(); ++j) N_(this->row_[at(i)], j) = directions[at(i * N_.cols() + j)];
  }
  void kick(int contact, const T& impulse, Vec<T>& p) const override {
    for (int j = 0; j < N_.cols(); ++j) p[j] += impulse * N_(this->row_[at(contact)], j);
  }
  // z + N_b^T P with G_b v(z) = 0 by Newton's method, matrix G_b v_z N_b.
  Outcome settle(const T& t, const Vec<T>& q, Vec<T>& p, Vec<T>& v) const override {
    const auto count = static_cast<int>(this->two_sided_rows_.size());
    all_.velocity(t, q, p, v);
    if (count == 0) return Outcome::converged;
    all_.constraint_jacobian(q, g_, G_);
    Lu<T> lu(count);
    Vec<T> off(count), P(count);
    for (int k = 0; k < 30; ++k) {
      all_.velocity_jacobian(t, q, p, vy_, vz_);
      T size(0), terms(0);
      for (int a = 0; a < count; ++a) {
        const int row = this->two_sided_rows_[at(a)];
        off[a] = T(0);
        for (int i = 0; i < v.size(); ++i) off[a] += G_(row, i) * v[i], terms += abs_of(G_(row, i) * v[i]);
        size += abs_of(off[a]);
        for (int b = 0; b < count; ++b) {
          T sum(0);
          for (int i = 0; i < v.size(); ++i)
            for (int j = 0; j < p.size(); ++j) sum += G_(row, i) * vz_(i, j) * N_(this->two_sided_rows_[at(b)], j);
          lu.matrix()(a, b) = sum;
        }
      }
      if (size <= 8 * epsilon<T>() * terms) return Outcome::converged;
      if (!lu.factorise()) return Outcome::singular_jacobian;
      lu.solve(off, P);
      for (int b = 0; b < count; ++b)
        for (int j = 0; j < p.size(); ++j) p[j] -= P[b] * N_(this->two_sided_rows_[at(b)], j);
      all_.velocity(t, q, p, v);
      if (!is_finite(size_of(v))) return Outcome::not_finite;
    }
    return Outcome::stalled;
  }

  bool has_energy() const override { return false; }
  T energy(const T&, const Vec<T>&, const Vec<T>&, const Vec<T>&) const override { return T(0); }
  void invariant_values(const T& t, const Vec<T>& q, const Vec<T>&, const Vec<T>& p, T* values) const override {
    all_.invariant_values(t, q, p, values);
  }
  void two_sided(const T&, const Vec<T>& q, const Vec<T>& v, double& largest, double& largest_rate) const override {
    all_.constraint_jacobian(q, g_, G_);
    multiply(G_, v, rate_);
    largest = largest_rate = 0;
    for (const int a : this->two_sided_rows_) {
      largest = std::max(largest, std::abs(to_double(g_[a])));
      largest_rate = std::max(largest_rate, std::abs(to_double(rate_[a])));
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // Without contacts, for consistent values.
  Model start_model(const Model& model) const {
    Model two_sided = with_rows(model, this->two_sided_rows_);
    two_sided.initial.psi.clear();
    if (!model.initial.psi.empty())
      for (const int a : this->two_sided_rows_) two_sided.initial.psi.push_back(model.initial.psi[at(a)]);
    return two_sided;
  }

  std::shared_ptr<Mode<T>> make_mode(const ContactStates<T>& states) const override {
    ModeRows rows{this->rows_of(states), this->contact_of_, this->push_sign_, {}, guess_};
    const bool all_closed = std::count(states.of.begin(), states.of.end(), ContactState::open) == 0;
    const Model model = with_rows(this->model_, rows.constraint);
    // With something open in the form of Strang: symplectic Euler passes through the surface after a release.
    const auto step = [this, all_closed](const System& s) {
      if (all_closed) return make_mode_step(this->method_, this->options_, s, this->solver_);
      static const MethodEntry& composition = method_named("composition");
      Model strang = this->model_;
      strang.method.name = "composition";
      strang.method.options["scheme"] = std::string("strang");
      return make_mode_step(composition, read_options(strang, composition), s, this->solver_);
    };
    return std::make_shared<OdaeMode<T>>(System(model.system->odae()), std::move(rows), step);
  }

  System all_;
  mutable Vec<T> g_, rate_, psi_;
  mutable Mat<T> G_, vy_, vz_, N_;
  mutable Vec<T> plus_, minus_;
  mutable std::optional<formula::Evaluator<T>> impulse_;
  std::vector<double> guess_;  // of the multipliers
};

// Throws InputError where the method is not made for contacts on this kind of system.
void check_contact_method(const Model& model, const MethodEntry& method, const Options& options) {
  const bool odae = model.system->kind() == SystemKind::odae;
  const std::string_view fits = odae ? "euler" : "rattle";
  if (method.name != fits)
    throw InputError(
        model.at("method.name", fmt::format("\"{}\" has no steps that end at contacts; one-sided constraints of kind "
                                            "\"{}\" are made for \"{}\"",
                                            method.name, model.system->written_kind(), fits)));
  if (odae && options.get<std::string>("variant") != "true")
    throw InputError(
        model.at("method.variant", fmt::format("is \"{}\"; contacts need consistent multipliers, write \"true\"",
                                               options.get<std::string>("variant"))));
  if (model.run.given && model.run.step < 0)
    throw InputError(model.at("run.step", "is negative; contacts lose energy and do not go back in time"));
}

// Throws InputError where the model or its method does not allow contacts.
template <class T>
std::unique_ptr<ModelContacts<T>> contact_system(const Model& model, const MethodEntry& method, const Options& options,
                                                 const SolverSettings<T>& solver) {
  check_contact_method(model, method, options);
  if (model.system->kind() == SystemKind::odae)
    return std::make_unique<OdaeContacts<T>>(model, method, options, solver);
  std::vector<int> two_sided;
  for (int a = 0; a < model.system->constraints(); ++a)
    if (std::none_of(model.contact.one_sided.begin(), model.contact.one_sided.end(),
                     [&](const Contact::OneSided& c) { return c.constraint == a; }))
      two_sided.push_back(a);
  const Model without = with_rows(model, two_sided);
  if (const std::vector<int> redundant = redundant_constraints(without); !redundant.empty())
    throw InputError(
        model.at(without.system->constraint_key(redundant.front()),
                 fmt::format("{} {} what others say, and models with contacts need independent "
                             "constraints; leave out what is said twice",
                             without.system->constraint_list(redundant), redundant.size() == 1 ? "says" : "say")));
  if constexpr (std::is_same_v<T, double>) {
    const Linear linear = choose_linear(model, method.traits(options));
    if (linear != Linear::dense)
      return std::make_unique<LagrangianContacts<ElementSystem<double>>>(
          model, method, options, solver, [linear](const Model& m) {
            return sparse_system(m, m.system->constraints() == 0 ? Linear::sparse : linear);
          });
  }
  return std::make_unique<LagrangianContacts<FormulaLagrangian<T>>>(
      model, method, options, solver, [](const Model& m) { return m.system->template dense<T>(); });
}

}  // namespace

RunResult run_contacts(const Model& model, const MethodEntry& method, const Options& options,
                       const RunContext& context) {
  if (model.run.precision != Precision::double_)
    throw InputError(model.at(
        "run.precision", fmt::format("\"{}\" is not made for contacts; write \"double\"", name(model.run.precision))));
  const auto system = contact_system<double>(model, method, options, march_settings<double>(model).solver);
  const ModelStart<ContactSystem<double>> start = system->start(model);
  const IndependentModel independent{model, {}};
  return run_system<ContactSystem<double>>(*system, start, {model, independent, method, options, context});
}

}  // namespace livens
