#include "livens/urdf/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "livens/formula/nearest.hpp"
#include "livens/model/model.hpp"
#include "urdf/robot.hpp"

namespace livens {

namespace urdf {
namespace {

struct Part {
  const Link* link;
  Frame inside;  // of the link, in the body
};

struct Body {
  Body(std::string n, const Frame& f) : name(std::move(n)), frame(f) {}

  std::string name;
  Frame frame;  // of its first link, in space
  std::vector<Part> parts{};
};

Matrix point_inertia(double mass, const Vector& x) {
  Matrix J;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) J[i][j] = mass * ((i == j ? dot(x, x) : 0) - x[i] * x[j]);
  return J;
}

std::string digits(double x) {
  return fmt::format("{}", x == 0 ? 0.0 : x);  // no -0
}
std::string array(const Vector& x) {
  return fmt::format("[{}, {}, {}]", digits(x[0]), digits(x[1]), digits(x[2]));
}

// By the largest of the four squares, so that nothing is lost.
std::string quaternion(const Matrix& R) {
  std::array<double, 4> q{1 + R[0][0] + R[1][1] + R[2][2], 1 + R[0][0] - R[1][1] - R[2][2],
                          1 - R[0][0] + R[1][1] - R[2][2], 1 - R[0][0] - R[1][1] + R[2][2]};
  const double x = R[2][1] - R[1][2], y = R[0][2] - R[2][0], z = R[1][0] - R[0][1], xy = R[0][1] + R[1][0],
               xz = R[0][2] + R[2][0], yz = R[1][2] + R[2][1];
  switch (std::max_element(q.begin(), q.end()) - q.begin()) {
    case 0:
      q = {q[0], x, y, z};
      break;
    case 1:
      q = {x, q[1], xy, xz};
      break;
    case 2:
      q = {y, xy, q[2], yz};
      break;
    default:
      q = {z, xz, yz, q[3]};
  }
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return fmt::format("[{}, {}, {}, {}]", digits(q[0] / size), digits(q[1] / size), digits(q[2] / size),
                     digits(q[3] / size));
}

struct Importer {
  const std::string& source;
  const Robot robot;
  const UrdfOptions& options;
  UrdfModel made{};
  std::vector<Body> bodies{};  // the first: the root, the ground where it does not move
  struct Place {
    std::size_t body;
    Frame inside, in_space;
  };
  std::map<std::string, Place> place_of{};  // by link
  std::set<std::string> names{};

  template <class... Args>
  void note(fmt::format_string<Args...> words, Args&&... args) {
    made.notes.push_back(fmt::format(words, std::forward<Args>(args)...));
  }
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> words, Args&&... args) const {
    throw InputError(fmt::format("{}: {}", source, fmt::format(words, std::forward<Args>(args)...)));
  }

  const Link& link(const std::string& name, const Joint& joint) const {
    const auto found =
        std::find_if(robot.links.begin(), robot.links.end(), [&](const Link& l) { return l.name == name; });
    if (found == robot.links.end()) refuse("joint \"{}\": there is no link \"{}\"", joint.name, name);
    return *found;
  }

  // Letters, digits, _ and -; "ground" is the frame of space.
  std::string plain_name(const std::string& name) {
    std::string plain = name;
    for (char& c : plain)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
    if (plain == "ground" || std::isdigit(static_cast<unsigned char>(plain.front()))) plain = "the_" + plain;
    if (!names.insert(plain).second) refuse("two links or two joints would be called \"{}\"; rename one", plain);
    if (plain != name) note("\"{}\" is called \"{}\" here", name, plain);
    return plain;
  }

  const Link& root() const {
    for (const Joint& joint : robot.joints) link(joint.parent, joint), link(joint.child, joint);
    const Link* found = nullptr;
    for (const Link& each : robot.links) {
      const bool held = std::any_of(robot.joints.begin(), robot.joints.end(),
                                    [&](const Joint& joint) { return joint.child == each.name; });
      if (held) continue;
      if (found != nullptr)
        refuse("\"{}\" and \"{}\" hang on no joint; a robot is one tree, with one root", found->name, each.name);
      found = &each;
    }
    if (found == nullptr) refuse("every link is the child of a joint; a robot is a tree, with one root");
    return *found;
  }

