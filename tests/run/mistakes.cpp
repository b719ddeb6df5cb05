// Structs that are not stated as systems must be are refused when compiling, in words, and the words come first.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/scratch.hpp"

namespace {

struct Mistake {
  std::string members, expected;
  std::string use = "auto run = livens::march(Wrong{}, livens::Rattle{}, {.q = {1, 0}, .step = 0.01, .end = 1.0});";
  std::string head = "struct Wrong";
};

const std::string sizes = "static constexpr int coordinates = 2;\n",
                  bound = "static constexpr int coordinates = 2, constraints = 1;\n",
                  L = "template <class T> T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {\n"
                      "  return dot(v, v) / 2 - q[1]; }\n",
                  g = "template <class T> Vec<T, 1> constraint(const Vec<T, 2>& q) const {\n"
                      "  return {dot(q, q) - 1}; }\n",
                  theta = "template <class T> Vec<T, 2> theta(const Vec<T, 2>& q) const { return {q[1], T(0)}; }\n",
                  H = "template <class T> T hamiltonian(const Vec<T, 2>& q) const { return dot(q, q); }\n";
const std::string
    degenerate = "auto run = livens::march(Wrong{}, livens::Vprk{}, {.q = {1, 0}, .step = 0.1, .end = 1.0});",
    order = "auto rows = livens::study_order(Wrong{}, livens::Rattle{}, {.q = {1, 0}, .end = 1.0}, {0.1});",
    system_class = "livens::Lagrangian<Wrong> system(Wrong{});",
    element = "livens::ElementSystem<double> s(2); s.add(Wrong{}, {0, 1});",
    check_door = "auto c = livens::check_derivatives(livens::Lagrangian<Wrong>(Wrong{}), 0.0, {1, 0}, {0, 0});",
    odae = "auto run = livens::march(Wrong{}, livens::Euler{}, {.y = {1, 0}, .z = {0, 0}, .step = 0.1, .end = 1.0});";
std::string force(const std::string& name, const std::string& tail = "const") {  // or what else takes (q, v)
  return "template <class T> Vec<T, 2> " + name + "(const Vec<T, 2>& q, const Vec<T, 2>& v) " + tail +
         " { return {-v[0], -v[1]}; }\n";
}

std::string of_q(const std::string& name, const std::string& result, const std::string& body) {
  return "template <class T> " + result + " " + name + "(const Vec<T, 2>& q) const { " + body + " }\n";
}
std::string scalar(const std::string& name) {
  return "template <class T> T " + name + "(const Vec<T, 2>& q, const Vec<T, 2>& v) const { return dot(q, v); }\n";
}

const std::string odae_sizes = "static constexpr int positions = 2, velocities = 2, multipliers = 1;\n";

const std::vector<Mistake> mistakes = {
    {sizes + L + force("forces"), "a function named `force`"},
    {sizes + L + force("Force"), "a function named `force`", order},
    {sizes + force("generalized_force"), "a function named `force`", element},
    {sizes + L + force("froce"), "a function named `force`"},
    {sizes + L + force("externalForce"), "a function named `force`", order},
    {sizes + L + force("friction"), "a function named `force`"},
    {sizes + L + force("damping"), "a function named `force`", element},
    {sizes + L + force("forces"), "a function named `force`", system_class},
    {sizes + L + force("F"), "a function named `force`", check_door},
    {sizes + L + "auto Damping(const auto& q, const auto& v) const { auto f = v; f[0] = -q[0]*v[0]; return f; }\n",
     "a function named `force`"},
    {sizes + scalar("lagrangain") + force("force"), "a function named `lagrangian`", element},
    {sizes + scalar("L"), "this one has none of them", element},
    {bound + L + of_q("constriant", "Vec<T, 1>", "return {q[0]};"), "a function named `constraint`", check_door},
    {bound + L + "template <class T> Vec<T, 1> contraint(const Vec<T, 2>& q) const { return {q[0]}; }\n",
     "a function named `constraint`"},
    {sizes + L + "template <class T> Vec<T, 1> constraint_s(const Vec<T, 2>& q) const { return {q[0]}; }\n",
     "a function named `constraint`", check_door},
    {sizes + L + "template <class T> Vec<T, 1> constraints(const Vec<T, 2>& q) const { return {q[0]}; }\n",
     "a function named `constraint`"},
    {sizes + L + g, "a function constraint(q), but not their number"},
    {bound + L, "the function constraint(q) is missing"},
    {"static constexpr int coordinates = 2, constraints = 0;\n" + L + g, "but `constraints` is 0"},
    {sizes + L + "Vec<double, 1> constraint(const Vec<double, 2>& q) const { return {q[0]}; }\n",
     "a function constraint(q), but not their number"},
    {sizes + L + "std::function<Vec<double, 2>(Vec<double, 2>, Vec<double, 2>)> force;\n",
     "force(q, v) must take any scalar"},
    {sizes + L + "Vec<double, 2> forces(const Vec<double, 2>&, const Vec<double, 2>& v) const { return v; }\n",
     "a function named `force`", order},
    {sizes + "template <class T> T Lagrangian(const Vec<T, 2>&, const Vec<T, 2>& v) const { return dot(v, v); }\n",
     "the function lagrangian(q, v) is missing"},
    {sizes + L + force("force", ""), "force(q, v) must be const"},
    {sizes + "template <class T> T lagrangian(const Vec<T, 2>&, const Vec<T, 2>& v) { return dot(v, v); }\n",
     "lagrangian(q, v) must be const", order},
    {sizes + "double lagrangian(const Vec<double, 2>&, const Vec<double, 2>& v) const { return dot(v, v); }\n",
     "lagrangian(q, v) must take any scalar"},
    {bound + L + "Vec<double, 1> constraint(const Vec<double, 2>& q) const { return {q[0]}; }\n",
     "constraint(q) must take any scalar", element},
    {bound + L + "template <class T> Vec<T, 2> constraint(const Vec<T, 2>& q) const { return q; }\n",
     "constraint(q) must return Vec<T, constraints>"},
    {sizes + L + "template <class T> Vec<T, 3> force(const Vec<T, 2>&, const Vec<T, 2>&) const { return {}; }\n",
     "force(q, v) must return Vec<T, coordinates>", check_door},
    {sizes + "template <class T> double lagrangian(const Vec<T, 2>&, const Vec<T, 2>& v) const { return v[0]; }\n",
     "lagrangian(q, v) must return T"},
    {sizes + L +
         "template <class T> Vec<T, 2> force(const Vec<T, 2>& q, const Vec<T, 2>&, const T&) const { return q; }\n",
     "force(q, v) may take the time, as its first argument"},
    {bound + L +
         "template <class T> Vec<T, 1> constraint(const Vec<T, 2>& q, const T& t) const { return {q[0] - t}; }\n",
     "constraint(q) may take the time, as its first argument"},
    {sizes + "template <class T> T lagrangian(const Vec<T, 3>&, const Vec<T, 3>& v) const { return dot(v, v); }\n",
     "lagrangian(q, v) cannot be called"},
    {L, "the number of coordinates is missing"},
    {"int coordinates = 2;\n" + L, "the number of coordinates is missing", order},
    {sizes + "int constraints = 1;\n" + L + g, "`constraints` is the number of constraints"},
    {sizes + "static constexpr bool constantmass = true;\n" + L, "the flag is named `constant_mass`"},
    {sizes + "bool constant_mass = true;\n" + L, "flags are public and known when compiling"},
    {sizes + "static inline bool separable = true;\n" + L, "flags are public and known when compiling", order},
    {sizes + "int potential_degree = 1;\n" + L, "degrees are public and known when compiling"},
    {sizes + "static constexpr bool constant_mass = true;\n" + L +
         of_q("potentialGradient", "Vec<T, 2>", "return {T(0), T(1)};"),
     "is named `potential_gradient`"},
    {bound + L + g + of_q("constraint_jacobain", "livens::Mat<T, 1, 2>", "return {};"),
     "is named `constraint_jacobian`"},
    {sizes + "static constexpr int invariants = 1;\n" + L, "the function invariant_values(q, p) is missing"},
    {sizes + theta + H, "this method is not for this kind of system"},
    {sizes + theta, "the function hamiltonian(q) is missing", degenerate},
    {sizes + H + "template <class T> Vec<T, 2> theta(const Vec<T, 2>& q) { return q; }\n", "theta(q) must be const",
     degenerate},
    {sizes + H + "template <class T> Vec<T, 1> theta(const Vec<T, 2>& q) const { return {q[0]}; }\n",
     "theta(q) must return Vec<T, coordinates>", degenerate},
    {sizes + theta + H + force("force"), "has no forces", degenerate},
    {"static constexpr int positions = 2, velocities = 2;\n", "a size is missing", odae},
    {odae_sizes + g + force("velocity") + force("force"), "the function reaction(y, z, psi) is missing", odae},
    {odae_sizes + g + force("velocity") + force("forces"), "a function named `force`", odae},
    {"static constexpr int positions = 2, velocities = 1, multipliers = 1;\n" + g +
         "template <class T> Vec<T, 1> generalised_force(const Vec<T, 2>&, const Vec<T, 1>& z) const { return z; }\n",
     "a function named `force`", odae},
    {odae_sizes + force("velocity") + force("force") +
         "template <class T> Vec<T, 1> constraints(const Vec<T, 2>& y) const { return {y[0]}; }\n",
     "a function named `constraint`", odae},
    {odae_sizes + g + force("force"), "the function velocity(y, z) is missing", odae},
};

// What can be no base is asked in other ways.
[[maybe_unused]] std::vector<Mistake> final_ones() {
  std::vector<Mistake> result = mistakes;
  for (Mistake& mistake : result) mistake.head = "struct Wrong final";
  result.push_back({bound + L + "auto constraint(const auto& q) { return q; }\n", "constraint(q) must be const",
                    check_door, "struct Wrong final"});
  return result;
}

// Not mistakes: helpers and parameters with names like those of a system.
const std::vector<Mistake> right = {
    {sizes + L + force("friction") + force("forces") + force("force"), ""},
    {sizes + L +
         "double friction = 1, damping = 2, L = 1, g = 9.81, forces = 3, drag = 1, const_mass = 1, separated = 0;\n",
     ""},
    {sizes + L +
         "static constexpr double load = 1, Force = 2;\nstd::function<Vec<double, 2>(Vec<double, 2>)> torque;\n",
     ""},
    {sizes + L + scalar("friction") + scalar("dissipation") + scalar("L") +
         "double drag(double x) const { return x; }\n",
     ""},
    {sizes + L + of_q("g", "Vec<T, 2>", "return q;") + of_q("theta", "T", "return q[0];") +
         of_q("positions", "Vec<T, 2>", "return q;"),
     ""},
    {sizes + L + of_q("multipliers", "T", "return q[0];") + of_q("reaction", "T", "return q[0];") +
         scalar("hamiltonian"),
     ""},
    {sizes + L + of_q("grad_potential", "Vec<T, 2>", "return q;") +
         "template <class T> Vec<T, 2> force(const Vec<T, 2>& q, const Vec<T, 2>&) const { return grad_potential(q); "
         "}\n",
     "", order},
    {sizes + force("force") + scalar("L"), "", element},
    {sizes + L +
         "template <class T> T drag(const T& x, const T& y) const { return x * y; }\n"
         "static auto load(auto x, auto y) { using std::cos; return cos(x) * y * 2; }\n"
         "auto restraint(const auto& x) const { return x * x; }\ndouble total_force(double x, double y) { return x * "
         "y; }\n",
     ""},
    {"enum { coordinates = 2, constraints = 1, constant_mass = 1, constraint_degree = 2 };\n" + L + g, ""},
    {bound + "auto lagrangian(const auto& t, const auto& q, const auto& v) const { return v[0] * v[0] - q[0] * t; }\n"
             "auto constraint(const auto& q) const { return Vec<std::decay_t<decltype(q[0])>, 1>{q[0]}; }\n",
     "", check_door},
    {sizes + "template <class T> T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {\n"
             "  T sum = 0;\n  for (const T& x : v) sum += x * x / 2;\n"
             "  if (q[0] > 1) return sum - std::min<T>(q[0], 2) - std::clamp<T>(q[1], 0, 1);\n  return sum - (q[0] > 0 "
             "? q[0] : 0.0) + (q[1] > 0 ? 0 : q[1]); }\n",
     ""},
};

std::string includes() {
  return "#include <functional>\n"
         "#include \"livens/method/euler.hpp\"\n#include \"livens/method/rattle.hpp\"\n"
         "#include \"livens/method/vprk.hpp\"\n#include \"livens/run/march.hpp\"\n"
         "#include \"livens/study/order.hpp\"\n#include \"livens/system/check_derivatives.hpp\"\n"
         "#include \"livens/system/elements.hpp\"\nusing livens::Vec;\n";
}

std::string in_program(const Mistake& mistake, std::size_t i) {
  return "namespace wrong_" + std::to_string(i) + " {\n" + mistake.head + " {\n" + mistake.members + "};\nvoid f() { " +
         mistake.use + " }\n}\n";
}

// Whether it compiles; what is said goes to the file `errors`.
bool compiles(const scratch::Directory& directory, const std::string& program) {
  const std::string source = (directory / "structs.cpp").string(), output = (directory / "errors").string();
  std::ofstream(source) << program;
  const std::string compile = LIVENS_COMPILER " -std=c++20 -fsyntax-only -I" LIVENS_SOURCE "/include ";
  return std::system((compile + source + " 2> " + output).c_str()) == 0;
}

std::string read(const scratch::fs::path& file) {
  std::ifstream in(file);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Neighbouring letters exchanged, a letter missing, one doubled.
std::set<std::string> typos(const std::string& name) {
  std::set<std::string> result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    result.insert(name.substr(0, i) + name.substr(i + 1));
    result.insert(name.substr(0, i + 1) + name.substr(i));
    if (i + 1 < name.size()) result.insert(name.substr(0, i) + name[i + 1] + name[i] + name.substr(i + 2));
  }
  result.erase(name);
  std::erase_if(result, [](const std::string& s) { return s.find("__") != s.npos; });  // belong to the compiler
  return result;
}

}  // namespace

