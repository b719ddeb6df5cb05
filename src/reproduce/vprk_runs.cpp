// Kraus (2017), "Projected variational integrators for degenerate Lagrangian systems", sections 5.1 and 5.2: long runs
// of Lotka-Volterra (figures 3, 8-10) and two vortices (figure 11).
//
// The paper shows curves; its few numbers are in its text. Expected figures are those of an independent implementation
// in double and 113-bit arithmetic. Runs that fail do so where what was round-off has grown: two programs differ in the
// step by up to a quarter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "report/sheet.hpp"
#include "reproduce/entries.hpp"
#include "reproduce/vprk_long_runs.hpp"
#include "reproduce/vprk_problems.hpp"

namespace livens {

namespace {

using vprk_problems::LotkaVolterra;
using vprk_problems::Vortices;
using Family = Vprk::Family;
using Projection = Vprk::Projection;

// ---- Lotka-Volterra -----------------------------------------------------------------------------------------------

void draw_phase_portrait(Reproduction& r) {
  svg::Plot plot{.description = "orbits in the plane of the two populations",
                 .x_label = "q1",
                 .y_label = "q2",
                 .equal_scales = true};
  const auto add = [&](const std::string& name, const Vprk& method, long long steps) {
    svg::Curve curve{.name = name, .colour = static_cast<int>(plot.curves.size()), .ends_with_dot = true};
    follow_vprk<double>(LotkaVolterra{}, method, 0.01, steps, [&](const VprkNode<double, 2>& node) {
      curve.points.push_back({node.q[0], node.q[1]});
    });
    plot.curves.push_back(std::move(curve));
  };
  add("Lotka-Volterra, one period", {.stages = 4}, 466);
  add("trapezoidal (Lobatto IIIA 2), none", {.tableau = Family::lobatto_IIIA, .projection = Projection::none}, 1000);
  r.pictures.push_back(picture("The trapezoidal variational integrator, h = 0.01", "figure 3", plot));
}

void measure_lotka_volterra(Extent extent, Reproduction& r) {
  r.definition =
      "Lotka-Volterra, q(0) = (1, 1), double. Energy: max |H - H(0)| / |H(0)| over the steps. Failure: the step that "
      "cannot be solved.";
  const bool whole = extent != Extent::brief;
  const auto long_or = [&](long long steps, long long brief) { return whole ? steps : brief; };
  const Projection none = Projection::none;
  std::vector<LongRun<LotkaVolterra>> runs;
  const auto add = [&](const Vprk& method, double h, long long steps, const auto& judge) {
    runs.push_back({LotkaVolterra{}, method, h, steps, judge});
  };
  const auto unprojected = [&](Family family, int s) {
    return Vprk{.tableau = family, .stages = s, .projection = none};
  };

  // without projection
  const bool full = extent == Extent::full;
  const long long many = full ? 1000000 : long_or(200000, 5000);
  add(unprojected(Family::gauss, 1), 0.1, many, bounded_energy(4.2e-3, 2));
  add(unprojected(Family::gauss, 3), 0.1, many, bounded_energy(8.2e-6, 2));
  add(unprojected(Family::gauss, 5), 0.1, long_or(200000, 5000), bounded_energy(6e-9, 1));
  add(unprojected(Family::srk3, 3), 0.1, many, bounded_energy(5.7e-3, 2));
  add(unprojected(Family::lobatto_IIID, 3), 0.1, many, bounded_energy(1.7e-5, 2));
  add(unprojected(Family::lobatto_IIIE, 2), 0.1, many, bounded_energy(1.0e-3, 2));
  add(unprojected(Family::lobatto_IIIE, 3), 0.1, many, bounded_energy(3.8e-3, 2));
  add(unprojected(Family::lobatto_IIIB, 4), 0.1, many, not_growing_energy("; the paper: unstable"));
  if (full)
    add(unprojected(Family::gauss, 5), 0.1, 4000000,
        [](const std::string& name, const VprkCourse& course, Reproduction& to) {
          to.rows.push_back(
              range_row(name + ": growth of the energy error", {}, 5, 200, course.energy.growth(),
                        fmt::format("as found here: bounded for 10^6 steps only; {}; |p - theta(q)| {:.1e}",
                                    tenths_of(course.energy), course.off)));
        });
  if (whole) {
    const std::string even = "the constraint error accumulates, R = +1; ";
    add(unprojected(Family::gauss, 2), 0.1, 400000, failing(250000., 210000, even));
    add(unprojected(Family::lobatto_IIIE, 4), 0.1, 400000, failing("stable", 210000, even));
    add(unprojected(Family::gauss, 4), 0.1, 2000000,
        [](const std::string& name, const VprkCourse& course, Reproduction& to) {
          drifting_energy(2.8e-3, 2, true)(name, course, to);
          to.rows.back().printed = "fails at 1e6";
        });
  }
  add(unprojected(Family::lobatto_IIID, 2), 0.1, 40000, failing("stable", 25000));
  add(unprojected(Family::lobatto_IIIA, 2), 0.1, 1000, failing(25., 30));
  add(unprojected(Family::lobatto_IIIA, 2), 0.01, 1000, failing(350., 500));
  add(unprojected(Family::lobatto_IIIA, 3), 0.1, 1000, failing("at once", 100));
  add(unprojected(Family::lobatto_IIIA, 3), 0.01, 4000, failing(1000., 930));
  add(unprojected(Family::lobatto_IIIA, 4), 0.1, 1000, failing({}, 123));
  add(unprojected(Family::lobatto_IIIA, 4), 0.01, 10000, failing({}, 2150));
  add(unprojected(Family::lobatto_IIIB, 3), 0.1, 10000, failing({}, 4500));
  for (const int s : {2, 3, 4})
    add(unprojected(Family::lobatto_IIIC, s), 0.1, 100,
        [](const std::string& name, const VprkCourse& course, Reproduction& to) {
          to.rows.push_back(bound_row(name + ": fails after step", 15, static_cast<double>(course.done)));
        });

  // projected
  for (const Projection projection : all_projections) {
    if (projection == none) continue;
    const bool longest = full || projection == Projection::symmetric;
    const long long steps = longest ? long_or(1000000, 5000) : long_or(100000, 5000);
    add({.stages = 1, .projection = projection}, 0.1, steps, bounded_energy(1.61e-3, 3));
    add({.stages = 2, .projection = projection}, 0.1, steps, bounded_energy(2.01e-6, 3));
  }
  const auto pair = [](int s, Projection projection) {
    return Vprk{.tableau = Family::lobatto_IIIA, .stages = s, .projection = projection};
  };
  add(pair(2, Projection::standard), 0.1, 20000, drifting_energy(0.1, 1, false));
  add(pair(3, Projection::standard), 0.1, 20000, drifting_energy(3.6e-4, 2, true));
  add(pair(2, Projection::symmetric), 0.1, 20000, drifting_energy(3.9e-3, 2, false));
  add(pair(3, Projection::symmetric), 0.1, 20000, bounded_energy(2.8e-6, 1));
  add(pair(2, Projection::midpoint), 0.1, 20000, drifting_energy(0.18, 2, false));
  add(pair(3, Projection::midpoint), 0.1, 20000, drifting_energy(8.8e-3, 2, true));
  add(pair(2, Projection::symplectic), 0.1, 1000, failing({}, 30, "like without projection; "));
  add(pair(3, Projection::symplectic), 0.1, 1000, failing({}, 100, "like without projection; "));
  for (const int s : {2, 3})
    add(unprojected(Family::radau_IIA, s), 0.1, 10000,
        [](const std::string& name, const VprkCourse& course, Reproduction& to) {
          to.rows.push_back(bound_row(name + ": |p - theta(q)|", 1e-14, course.energy.ended ? course.off : std::nan(""),
                                      "its end is its last stage"));
          to.rows.push_back(radau_row(name, course));
        });

  const std::vector<VprkCourse> courses = measure_runs(runs, r);
  draw_phase_portrait(r);
  constexpr int colours[] = {0, 1, 2, 3, 4, 6, 7, 5};  // 0 and 5 are both blue
  svg::Plot free = over_steps("relative energy error"), projected = free;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Vprk& m = runs[i].method;
    if (runs[i].steps < long_or(200000, 5000) || (m.tableau != Family::gauss && m.tableau != Family::srk3)) continue;
    svg::Plot& plot = m.projection == none ? free : projected;
    if (m.projection != none && m.projection != Projection::symmetric) continue;
    const auto same = [&](const svg::Curve& other) { return other.name == name_of(m); };
    if (std::any_of(plot.curves.begin(), plot.curves.end(), same)) continue;  // a longer run of the same method
    svg::Curve curve{.name = name_of(m),
                     .colour = colours[plot.curves.size() % 8],
                     .ends_with_dot = courses[i].done < runs[i].steps};
    for (const svg::Point& point : courses[i].energy_curve)
      if (point.x <= 4e5) curve.points.push_back(point);
    plot.curves.push_back(std::move(curve));
  }
  r.pictures.push_back(picture("Energy error without projection", "figure 8; a dot: the run fails", free));
  r.pictures.push_back(
      picture("Energy error with projection", "figures 9, 10: all four projections give the same map", projected));
}

// ---- two vortices -------------------------------------------------------------------------------------------------

void measure_vortices(Extent extent, Reproduction& r) {
  r.definition =
      "Two vortices with circulations 0.1 (1 + x^2 + y^2), q(0) = (1, 0.1, 1, -0.1), h = 0.1, double. Errors of energy "
      "and angular momentum P: relative, max over the steps.";
  const bool whole = extent != Extent::brief;
  const long long steps = whole ? 10000 : 1000;
  std::vector<LongRun<Vortices>> runs;
  const auto add = [&](const Vprk& method, const auto& judge) {
    runs.push_back({Vortices{}, method, 0.1, steps, judge});
  };
  const auto bounded = [](double expected) {
    return [=](const std::string& name, const VprkCourse& course, Reproduction& to) {
      to.rows.push_back(recomputed_row(name + ": P", {}, expected, course.momentum.of_whole_run(), 2,
                                       "bounded; " + tenths_of(course.momentum)));
      to.rows.push_back(growth_row(name + ": growth of the error of P", 1.1, course.momentum, "bounded"));
    };
  };
  add({.stages = 1, .projection = Projection::none},
      [](const std::string& name, const VprkCourse& course, Reproduction& to) {
        to.rows.push_back(growth_row(name + ": growth of the error of P", 1.1, course.momentum,
                                     fmt::format("bounded; P {:.1e}", course.momentum.all)));
      });
  add({.stages = 1, .projection = Projection::standard},
      [=](const std::string& name, const VprkCourse& course, Reproduction& to) {
        to.rows.push_back(recomputed_row(name + ": P", {}, 1.1e-8 * static_cast<double>(steps),
                                         course.momentum.of_whole_run(), 2, "drifts; " + tenths_of(course.momentum)));
        to.rows.push_back(range_row(name + ": growth of the error of P", {}, 9, 11, course.momentum.growth(),
                                    "last tenth over the first: linear"));
      });
  add({.stages = 1, .projection = Projection::symmetric}, bounded(7.9e-11));
  add({.stages = 1, .projection = Projection::symplectic}, bounded(1.4e-8));
  add({.stages = 1, .projection = Projection::midpoint}, bounded(2.8e-7));
  const std::size_t drawn = runs.size();
  for (const Projection projection : {Projection::none, Projection::symplectic}) {
    add({.tableau = Family::lobatto_IIIA, .projection = projection},
        [](const std::string& name, const VprkCourse& course, Reproduction& to) {
          to.rows.push_back(range_row(name + ": P", {}, 0.5, 100, course.momentum.all, "unusable"));
        });
    for (const int s : {2, 3, 4})
      add({.tableau = Family::lobatto_IIIC, .stages = s, .projection = projection},
          [](const std::string& name, const VprkCourse& course, Reproduction& to) {
            to.rows.push_back(
                bound_row(name + ": fails after step", 100, static_cast<double>(course.done), "unusable"));
          });
  }
  const auto usable = [&](Family family, int fewest, int most) {
    for (int s = fewest; s <= most; ++s)
      for (const Projection projection : all_projections) {
        const Vprk method{.tableau = family, .stages = s, .projection = projection};
        const bool post = projection == Projection::none || projection == Projection::symplectic;
        if (family == Family::lobatto_IIIA && s == 2 && post) continue;
        add(method, [=](const std::string& name, const VprkCourse& course, Reproduction& to) {
          to.rows.push_back(bound_row(name + ": P", 0.02, course.momentum.of_whole_run(),
                                      fmt::format("usable; energy {:.1e}", course.energy.all)));
        });
      }
  };
  if (whole) {
    usable(Family::gauss, 2, 4);
    usable(Family::srk3, 3, 3);
    for (const Family family : {Family::lobatto_IIIA, Family::lobatto_IIIB, Family::lobatto_IIID, Family::lobatto_IIIE})
      usable(family, 2, 4);
  }
  const std::vector<VprkCourse> courses = measure_runs(runs, r);

  svg::Plot orbits{.description = "orbits of the two vortices", .x_label = "x", .y_label = "y", .equal_scales = true};
  orbits.curves = {{.name = "vortex 1", .colour = 0, .ends_with_dot = true},
                   {.name = "vortex 2", .colour = 1, .ends_with_dot = true}};
  follow_vprk<double>(Vortices{}, {.stages = 2}, 0.1, 150, [&](const VprkNode<double, 4>& node) {
    orbits.curves[0].points.push_back({node.q[0], node.q[1]});
    orbits.curves[1].points.push_back({node.q[2], node.q[3]});
  });
  r.pictures.push_back(picture("Leapfrogging vortices, t <= 15", "figure 11, Gauss 2, symmetric projection", orbits));
  svg::Plot energy = over_steps("relative energy error"),
            momentum = over_steps("relative error of the angular momentum");
  for (std::size_t i = 0; i < drawn; ++i) {
    const std::string name = name_of(runs[i].method);
    const int colour = static_cast<int>(i);
    energy.curves.push_back({.name = name, .colour = colour, .points = courses[i].energy_curve});
    momentum.curves.push_back({.name = name, .colour = colour, .points = courses[i].momentum_curve});
  }
  r.pictures.push_back(picture("Energy of two vortices", "", energy));
  r.pictures.push_back(picture("Angular momentum of two vortices", "", momentum));
}

}  // namespace

std::vector<ReproductionEntry> vprk_run_reproductions() {
  return {
      {"vprk/lotka-volterra", "Lotka-Volterra: which methods are stable, drift or fail", measure_lotka_volterra},
      {"vprk/vortices", "Two vortices: angular momentum and stability", measure_vortices},
  };
}

}  // namespace livens
