// Goes along with a run: sees every new state and may refuse it, adds columns to the rows, and keeps what it remembers
// over a checkpoint.
#pragma once

#include <span>
#include <vector>

#include "livens/run/archive.hpp"
#include "livens/run/table.hpp"
#include "livens/solve/outcome.hpp"

namespace livens {

template <class T>
class Companion {
 public:
  virtual ~Companion() = default;

  // Whether the run may go on from here. Asked before anything takes notice of the state; it must not remember it.
  virtual Outcome judge(const T& /*t*/, std::span<const T> /*q*/, std::span<const T> /*v*/) {
    return Outcome::converged;
  }
  // The first state, and every one that was accepted; v belongs to the momentum of the audit.
  virtual void observe(const T& /*t*/, std::span<const T> /*q*/, std::span<const T> /*v*/) {}

  virtual Columns columns() const { return {}; }
  // Appends the numbers of its columns; v and lambda are those of the row.
  virtual void record(const T& /*t*/, std::span<const T> /*q*/, std::span<const T> /*v*/, std::span<const T> /*lambda*/,
                      std::vector<double>& /*row*/) {}

  virtual void save(ArchiveWriter&) {}
  virtual void restore(ArchiveReader&) {}
};

}  // namespace livens