TEST_CASE("helpers and parameters with names like those of a system are no mistakes") {
  const scratch::Directory directory;
  std::string program = includes();
  for (std::size_t i = 0; i < right.size(); ++i) {
    Mistake sealed = right[i];
    sealed.head += " final";
    program += in_program(right[i], 2 * i) + in_program(sealed, 2 * i + 1);
  }
  const bool fine = compiles(directory, program);
  INFO(read(directory / "errors"));
  CHECK(fine);
}

TEST_CASE("names with letters exchanged, missing or doubled are seen") {
  const std::map<std::string, std::pair<std::string, std::string>> members = {
      {"Force", {"force", "void %(const auto&, const auto&);"}},
      {"Constraint", {"constraint", "void %(const auto&);"}},
      {"Lagrangian", {"lagrangian", "void %(const auto&, const auto&);"}},
      {"Invariants", {"invariant_values", "void %(const auto&, const auto&);"}},
      {"ConstraintJacobian", {"constraint_jacobian", "void %(const auto&);"}},
      {"PotentialGradient", {"potential_gradient", "void %(const auto&);"}},
      {"ConstantMass", {"constant_mass", "static constexpr bool % = true;"}},
      {"Separable", {"separable", "static constexpr bool % = true;"}},
      {"ConstraintDegree", {"constraint_degree", "static constexpr int % = 1;"}},
      {"PotentialDegree", {"potential_degree", "static constexpr int % = 1;"}},
      {"LinearReaction", {"linear_reaction", "static constexpr bool % = true;"}}};
  const scratch::Directory directory;
  std::string program = "#include \"livens/system/stated_names.hpp\"\n";
  int number = 0;
  for (const auto& [concept_name, member] : members)
    for (const std::string& typo : typos(member.first)) {
      std::string line = member.second;
      line.replace(line.find('%'), 1, typo);
      const std::string name = "Wrong" + std::to_string(number++);
      program += "struct " + name + " { static constexpr int coordinates = 2; " + line +
                 " };\nstatic_assert(livens::stated::Misspells" + concept_name + "<" + name + ">);\n";
    }
  CHECK(number > 350);
  const bool fine = compiles(directory, program);
  INFO(read(directory / "errors"));
  CHECK(fine);
}

