// Models with contacts, run in memory.
#pragma once

#include <string>
#include <vector>

#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/simulation/simulate.hpp"

namespace livens::test {

inline RunResult run_model(const std::string& text, const Overrides& set = {}, const RunContext& context = {}) {
  const Model model = read_model("model.toml", text, set);
  const MethodEntry& method = choose_method(model);
  return simulate(model, method, read_options(model, method), context);
}

// What is wrong with it; empty: nothing.
inline std::string refusal(const std::string& text, const Overrides& set = {}) {
  try {
    run_model(text, set);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

inline std::vector<RunEvent> of_kind(const RunResult& run, EventKind kind) {
  std::vector<RunEvent> some;
  for (const RunEvent& e : run.events)
    if (e.kind == kind) some.push_back(e);
  return some;
}

// The energies of the rows of a run: context() for it.
struct Energies : RowSink {
  std::size_t width = 0, at = 0;
  std::vector<double> energy;
  RowSink* open(const Columns& columns) {
    for (const Column& c : columns) {
      if (c.role == Role::energy) at = width;
      width += static_cast<std::size_t>(c.numbers());
    }
    return this;
  }
  RunContext context() {
    RunContext c;
    c.open_rows = [this](const Columns& columns) { return open(columns); };
    return c;
  }
  void write(std::span<const double> row) override { energy.push_back(row[at]); }
};

// A point in the plane under gravity; constraints and contacts are added.
inline std::string point(const std::string& constraints, const std::string& start, const std::string& contact,
                         const std::string& run, const std::string& more = "") {
  return "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\n"
         "lagrangian = \"m/2*(x'^2 + y'^2) - m*g*y\"\nconstraints = [" +
         constraints + "]\n[system.parameters]\nm = 1.3\ng = 9.81\na = 0.6\nc = 0.7\nk = 0.5\n[initial]\n" + start +
         "\n[contact]\n" + contact + "\n[method]\nname = \"rattle\"\n[run]\n" + run + "\n" + more;
}

}  // namespace livens::test
