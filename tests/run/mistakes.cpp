// Structs that are not stated as systems must be are refused when compiling, in words, and the words come first.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "store/scratch.hpp"

namespace {

struct Mistake {
  std::string members, expected;
  std::string use = "auto run = livens::march(Wrong{}, livens::Rattle{}, {.q = {1, 0}, .step = 0.01, .end = 1.0});";
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
    element = "livens::ElementSystem<double> s(2); s.add(Wrong{}, {0, 1});",
    check_door = "auto c = livens::check_derivatives(livens::Lagrangian<Wrong>(Wrong{}), 0.0, {1, 0}, {0, 0});",
    odae = "auto run = livens::march(Wrong{}, livens::Euler{}, {.y = {1, 0}, .z = {0, 0}, .step = 0.1, .end = 1.0});";
std::string force(const std::string& name, const std::string& tail = "const") {
  return "template <class T> Vec<T, 2> " + name + "(const Vec<T, 2>& q, const Vec<T, 2>& v) " + tail +
         " { return {-v[0], -v[1]}; }\n";
}

const std::string odae_sizes = "static constexpr int positions = 2, velocities = 2, multipliers = 1;\n";

const std::vector<Mistake> mistakes = {
    {sizes + L + force("forces"), "a function named `force`"},
    {sizes + L + force("Force"), "a function named `force`", order},
    {sizes + force("generalized_force"), "a function named `force`", element},
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
    {sizes + L + "Vec<double, 2> force(const Vec<double, 2>&, const Vec<double, 2>& v) const { return v; }\n",
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

}  // namespace

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
void check(const std::vector<Mistake>& structs) {
  const scratch::Directory directory;
  const std::string source = (directory / "structs.cpp").string(), output = (directory / "errors").string();
  std::ofstream program(source);
  program << "#include \"livens/method/euler.hpp\"\n#include \"livens/method/rattle.hpp\"\n"
             "#include \"livens/method/vprk.hpp\"\n#include \"livens/run/march.hpp\"\n"
             "#include \"livens/study/order.hpp\"\n#include \"livens/system/check_derivatives.hpp\"\n"
             "#include \"livens/system/elements.hpp\"\nusing livens::Vec;\n";
  for (std::size_t i = 0; i < structs.size(); ++i)
    program << "namespace wrong_" << i
            << " {\nstruct Wrong {\n" + structs[i].members + "};\nvoid f() { " + structs[i].use + " }\n}\n";
  program.close();
  const std::string compile = LIVENS_COMPILER " -std=c++20 -fsyntax-only -I" LIVENS_SOURCE "/include ";
  CHECK(std::system((compile + source + " 2> " + output).c_str()) != 0);
  std::ifstream errors(output);
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
    CHECK(lines <= 15);
  }
}

}  // namespace

TEST_CASE("mistakes in structs are told in words, first and in few lines") {
  check(mistakes);
}

TEST_CASE("std::cos of a jet is told in words, and once") {
  const std::string words = "std::cos(x) and its like do not know derivatives";
  check({{sizes + "template <class T> T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {\n"
                  "  return dot(v, v) - std::cos(q[0]); }\n",
          words}});
  check({{sizes + "template <class T> T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {\n"
                  "  return dot(v, v) - std::max(q[0], 0.0); }\n",
          words, element}});
  check({{bound + L +
              "auto constraint(const auto& q) const {\n"
              "  return Vec<std::decay_t<decltype(q[0])>, 1>{std::pow(q[0], 2) - 1}; }\n",
          words, check_door}});
}
#endif
