// How well --accuracy keeps its word: steps found for 1e-4 .. 1e-10 on ready problems and on random systems, their true
// errors against the independent reference of `livens study order`, and what the search cost.
//
//   bench_accuracy            all: minutes
//   bench_accuracy NAME...    these problems; random-1 .. random-20 are the random systems
//   bench_accuracy pilots ... with a line for every pilot
//   bench_accuracy seeds A B  random systems A .. B
//   bench_accuracy rough A B  random systems A .. B whose forces or potentials have jumps in a derivative
//
// The figures of docs/accuracy.md are what it prints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "livens/methods/methods.hpp"
#include "livens/simulation/simulate.hpp"
#include "livens/study/step_search.hpp"
#include "livens/study/studies.hpp"

using namespace livens;

namespace {

struct Problem {
  std::string name;
  Overrides set;  // method and end
};

const std::vector<Problem> ready = {
    {"pendulum", {{"method.name", "rattle"}, {"run.end", "0.5"}}},
    {"pendulum", {{"method.name", "galerkin"}, {"method.s", "3"}, {"run.end", "100"}}},
    {"spherical-pendulum", {{"method.name", "galerkin"}, {"run.end", "50"}}},
    {"modified-pendulum", {{"method.name", "hbvm"}, {"method.k", "6"}, {"method.s", "2"}, {"run.end", "20"}}},
    {"double-pendulum", {{"method.name", "galerkin"}, {"method.s", "3"}, {"run.end", "3"}}},
    {"tethered-satellites", {{"method.name", "spark"}, {"method.s", "3"}, {"run.end", "300"}}},
    {"top", {{"method.name", "galerkin"}, {"method.s", "3"}, {"run.end", "0.3"}}},
    {"t-handle", {{"method.name", "galerkin"}, {"method.s", "4"}, {"run.end", "5"}}},
    {"rssr", {{"method.name", "galerkin"}, {"run.end", "2"}}},
    {"slider-crank", {{"method.name", "galerkin"}, {"run.end", "1"}}},
    {"lotka-volterra", {{"method.name", "vprk"}, {"run.end", "50"}}},
    {"guiding-centre", {{"method.name", "vprk"}, {"method.stages", "3"}, {"run.end", "1000"}}},
    {"vortices", {{"method.name", "vprk"}, {"run.end", "30"}}},
    {"overdetermined-cubic", {{"method.name", "spark"}, {"run.end", "1"}}},
    {"overdetermined-artificial", {{"method.name", "composition"}, {"method.scheme", "yoshida4"}, {"run.end", "1"}}},
};

// ---- random systems -------------------------------------------------------------------------------------------------

class RandomSystem {
 public:
  explicit RandomSystem(unsigned seed) : random_(seed) {}

  // Of four families in turn: masses in the plane with springs and rods, a point on a quadric, coordinates with a mass
  // matrix that depends on them, degenerate ones.
  std::string text(unsigned family) {
    switch (family % 4) {
      case 0:
        return masses();
      case 1:
        return on_a_quadric();
      case 2:
        return variable_mass();
      default:
        return degenerate();
    }
  }

