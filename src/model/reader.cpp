// A model file to a Model: one function a section, in the order of the file. The contract of keys is the table of
// keys.cpp; what the methods' options mean is the registry's business.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>

#include "livens/model/model.hpp"
#include "model/contact_reader.hpp"
#include "model/counts.hpp"
#include "model/document.hpp"
#include "model/mechanism_model.hpp"
#include "model/multibody_reader.hpp"
#include "model/samples.hpp"
#include "model/table_reader.hpp"
#include "model/view_reader.hpp"
#include "model/vocabulary.hpp"

namespace livens {

namespace {

using formula::NodeId;
using formula::Number;

constexpr long long most_steps = 1'000'000'000'000'000;

// 1.0 rather than 1, as in the file.
std::string decimal(double x) {
  const std::string digits = fmt::format("{}", x);
  return digits.find_first_of(".en") == digits.npos ? digits + ".0" : digits;
}

class Reader {
 public:
  explicit Reader(Model& model) : model_(model), document_(model), top_(document_.top()) {}

  void read() {
    read_kind();
    top_.refuse_unknown_keys(kind_);
    if (const auto format = top_.find("format"))
      if (const long long number = format->integer(LLONG_MIN, LLONG_MAX); number != 1)
        format->refuse(fmt::format("is {}; this version reads format = 1", number));
    if (const auto title = top_.find("title")) model_.title = title->text();
    if (kind_ == "lagrangian")
      read_lagrangian();
    else if (kind_ == "degenerate")
      read_degenerate();
    else if (kind_ == "odae")
      read_odae();
    else
      read_multibody();
    read_method();
    read_run();
    read_recorded_quantities();
    read_solver();
    if (model_.title.empty()) model_.title = model_.name;
    model_.unused = document_.unused();
    document_.refuse_useless_overrides(model_.unused);
    model_.text += tables_;
    model_.as_run = model_.set.empty() && model_.found.set.empty() ? model_.text : document_.text() + tables_;
  }

 private:
  Section section(std::string_view name) const {
    const Section found = top_.get(name).section();
    found.refuse_unknown_keys(kind_);
    return found;
  }

  void read_kind() {
    const Value kind = top_.get("system").section().get("kind");
    const std::vector<std::string> kinds{"lagrangian", "degenerate", "odae", "multibody"};
    kind_ = kind.choice(kinds);
    if (const auto boundary = top_.find("final"); boundary && kind_ != "lagrangian")
      boundary->refuse(fmt::format("boundary value problems are of kind \"lagrangian\", this one is \"{}\"", kind_));
    for (const char* samples : {"loop", "surface"})
      if (const auto given = top_.find(samples); given && kind_ != "degenerate")
        given->refuse(fmt::format(
            "integral invariants are made for kind \"degenerate\", this one is \"{}\"; leave it out", kind_));
  }

  // ---- [system] ----------------------------------------------------------------------------------------------------

  std::vector<std::string> read_names(Vocabulary& words, const Value& names, int block) const {
    std::vector<std::string> added = words.add_variables(names, block);
    if (added.empty()) names.refuse("is empty; write at least one name");
    return added;
  }

  void read_definitions(const Section& system, Vocabulary& words) {
    tables_ = read_tables(top_, model_, words);
    if (const auto parameters = system.find("parameters")) words.add_parameters(parameters->section());
    if (const auto let = system.find("let")) words.add_definitions(let->section());
  }

  template <class Formulas>
  static void read_invariants(const Section& system, Vocabulary& words, const Contents& contents, Formulas& formulas) {
    const auto invariants = system.find("invariants");
    if (!invariants) return;
    for (const auto& [name, text] : invariants->section().entries()) {
      Vocabulary::check_name(name, text);
      words.refuse_ambiguous_names(text);
      formulas.invariant_names.push_back(name);
      formulas.invariants.push_back(words.formula(text, contents));
    }
  }

