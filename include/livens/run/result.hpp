// What came out of a run, for all kinds of systems and precisions: a struct of plain numbers.
#pragma once

#include <atomic>
#include <functional>
#include <iomanip>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "livens/audit/accuracy.hpp"
#include "livens/audit/sizes.hpp"
#include "livens/run/event.hpp"
#include "livens/run/monitor.hpp"
#include "livens/run/report.hpp"
#include "livens/run/table.hpp"
#include "livens/system/state.hpp"

namespace livens {

// Numbers as double and, beyond double precision, as digits.
struct Values {
  std::vector<double> numbers;
  std::vector<std::string> digits;  // empty in double precision
};

template <class T>
std::string digits(const T& x) {
  std::ostringstream out;
  out << std::setprecision(std::numeric_limits<T>::max_digits10) << x;
  return out.str();
}

template <class Vector>
Values values(const Vector& x) {
  Values v;
  for (const auto& xi : x) {
    v.numbers.push_back(to_double(xi));
    if constexpr (!std::is_same_v<std::decay_t<decltype(xi)>, double>) v.digits.push_back(digits(xi));
  }
  return v;
}

struct NamedValues {
  std::string name;
  Values values;
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
  RunSizes sizes;
  struct Final {
    Values t, q;
    std::optional<Values> v;  // what the kind of system does not have is empty
    Values p;
    std::optional<Values> lambda;
  } final;
  std::vector<std::pair<Column, std::vector<double>>> parts;  // bodies, joints and values at the end
  std::vector<NamedValues> raw;                               // what the scheme itself produced; empty: nothing
  StartMove move;                                             // by initial.project
  std::string message;                                        // why it ended early, or what is worth knowing
  std::vector<std::pair<std::string, long long>> chosen;      // options that the method itself found
  std::optional<BoundaryResult> boundary;
  std::optional<Accuracy> accuracy;  // where it was asked for
  std::vector<RunEvent> events;      // by time; those of contacts and those that the model looks out for
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

}  // namespace livens