 private:
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  int choice(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string number(double a, double b) { return fmt::format("{:.3f}", uniform(a, b)); }
  static std::string end(const std::string& method, double t) {
    return fmt::format("[method]\n{}\n[run]\naccuracy = 1e-6\nend = {:.2f}\n", method, t);
  }
  std::string lagrangian_method() {
    switch (choice(4)) {
      case 0:
        return "name = \"spark\"";
      case 1:
        return "name = \"spark\"\ns = 3";
      default:
        return fmt::format("name = \"galerkin\"\ns = {}", 2 + choice(3));
    }
  }

  std::string masses() {
    const int n = 1 + choice(3);
    std::string names, kinetic, potential, rods, q, v;
    for (int i = 1; i <= n; ++i) {
      names += fmt::format("{}\"x{}\", \"y{}\"", i > 1 ? ", " : "", i, i);
      kinetic += fmt::format("{}{}/2*(x{}'^2 + y{}'^2)", i > 1 ? " + " : "", number(0.5, 2), i, i);
      potential += fmt::format(" - {}*y{} - {}*(x{} - {})^2*(y{} + {})^2", number(0.5, 3), i, number(0.1, 0.6), i,
                               number(-1, 1), i, number(-1, 1));
      const std::string x = i > 1 ? fmt::format("(x{} - x{})", i, i - 1) : "x1",
                        y = i > 1 ? fmt::format("(y{} - y{})", i, i - 1) : "y1";
      rods += fmt::format("{}\"({}^2 + {}^2 - 1)/2\"", i > 1 ? ", " : "", x, y);
      q += fmt::format("{}{}, {}", i > 1 ? ", " : "", number(-0.3, 0.3), fmt::format("{:.1f}", -1.0 * i));
      v += fmt::format("{}{}, 0.0", i > 1 ? ", " : "", number(-1, 1));
    }
    return fmt::format(
               "[system]\nkind = \"lagrangian\"\ncoordinates = [{}]\nlagrangian = \"{}{}\"\nconstraints = [{}]\n"
               "[initial]\nq = [{}]\nv = [{}]\nproject = true\n",
               names, kinetic, potential, rods, q, v) +
           end(lagrangian_method(), uniform(1, n == 1 ? 30 : 3));
  }

  std::string on_a_quadric() {
    return fmt::format(
               "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\", \"z\"]\n"
               "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - {}*z - {}*x^4 - {}*x*y*z + {}*sin({}*t)*x\"\n"
               "constraints = [\"x^2 + {}*y^2 + {}*z^2 - 1\"]\nforces = [\"-{}*x'\", \"0\", \"0\"]\n"
               "[initial]\nq = [0.8, 0.3, -0.4]\nv = [{}, {}, {}]\nproject = true\n",
               number(0.5, 3), number(0, 1), number(0, 1), number(0, 0.5), number(0.5, 3), number(0.5, 2),
               number(0.5, 2), number(0, 0.2), number(-1, 1), number(-1, 1), number(-1, 1)) +
           end(lagrangian_method(), uniform(2, 20));
  }

  std::string variable_mass() {
    return fmt::format(
               "[system]\nkind = \"lagrangian\"\ncoordinates = [\"a\", \"b\"]\n"
               "lagrangian = \"a'^2*(1 + {}*sin(b)^2)/2 + b'^2/2 + {}*cos(a - b)*a'*b' + {}*cos(a) + {}*cos(b)\"\n"
               "[initial]\nq = [{}, {}]\nv = [{}, 0.0]\n",
               number(0.1, 0.8), number(0.1, 0.6), number(1, 9), number(1, 5), number(-0.6, 0.6), number(-0.6, 0.6),
               number(-1, 1)) +
           end(lagrangian_method(), uniform(2, 20));
  }

  std::string degenerate() {
    return fmt::format(
               "[system]\nkind = \"degenerate\"\ncoordinates = [\"x\", \"y\"]\n"
               "theta = [\"y + {}*x*y^2\", \"{}*x^2*y\"]\nhamiltonian = \"(x^2 + {}*y^2)/2 + {}*x^4 + {}*x^2*y\"\n"
               "[initial]\nq = [{}, {}]\n",
               number(-0.2, 0.2), number(-0.2, 0.2), number(0.5, 3), number(0, 0.5), number(-0.3, 0.3),
               number(0.3, 0.8), number(-0.5, 0.5)) +
           end(fmt::format("name = \"vprk\"\nstages = {}", 2 + choice(2)), uniform(5, 60));
  }

  // ---- jumps in a derivative
  // -----------------------------------------------------------------------------------------

 public:
  // Of eight families in turn: drag with the square of the speed, Hertzian contact, a stop with a spring, dry friction
  // within a narrow width, a bead that rubs, a cubic kink, a switch in time, a degenerate system with a kink.
  std::string rough(unsigned family) {
    const std::string x0 = number(0.5, 1.5), v0 = number(-1, 1);
    const auto one = [&](const std::string& lagrangian, const std::string& force) {
      return fmt::format(
                 "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\"]\nlagrangian = \"{}\"\n"
                 "forces = [\"{}\"]\n[initial]\nq = [{}]\nv = [{}]\n",
                 lagrangian, force, x0, v0) +
             end(lagrangian_method(), uniform(4, 20));
    };
    switch (family % 8) {
      case 0:
        return one(fmt::format("x'^2/2 - {}*x^2/2 - {}*x^4/4", number(0.5, 2), number(0, 1)),
                   fmt::format("-{}*x'*abs(x')", number(0.05, 0.5)));
      case 1:
        return one(fmt::format("x'^2/2 - {}*x - {}*max(0, -x)^2.5/2.5", number(0.5, 3), number(10, 1000)), "0");
      case 2:
        return one(
            fmt::format("x'^2/2 - {}*x^2/2 - {}*max(0, x - {})^2/2", number(0.5, 2), number(2, 50), number(0.1, 0.4)),
            fmt::format("{}*sin({}*t)", number(0, 0.5), number(0.5, 2)));
      case 3:
        return one(fmt::format("x'^2/2 - {}*x^2/2", number(0.5, 2)),
                   fmt::format("-{}*smoothsign(x', {}) + {}*cos({}*t)", number(0.05, 0.4), number(0.002, 0.05),
                               number(0.5, 1.5), number(0.3, 1.5)));
      case 4:
        return fmt::format(
                   "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\n"
                   "lagrangian = \"(x'^2 + y'^2)/2 - {}*y - {}*max(0, -x)^2\"\n"
                   "constraints = [\"(x^2 + y^2 - 1)/2\"]\nforces = [\"-{}*x'*abs(x')\", \"-{}*y'*abs(y')\"]\n"
                   "[initial]\nq = [{}, -0.6]\nv = [{}, 0.0]\nproject = true\n",
                   number(1, 9), number(0, 10), number(0.05, 0.5), number(0.05, 0.5), number(-0.9, 0.9),
                   number(-2, 2)) +
               end(lagrangian_method(), uniform(2, 10));
      case 5:
        return one(
            fmt::format("x'^2/2 - {}*x^2/2 - {}*abs(x - {})^3", number(0.5, 2), number(0.5, 5), number(-0.4, 0.4)),
            "0");
      case 6:
        return one(fmt::format("x'^2/2 + {}*cos(x)", number(0.5, 2)),
                   fmt::format("{}*step(t - {})", number(0.1, 1), number(0.5, 3.5)));
      default:
        return fmt::format(
                   "[system]\nkind = \"degenerate\"\ncoordinates = [\"x\", \"y\"]\n"
                   "theta = [\"y + {}*x*y^2\", \"0\"]\nhamiltonian = \"(x^2 + {}*y^2)/2 + {}*max(0, x - {})^{}\"\n"
                   "[initial]\nq = [{}, {}]\n",
                   number(-0.2, 0.2), number(0.5, 3), number(0.5, 5), number(0, 0.3), choice(2) ? "2" : "2.5",
                   number(0.3, 0.8), number(-0.5, 0.5)) +
               end(fmt::format("name = \"vprk\"\nstages = {}", 2 + choice(2)), uniform(5, 30));
    }
  }

 private:
  std::mt19937 random_;
};

// ---- trials ---------------------------------------------------------------------------------------------------------

struct Trial {
  bool found = false;
  double error = 0, said = 0, cost = 0;  // the first two relative to what was asked for
  bool coarsest = false;                 // with the coarsest step that can be solved
  std::string words;
};

class LargestPosition : public RowSink {
 public:
  explicit LargestPosition(const Columns& columns) : columns_(columns) {}
  void write(std::span<const double> row) override {
    for (const double x : part_of(row, columns_, Role::position)) largest = std::max(largest, std::abs(x));
  }
  double largest = 0;

