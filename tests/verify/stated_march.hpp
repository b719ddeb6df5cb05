// Runs of systems stated as formulas, in memory, as `march` runs those stated in C++: what is asked of many systems and
// methods is asked of the library as it is released, and costs no compiling.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "livens/math/vec.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/registry/entry.hpp"
#include "livens/simulation/simulate.hpp"

namespace livens::test {

struct StatedMarch {
  struct Row {
    double t;
    Vec<double> q, v, p, lambda, raw_p, raw_lambda;  // the raw ones of methods that have them
  };
  RunReport report;
  AuditFigures audit;
  std::vector<Row> rows;
};

inline StatedMarch march_stated(const Model& model) {
  struct Memory : RowSink {
    Columns columns;
    std::vector<StatedMarch::Row> rows;
    void write(std::span<const double> row) override {
      auto& r = rows.emplace_back();
      const auto take = [](std::span<const double> part, Vec<double>& to) {
        to = Vec<double>(static_cast<int>(part.size()));
        std::copy(part.begin(), part.end(), to.begin());
      };
      r.t = row.front();
      take(part_of(row, columns, Role::position), r.q), take(part_of(row, columns, Role::velocity), r.v);
      take(part_of(row, columns, Role::momentum), r.p), take(part_of(row, columns, Role::multiplier), r.lambda);
      std::size_t first = 0;
      for (const Column& c : columns) {
        const auto part = row.subspan(first, static_cast<std::size_t>(c.numbers()));
        if (c.name == "raw_p") take(part, r.raw_p);
        if (c.name == "raw_lambda") take(part, r.raw_lambda);
        first += part.size();
      }
    }
  } memory;
  const MethodEntry& method = choose_method(model);
  RunContext context;
  context.open_rows = [&](const Columns& columns) {
    memory.columns = columns;
    return &memory;
  };
  const RunResult result = simulate(model, method, read_options(model, method), context);
  return {result.report, result.audit, std::move(memory.rows)};
}

struct StatedStart {
  std::vector<double> q, v;
  double t0 = 0, step = 0;
  long long steps = 0;
  long long every = 1;
  bool project = false;
};

// The numbers as they are, for a model file.
template <class Numbers>
std::string array_text(const Numbers& x) {
  std::string text;
  for (const double xi : x) text += fmt::format("{}{:.17g}", text.empty() ? "" : ", ", xi);
  return "[" + text + "]";
}

// system: the table [system] without its kind; method: lines of [method], or its name alone; set: keys put in place.
inline Model stated_system(const std::string& system, const std::string& method, const StatedStart& start,
                           const Overrides& set = {}) {
  const bool name_alone = method.find('=') == std::string::npos;
  return read_model(
      "stated.toml",
      fmt::format("[system]\nkind = \"lagrangian\"\n{}\n[initial]\nt = {:.17g}\nq = {}\nv = {}\nproject = "
                  "{}\n[method]\n{}\n[run]\nstep = {:.17g}\nsteps = {}\nevery = {}\n",
                  system, start.t0, array_text(start.q), array_text(start.v), start.project,
                  name_alone ? "name = \"" + method + "\"" : method, start.step, start.steps, start.every),
      set);
}
inline StatedMarch march_stated(const std::string& system, const std::string& method, const StatedStart& start,
                                const Overrides& set = {}) {
  return march_stated(stated_system(system, method, start, set));
}

}  // namespace livens::test
