// What a [[body]] says of its shape, inertia, rotation and rates.
#include <fmt/format.h>

#include "model/multibody_reader.hpp"

namespace livens {

using formula::Number;
using multibody::BodyStatement;
using multibody::Matrix;
using multibody::Shape;
using multibody::operator*;

Shape MultibodyReader::read_shape(const Value& value, const Indices& indices) const {
  using Type = Shape::Type;
  const Section section = value.section();
  section.refuse_unknown_keys("multibody");
  const bool plane = mechanism_.plane();
  const std::vector<Type> types = plane ? std::vector<Type>{Type::box, Type::disc, Type::rod, Type::point}
                                        : std::vector<Type>{Type::box,   Type::sphere, Type::cylinder, Type::cone,
                                                            Type::plate, Type::rod,    Type::point};
  std::vector<std::string> names;
  for (const Type type : types) names.emplace_back(name(type));
  const std::string word = section.get("type").choice(names);
  Shape shape;
  for (const Type type : types)
    if (word == name(type)) shape.type = type;

  const bool sized = shape.type == Type::box || shape.type == Type::plate;
  const bool round = shape.type == Type::sphere || shape.type == Type::cylinder || shape.type == Type::cone ||
                     shape.type == Type::disc;
  const bool long_ = shape.type == Type::cylinder || shape.type == Type::cone || shape.type == Type::rod;
  const auto positive = [&](const Value& given) {
    const Number x = number(given, indices);
    if (!(x > 0)) given.refuse(fmt::format("is {}, must be positive", to_double(x)));
    return x;
  };
  const auto take = [&](const char* key, bool needed, Number& to) {
    const auto given = section.find(key);
    if (given && !needed) given->refuse(fmt::format("a {} has no {}; leave it out", word, key));
    if (needed) to = positive(section.get(key));
  };
  take("radius", round, shape.radius);
  take("length", long_, shape.length);
  const auto size = section.find("size");
  if (size && !sized) size->refuse(fmt::format("a {} has no size; leave it out", word));
  if (sized) {
    const Value given = section.get("size");
    const std::vector<Value> items = given.items();
    const std::size_t count = plane || shape.type == Type::plate ? 2 : 3;
    if (items.size() != count) given.refuse(fmt::format("has {} numbers; a {} here has {}", items.size(), word, count));
    for (std::size_t k = 0; k < count; ++k) shape.size[static_cast<int>(k)] = positive(items[k]);
  }
  return shape;
}

void MultibodyReader::read_inertia(const Value& value, const Indices& indices, BodyStatement& body) const {
  Matrix J;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J(i, j) = 0;
  if (mechanism_.plane()) {
    if (value.is_array()) value.refuse("is an array; in the plane it is one number, such as inertia = 0.1");
    J(2, 2) = number(value, indices);
  } else {
    if (!value.is_array())
      value.refuse("is one number; in space write the three along the body's axes, or a 3x3 matrix");
    const std::vector<Value> items = value.items();
    if (!items.empty() && items.front().is_array()) {
      J = matrix(value, indices);
    } else {
      const Vector moments = vector_of_three(value, indices);
      for (int i = 0; i < 3; ++i) J(i, i) = moments[i];
    }
  }
  body.inertia = J;
}

void MultibodyReader::read_rotation(const Value& value, const Indices& indices, BodyStatement& body) const {
  using std::abs;
  if (mechanism_.plane()) {
    if (value.is_section() || value.is_array())
      value.refuse("is not a number; in the plane a rotation is one angle, such as rotation = 0.3");
    body.rotation = multibody::rotation_in_plane(number(value, indices));
    return;
  }
  if (!value.is_section())
    value.refuse("is not a table; write rotation = { axis = [0, 0, 1], angle = 0.3 }, or quaternion, matrix, euler");
  const Section section = value.section();
  section.refuse_unknown_keys("multibody");
  int ways = 0;
  for (const char* way : {"axis", "quaternion", "matrix", "euler"}) ways += section.find(way) ? 1 : 0;
  if (ways != 1)
    value.refuse(ways == 0 ? "says nothing; write one of axis and angle, quaternion, matrix, euler and angles"
                           : "is stated in several ways; leave one of axis, quaternion, matrix, euler");
  if (section.find("angle") && !section.find("axis")) section.get("angle").refuse("belongs to axis; leave it out");
  if (section.find("angles") && !section.find("euler")) section.get("angles").refuse("belong to euler; leave them out");
  if (const auto axis = section.find("axis")) {
    const Vector n = vector(*axis, indices);
    if (!(multibody::length(n) > 0)) axis->refuse("is 0; write a direction");
    body.rotation = multibody::rotation_about(n, number(section.get("angle"), indices));
  } else if (const auto quaternion = section.find("quaternion")) {
    const std::vector<Value> items = quaternion->items();
    if (items.size() != 4) quaternion->refuse(fmt::format("has {} numbers, must have 4: w, x, y, z", items.size()));
    std::array<Number, 4> wxyz;
    Number size = 0;
    for (std::size_t k = 0; k < 4; ++k) wxyz[k] = number(items[k], indices), size += wxyz[k] * wxyz[k];
    if (!(abs(size - 1) <= Number(tolerance_)) || !(size > 0))
      quaternion->refuse(fmt::format("has the squared length {:.10g}, not 1; correct it", to_double(size)));
    body.rotation = multibody::rotation_of_quaternion(wxyz);
  } else if (const auto given = section.find("matrix")) {
    body.rotation = matrix(*given, indices);
  } else {
    const Value euler = section.get("euler");
    const std::string axes = euler.text();
    if (axes.size() != 3 || axes.find_first_not_of("xyz") != axes.npos || axes[0] == axes[1] || axes[1] == axes[2])
      euler.refuse(
          fmt::format("\"{}\" is not a sequence of axes; write three of x, y, z, no two neighbours the same, such "
                      "as \"zxz\" or \"zyx\"",
                      axes));
    body.rotation = multibody::rotation_of_euler(axes, vector_of_three(section.get("angles"), indices));
  }
}

void MultibodyReader::read_rates(const Section& section, const Indices& indices, BodyStatement& body) const {
  const auto space = section.find("angular_velocity"), own = section.find("angular_velocity_body");
  if (space && own) own->refuse("angular_velocity and angular_velocity_body are both given; leave one out");
  const auto& given = space ? space : own;
  if (!given) return;
  if (body.shape.type == Shape::Type::point && !body.inertia) given->refuse("a point does not turn; leave it out");
  if (mechanism_.plane()) {
    if (given->is_array()) given->refuse("is an array; in the plane it is one number");
    body.angular_velocity = {0, 0, number(*given, indices)};
    return;
  }
  body.angular_velocity = vector(*given, indices);
  if (own) body.angular_velocity = body.rotation * body.angular_velocity;
}

}  // namespace livens