// Clang says the same in other blocks.
#ifndef __clang__
namespace {

// What the compiler says about each struct: its messages are blocks, which name the struct wrong_<i>::Wrong.
std::map<int, std::vector<std::string>> by_struct(std::istream& errors) {
  std::map<int, std::vector<std::string>> result;
  std::vector<std::string> block;
  int of = -1;
  const auto end_block = [&] {
    auto& lines = result[of];
    lines.insert(lines.end(), block.begin(), block.end());
    block.clear(), of = -1;
  };
  for (std::string line; std::getline(errors, line);) {
    const bool begins = line.starts_with("In file included") || line.find("In instantiation of") != std::string::npos;
    if (begins && !block.empty() && !block.back().ends_with(':') && !block.back().ends_with(',')) end_block();
    if (const auto at = line.find("wrong_"); at != std::string::npos && of < 0) of = std::atoi(line.c_str() + at + 6);
    block.push_back(line);
  }
  end_block();
  return result;
}

// Structs in one program: reading the headers takes longer than all of them.
void check(const std::vector<Mistake>& structs, int most_lines = 16) {
  const scratch::Directory directory;
  std::string program = includes();
  for (std::size_t i = 0; i < structs.size(); ++i) program += in_program(structs[i], i);
  CHECK(!compiles(directory, program));
  std::ifstream errors(directory / "errors");
  auto said = by_struct(errors);
  for (std::size_t i = 0; i < structs.size(); ++i) {
    CAPTURE(structs[i].members);
    std::string first, all;
    int lines = 0;  // but for those that say which header is included where
    for (const std::string& line : said[static_cast<int>(i)]) {
      if (first.empty() && line.find("error:") != std::string::npos) first = line;
      if (!line.starts_with("In file included") && !line.starts_with("                 from ")) ++lines;
      all += line + '\n';
    }
    INFO(all);
    CHECK(first.find("livens: ") != std::string::npos);
    CHECK(first.find(structs[i].expected) != std::string::npos);
    CHECK(lines <= most_lines);
  }
}

}  // namespace