  void add(std::size_t body, const Link& link, const Frame& inside) {
    bodies[body].parts.push_back({&link, inside});
    place_of[link.name] = {body, inside, bodies[body].frame * inside};
  }

  // Links in the pose, from the root on; those behind fixed joints become part of the body before.
  void place(const std::string& parent) {
    for (const Joint& joint : robot.joints) {
      if (joint.parent != parent) continue;
      const Link& child = link(joint.child, joint);
      if (place_of.count(child.name) != 0)
        refuse("link \"{}\" is the child of two joints; URDF has no closed loops", child.name);
      const Place from = place_of.at(parent);
      if (joint.type == "fixed") {
        add(from.body, child, from.inside * joint.origin);
      } else {
        const auto given = options.pose.find(joint.name);
        const double x = given == options.pose.end() ? 0 : given->second;
        Frame frame = from.in_space * joint.origin;
        if (joint.type == "prismatic") frame.at = frame.at + (x / length(joint.axis)) * (frame.R * joint.axis);
        if (joint.type != "prismatic" && x != 0) frame.R = frame.R * rotation(joint.axis, x);
        bodies.emplace_back(plain_name(child.name), frame);
        add(bodies.size() - 1, child, {});
      }
      place(child.name);
    }
  }

  // The one shape of the body that is centred at its centre of mass.
  std::optional<Geometry> picture(const Body& body, const Vector& centre) {
    std::optional<Geometry> found;
    for (const auto& [link, inside] : body.parts)
      for (Geometry visual : link->visuals) {
        visual.origin = inside * visual.origin;
        if (visual.type != "box" && visual.type != "cylinder" && visual.type != "sphere")
          note("link \"{}\": a {} is not drawn", link->name, visual.type);
        else if (length(visual.origin.at - centre) > 1e-6 || found)
          note("link \"{}\": a {} beside the centre of mass of \"{}\" is not drawn", link->name, visual.type,
               body.name);
        else
          found = visual;
      }
    return found;
  }

  void write_body(const Body& body) {
    double mass = 0;
    Vector centre{0, 0, 0};
    for (const auto& [link, inside] : body.parts) {
      mass += link->mass;
      centre = centre + link->mass * (inside * link->origin.at);
    }
    if (mass == 0)
      refuse("link \"{}\" moves and has no mass; give it <inertial>, or a fixed joint", body.parts.front().link->name);
    centre = (1 / mass) * centre;
    Matrix J{};
    for (const auto& [link, inside] : body.parts) {
      const Frame own = inside * link->origin;
      J = J + own.R * (link->inertia * transposed(own.R)) + point_inertia(link->mass, own.at - centre);
    }
    // The axes of the body are those of its picture, else those of its first link.
    const auto shape = picture(body, centre);
    const Frame axes{centre, shape ? shape->origin.R : Frame{}.R}, frame = body.frame * axes;
    J = transposed(axes.R) * (J * axes.R);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < i; ++j) J[i][j] = J[j][i];
    std::string& text = made.text;
    text += fmt::format("\n[[body]]\nname     = \"{}\"\nmass     = {}\ninertia  = [{}, {}, {}]\n", body.name,
                        digits(mass), array(J[0]), array(J[1]), array(J[2]));
    if (shape && shape->type == "box")
      text += fmt::format("shape    = {{ type = \"box\", size = {} }}\n", array(shape->size));
    if (shape && shape->type == "sphere")
      text += fmt::format("shape    = {{ type = \"sphere\", radius = {} }}\n", digits(shape->radius));
    if (shape && shape->type == "cylinder")
      text += fmt::format("shape    = {{ type = \"cylinder\", radius = {}, length = {} }}\n", digits(shape->radius),
                          digits(shape->length));
    text += fmt::format("position = {}\nrotation = {{ quaternion = {} }}\n", array(frame.at), quaternion(frame.R));
  }

  std::string body_name(const std::string& link) const {
    const std::size_t body = place_of.at(link).body;
    return body == 0 && !options.free ? "ground" : bodies[body].name;
  }