  static std::vector<NodeId> read_formulas(const Value& texts, Vocabulary& words, const Contents& contents,
                                           const Owners& owners) {
    std::vector<NodeId> formulas = words.formulas(texts, contents);
    check_count(texts, formulas.size(), "formula", owners);
    return formulas;
  }

  void read_lagrangian() {
    using F = LagrangianFormulas;
    const std::string_view of_motion = "it may contain coordinates, velocities, t and parameters only";
    const Contents motion{{F::time, F::q, F::v}, of_motion, true}, force{{F::time, F::q, F::v}, of_motion};
    const Contents constraint{{F::time, F::q}, "constraints may contain coordinates, t and parameters only", true};
    const Contents anything{{F::time, F::q, F::v, F::p}, ""};

    const Section system = section("system");
    Vocabulary words(document_, system, F::time);
    coordinates_ = read_names(words, system.get("coordinates"), F::q);
    read_definitions(system, words);
    words.add_companions(coordinates_, "", "'", F::v);
    words.add_rates(F::q, F::v);
    words.add_companions(coordinates_, "p_", "", F::p);
    words.check_definitions(anything);

    const Owners coordinates{coordinates_.size(), "coordinate", "coordinates"};
    F::Formulas formulas;
    formulas.lagrangian = words.formula(system.get("lagrangian"), motion);
    if (const auto texts = system.find("constraints")) formulas.constraints = words.formulas(*texts, constraint);
    if (const auto texts = system.find("forces")) formulas.forces = read_formulas(*texts, words, force, coordinates);
    read_invariants(system, words, anything, formulas);

    const Section initial = section("initial");
    model_.initial.q = read_numbers(initial, "q", words, coordinates);
    const auto v = initial.find("v"), p = initial.find("p");
    if (v && p) p->refuse("v and p are both given; leave one out");
    model_.initial.momentum_given = p.has_value();
    if (top_.find("final"))
      model_.final_q = read_numbers(section("final"), "q", words, coordinates);
    else if (!v && !p)
      initial.refuse("v or p is missing; write v = [0.0, ...] or p = [0.0, ...]");
    if (v || p) (p ? model_.initial.p : model_.initial.v) = read_numbers(initial, p ? "p" : "v", words, coordinates);
    read_start(initial, words);
    read_recorded_state(words, formulas.constraints.size());
    read_exact(words, coordinates, coordinates);
    if (top_.find("contact"))
      read_contact(section("contact"), words, static_cast<int>(formulas.constraints.size()), coordinates_, kind_, 0, {},
                   model_);
    read_events(top_, words, anything, {F::time, F::q, F::v, F::p, F::blocks}, kind_, model_);
    if (has_values()) {
      words.add_meaning("energy", energy_of(words.graph(), formulas.lagrangian));
      read_values(words, {F::time, F::q, F::v, F::p, F::blocks + 2, F::blocks + 1},
                  numbered_multipliers(formulas.constraints.size()));
    }
    read_view(words, {{F::time, F::q, F::v, F::p}, ""}, F::blocks, formulas.invariant_names);
    describe(std::make_shared<const F>(words.take_graph(), static_cast<int>(coordinates.count), std::move(formulas)));
  }

