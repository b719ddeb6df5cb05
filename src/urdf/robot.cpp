#include "urdf/robot.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>

#include "livens/model/model.hpp"

namespace livens::urdf {

namespace {

using tinyxml2::XMLElement;

struct RobotReader {
  const std::string& source;

  [[noreturn]] void refuse(const XMLElement& at, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: <{}>: {}", source, at.GetLineNum(), at.Name(), what));
  }

  std::string text(const XMLElement& element, const char* key) const {
    const char* found = element.Attribute(key);
    if (found == nullptr || *found == '\0') refuse(element, fmt::format("has no {}; write {}=\"...\"", key, key));
    return found;
  }

  std::vector<double> numbers(const XMLElement& element, const char* key, std::size_t count) const {
    const std::string words = text(element, key);
    std::vector<double> found;
    const char *p = words.data(), *end = p + words.size();
    for (;;) {
      const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
      p = std::find_if_not(p, end, blank);
      if (p == end) break;
      if (*p == '+') ++p;
      double x = 0;
      const auto [next, error] = std::from_chars(p, end, x);
      if (error != std::errc() || !std::isfinite(x) || (next != end && !blank(*next))) {
        found.clear();
        break;
      }
      found.push_back(x), p = next;
    }
    if (found.size() != count)
      refuse(element, fmt::format("{}=\"{}\" is not {}", key, words,
                                  count == 1 ? std::string("a number") : fmt::format("{} numbers", count)));
    return found;
  }
  double number(const XMLElement& element, const char* key) const { return numbers(element, key, 1)[0]; }
  double number(const XMLElement& element, const char* key, double standard) const {
    return element.Attribute(key) == nullptr ? standard : number(element, key);
  }
  Vector vector(const XMLElement& element, const char* key, const Vector& standard) const {
    if (element.Attribute(key) == nullptr) return standard;
    const std::vector<double> x = numbers(element, key, 3);
    return {x[0], x[1], x[2]};
  }

  // <origin xyz rpy>: turned by roll about x, then pitch about y, then yaw about z, axes at rest.
  Frame origin(const XMLElement& parent) const {
    const XMLElement* element = parent.FirstChildElement("origin");
    if (element == nullptr) return {};
    const Vector rpy = vector(*element, "rpy", {0, 0, 0});
    return {vector(*element, "xyz", {0, 0, 0}),
            rotation({0, 0, 1}, rpy[2]) * (rotation({0, 1, 0}, rpy[1]) * rotation({1, 0, 0}, rpy[0]))};
  }

  Geometry geometry(const XMLElement& visual) const {
    Geometry g;
    g.origin = origin(visual);
    const XMLElement* holder = visual.FirstChildElement("geometry");
    const XMLElement* shape = holder == nullptr ? nullptr : holder->FirstChildElement();
    if (shape == nullptr) refuse(visual, "has no shape; write <geometry><box size=\"...\"/></geometry>");
    g.type = shape->Name();
    if (g.type == "box") g.size = vector(*shape, "size", {0, 0, 0});
    if (g.type == "cylinder" || g.type == "sphere") g.radius = number(*shape, "radius");
    if (g.type == "cylinder") g.length = number(*shape, "length");
    return g;
  }