  void write_joint(const Joint& joint) {
    const auto tell = [&](const char* what) { note("joint \"{}\": {}", joint.name, what); };
    const std::string type = joint.type == "continuous" ? "revolute" : joint.type;
    if (type == "floating") {
      tell("is floating: nothing holds the child here either");
    } else {
      const std::string name = plain_name(joint.name);
      const Frame& child = place_of.at(joint.child).in_space;
      made.text += fmt::format(
          "\n[[joint]]\nname   = \"{}\"\ntype   = \"{}\"\nbodies = [\"{}\", \"{}\"]\nat     = {}\naxis   = {}\n", name,
          type, body_name(joint.parent), body_name(joint.child), array(child.at),
          array((1 / length(joint.axis)) * (child.R * joint.axis)));
      if (joint.damping != 0 && type == "revolute")
        made.text += fmt::format("\n[[damper]]\njoint   = \"{}\"\ndamping = {}\n", name, digits(joint.damping));
    }
    if (joint.damping != 0 && type != "revolute")
      tell("damping of joints that are not revolute is left out; a [[damper]] between two points may stand for it");
    if (joint.friction != 0) tell("a constant friction is left out; friction here is that of a joint under load");
    if (joint.limited) tell("its limits are not kept");
    if (joint.mimics)
      note("joint \"{}\": follows joint \"{}\" in the robot, moves by itself here; a gear has no counterpart",
           joint.name, *joint.mimics);
  }

  void write() {
    for (const auto& given : options.pose) {
      const std::string& name = given.first;
      const auto found =
          std::find_if(robot.joints.begin(), robot.joints.end(), [&](const Joint& j) { return j.name == name; });
      std::vector<std::string> known;
      for (const Joint& joint : robot.joints) known.push_back(joint.name);
      if (found == robot.joints.end())
        refuse("--pose {}: there is no such joint{}", name, formula::suggestion(name, known));
      if (found->type == "fixed" || found->type == "planar" || found->type == "floating")
        refuse("--pose {}: a {} joint has no position that could be given", name, found->type);
    }
    const Link& first = root();
    bodies.emplace_back(options.free ? plain_name(first.name) : "ground", Frame{});
    add(0, first, {});
    place(first.name);
    if (place_of.size() != robot.links.size())
      for (const Link& each : robot.links)
        if (place_of.count(each.name) == 0) refuse("link \"{}\" hangs in a closed loop; a robot is a tree", each.name);
    if (bodies.size() == 1 && !options.free) refuse("nothing moves: all joints are fixed; --free lets the robot fall");
    if (!options.free && first.mass > 0) note("the root \"{}\" is the ground; --free makes it a body", first.name);
    for (const std::string& other : robot.others) note("<{}> is left out", other);

    made.text = fmt::format(
        "# From the URDF of the robot \"{}\".\ntitle = \"{}\"\n\n[system]\nkind    = \"multibody\"\n"
        "gravity = [0, 0, -9.81]\n",
        one_line(robot.name), one_line(robot.name));
    for (std::size_t i = options.free ? 0 : 1; i < bodies.size(); ++i) write_body(bodies[i]);
    names.clear();  // joints have names of their own
    for (const Joint& joint : robot.joints)
      if (joint.type != "fixed") write_joint(joint);
    made.text += "\n[method]\nname = \"galerkin\"\ns    = 2\n\n[run]\nstep = 0.001\nend  = 1.0\n";
    std::string head;
    for (const std::string& each : made.notes) head += "# Note: " + one_line(each) + "\n";
    made.text.insert(made.text.find("title"), head);
  }

  static std::string one_line(std::string words) {
    for (char& c : words)
      if (static_cast<unsigned char>(c) < ' ' || c == '\\') c = ' ';
    std::replace(words.begin(), words.end(), '"', '\'');
    return words;
  }
};

}  // namespace
}  // namespace urdf

UrdfModel model_of_urdf(const std::string& source, const std::string& xml, const UrdfOptions& options) {
  urdf::Importer importer{source, urdf::read_robot(source, xml), options};
  importer.write();
  read_model(source + ", as a model", importer.made.text);  // what the reader of models has to say
  return std::move(importer.made);
}

}  // namespace livens