  void read_degenerate() {
    using F = DegenerateFormulas;
    // t gets a block that no formula of the system may contain, so that it can be refused in words.
    const int time = F::blocks;
    const Contents field{{F::q}, "it may contain coordinates and parameters only, degenerate systems have no t", true};
    const Contents invariant{{F::q, F::p},
                             "it may contain coordinates, momenta and parameters only, degenerate systems "
                             "have no t"};

    const Section system = section("system");
    Vocabulary words(document_, system, time);
    coordinates_ = read_names(words, system.get("coordinates"), F::q);
    read_definitions(system, words);
    words.add_companions(coordinates_, "p_", "", F::p);
    words.check_definitions(invariant);

    const Owners coordinates{coordinates_.size(), "coordinate", "coordinates"};
    F::Formulas formulas;
    formulas.theta = read_formulas(system.get("theta"), words, field, coordinates);
    formulas.hamiltonian = words.formula(system.get("hamiltonian"), field);
    read_invariants(system, words, invariant, formulas);

    const Section initial = section("initial");
    model_.initial.q = read_numbers(initial, "q", words, coordinates);
    read_start(initial, words);
    read_recorded_state(words, 0);
    read_exact(words, coordinates, coordinates);
    read_events(top_, words, {{F::q, F::p, time}, ""}, {time, F::q, -1, F::p, time + 1}, kind_, model_);
    if (has_values()) {
      words.add_meaning("energy", formulas.hamiltonian);
      read_values(words, {time, F::q, -1, F::p, time + 1}, {});
    }
    SampleReader samples(words);
    read_view(words, invariant, time + 1, formulas.invariant_names);
    if (top_.find("loop")) samples.read_loop(section("loop"), coordinates, model_.loop);
    if (top_.find("surface")) samples.read_surface(section("surface"), coordinates, model_.surface);
    describe(std::make_shared<const F>(words.take_graph(), static_cast<int>(coordinates.count), std::move(formulas)));
  }

  void read_odae() {
    using F = OdaeFormulas;
    const std::string_view of_motion = "it may contain positions, velocities, t and parameters only";
    const Contents motion{{F::time, F::y, F::z}, of_motion}, velocity{{F::time, F::y, F::z}, of_motion, true};
    const Contents anything{{F::time, F::y, F::z, F::psi}, ""}, reaction{{F::time, F::y, F::z, F::psi}, "", true};
    const Contents constraint{
        {F::y}, "constraints of kind \"odae\" may contain positions and parameters only, not t", true};

    const Section system = section("system");
    Vocabulary words(document_, system, F::time);
    coordinates_ = read_names(words, system.get("positions"), F::y);
    const Owners positions{coordinates_.size(), "position", "positions"};
    const Owners velocities{read_names(words, system.get("velocities"), F::z).size(), "velocity", "velocities"};
    const Owners multipliers{words.add_variables(system.get("multipliers"), F::psi).size(), "multiplier",
                             "multipliers"};
    read_definitions(system, words);
    words.check_definitions(anything);

    F::Formulas formulas;
    formulas.velocity = read_formulas(system.get("velocity"), words, velocity, positions);
    for (std::size_t i = 0; i < formulas.velocity.size(); ++i)
      words.add_rate({F::y, static_cast<int>(i)}, formulas.velocity[i]);
    formulas.force = read_formulas(system.get("force"), words, motion, velocities);
    formulas.reaction = read_formulas(system.get("reaction"), words, reaction, velocities);
    formulas.constraints = read_formulas(system.get("constraints"), words, constraint, multipliers);
    read_invariants(system, words, motion, formulas);

    const Section initial = section("initial");
    model_.initial.q = read_numbers(initial, "y", words, positions);
    model_.initial.z = read_numbers(initial, "z", words, velocities);
    if (initial.find("psi")) model_.initial.psi = read_numbers(initial, "psi", words, multipliers);
    read_start(initial, words);
    read_recorded_state(words, multipliers.count);
    read_exact(words, positions, velocities);
    if (top_.find("contact"))
      read_contact(section("contact"), words, static_cast<int>(multipliers.count), coordinates_, kind_,
                   static_cast<int>(velocities.count),
                   {{F::time, F::y, F::z}, "an impulse may contain positions, velocities, t and parameters only"},
                   model_);
    read_events(top_, words, motion, {F::time, F::y, -1, F::z, F::blocks}, kind_, model_);
    if (has_values()) read_values(words, {F::time, F::y, -1, F::z, F::blocks, F::psi}, {});
    read_view(words, motion, F::blocks, formulas.invariant_names);
    describe(std::make_shared<const F>(words.take_graph(), static_cast<int>(positions.count),
                                       static_cast<int>(velocities.count), static_cast<int>(multipliers.count),
                                       std::move(formulas)));
  }

