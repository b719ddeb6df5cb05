// What every method has in common: how it steps and what it declares about itself.
//
// A method is a plain struct of options with `traits()` and a class template `Step<System>`, the workspace of one
// trajectory:
//   bool start(t, state, v)           take the start values, v: velocity of the state (overdetermined systems: psi);
//                                     false: singular mass matrix, or what an optional why_not_started() says
//   advance(t0, t1, h, state, report) one step; the state is changed only if the report says it succeeded
//   raw_values(state, take)           take(RawValue, vector) for what the scheme itself produced in the last step
//   attempted_position()              where the last step, done or not, evaluated its equations last
//   archive(a)                        what it remembers between steps (run/archive.hpp)
//   resume(t, state)                  makes anew, after that was read, what is a function of the state alone
//   warning()                         optional: what it sees coming, in words
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "livens/system/state.hpp"

namespace livens {

// Runs a step as one function, all that it calls made part of it, where sizes are known when compiling: its workspace
// then stays in registers (a pendulum step costs 40 % less). Not in sanitizer builds and tests, which would take
// minutes.
template <class Step>
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(LIVENS_SMALL_CODE)
[[gnu::flatten]]
#endif
void run_flat(const Step& step) {
  step();
}
template <int N, class Step>
void run_step(const Step& step) {
  if constexpr (N == Dynamic)
    step();
  else
    run_flat(step);
}

// What systems a method steps; without a member `kinds` it is for Lagrangian ones.
struct Kinds {
  bool lagrangian = true, degenerate = false, overdetermined = false;
};
template <class Method>
constexpr Kinds kinds_of() {
  if constexpr (requires { Method::kinds; })
    return Method::kinds;
  else
    return {};
}

// Options that a method finds by itself: it then offers `prepared(system, q, p, v, h, settings)`, the method as it is
// used, and `found(wanted)`.
using FoundOptions = std::vector<std::pair<std::string, long long>>;

// What a scheme itself produced: its name in the results, and what it has one number for.
struct RawValue {
  enum class Per { momentum, coordinate, multiplier };
  std::string_view name;
  Per per;
  bool known_at_start = false;  // before the first step
};
inline constexpr RawValue raw_momentum{"p", RawValue::Per::momentum, true};
inline constexpr RawValue raw_multipliers{"lambda", RawValue::Per::multiplier};  // or several blocks of them

enum class RawValues {
  end_of_step,    // of the step that ends at the node
  start_of_step,  // of the node where the step starts: the last node needs one extra step
};

struct MethodTraits {
  std::string_view name;
  int order;                       // of q and of the final p
  std::optional<bool> symplectic;  // as a map on the constrained phase space; empty: unknown
  bool symmetric;
  bool carries_final_momentum;  // the carried p is the consistent one
  bool audit_uses_final;        // the audit looks at the consistent p, not at the carried one
  RawValues raw;
  bool any_momentum_starts = true;  // p and p + G^T x are the same start: dp is free in studies
  bool explicit_position = false;   // where L = v.Mv/2 - V and F has no v, its only equations are those of multipliers
  bool multipliers_alone = false;   // there, it can correct multipliers alone, leaving curvature out of its matrix
  bool dense_only = false;          // no sparse steps
  bool keeps_projection_form = false;  // degenerate systems: its two-form is one of q and the multiplier of its
                                       // projection, the raw value "lambda" (study/invariants.hpp)
  std::optional<int> free_order = {};  // of systems without constraints, where that is another one
  int order_with(int constraints) const { return constraints == 0 ? free_order.value_or(order) : order; }
};

}  // namespace livens
