// A model file, read and understood: what moves, from where, by which method, how long.
//
// Numbers keep the widest precision (formula::Number) until the run's scalar is chosen: 0.1 in the file means one tenth
// in the precision of the run.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "livens/formula/expression.hpp"
#include "livens/formula/program.hpp"
#include "livens/model/system_description.hpp"

namespace livens {

// The input is wrong: nothing was run. The message names file, line, key, the offending value and the remedy.
class InputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Precision { double_, extended, quad };

std::string_view name(Precision precision);

// A value of [method]: what the registry checks against the options of the method.
using OptionValue = std::variant<bool, long long, double, std::string>;

struct Model {
  std::string source;  // the file as named by the user, or the name of a ready problem; begins every message
  std::string name;    // file name without folder and ending: names the results
  std::string text;    // the file itself, and at its end the tables that it names: nothing else is needed to run it
  std::string_view written_text() const;                 // the file without them
  std::vector<std::pair<std::string, std::string>> set;  // overrides of the command line, as given
  // What was found for run.accuracy: keys that stand in its place, and the summary's words about it, as JSON.
  struct Found {
    std::vector<std::pair<std::string, std::string>> set = {};
    std::string accuracy = {};
  } found;
  std::string title;                // where the file has none, its name
  std::vector<std::string> unused;  // keys of parameters, definitions and tables that no formula needs

  // The model with all overrides in it, as a file.
  std::string as_run;

  std::shared_ptr<const SystemDescription> system;

  struct Initial {
    formula::Number t = 0;
    std::vector<formula::Number> q, v, p, z, psi;  // odae: q holds y; psi may be empty. lagrangian: v or p is empty
    bool momentum_given = false;
    bool project = false;
    double tolerance = 1e-9;
    double shift = 0;  // of q when a mechanism was assembled, before it is projected in the precision of the run
  } initial;

  // Boundary value problem: q at the end of the run, whose start has then no velocity but a guess of it, or none.
  std::vector<formula::Number> final_q;  // empty: initial value problem
  bool is_boundary_problem() const { return !final_q.empty(); }

  // The exact solution as a program of t: q, dq/dt and, where they are given, p.
  struct Exact {
    std::shared_ptr<const formula::Program> program;  // null: none given
    int time_block = 0;                               // whose only variable is t
    bool momentum_given = false;
  } exact;

  // Start points of `study invariants`: q as a program of parameters on [0, 1], tau, or sigma and tau.
  struct Samples {
    std::shared_ptr<const formula::Program> program;  // null: none given
    int block = 0;                                    // whose only variable is tau; that of sigma follows
    std::vector<int> points;                          // number of each parameter: of tau, or of sigma and of tau
  } loop, surface;

  // One-sided constraints, and how they meet.
  struct Contact {
    struct OneSided {
      int constraint = 0;      // its row, from 0
      int side = 1;            // the gap is side times its formula
      double restitution = 0;  // of G v + g_t
      std::string key;         // where it is stated, such as "contact.unilateral"
      std::string joint;       // of a mechanism, by name
      // The coordinates of the point that rubs, where they are given.
      std::vector<int> point = {};
    };
    std::vector<OneSided> one_sided;  // empty: none
    std::optional<double> friction;   // a force c F_N^exponent against sliding
    double exponent = 1;
    double threshold = 1e-7;            // approach speeds below it count as 0
    long long events_per_step = 10000;  // a step with more than these ends the run
    // Of odae: the directions of the impulses in z, one after another, as formulas of t, y and z; null: from the
    // reaction.
    std::shared_ptr<const formula::Program> impulse;
  } contact;
  bool has_contact() const { return !contact.one_sided.empty(); }

  // What a run looks out for: a change of sign of a formula along the motion.
  struct Event {
    std::string name;
    int direction = 0;  // 1 rising, -1 falling, 0 both
    bool stops = false;
  };
  std::vector<Event> events;
  std::shared_ptr<const formula::Program> event_program;  // their formulas, of the blocks below
  struct EventBlocks {
    int time = 0, q = 0, v = -1, p = -1, count = 0, lambda = -1;  // -1: there is none
  } event_blocks;

  struct Method {
    std::string name;  // empty: none given; the model can be checked, not run
    std::map<std::string, OptionValue> options;
  } method;

  struct Run {
    bool given = false;  // there is a [run] section
    formula::Number step = 0, end = 0;
    long long steps = 0, every = 1;  // no steps: end alone is given, which is enough for advice and studies of steps
    std::optional<double> accuracy;  // instead of step and steps, which are 0 until they are found
    bool estimate = false;           // of the error, from runs with half and quarter step
    Precision precision = Precision::double_;
  } run;

  // What the rows of the trajectory hold of the state, and what beside it.
  struct Record {
    std::optional<std::vector<int>> coordinates, multipliers;  // numbers from 0; empty: all
    bool reactions = false;                                    // -G^T lambda
    bool work = false;                                         // of the forces since the start
    std::vector<std::string> values;                           // names of quantities given by formulas
    std::shared_ptr<const formula::Program> value_program;     // these, of the blocks below
    EventBlocks value_blocks;
  } record;
  std::vector<std::string> recorded_coordinates() const;  // by name, in the order of the rows

  // How pages draw it. Points that are not given are found from names and constraints (report).
  struct View {
    using Curve = std::vector<std::array<double, 3>>;
    std::shared_ptr<const formula::Program> points;       // null: none given; components, one point after another
    int dimension = 0;                                    // of the points: 2 or 3
    std::optional<std::vector<std::array<int, 2>>> rods;  // between points, numbered from 1; 0: the origin
    std::vector<Curve> background;
    std::optional<double> trail, radius;  // in units of time and of length
  } view;
  // By names of coordinates (x for all x[i]) and of invariants, t and energy; of mechanisms by kinds of quantities.
  std::map<std::string, std::string> units, descriptions;

  struct Solver {
    std::optional<double> tolerance;  // empty: round-off
    int iterations = 30;
    std::string linear = "auto", redundant = "error";
  } solver;

  // "file:line: key: message" for a key of the file, such as "initial.q" or "method.s".
  std::string at(std::string_view key, std::string_view message) const;
  std::map<std::string, int, std::less<>> lines;  // line of every key that the file holds
};

using Overrides = std::vector<std::pair<std::string, std::string>>;  // key, value as in --set KEY=VALUE

// Throws InputError.
Model read_model(const std::string& source, const std::string& text, const Overrides& set = {},
                 const Model::Found& found = {});

// MODEL of the command line: a file if it contains '/' or ends in ".toml", else a ready problem. Throws InputError.
Model load_model(const std::string& model, const Overrides& set = {});

}  // namespace livens