  void read_multibody() {
    using F = LagrangianFormulas;
    const int local = F::blocks;  // of the variables of forces
    const Section system = section("system");
    Vocabulary words(document_, system, F::time);
    read_definitions(system, words);
    words.check_definitions({{F::time}, "definitions of a multibody model may contain t and parameters only"});
    if (top_.find("initial")) read_start(section("initial"), words);
    const bool project = model_.initial.project;
    MultibodyReader bodies(top_, system, words, local, project ? 0.5 : model_.initial.tolerance);
    multibody::Mechanism mechanism = bodies.read();
    coordinates_ = mechanism.coordinate_names();
    read_recorded_state(words, static_cast<std::size_t>(mechanism.constraints()));
    model_.solver.redundant = "least-norm";
    for (const multibody::Joint& joint : mechanism.joints())
      if (joint.restitution)
        model_.contact.one_sided.push_back({mechanism.internal_rows() + joint.first_row, joint.side(),
                                            to_double(*joint.restitution), joint.key + ".unilateral", joint.name});
    if (top_.find("contact")) read_mechanism_contact(section("contact"), words, model_);
    if (top_.find("event") || has_values()) add_mechanism_names(coordinates_, F::q, F::v, words);
    if (top_.find("event")) {
      read_events(top_, words,
                  {{F::time, F::q, F::v}, "an event may contain t, parameters and coordinates such as crank_x only"},
                  {F::time, F::q, F::v, -1, F::blocks}, kind_, model_);
    }
    if (has_values())
      read_values(words, {F::time, F::q, F::v, -1, local + 3, local + 2}, multipliers_of_joints(mechanism));
    read_view(words, {}, local + 1, {});
    describe_mechanism(model_, std::move(mechanism), words.take_graph(), local);
  }

  // tau: the block of the parameter of background curves.
  void read_view(Vocabulary& words, const Contents& motion, int tau, const std::vector<std::string>& invariants) {
    std::vector<std::string> named = invariants;
    named.insert(named.end(), model_.record.values.begin(), model_.record.values.end());
    read_words(section("system"), kind_, coordinates_, named, model_);
    if (top_.find("view")) ViewReader(words, motion, tau).read(section("view"), model_.view);
  }

  void describe(SystemDescription::Formulas formulas) {
    model_.system = std::make_shared<const SystemDescription>(std::move(coordinates_), std::move(formulas));
  }

  // ---- [initial], [exact] ------------------------------------------------------------------------------------------

  static std::vector<Number> read_numbers(const Section& section, std::string_view key, Vocabulary& words,
                                          const Owners& owners) {
    const Value values = section.get(key);
    std::vector<Number> numbers = words.constants(values);
    check_count(values, numbers.size(), "number", owners);
    return numbers;
  }

  void read_start(const Section& initial, Vocabulary& words) {
    if (const auto t = initial.find("t")) model_.initial.t = words.constant(*t);
    if (const auto project = initial.find("project")) model_.initial.project = project->flag();
    if (const auto tolerance = initial.find("tolerance")) {
      model_.initial.tolerance = to_double(words.constant(*tolerance));
      if (!(model_.initial.tolerance > 0))
        tolerance->refuse(fmt::format("is {}; write a positive number", model_.initial.tolerance));
    }
  }

  void read_exact(Vocabulary& words, const Owners& owners_q, const Owners& owners_p) {
    if (!top_.find("exact")) return;
    const Contents solution{{words.time_block()}, "an exact solution may contain t and parameters only"};
    const Section exact = section("exact");
    const std::vector<NodeId> q = read_formulas(exact.get("q"), words, solution, owners_q);
    std::vector<NodeId> p;
    if (const auto momenta = exact.find("p")) p = read_formulas(*momenta, words, solution, owners_p);
    formula::Graph graph = words.graph();
    std::vector<NodeId> outputs = q;
    append(outputs, jacobian(graph, q, words.time_block(), 1));
    append(outputs, p);
    model_.exact = {.program = std::make_shared<const formula::Program>(formula::compile(graph, outputs)),
                    .time_block = words.time_block(),
                    .momentum_given = !p.empty()};
  }

