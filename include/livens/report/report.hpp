// What a recorded run conserved, and the page about it, from the files in its directory.
//
// All figures of summary.json are over all steps. What the recorded rows tell is computed again from trajectory.h5 and
// set beside them; the words (audit/words.hpp) need both, because only the rows know the course of an error.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/store/error.hpp"

namespace livens {

struct AuditLine {
  enum class About { energy, constraint, hidden_constraint, invariant };
  struct Figures {
    double largest = 0;           // |value - initial|; constraints: |value|
    std::optional<double> drift;  // slope of the least-squares line, per unit of time
  };
  About about;
  std::string name;               // "energy", "hidden constraint", or the name of the invariant
  std::optional<double> initial;  // of what is conserved
  Figures all_steps, rows;
  std::string words;

  // The name, and where an invariant has that of another line, that it is one.
  std::string label() const {
    const bool is_taken = about == About::invariant && (name == "energy" || name == "constraint");
    return is_taken ? "invariant " + name : name;
  }
};

// Throws InputError: no directory, no run in it, an unfinished run, files that are damaged or not of one run.
std::vector<AuditLine> audit_run(const std::filesystem::path& directory);

// A self-contained page: no scripts, nothing fetched when it is looked at. Throws InputError.
std::string report_page(const std::filesystem::path& directory);

// Writes report.html into the directory. Throws InputError, and StoreError if it cannot be written.
void write_report(const std::filesystem::path& directory);

}  // namespace livens
