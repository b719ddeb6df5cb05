// The root of a large step that is meant: the one that is continued from step size 0.
//
// The equations of a large step have several roots. Newton's method takes the one that its corrections contract to
// (continuation.hpp); where they do not, the root is followed with growing parts of the step, 4 of them and then 16,
// each part starting from the root of the one before. Where that ends before the whole step any root is taken, and the
// report says so.
//
// The equations offer what newton.hpp asks for, and
//   Outcome begin(part, parts, guarded)   from now on those of this part of the step, at their guess or, beyond part 1,
//                                         at the root of the part before; guarded: corrections have to contract
#pragma once

#include "livens/method/continuation.hpp"
#include "livens/solve/newton.hpp"

namespace livens {

template <class T, class Equations>
void follow_root(Equations& equations, int parts, bool guarded, const SolverSettings<RealOf<T>>& settings,
                 StepReport& report) {
  report = {};
  for (int part = 1; part <= parts; ++part) {
    const StepReport before = report;
    report.outcome = equations.begin(part, parts, guarded);
    if (!succeeded(report.outcome)) return;
    newton<T>(equations, settings, report);
    if (!succeeded(report.outcome)) return;
    add_cost(before, report);
  }
}

template <class T, class Equations>
void follow_root(Equations& equations, const SolverSettings<RealOf<T>>& settings, StepReport& report) {
  for (const int parts : {1, 4, 16}) {
    follow_root<T>(equations, parts, true, settings, report);
    if (succeeded(report.outcome)) return;
  }
  follow_root<T>(equations, 1, false, settings, report);
  report.continued = !succeeded(report.outcome);
}

}  // namespace livens