  // ---- [method], [run], [solver] -----------------------------------------------------------------------------------

  void read_method() {
    const auto value = top_.find("method");
    if (!value) return;
    const Section method = value->section();
    const Value name = method.get("name");
    model_.method.name = name.text();
    if (model_.method.name.empty()) name.refuse("is empty; write the name of a method, livens list methods shows them");
    for (const auto& [key, option] : method.entries())
      if (key != "name") model_.method.options.emplace(key, option.option());
  }

  void read_run() {
    if (!top_.find("run")) return;
    const Section run = section("run");
    model_.run.given = true;
    if (const auto every = run.find("every")) model_.run.every = every->integer(1, most_steps);
    if (const auto precision = run.find("precision")) read_precision(*precision);
    if (const auto estimate = run.find("estimate")) {
      model_.run.estimate = estimate->flag();
      if (model_.run.estimate && model_.is_boundary_problem())
        estimate->refuse("a boundary value problem has no estimate of its error; use study order");
    }
    if (const auto accuracy = run.find("accuracy")) return read_accuracy(run, *accuracy);

    const auto end = run.find("end"), steps = run.find("steps");
    if (end && !steps && !run.find("step") && !model_.is_boundary_problem()) return read_end(*end);
    const Value step = run.get("step");
    model_.run.step = step.number();
    if (to_double(model_.run.step) == 0) step.refuse("is 0; write a step such as 0.01, negative to go back in time");

    if (end && steps) steps->refuse("end and steps are both given; leave one out");
    if (!end && !steps) run.refuse("end or steps is missing; write end = 100.0 or steps = 10000");
    model_.run.steps = end ? steps_to(*end) : steps->integer(1, most_steps);
    model_.run.end = end ? end->number() : model_.initial.t + Number(model_.run.steps) * model_.run.step;
  }

  void read_accuracy(const Section& run, const Value& accuracy) {
    if (run.find("step")) accuracy.refuse("accuracy and step are both given; leave one out");
    const double asked = to_double(accuracy.number());
    if (!(asked > 0 && asked < 1))
      accuracy.refuse(fmt::format("is {:.3g}, must be between 0 and 1: the error of q relative to its size", asked));
    if (model_.is_boundary_problem())
      accuracy.refuse("a boundary value problem is solved with a given step; write step = 0.01");
    if (model_.run.estimate) run.refuse("estimate", "accuracy includes an estimate; leave one out");
    const auto end = run.find("end");
    if (!end) run.refuse("end is missing, which accuracy needs; write end = 100.0");
    if (run.find("steps")) run.refuse("steps", "accuracy finds the number of steps; leave one out");
    model_.run.accuracy = asked;
    read_end(*end);
  }

  void read_end(const Value& end) {
    model_.run.end = end.number();
    if (model_.run.end == model_.initial.t)
      end.refuse(
          fmt::format("end = {} is the time of the start; write a later end", decimal(to_double(model_.run.end))));
  }

