#include "model/keys.hpp"

#include <algorithm>
#include <array>

namespace livens {

namespace {

struct Key {
  std::string_view path, example;
  std::string_view kinds = "lagrangian degenerate odae";
};

constexpr std::array keys{
    Key{"format", "format = 1"},
    Key{"title", "title = \"Planar pendulum\""},
    Key{"system", "[system] and below it kind = \"lagrangian\""},
    Key{"system.kind", "kind = \"lagrangian\""},
    Key{"system.coordinates", "coordinates = [\"x\", \"y\"]", "lagrangian degenerate"},
    Key{"system.lagrangian", "lagrangian = \"m/2*(x'^2 + y'^2) - m*g*y\"", "lagrangian"},
    Key{"system.constraints", "constraints = [\"(x^2 + y^2 - l^2)/2\"]", "lagrangian odae"},
    Key{"system.forces", "forces = [\"-c*x'\", \"-c*y'\"]", "lagrangian"},
    Key{"system.theta", "theta = [\"0\", \"x\"]", "degenerate"},
    Key{"system.hamiltonian", "hamiltonian = \"(x^2 + y^2)/2\"", "degenerate"},
    Key{"system.positions", "positions = [\"y1\", \"y2\"]", "odae"},
    Key{"system.velocities", "velocities = [\"z1\", \"z2\"]", "odae"},
    Key{"system.multipliers", "multipliers = [\"psi\"]", "odae"},
    Key{"system.velocity", "velocity = [\"z1\", \"z2\"]", "odae"},
    Key{"system.force", "force = [\"0\", \"-g\"]", "odae"},
    Key{"system.reaction", "reaction = [\"-y1*psi\", \"-y2*psi\"]", "odae"},
    Key{"system.parameters", "[system.parameters] and below it m = 1.0"},
    Key{"system.let", "[system.let] and below it r2 = \"x^2 + y^2\""},
    Key{"system.invariants", "[system.invariants] and below it area = \"x*p_y - y*p_x\""},
    Key{"initial", "[initial] and below it the start values"},
    Key{"initial.t", "t = 0.0"},
    Key{"initial.q", "q = [1.0, 0.0]", "lagrangian degenerate"},
    Key{"initial.v", "v = [0.0, 0.0]", "lagrangian"},
    Key{"initial.p", "p = [0.0, 0.0]", "lagrangian"},
    Key{"initial.y", "y = [1.0, 0.0]", "odae"},
    Key{"initial.z", "z = [0.0, 0.0]", "odae"},
    Key{"initial.psi", "psi = [1.0]", "odae"},
    Key{"initial.project", "project = true", "lagrangian odae"},
    Key{"initial.tolerance", "tolerance = 1e-9", "lagrangian odae"},
    Key{"final", "[final] and below it q = [0.0, -1.0]"},
    Key{"final.q", "q = [0.0, -1.0]", "lagrangian"},
    Key{"method", "[method] and below it name = \"rattle\""},
    Key{"method.name", "name = \"rattle\""},
    Key{"run", "[run] and below it step = 0.01"},
    Key{"run.step", "step = 0.01"},
    Key{"run.end", "end = 100.0"},
    Key{"run.steps", "steps = 10000"},
    Key{"run.every", "every = 10"},
    Key{"run.precision", "precision = \"double\""},
    Key{"record", "[record] and below it coordinates = [\"x\"]"},
    Key{"record.coordinates", "coordinates = [\"x\", \"y\"]"},
    Key{"record.multipliers", "multipliers = [1, 2]", "lagrangian odae"},
    Key{"record.reactions", "reactions = true", "lagrangian"},
    Key{"record.work", "work = true", "lagrangian"},
    Key{"solver", "[solver] and below it iterations = 30"},
    Key{"solver.tolerance", "tolerance = \"round-off\" or a number such as 1e-12"},
    Key{"solver.iterations", "iterations = 30"},
    Key{"solver.linear", "linear = \"auto\""},
    Key{"solver.redundant", "redundant = \"error\""},
    Key{"exact", "[exact] and below it q = [\"cos(t)\", \"sin(t)\"]"},
    Key{"exact.q", "q = [\"cos(t)\", \"sin(t)\"]"},
    Key{"exact.p", "p = [\"-sin(t)\", \"cos(t)\"]"},
    Key{"loop", "[loop] and below it q = [\"cos(2*pi*tau)\", \"sin(2*pi*tau)\"]"},
    Key{"loop.q", "q = [\"cos(2*pi*tau)\", \"sin(2*pi*tau)\"]"},
    Key{"loop.points", "points = 200"},
    Key{"surface", "[surface] and below it q = [\"sigma\", \"tau\"]"},
    Key{"surface.q", "q = [\"sigma\", \"tau\"]"},
    Key{"surface.points", "points = 24 or points = [24, 32]"},
};

constexpr std::array<std::string_view, 6> later{"contact", "body", "joint", "spring", "damper", "force"};

}  // namespace

std::vector<std::string> known_keys(std::string_view section, SystemKind kind) {
  std::vector<std::string> known;
  for (const Key& key : keys) {
    const std::size_t dot = key.path.rfind('.');
    const std::string_view parent = key.path.substr(0, dot == key.path.npos ? 0 : dot);
    if (parent == section && key.kinds.find(name(kind)) != key.kinds.npos)
      known.emplace_back(key.path.substr(dot == key.path.npos ? 0 : dot + 1));
  }
  return known;
}

bool comes_later(std::string_view key) {
  return std::find(later.begin(), later.end(), key) != later.end();
}

std::string_view example(std::string_view key) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.path == key; });
  if (found != keys.end()) return found->example;
  const std::size_t inner = key.find_last_of(".[");
  return inner == key.npos ? std::string_view() : example(key.substr(0, inner));
}

}  // namespace livens
