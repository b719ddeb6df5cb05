// The one table of methods: name, options, what systems they fit, order and properties, and how to run them on a model.
// `livens list`, the checks of [method] in model files and docs/methods are made from it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/run/march.hpp"
#include "livens/study/order.hpp"
#include "livens/study/reversibility.hpp"
#include "livens/study/symplecticity.hpp"

namespace livens {

struct Option {
  std::string name;
  OptionValue standard;        // default value; its type is the option's type
  std::string standard_words;  // of a default that depends on other options, such as "2s"; empty: as it stands
  std::string help;
  std::optional<long long> smallest, largest;  // of whole numbers
  std::vector<std::string> choices;            // of strings
};

// The options of a method as asked for in a model, checked and completed with the defaults, in the table's order.
class Options {
 public:
  void set(std::string name, OptionValue value) { values_.emplace_back(std::move(name), std::move(value)); }
  void replace(std::string_view name, OptionValue value) {
    for (auto& [key, old] : values_)
      if (key == name) old = std::move(value);
  }
  template <class T>
  const T& get(std::string_view name) const {
    for (const auto& [key, value] : values_)
      if (key == name) return std::get<T>(value);
    throw std::logic_error("no such option");
  }
  const std::vector<std::pair<std::string, OptionValue>>& values() const { return values_; }

 private:
  std::vector<std::pair<std::string, OptionValue>> values_;
};

// The numbers of a state, as double and, beyond double precision, as digits.
struct Values {
  std::string name;
  std::vector<double> numbers;
  std::vector<std::string> digits;  // empty in double precision
};

// What a boundary value problem has beside its motion.
struct BoundaryResult {
  Values action, p0;
  int iterations;
  double residual;  // sum of the absolute values of all equations
};

struct RunResult {
  RunReport report;
  AuditFigures audit;
  std::vector<Values> final, raw;  // t, q, v, p, lambda; what the scheme itself produced (empty: it has none)
  StartMove move;                  // by initial.project
  std::string message;             // why it ended early, or what is worth knowing
  std::vector<std::pair<std::string, OptionValue>> chosen = {};  // options that the method itself found
  std::optional<BoundaryResult> boundary = {};
};

// What a run asks of whoever started it.
struct RunContext {
  std::function<RowSink*(const Columns&)> open_rows;  // called once the start values are found consistent
  Monitor* monitor = nullptr;
  const std::atomic<bool>* stop = nullptr;
  CheckpointSink* checkpoints = nullptr;
  long long checkpoint_every = 0;
  std::string_view resume_from = {};  // the memory of an earlier run; empty: begin
};

// The studies (study/studies.hpp) of a method on a model.
struct MethodStudies {
  std::function<RunErrors(const Model&, const Options&, const formula::Number& step, long long steps, Reference&)>
      errors;
  std::function<Symplecticity(const Model&, const Options&)> symplecticity;
  std::function<Reversibility(const Model&, const Options&)> reversibility;
};

struct MethodEntry {
  std::string name, summary;
  std::vector<Option> options;
  std::vector<SystemKind> kinds;
  std::function<std::string(const Model&)> misfit;  // why the method does not fit this system; empty: it does
  std::string order;                                // in words, such as "2" or "2s"
  std::optional<bool> symplectic;
  bool symmetric = false;
  std::string keeps;
  MethodStudies studies;
  // Fills in defaults that depend on other options, and throws InputError where options contradict each other.
  std::function<void(const Model&, Options&)> complete;
  std::function<RunResult(const Model&, const Options&, const RunContext&)> run;
  bool solves_boundary_problems = false;
};

const std::vector<MethodEntry>& methods();
std::string library_version();  // version and commit

// The method of a model and its options. Throws InputError: no such method, it does not fit, an option is wrong.
const MethodEntry& choose_method(const Model& model);
Options read_options(const Model& model, const MethodEntry& method);

}  // namespace livens