  long long steps_to(const Value& end) const {
    using std::abs, std::floor;
    const Number t = model_.initial.t, step = model_.run.step, t_end = end.number();
    const Number count = (t_end - t) / step;
    const auto shown = [](const Number& x) { return decimal(to_double(x)); };
    if (count == 0) end.refuse(fmt::format("end = {} is the time of the start; write a later end", shown(t_end)));
    if (count < 0)
      end.refuse(fmt::format("end = {} lies {} t = {}, but step = {} goes {}; change the sign of run.step",
                             shown(t_end), t_end < t ? "before" : "after", shown(t), shown(step),
                             step > 0 ? "forward" : "back"));
    if (count > Number(most_steps))
      end.refuse(fmt::format("end = {} is {:.3g} steps of {}, more than {:.0e}; write a larger step", shown(t_end),
                             to_double(count), shown(step), static_cast<double>(most_steps)));
    const Number whole = floor(count + Number(0.5));
    if (whole >= 1 && abs(count - whole) <= Number(1e-9) * count) return static_cast<long long>(whole);
    const Number before = t + floor(count) * step, after = before + step;
    end.refuse(fmt::format("end = {} is {:.10g} steps of {}; ", shown(t_end), to_double(count), shown(step)) +
               (count < 1 ? fmt::format("the nearest end is {}", shown(after))
                          : fmt::format("the nearest ends are {} and {}", shown(before), shown(after))));
  }

  void read_precision(const Value& precision) {
    const std::vector<std::string> names{"double", "extended", "quad"};
    const std::string word = precision.choice(names);
    for (const Precision known : {Precision::double_, Precision::extended, Precision::quad})
      if (word == name(known)) model_.run.precision = known;
    if (model_.run.precision == Precision::quad && !LIVENS_QUAD)
      precision.refuse("\"quad\" is not possible, this build has no binary128; write \"extended\"");
  }

  void read_recorded_state(Vocabulary& words, std::size_t constraints) {
    if (!top_.find("record")) return;
    const Section record = section("record");
    if (const auto names = record.find("coordinates")) {
      model_.record.coordinates = words.chosen(*names, coordinates_);
      if (model_.record.coordinates->empty())
        names->refuse("is empty; write at least one coordinate, or leave it out for all of them");
    }
    if (const auto numbers = record.find("multipliers")) {
      if (constraints == 0) numbers->refuse("there are no constraints; leave it out");
      model_.record.multipliers = words.chosen_numbers(*numbers, static_cast<int>(constraints));
    }
  }

  // ---- [record.values] ---------------------------------------------------------------------------------------------

  bool has_values() const {
    const auto record = top_.find("record");
    return record && record->section().find("values");
  }

  // v.L_v - L
  NodeId energy_of(formula::Graph& graph, NodeId L) const {
    using F = LagrangianFormulas;
    const auto n = static_cast<int>(coordinates_.size());
    const std::vector<NodeId> p = jacobian(graph, std::array{L}, F::v, n);
    NodeId sum = graph.constant(0);
    for (int i = 0; i < n; ++i)
      sum = graph.add(sum, graph.mul(graph.variable({F::v, i}), p[static_cast<std::size_t>(i)]));
    return graph.sub(sum, L);
  }

  // Names of multipliers, and their rows.
  using Multipliers = std::vector<std::pair<std::string, int>>;
  static Multipliers numbered_multipliers(std::size_t constraints) {
    Multipliers all;
    for (int row = 0; row < static_cast<int>(constraints); ++row)
      all.emplace_back(fmt::format("lambda[{}]", row + 1), row);
    return all;
  }
  // And elbow_lambda[1], hinge_lambda[3,1] of the joints elbow, hinge[3].
  static Multipliers multipliers_of_joints(const multibody::Mechanism& mechanism) {
    Multipliers all = numbered_multipliers(static_cast<std::size_t>(mechanism.constraints()));
    for (const multibody::Joint& joint : mechanism.joints()) {
      const std::size_t bracket = joint.name.find('[');
      const std::string family = joint.name.substr(0, bracket);
      std::string index = bracket == joint.name.npos ? "" : joint.name.substr(bracket + 1);
      if (!index.empty()) index.back() = ',';
      if (family.find('-') != family.npos) continue;
      for (int k = 0; k < joint.rows; ++k)
        all.emplace_back(fmt::format("{}_lambda[{}{}]", family, index, k + 1),
                         mechanism.internal_rows() + joint.first_row + k);
    }
    return all;
  }

