// Compositions of an Euler map Phi (euler_map.hpp) and its adjoint Phi*, of order 2 and 4.
//
//   strang         Phi*(h/2) after Phi(h/2) =: S(h), symmetric
//   yoshida4       S(a h) S(b h) S(a h) ,  a = 1/(2 - 2^(1/3)) ,  b = 1 - 2a               Yoshida (1990)
//   suzuki4        S(a h)^2 S(b h) S(a h)^2 ,  a = 1/(4 - 4^(1/3)) ,  b = 1 - 4a           Suzuki (1990)
//   blanes-moan4   Phi and Phi* in turns with twelve parts of h, their mirror image in time        Blanes, Moan (2002)
//
// With the conjugate method in the place of the adjoint, which is something else where r is not affine in psi, all of
// them have order 1. Some parts of h are negative (not of strang). Every part has its own memory of the multipliers,
// which start its iteration; those of the state come from (H).
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "livens/method/euler.hpp"

namespace livens {

struct Composition {
  static constexpr Kinds kinds{.overdetermined = true};
  static constexpr bool dense_only = true;
  enum class Scheme { strang, yoshida4, suzuki4, blanes_moan4 };

  Scheme scheme = Scheme::strang;
  Euler euler{};

  std::string inadmissible() const {
    if (euler.variant == Euler::Variant::natural)
      return "variant = \"natural\": its map is not consistent where the reaction is nonlinear; write \"true\"";
    return euler.inadmissible();
  }

  std::string misfit(const OdaeStructure& structure) const { return euler.misfit(structure); }

  struct Part {
    bool adjoint;
    Widest length;  // of h
  };
  std::vector<Part> parts() const {
    std::vector<Part> all;
    const auto strang = [&](const Widest& length) {
      all.push_back({false, length / 2}), all.push_back({true, length / 2});
    };
    switch (scheme) {
      case Scheme::strang:
        strang(Widest(1));
        break;
      case Scheme::yoshida4: {
        const Widest a = 1 / (2 - root(2));
        for (const Widest& length : {a, Widest(1 - 2 * a), a}) strang(length);
        break;
      }
      case Scheme::suzuki4: {
        const Widest a = 1 / (4 - root(4));
        for (const Widest& length : {a, a, Widest(1 - 4 * a), a, a}) strang(length);
        break;
      }
      case Scheme::blanes_moan4: {
        // S6 of table 2: the last one makes the sum of all 1
        constexpr std::array<long long, 5> given = {792036964311957, 1303114101821663, 2228614958676077,
                                                    -3667132690474257, 3246481886897062};
        std::array<Widest, 6> lengths{};
        lengths[5] = Widest(1) / 2;
        for (std::size_t i = 0; i < 5; ++i) lengths[i] = Widest(given[i]) / Widest(1e16), lengths[5] -= lengths[i];
        for (std::size_t i = 0; i < 12; ++i) all.push_back({i % 2 == 0, lengths[i < 6 ? i : 11 - i]});
        break;
      }
    }
    return all;
  }

  MethodTraits traits() const {
    return {.name = "composition",
            .order = scheme == Scheme::strang ? 2 : 4,
            .symplectic = {},
            .symmetric = true,
            .carries_final_momentum = true,
            .audit_uses_final = true,
            .raw = RawValues::end_of_step,
            .any_momentum_starts = false,
            .dense_only = dense_only};
  }
  template <class System>
  class Step;

 private:
  // x^(1/3), by Newton's method to all digits.
  static Widest root(int x) {
    Widest y = std::cbrt(static_cast<double>(x));
    for (int k = 0; k < 3; ++k) y -= (y * y * y - x) / (3 * y * y);
    return y;
  }
};

template <class System>
class Composition::Step {
 public:
  using T = typename System::Scalar;

  Step(const System& system, const Composition& method, const SolverSettings<RealOf<T>>& settings) : ahead_(system) {
    const EulerScheme map = method.euler.scheme();
    for (const Part& part : method.parts()) {
      maps_.emplace_back(system, part.adjoint ? map.adjoint_of() : map, settings);
      lengths_.push_back(static_cast<RealOf<T>>(part.length));
    }
  }

  bool start(const T& t, const State<System>& x, const HintOf<System>& hint) {
    for (last_ = 0; last_ < maps_.size(); ++last_)
      if (!maps_[last_].start(t, x, hint)) return false;
    last_ = 0;
    return true;
  }
  Outcome why_not_started() const { return maps_[last_].why_not_started(); }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    ahead_ = x;
    StepReport before;
    T passed(0), t = t0;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      passed += lengths_[i];
      const T next = i + 1 == maps_.size() ? t1 : T(t0 + passed * h);
      last_ = i;
      maps_[i].advance(t, next, T(lengths_[i]) * h, ahead_, report);
      add_cost(before, report);
      if (!succeeded(report.outcome)) return;
      before = report, t = next;
    }
    x = ahead_;
  }

  template <class Archive>
  void archive(Archive& a) {
    for (EulerMap<System>& map : maps_) a(map);
  }
  void resume(const T&, const State<System>&) {}
  const typename System::Coordinates& attempted_position() const { return maps_[last_].attempted_position(); }
  template <class Take>
  void raw_values(const State<System>&, const Take&) const {}

 private:
  std::vector<EulerMap<System>> maps_;
  std::vector<RealOf<T>> lengths_;
  State<System> ahead_;
  std::size_t last_ = 0;
};

}  // namespace livens
