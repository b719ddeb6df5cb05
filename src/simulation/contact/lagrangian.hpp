// Contacts of Lagrangian systems: gaps are constraints, an impulse is along G^T, momenta change by it.
#pragma once

#include <cmath>

#include "simulation/contact/formulas.hpp"
#include "simulation/contact/of_model.hpp"
#include "simulation/contact/sliding.hpp"

namespace livens {

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
  // those that its gap contains, if they are two or three.
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
    const std::string name = this->name_of(static_cast<int>(contact));
    const std::vector<int> contained = coordinates_of(*system.lagrangian(), this->row_[contact]);
    std::vector<int> own = model.contact.one_sided[contact].point, all;
    for (int c = 0; c < count; ++c) all.push_back(c);
    if (!own.empty()) {
      for (const int c : contained)
        if (std::find(own.begin(), own.end(), c) == own.end())
          throw InputError(model.at(
              fmt::format("contact.points[{}]", contact + 1),
              fmt::format("{} contains {} too; friction is that of one point on a surface which is at rest: write the "
                          "constraint in its coordinates alone, or leave friction out",
                          name, system.coordinate_names()[at(c)])));
    } else if (count <= 3 && !odd_entry(all)) {
      own = all;
    } else if (contained.size() == 2 || contained.size() == 3) {
      own = contained;
    } else {
      throw InputError(model.at(
          "contact.friction",
          fmt::format(
              "{} contains {} coordinate{}, and which ones are those of the point that rubs is not known; write "
              "contact.points = [[\"x1\", \"y1\"], ...], one for each contact",
              name, contained.size(), contained.size() == 1 ? "" : "s")));
    }
    if (const auto odd = odd_entry(own))
      throw InputError(model.at(
          "contact.friction",
          fmt::format(
              "the mass matrix is not m times the unit matrix in the coordinates of {}: entry {}, {} is {:.6g}; "
              "friction is for points of one mass in Cartesian coordinates",
              name, system.coordinate_names()[at(odd->first)], system.coordinate_names()[at(odd->second)],
              to_double(M(odd->first, odd->second)))));
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
        sliding.push_back({place.coordinates, place.first, static_cast<int>(i)});
      }
      if (states.of[i] == ContactState::sticks) hold(static_cast<int>(i), states, rows, held);
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

  // One that sticks: its coordinates are held, unless another contact of its point does so already.
  void hold(int contact, const ContactStates<T>& states, ModeRows& rows, std::vector<HeldCoordinate>& held) const {
    const auto& place = this->places[at(contact)];
    const auto first = std::find_if(rows.held.begin(), rows.held.end(),
                                    [&](const ModeRows::Held& h) { return this->same_point(h.contact, contact); });
    const int holder = first == rows.held.end() ? contact : first->contact;
    if (holder == contact)
      for (std::size_t k = 0; k < place.coordinates.size(); ++k) {
        const int p = place.first + static_cast<int>(k);
        rows.held.push_back({contact, place.coordinates[k], p});
        held.push_back({place.coordinates[k], formula::Number(states.held[p])});
      }
    std::vector<int> in_its_order;
    for (const int c : this->places[at(holder)].coordinates) {
      const auto own = std::find(place.coordinates.begin(), place.coordinates.end(), c);
      in_its_order.push_back(place.first + static_cast<int>(own - place.coordinates.begin()));
    }
    rows.holders[holder].push_back({contact, in_its_order});
  }

  MakeSystem make_;
  Model two_sided_model_;
  System two_sided_, surfaces_;  // surfaces: the one-sided constraints alone
  mutable Kinetics<System> kinetics_;
  mutable ConstraintRates<System> of_two_sided_, of_surfaces_;
  std::vector<int> place_;  // of contacts: their rows in `surfaces`
};

}  // namespace livens
