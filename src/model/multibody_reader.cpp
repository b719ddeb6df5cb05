#include "model/multibody_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/formula/nearest.hpp"

namespace livens {

using formula::NodeId;
using formula::Number;
using multibody::BodyStatement;
using multibody::ForceStatement;
using multibody::JointStatement;
using multibody::JointType;
using multibody::Matrix;
using multibody::SpringStatement;
using multibody::StatementError;

namespace {

constexpr std::size_t characters_of_part = 2000;  // of a table that is repeated, about

std::string quoted(std::string_view what, std::string_view name) {
  return fmt::format("{} '{}'", what, name);
}

// The nearest of the names there are, or these in the order of the file: number, name.
std::string suggestion_of(const std::string& name, const std::map<std::string, int, std::less<>>& known,
                          std::string_view plural) {
  constexpr std::size_t most = 12;
  std::vector<std::string> names(known.size());
  const int first = known.empty() || !known.contains("ground") ? 0 : multibody::ground;
  for (const auto& [other, number] : known) names[static_cast<std::size_t>(number - first)] = other;
  if (const std::size_t bracket = name.find('['); bracket != name.npos) {  // another index
    const auto alike = [&](const std::string& other) { return other.starts_with(name.substr(0, bracket + 1)); };
    const auto begin = std::find_if(names.begin(), names.end(), alike);
    const auto end = std::find_if(names.rbegin(), names.rend(), alike);
    if (begin != names.end()) return fmt::format("; there are {} to {}", *begin, *end);
  }
  if (const std::string near = formula::suggestion(name, names); !near.empty()) return near;
  if (names.empty()) return fmt::format("; there are no {}", plural);
  const std::size_t more = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - more);
  return fmt::format("; the {} are {}{}", plural, fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

MultibodyReader::MultibodyReader(const Section& top, const Section& system, Vocabulary& words, int local_block,
                                 double tolerance)
    : top_(top), system_(system), words_(words), local_block_(local_block), tolerance_(tolerance) {}

multibody::Mechanism MultibodyReader::read() {
  const auto plane = system_.find("plane");
  mechanism_ = multibody::Mechanism(plane && plane->flag());
  if (const auto gravity = system_.find("gravity"); gravity && mechanism_.plane() && !gravity->is_array())
    gravity->refuse("is not an array; in the plane write gravity = [0.0, -9.81]");
  else if (gravity)
    mechanism_ = multibody::Mechanism(mechanism_.plane(), vector(*gravity, {}));

  for_each("body", [&](const Section& s, const Indices& i) { read_body(s, i); });
  if (mechanism_.bodies().empty() && top_.find("body"))
    top_.refuse("body", "all ranges of its \"for\" are empty, so there is no body; write a range such as \"i = 1..3\"");
  if (mechanism_.bodies().empty()) top_.refuse("body", "missing; write [[body]] and below it name = \"crank\"");
  for_each("joint", [&](const Section& s, const Indices& i) { read_joint(s, i); });
  for_each("spring", [&](const Section& s, const Indices& i) { read_spring(s, i, false); });
  for_each("damper", [&](const Section& s, const Indices& i) { read_spring(s, i, true); });
  if (top_.find("force")) {
    const std::string_view axes = mechanism_.plane() ? "xy" : "xyz";
    for (std::size_t k = 0; k < axes.size(); ++k)
      for (const int prime : {0, 1}) {
        const std::string name = std::string(1, axes[k]) + (prime ? "'" : "");
        if (const std::string owner = words_.owner_of(name); !owner.empty())
          top_.refuse("force", fmt::format("\"{}\" is the position of the point that a force acts on, and the name is "
                                           "already given at {}; choose another one there",
                                           name, owner));
        words_.add_local(name, {local_block_, static_cast<int>(k) + 3 * prime});
      }
    for_each("force", [&](const Section& s, const Indices& i) { read_force(s, i); });
  }
  return std::move(mechanism_);
}

template <class Read>
void MultibodyReader::for_each(std::string_view kind, const Read& read) {
  const auto tables = top_.find(kind);
  if (!tables) return;
  if (!tables->is_array()) tables->refuse(fmt::format("is not a list of tables; write [[{}]]", kind));
  for (const Value& table : tables->items()) {
    if (!table.is_section()) table.refuse(fmt::format("is not a table; write [[{}]]", kind));
    const Section section = table.section();
    const auto name = section.find("name");
    (name && name->is_text() ? section.named(quoted(kind, name->text())) : section).refuse_unknown_keys("multibody");
    words_.repeat(section.find("for"), characters_of_part, [&](const Indices& indices) { read(section, indices); });
  }
}

template <class Statement>
void MultibodyReader::add(const Section& section, const Statement& statement, const Indices& indices) {
  try {
    if constexpr (std::is_same_v<Statement, BodyStatement>)
      mechanism_.add(statement, tolerance_);
    else
      mechanism_.add(statement);
  } catch (const StatementError& error) {
    section.refuse(error.key, error.what() + formula::in_words(indices));
  }
}

// ---- numbers and names ---------------------------------------------------------------------------------------------

Number MultibodyReader::number(const Value& value, const Indices& indices) const {
  return words_.constant(value, indices);
}

multibody::Vector MultibodyReader::vector(const Value& value, const Indices& indices) const {
  const std::vector<Value> items = value.items();
  const auto count = static_cast<std::size_t>(mechanism_.dimension());
  if (items.size() != count)
    value.refuse(fmt::format("has {} number{}, must have {}{}", items.size(), items.size() == 1 ? "" : "s", count,
                             mechanism_.plane() ? ": vectors in the plane have two components" : ""));
  Vector x{0, 0, 0};
  for (std::size_t k = 0; k < count; ++k) x[static_cast<int>(k)] = number(items[k], indices);
  return x;
}

multibody::Vector MultibodyReader::vector_of_three(const Value& value, const Indices& indices) const {
  const std::vector<Value> items = value.items();
  if (items.size() != 3)
    value.refuse(fmt::format("has {} number{}, must have 3", items.size(), items.size() == 1 ? "" : "s"));
  return {number(items[0], indices), number(items[1], indices), number(items[2], indices)};
}

Matrix MultibodyReader::matrix(const Value& value, const Indices& indices) const {
  const std::vector<Value> rows = value.items();
  if (rows.size() != 3) value.refuse(fmt::format("has {} rows, must have 3", rows.size()));
  Matrix A;
  for (int i = 0; i < 3; ++i) {
    const Vector row = vector_of_three(rows[static_cast<std::size_t>(i)], indices);
    for (int j = 0; j < 3; ++j) A(i, j) = row[j];
  }
  return A;
}

std::vector<Value> MultibodyReader::two(const Value& value, std::string_view what) const {
  std::vector<Value> items = value.items();
  if (items.size() != 2)
    value.refuse(fmt::format("has {} entr{}; write two, {}", items.size(), items.size() == 1 ? "y" : "ies", what));
  return items;
}

std::array<multibody::Vector, 2> MultibodyReader::two_vectors(const Value& value, const Indices& indices) const {
  const std::vector<Value> both = two(value, "of the first body and of the second");
  return {vector(both[0], indices), vector(both[1], indices)};
}

std::string MultibodyReader::new_name(const Section& section, std::string_view what, const Indices& indices) {
  const Value name = section.get("name");
  std::string given = words_.name_of_part(name, indices);
  if (what == "body" && given == "ground") name.refuse("\"ground\" is the frame of space; choose another name");
  auto& known = what == "body" ? bodies_ : joints_;
  const auto number = static_cast<int>(known.size());
  if (!known.emplace(given, number).second)
    name.refuse(fmt::format("there is another {} '{}'; choose another name{}", what, given,
                            indices.empty() ? "" : ", with its index, such as link[i]"));
  return given;
}

int MultibodyReader::body_named(const Value& value, const Indices& indices, bool ground_too) const {
  const std::string name = words_.name_of_part(value, indices);
  if (name == "ground" && ground_too) return multibody::ground;
  if (name == "ground") value.refuse("ground does not move; name the body that the force acts on");
  const auto found = bodies_.find(name);
  if (found != bodies_.end()) return found->second;
  auto known = bodies_;
  if (ground_too) known.emplace("ground", multibody::ground);
  value.refuse(
      fmt::format("there is no body '{}'{}{}", name, suggestion_of(name, known, "bodies"), formula::in_words(indices)));
}

std::array<int, 2> MultibodyReader::bodies(const Section& section, const Indices& indices) const {
  const std::vector<Value> both = two(section.get("bodies"), "such as [\"ground\", \"crank\"]");
  return {body_named(both[0], indices, true), body_named(both[1], indices, true)};
}

// ---- bodies --------------------------------------------------------------------------------------------------------

void MultibodyReader::read_body(const Section& table, const Indices& indices) {
  BodyStatement body;
  body.name = new_name(table, "body", indices);
  const Section section = table.named(quoted("body", body.name));
  body.key = section.path();
  if (const auto mass = section.find("mass")) body.mass = number(*mass, indices);
  if (const auto density = section.find("density")) body.density = number(*density, indices);
  if (const auto shape = section.find("shape")) body.shape = read_shape(*shape, indices);
  if (const auto inertia = section.find("inertia")) read_inertia(*inertia, indices, body);
  if (const auto position = section.find("position")) body.position = vector(*position, indices);
  if (const auto rotation = section.find("rotation")) read_rotation(*rotation, indices, body);
  if (const auto velocity = section.find("velocity")) body.velocity = vector(*velocity, indices);
  read_rates(section, indices, body);
  add(section, body, indices);
}

// ---- joints --------------------------------------------------------------------------------------------------------

void MultibodyReader::read_joint(const Section& table, const Indices& indices) {
  JointStatement joint;
  joint.name = new_name(table, "joint", indices);
  const Section section = table.named(quoted("joint", joint.name));
  joint.key = section.path();
  std::vector<std::string> names;
  for (int k = 0; k <= static_cast<int>(JointType::slider); ++k) names.emplace_back(name(static_cast<JointType>(k)));
  const std::string type = section.get("type").choice(names);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (type == names[k]) joint.type = static_cast<JointType>(k);
  joint.bodies = bodies(section, indices);
  if (const auto at = section.find("at")) joint.at = vector(*at, indices);
  if (const auto axis = section.find("axis")) {
    if (mechanism_.plane() && joint.type == JointType::revolute)
      axis->refuse(fmt::format("joint '{}': a revolute joint in the plane has no axis; leave it out", joint.name));
    joint.axis = vector(*axis, indices);
  }
  if (const auto axes = section.find("axes")) joint.axes = two_vectors(*axes, indices);
  if (const auto points = section.find("points")) joint.points = two_vectors(*points, indices);
  if (const auto given = section.find("length")) joint.length = number(*given, indices);
  if (const auto frames = section.find("frames")) {
    const std::vector<Value> both = two(*frames, "that of the first body and that of the second");
    joint.frames.emplace();
    for (std::size_t side = 0; side < 2; ++side) {
      if (!both[side].is_section()) both[side].refuse("is not a table; write { point = [0, 0, 0], axis = [0, 0, 1] }");
      const Section frame = both[side].section();
      frame.refuse_unknown_keys("multibody");
      multibody::FrameStatement& to = (*joint.frames)[side];
      if (const auto point = frame.find("point")) to.point = vector(*point, indices);
      if (const auto axis = frame.find("axis")) to.axis = vector(*axis, indices);
      if (const auto across = frame.find("across")) to.across = vector(*across, indices);
    }
  }
  const auto one_sided = section.find("unilateral");
  const auto restitution = section.find("restitution");
  if (one_sided && one_sided->flag()) joint.restitution = restitution ? number(*restitution, indices) : Number(0);
  if (restitution && !joint.restitution)
    restitution->refuse("belongs to one-sided joints; write unilateral = true, or leave it out");
  const auto friction = section.find("friction");
  for (const char* key : {"exponent", "radius"})
    if (const auto given = section.find(key); given && !friction)
      given->refuse("belongs to friction, which is not given; write friction = 0.2, or leave it out");
  if (friction) {
    joint.friction.emplace();
    joint.friction->coefficient = number(*friction, indices);
    if (const auto exponent = section.find("exponent")) joint.friction->exponent = number(*exponent, indices);
    if (const auto radius = section.find("radius")) joint.friction->radius = number(*radius, indices);
  }
  if (const auto motion = section.find("motion"))
    joint.motion =
        words_.formula(*motion, {{words_.time_block()}, "a motion may contain t and parameters only", true}, indices);
  add(section, joint, indices);
}

// ---- springs, dampers, forces --------------------------------------------------------------------------------------

void MultibodyReader::read_spring(const Section& table, const Indices& indices, bool damper) {
  SpringStatement spring;
  spring.key = table.path();
  spring.is_damper = damper;
  if (const auto name = table.find("name")) spring.name = words_.name_of_part(*name, indices);
  Section section = spring.name.empty() ? table : table.named(mechanism_.name_of(spring));
  const auto joint = section.find("joint");
  if (joint) {
    for (const char* key : {"bodies", "points", "length", "isotropic"})
      if (const auto other = section.find(key))
        other->refuse(fmt::format("joint is given, so this {} is torsional and has no {}; leave one out",
                                  damper ? "damper" : "spring", key));
    const std::string name = words_.name_of_part(*joint, indices);
    const auto found = joints_.find(name);
    if (found == joints_.end())
      joint->refuse(fmt::format("there is no joint '{}'{}{}", name, suggestion_of(name, joints_, "joints"),
                                formula::in_words(indices)));
    spring.joint = found->second;
    section = table.named(mechanism_.name_of(spring));
  } else {
    if (const auto angle = section.find("angle")) angle->refuse("belongs to a torsional spring, with joint = \"...\"");
    spring.bodies = bodies(section, indices);
    section = table.named(mechanism_.name_of(spring));
    if (const auto points = section.find("points")) spring.points = two_vectors(*points, indices);
  }
  if (!damper) spring.stiffness = number(section.get("stiffness"), indices);
  if (const auto given = section.find("length")) spring.length = number(*given, indices);
  if (const auto angle = section.find("angle")) spring.angle = number(*angle, indices);
  if (damper)
    spring.damping = number(section.get("damping"), indices);
  else if (const auto damping = section.find("damping"))
    spring.damping = number(*damping, indices);
  if (const auto isotropic = section.find("isotropic")) spring.isotropic = isotropic->flag();
  add(section, spring, indices);
}

void MultibodyReader::read_force(const Section& table, const Indices& indices) {
  ForceStatement force;
  force.key = table.path();
  if (const auto name = table.find("name")) force.name = words_.name_of_part(*name, indices);
  force.body =
      body_named((force.name.empty() ? table : table.named(quoted("force", force.name))).get("body"), indices, false);
  const Section section = table.named(mechanism_.name_of(force));
  if (const auto point = section.find("point")) force.point = vector(*point, indices);
  const Contents contents{{words_.time_block(), local_block_},
                          "a force may contain t, parameters, and the position and velocity of its point only"};
  const auto formulas = [&](const Value& texts) {
    const std::vector<Value> items = texts.items();
    if (items.size() != static_cast<std::size_t>(mechanism_.dimension()))
      texts.refuse(fmt::format("has {} formula{}, must have {}", items.size(), items.size() == 1 ? "" : "s",
                               mechanism_.dimension()));
    std::vector<NodeId> all;
    for (const Value& text : items) all.push_back(words_.formula(text, contents, indices));
    return all;
  };
  if (const auto given = section.find("force")) force.force = formulas(*given);
  if (const auto torque = section.find("torque")) {
    if (!mechanism_.plane())
      force.torque = formulas(*torque);
    else if (torque->is_array())
      torque->refuse("is an array; in the plane it is one formula, such as torque = \"1\"");
    else
      force.torque = {words_.formula(*torque, contents, indices)};
  }
  if (force.force.empty() && force.torque.empty())
    section.refuse("says nothing; write force = [\"0\", \"0\", \"1\"] or torque");
  add(section, force, indices);
}

}  // namespace livens