TEST_CASE("mistakes in structs are told in words, first and in few lines") {
  check(mistakes);
}

TEST_CASE("mistakes in final structs are told in the same words") {
  check(final_ones());
}

TEST_CASE("numbers made of jets are told in words where C++ asks") {
  const std::string words = "a double cannot hold what depends on q or v";
  const auto of = [](const std::string& body) {
    return sizes + "template <class T> T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const { " + body + " }\n";
  };
  check({{of("double sum = 0; for (const T& x : v) sum += x * x; return sum / 2 - q[1];"), words}});
  check({{of("return dot(v, v) / 2 - double(q[0]);"), words, order}});
  check({{of("if (q[0]) return q[0]; return dot(v, v) / 2;"), words, element}});
  check({{of("Vec<double, 2> x = {q[0], v[0]}; return dot(v, v) / 2 - x[0];"), words, check_door}});
}

TEST_CASE("arithmetic with vectors and components of numbers are told in words") {
  check({{sizes + "double c = 1;\n" + L +
              "template <class T> Vec<T, 2> force(const Vec<T, 2>& q, const Vec<T, 2>& v) const { return -c * v; }\n",
          "vectors have no + - * /"}});
  check({{bound + L +
              "auto constraint(const auto& q, const auto& t) const {\n"
              "  return Vec<std::decay_t<decltype(q[0])>, 1>{q[0] * q[0] - 1}; }\n",
          "a number has no components", check_door}},
        30);
}

