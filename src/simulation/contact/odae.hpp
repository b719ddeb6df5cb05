// Contacts of overdetermined systems: impulses are along the odd part of the reaction, or as the model says.
#pragma once

#include "simulation/contact/of_model.hpp"

namespace livens {

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
    check_directions(start.state.t, start.state.q, start.state.p);
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

  // The direction of an impact opens its gap: G_i v_z N_i > 0 . At the start it may be 0, as where v = z^3, not less.
  void check_directions(const T& t, const Vec<T>& q, const Vec<T>& p) {
    const Model& model = this->model_;
    aim(t, q, p);
    all_.constraint_jacobian(q, g_, G_);
    all_.velocity_jacobian(t, q, p, vy_, vz_);
    for (int i = 0; i < this->contacts(); ++i) {
      const int row = this->row_[at(i)];
      T size(0), opening(0), terms(0);
      for (int j = 0; j < N_.cols(); ++j) {
        size += abs_of(N_(row, j));
        for (int k = 0; k < vz_.rows(); ++k) {
          const T term = G_(row, k) * vz_(k, j) * N_(row, j);
          opening += term, terms += abs_of(term);
        }
      }
      if (!(size > T(0)) || !is_finite(size))
        throw InputError(
            impulse_ ? model.at(fmt::format("contact.impulse[{}]", i + 1),
                                fmt::format("is {} at the start; write the direction in which {} pushes",
                                            is_finite(size) ? "0" : "not finite", this->name_of(i)))
                     : model.at("contact.unilateral",
                                fmt::format("the reaction is even in the multiplier of constraint {}, so that it has "
                                            "no direction of an impact; give it by contact.impulse",
                                            row + 1)));
      if (opening < -T(1e-12) * terms)
        throw InputError(model.at(
            impulse_ ? fmt::format("contact.impulse[{}]", i + 1) : "system.reaction",
            fmt::format("{} would pull: its impulse changes the rate of {} by {:.3g}, and psi >= 0 has to open g >= 0; "
                        "turn the sign of {}",
                        impulse_ ? "it" : fmt::format("the multiplier of constraint {}", row + 1), this->name_of(i),
                        to_double(opening), impulse_ ? "the formulas" : "the reaction or of the constraint")));
    }
  }

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

}  // namespace livens
