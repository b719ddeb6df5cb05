// What a kind of system means for a run. A kind offers
//
//   place(t, state, hint), hint()      any state, not necessarily consistent, and what a step is started with there
//   begin(start, step)                 a consistent start, from which the audit counts
//   look, finalise, observe            after a step: the audited quantities, the consistent ones, the audit
//   finalise_momentum                  of the consistent ones the momentum alone
//   remember, take_back                a step that was solved but leads nowhere
//   state_columns, final_view, ..      the numbers of a row, and what others may look at
//   archive(a)                         what it remembers between steps
#pragma once

#include "livens/run/degenerate_kind.hpp"
#include "livens/run/lagrangian_kind.hpp"
#include "livens/run/overdetermined_kind.hpp"

namespace livens {

namespace detail {

template <class System>
struct KindChoice {
  using Kind = LagrangianKind<System>;
};
template <DegenerateSystem System>
struct KindChoice<System> {
  using Kind = DegenerateKind<System>;
};
template <OverdeterminedSystem System>
struct KindChoice<System> {
  using Kind = OverdeterminedKind<System>;
};

}  // namespace detail

template <class System>
using KindOf = typename detail::KindChoice<System>::Kind;

}  // namespace livens