// With a conversion both ways, x > 0 ? x : 0.0 would have no type: the compiler's words, at the line of the mistake.
TEST_CASE("known shortcoming: numbers made of jets without a cast are told in the words of the compiler") {
  const scratch::Directory directory;
  for (const char* body : {"double x = q[0]; return x * v[0];", "return helper(q[0]) * v[0];"}) {
    const Mistake mistake = {"double helper(double x) const { return x; }\n" + sizes +
                                 "template <class T> T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const { " +
                                 body + " }\n",
                             ""};
    CHECK(!compiles(directory, includes() + in_program(mistake, 0)));
    const std::string errors = read(directory / "errors");
    const std::string first = errors.substr(errors.find("error:"), 100);
    INFO(errors);
    CHECK(first.find("cannot convert") != first.npos);
    CHECK(first.find("livens::Jet<double, 4>") != first.npos);
  }
}

TEST_CASE("std::cos of a jet is told in words, and once") {
  const std::string words = "std::cos(x) and its like do not know derivatives";
  check({{sizes + "template <class T> T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {\n"
                  "  return dot(v, v) - std::cos(q[0]); }\n",
          words}});
  check({{sizes + "template <class T> T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {\n"
                  "  return dot(v, v) - std::max(q[0], 0.0); }\n",
          words, element}});
  check({{sizes + "template <class T> T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {\n"
                  "  return dot(v, v) - std::clamp(q[0], 0.0, 1.0); }\n",
          words}});
  check({{bound + L +
              "auto constraint(const auto& q) const {\n"
              "  return Vec<std::decay_t<decltype(q[0])>, 1>{std::pow(q[0], 2) - 1}; }\n",
          words, check_door}});
}
#endif