  void read_values(Vocabulary& words, const Model::EventBlocks& blocks, const Multipliers& multipliers) {
    const Section values = section("record").get("values").section();
    for (const auto& [name, row] : multipliers) words.add_local_if_free(name, {blocks.lambda, row});
    Contents contents{{blocks.time, blocks.q}, "a value may contain the state, multipliers, t and parameters only"};
    for (const int block : {blocks.v, blocks.p, blocks.lambda})
      if (block >= 0) contents.blocks.push_back(block);
    std::vector<NodeId> formulas;
    for (const auto& [name, text] : values.entries()) {
      Vocabulary::check_name(name, text);
      words.refuse_ambiguous_names(text);
      model_.record.values.push_back(name);
      formulas.push_back(words.formula(text, contents));
    }
    model_.record.value_program = std::make_shared<const formula::Program>(formula::compile(words.graph(), formulas));
    model_.record.value_blocks = blocks;
  }

  void read_recorded_quantities() {
    if (!top_.find("record")) return;
    const Section record = section("record");
    if (const auto reactions = record.find("reactions")) {
      model_.record.reactions = reactions->flag();
      if (model_.record.reactions && model_.system->constraints() == 0)
        reactions->refuse("is true, but there are no constraints");
    }
    if (const auto work = record.find("work")) {
      model_.record.work = work->flag();
      if (model_.record.work && !model_.system->structure().forces)
        work->refuse("is true, but the model has no system.forces");
    }
  }

  void read_solver() {
    if (!top_.find("solver")) return;
    const Section solver = section("solver");
    if (const auto tolerance = solver.find("tolerance")) read_solver_tolerance(*tolerance);
    if (const auto iterations = solver.find("iterations"))
      model_.solver.iterations = static_cast<int>(iterations->integer(1, 10000));
    const auto only_lagrangian = [&](const Value& value, const std::string& word) {
      if ((kind_ != "lagrangian" && kind_ != "multibody") || (word != "least-norm" && model_.system->friction()))
        value.refuse(fmt::format("\"{}\" is made for kind \"lagrangian\", this one is \"{}\"; leave it out", word,
                                 model_.system->written_kind()));
    };
    if (const auto linear = solver.find("linear")) {
      const std::string& word = model_.solver.linear =
          linear->choice(std::vector<std::string>{"auto", "dense", "sparse", "schur"});
      if (word == "sparse" || word == "schur") only_lagrangian(*linear, word);
    }
    if (const auto redundant = solver.find("redundant")) {
      const std::string& word = model_.solver.redundant =
          redundant->choice(std::vector<std::string>{"error", "least-norm"});
      if (word == "least-norm") only_lagrangian(*redundant, word);
      if (word == "least-norm" && model_.system->friction())
        redundant->refuse("joints with friction must not be redundant: how they share a load is not determined");
    }
  }

  void read_solver_tolerance(const Value& tolerance) {
    if (tolerance.is_text()) {
      const std::vector<std::string> names{"round-off"};
      tolerance.choice(names);
      return;
    }
    const double given = to_double(tolerance.number());
    if (!(given > 0 && given < 1))
      tolerance.refuse(fmt::format("is {}; write \"round-off\" or a number between 0 and 1", given));
    model_.solver.tolerance = given;
  }

  Model& model_;
  Document document_;
  Section top_;
  std::string kind_;                      // as the file names it
  std::vector<std::string> coordinates_;  // until the system is described
  std::string tables_;                    // to be put at the end of the text
};

}  // namespace

Model read_model(const std::string& source, const std::string& text, const Overrides& set, const Model::Found& found) {
  Model model;
  model.source = source;
  // A pipe or another process has no name of its own.
  model.name = source.starts_with("/dev/") || source.starts_with("/proc/")
                   ? "model"
                   : std::filesystem::path(source).stem().string();
  model.text = text;
  model.set = set;
  model.found = found;
  Reader(model).read();
  return model;
}

}  // namespace livens