  Link link(const XMLElement& element) const {
    Link made;
    made.name = text(element, "name");
    if (const XMLElement* inertial = element.FirstChildElement("inertial")) {
      made.origin = origin(*inertial);
      const XMLElement *mass = inertial->FirstChildElement("mass"), *J = inertial->FirstChildElement("inertia");
      if (mass == nullptr || J == nullptr) refuse(*inertial, "needs <mass value=.../> and <inertia ixx=... .../>");
      made.mass = number(*mass, "value");
      if (made.mass < 0) refuse(*mass, fmt::format("value=\"{}\" is negative", made.mass));
      const double xx = number(*J, "ixx"), yy = number(*J, "iyy"), zz = number(*J, "izz"), xy = number(*J, "ixy", 0),
                   xz = number(*J, "ixz", 0), yz = number(*J, "iyz", 0);
      made.inertia = {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
    }
    for (const XMLElement* visual = element.FirstChildElement("visual"); visual != nullptr;
         visual = visual->NextSiblingElement("visual"))
      made.visuals.push_back(geometry(*visual));
    return made;
  }

  Joint joint(const XMLElement& element) const {
    Joint made;
    made.name = text(element, "name"), made.type = text(element, "type");
    static const std::vector<std::string> known{"revolute", "continuous", "prismatic", "planar", "fixed", "floating"};
    if (std::find(known.begin(), known.end(), made.type) == known.end())
      refuse(element, fmt::format("joint \"{}\" has the type \"{}\", which URDF does not know; it has {}", made.name,
                                  made.type, fmt::join(known, ", ")));
    const XMLElement *parent = element.FirstChildElement("parent"), *child = element.FirstChildElement("child");
    if (parent == nullptr || child == nullptr)
      refuse(element, fmt::format("joint \"{}\" needs <parent link=.../> and <child link=.../>", made.name));
    made.parent = text(*parent, "link"), made.child = text(*child, "link");
    made.origin = origin(element);
    if (const XMLElement* axis = element.FirstChildElement("axis")) made.axis = vector(*axis, "xyz", {1, 0, 0});
    if (length(made.axis) == 0) refuse(element, fmt::format("joint \"{}\" has an axis of length 0", made.name));
    if (const XMLElement* dynamics = element.FirstChildElement("dynamics"))
      made.damping = number(*dynamics, "damping", 0), made.friction = number(*dynamics, "friction", 0);
    made.limited = element.FirstChildElement("limit") != nullptr;
    if (const XMLElement* mimic = element.FirstChildElement("mimic")) made.mimics = text(*mimic, "joint");
    return made;
  }

  // What stands in an element and has no place here, each name once.
  static void keep_others(const XMLElement& parent, std::initializer_list<std::string_view> known,
                          std::vector<std::string>& others) {
    for (const XMLElement* each = parent.FirstChildElement(); each != nullptr; each = each->NextSiblingElement())
      if (const std::string_view name = each->Name(); std::find(known.begin(), known.end(), name) == known.end() &&
                                                      std::find(others.begin(), others.end(), name) == others.end())
        others.emplace_back(name);
  }

  // The last one of links or joints must not have the name of one before.
  template <class Part>
  void refuse_twice(const XMLElement& element, const std::vector<Part>& parts) const {
    const auto same = [&](const Part& part) { return part.name == parts.back().name; };
    if (std::any_of(parts.begin(), parts.end() - 1, same))
      refuse(element,
             fmt::format("there is a {} \"{}\" before; give it another name", element.Name(), parts.back().name));
  }
};

}  // namespace

Robot read_robot(const std::string& source, const std::string& xml) {
  tinyxml2::XMLDocument document;
  if (document.Parse(xml.data(), xml.size()) != tinyxml2::XML_SUCCESS)
    throw InputError(fmt::format("{}:{}: is not XML ({})", source, document.ErrorLineNum(), document.ErrorName()));
  const XMLElement* root = document.RootElement();
  const RobotReader reader{source};
  if (root == nullptr || std::string_view(root->Name()) != "robot")
    throw InputError(fmt::format("{}: is no robot; a URDF file begins with <robot name=\"...\">", source));
  Robot robot;
  robot.name = reader.text(*root, "name");
  for (const XMLElement* each = root->FirstChildElement(); each != nullptr; each = each->NextSiblingElement()) {
    const std::string name = each->Name();
    if (name.starts_with("xacro:")) reader.refuse(*each, "is a macro; expand the file first: xacro FILE > robot.urdf");
    if (name == "link") {
      robot.links.push_back(reader.link(*each));
      reader.refuse_twice(*each, robot.links);
      reader.keep_others(*each, {"inertial", "visual"}, robot.others);
    } else if (name == "joint") {
      robot.joints.push_back(reader.joint(*each));
      reader.refuse_twice(*each, robot.joints);
      reader.keep_others(*each, {"parent", "child", "origin", "axis", "dynamics", "limit", "mimic"}, robot.others);
    }
  }
  reader.keep_others(*root, {"link", "joint", "material"}, robot.others);
  return robot;
}

}  // namespace livens::urdf
