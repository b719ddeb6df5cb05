// One line of the audit of a run: what was looked at, its figures over all steps and over the recorded rows, and what
// they mean.
#pragma once

#include <optional>
#include <string>

namespace livens {

struct AuditLine {
  enum class About { energy, energy_balance, constraint, hidden_constraint, invariant };
  struct Figures {
    double largest = 0;           // |value - initial|; balance of the energy, constraints: |value|
    std::optional<double> drift;  // slope of the least-squares line, per unit of time
  };
  About about;
  std::string name;               // "energy", "hidden constraint", or the name of the invariant
  std::optional<double> initial;  // of what is conserved
  Figures all_steps, rows;
  std::optional<double> size;  // of the terms that it is made of
  std::string words;

  std::optional<double> relative() const {
    return size && *size > 0 ? std::optional(all_steps.largest / *size) : std::nullopt;
  }

  // The name, and where an invariant has that of another line, that it is one.
  std::string label() const {
    const bool is_taken = about == About::invariant && (name == "energy" || name == "constraint");
    return is_taken ? "invariant " + name : name;
  }
};

}  // namespace livens