 private:
  const Columns columns_;
};

Trial tried(const Model& model, bool tell_pilots) {
  Trial outcome;
  std::optional<FoundStep> found;
  try {
    found = find_step(model, nullptr, [&](const PilotRow& row) {
      if (tell_pilots)
        fmt::print("    {:<16} {:>7} steps  {:>8} evaluations  {}\n", row.method, row.steps, row.cost.evaluations,
                   row.note);
    });
    for (const PilotRow& row : found->pilots)
      if (tell_pilots && row.error)
        fmt::print("    {:<16} {:>7} steps  error {:8.1e}\n", row.method, row.steps, *row.error / *model.run.accuracy);
  } catch (const InputError& e) {
    outcome.words = e.what();
    return outcome;
  }
  const double asked = *model.run.accuracy;
  const Model settled = read_model(model.source, model.text, model.set, {found->set, ""});
  const OrderStudy study = study_order(settled, {settled.run.step});
  if (!study.failures.empty()) {
    outcome.words = study.failures.front();
    return outcome;
  }
  const MethodEntry& method = choose_method(settled);
  std::optional<LargestPosition> rows;
  RunContext context;
  context.open_rows = [&](const Columns& columns) { return &rows.emplace(columns); };
  const RunResult run = simulate(settled, method, read_options(settled, method), context);
  outcome.found = true;
  outcome.error = *study.rows.front().error.q / rows->largest / asked;
  outcome.said = found->accuracy.q.max / asked;
  outcome.cost = static_cast<double>(found->evaluations) / static_cast<double>(run.report.cost.evaluations);
  outcome.coarsest = found->steps <= 4;
  outcome.words = fmt::format("{} steps of {}", found->steps, method.name);
  for (const auto& [key, value] : settled.method.options)
    outcome.words += std::visit([&](const auto& x) { return fmt::format(" {}={}", key, x); }, value);
  return outcome;
}

struct Tally {
  int trials = 0, inside = 0, above = 0, dear = 0, not_found = 0;
  double worst_error = 0, worst_cost = 0;
  void add(const Trial& o, double allowed_cost) {
    ++trials;
    if (!o.found) {
      ++not_found;
      return;
    }
    inside += (o.error >= 0.03 || o.coarsest) && o.error <= 1;
    above += o.error > 3;
    dear += o.cost > allowed_cost;
    worst_error = std::max(worst_error, o.error), worst_cost = std::max(worst_cost, o.cost);
  }
  void print(const char* what) const {
    fmt::print(
        "{}: {} trials, {} refused, {} within [0.03, 1], {} above 3, worst {:.2g}; {} searches too dear, worst "
        "{:.2g}\n",
        what, trials, not_found, inside, above, worst_error, dear, worst_cost);
  }
};

}  // namespace

int main(int count, char** words) {
  const bool tell_pilots = count > 1 && std::string(words[1]) == "pilots";
  if (tell_pilots) --count, ++words;
  const bool rough = count == 4 && std::string(words[1]) == "rough";
  const bool seeds = rough || (count == 4 && std::string(words[1]) == "seeds");
  const auto wanted = [&](const std::string& name) {
    return count == 1 || (seeds && name.starts_with("random-")) ||
           std::any_of(words + 1, words + count, [&](const char* w) { return name == w; });
  };
  Tally given, automatic;
  const auto all = [&](const std::string& name, const auto& load) {
    if (!wanted(name)) return;
    for (const bool choose : {false, true})
      for (const char* accuracy : {"1e-4", "1e-6", "1e-8", "1e-10"}) {
        const Trial o = tried(load(choose, accuracy), tell_pilots);
        (choose ? automatic : given).add(o, choose ? 8 : 3);
        fmt::print("{:<26} {:<6} {:<6}", name, choose ? "auto" : "", accuracy);
        if (o.found)
          fmt::print(" true {:8.3f}{} said {:6.2f}  search {:5.2f}{} ", o.error,
                     (o.error >= 0.03 || o.coarsest) && o.error <= 1 ? ' ' : '!', o.said, o.cost,
                     o.cost > (choose ? 8 : 3) ? '!' : ' ');
        fmt::print(" {}\n", o.words);
        std::fflush(stdout);
      }
  };
  for (const Problem& problem : ready)
    all(problem.name, [&](bool choose, const char* accuracy) {
      Overrides set = problem.set;
      if (choose) {
        std::erase_if(set, [](const auto& entry) { return entry.first.starts_with("method."); });
        set.emplace_back("method.name", "auto");
      }
      set.emplace_back("run.accuracy", accuracy);
      return load_model(problem.name, set);
    });
  const unsigned first = seeds ? static_cast<unsigned>(std::stoul(words[2])) : 1;
  const unsigned last = seeds ? static_cast<unsigned>(std::stoul(words[3])) : 20;
  for (unsigned k = first; k <= last; ++k) {
    RandomSystem random(k);
    const std::string text = rough ? random.rough(k) : random.text(k);
    all(fmt::format("random-{}", k), [&](bool choose, const char* accuracy) {
      Overrides set{{"run.accuracy", accuracy}};
      if (choose) set.emplace_back("method.name", "auto");
      return read_model("random.toml", text, set);
    });
  }
  given.print("method given");
  automatic.print("auto");
}
