#include "multibody/body_mass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "multibody/statements.hpp"

namespace livens::multibody {

namespace {

bool is_positive(const Number& x) {
  return is_finite(x) && x > 0;
}

// Readers of files name the very key; this is for statements in C++.
void check_shape(const BodyStatement& given, bool plane) {
  using Type = Shape::Type;
  const Shape& shape = given.shape;
  const std::string who = quoted("body", given.name);
  const bool in_space_alone = shape.type == Type::sphere || shape.type == Type::cylinder || shape.type == Type::cone ||
                              shape.type == Type::plate;
  if (plane ? in_space_alone : shape.type == Type::disc)
    throw StatementError("shape",
                         fmt::format("{}: a {} is no shape {}; take a {}", who, name(shape.type),
                                     plane ? "in the plane" : "in space", plane ? "box or a disc" : "cylinder"));
  const auto check = [&](const char* what, const Number& x) {
    if (!is_positive(x))
      throw StatementError(
          "shape", fmt::format("{}: {} of its {} is {}, must be positive", who, what, name(shape.type), to_double(x)));
  };
  switch (shape.type) {
    case Type::box:
    case Type::plate:
      for (int k = 0; k < (plane || shape.type == Type::plate ? 2 : 3); ++k) check("size", shape.size[k]);
      break;
    case Type::cylinder:
    case Type::cone:
      check("radius", shape.radius);
      check("length", shape.length);
      break;
    case Type::sphere:
    case Type::disc:
      check("radius", shape.radius);
      break;
    case Type::rod:
      check("length", shape.length);
      break;
    case Type::none:
    case Type::point:
      break;
  }
}

BodyMass mass_in_plane(const BodyStatement& given, const Number& mass) {
  using Type = Shape::Type;
  BodyMass out{mass, euler_tensor(given.shape, true), {0, 1}};
  const bool shaped = given.shape.type != Type::none;
  if (given.shape.type == Type::point && !given.inertia) {
    out.directors = {};
    return out;
  }
  const Number J = given.inertia ? (*given.inertia)(2, 2) : mass * (out.euler(0, 0) + out.euler(1, 1));
  if (!given.inertia && !shaped)
    throw StatementError("", quoted("body", given.name) +
                                 " has no inertia; write inertia = 0.1, give it a shape, or "
                                 "make it a mass point with shape = { type = \"point\" }");
  if (!is_positive(J))
    throw StatementError("inertia",
                         fmt::format("{}: inertia is {}, must be positive", quoted("body", given.name), to_double(J)));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.euler(i, j) = 0;
  if (given.shape.type == Type::rod) {
    out.directors = {0};
    out.euler(0, 0) = J;
  } else {
    out.euler(0, 0) = out.euler(1, 1) = J / 2;
  }
  return out;
}

BodyMass mass_in_space(const BodyStatement& given, const Number& mass) {
  using std::abs, std::max;
  using Type = Shape::Type;
  const std::string who = quoted("body", given.name);
  BodyMass out{mass, euler_tensor(given.shape, false), {0, 1, 2}};
  if (!given.inertia) {
    switch (given.shape.type) {
      case Type::none:
        throw StatementError("", who +
                                     " has no inertia; write inertia = [0.1, 0.2, 0.3], give it a shape, or make it a "
                                     "mass point with shape = { type = \"point\" }");
      case Type::plate:
        out.directors = {0, 1};
        break;
      case Type::rod:
        out.directors = {2};
        break;
      case Type::point:
        out.directors = {};
        break;
      default:
        break;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out.euler(i, j) *= mass;
    return out;
  }

  const Matrix& J = *given.inertia;
  Number size = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (!is_finite(J(i, j)))
        throw StatementError("inertia", fmt::format("{}: inertia {},{} is {}", who, i + 1, j + 1, to_double(J(i, j))));
      size = max<Number>(size, abs(J(i, j)));
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (abs(J(i, j) - J(j, i)) > Number(reach) * size)
        throw StatementError(
            "inertia", fmt::format("{}: inertia is not symmetric: entry {},{} is {}, entry {},{} is {}", who, i + 1,
                                   j + 1, to_double(J(i, j)), j + 1, i + 1, to_double(J(j, i))));
  out.euler = euler_of_inertia(J);
  const Vec<double, 3> E = eigenvalues(out.euler);
  const double zero = 1e-12 * to_double(size);
  const int missing =
      static_cast<int>(std::count_if(E.begin(), E.end(), [&](double e) { return std::abs(e) <= zero; }));
  // Along principal axes by more than what measured numbers are off; less is a finding of `check`.
  constexpr double measured = 0.05;
  bool against = !(to_double(size) > 0) || eigenvalues(J)[0] < -zero || E[0] < -measured * to_double(size);
  for (int i = 0; i < 3; ++i) against = against || to_double(out.euler(i, i)) < -zero;
  const Vec<double, 3> moments = eigenvalues(J);
  const std::string principal =
      fmt::format("its principal moments are {:.6g}, {:.6g}, {:.6g}", moments[0], moments[1], moments[2]);
  if (against)
    throw StatementError("inertia",
                         fmt::format("{}: inertia is against the triangle inequality, no body has it: {}, and each is "
                                     "less than the sum of the other two; correct it",
                                     who, principal));
  if (missing == 0) return out;
  // Thin bodies along their own axes: the shape says which directors they have.
  const auto is_zero = [&](int i) {
    Number row = 0;
    for (int j = 0; j < 3; ++j) row = max<Number>(row, abs(out.euler(i, j)));
    return to_double(row) <= zero;
  };
  if (given.shape.type == Type::plate && missing == 1 && is_zero(2)) {
    out.directors = {0, 1};
    return out;
  }
  if (given.shape.type == Type::rod && missing == 2 && is_zero(0) && is_zero(1)) {
    out.directors = {2};
    return out;
  }
  throw StatementError(
      "inertia",
      fmt::format("{}: inertia is that of a {} thin body ({}: {}); give it shape = {{ type = \"{}\", ... }} along "
                  "its own axes, or some thickness",
                  who, missing == 1 ? "flat" : "straight", principal,
                  missing == 1 ? "one is the sum of the other two" : "one is 0", missing == 1 ? "plate" : "rod"));
}

}  // namespace

BodyMass mass_of(const BodyStatement& given, bool plane) {
  const std::string who = quoted("body", given.name);
  check_shape(given, plane);
  if (given.mass && !is_positive(*given.mass))
    throw StatementError("mass", fmt::format("{}: mass is {}, must be positive", who, to_double(*given.mass)));
  if (given.density && !is_positive(*given.density))
    throw StatementError("density", fmt::format("{}: density is {}, must be positive", who, to_double(*given.density)));
  if (given.mass && given.density)
    throw StatementError("density", who + ": mass and density are both given; leave one out");
  if (!given.mass && given.density && !(measure(given.shape, plane) > 0))
    throw StatementError("density", who + ": density needs a shape with a volume; write mass = 1.0 instead");
  if (!given.mass && !given.density)
    throw StatementError("", who + " has no mass; write mass = 1.0, or a shape and density = 1000.0");
  const Number mass = given.mass ? *given.mass : *given.density * measure(given.shape, plane);
  return plane ? mass_in_plane(given, mass) : mass_in_space(given, mass);
}

}  // namespace livens::multibody
