// Goes along with a run: sees every new state and may refuse it, adds columns to the rows, and keeps what it remembers
// over a checkpoint.
#pragma once

#include <span>
#include <vector>

#include "livens/run/archive.hpp"
#include "livens/run/table.hpp"
#include "livens/solve/outcome.hpp"

namespace livens {

// A state as others may look at it; what a kind of system does not have, or nobody has asked for yet, is empty.
template <class T>
struct StateView {
  T t;
  std::span<const T> q, v, p, lambda;
};

template <class T>
class Companion {
 public:
  virtual ~Companion() = default;

  // Whether the run may go on from here. Asked before anything takes notice of the state; it must not remember it.
  virtual Outcome judge(const StateView<T>&) { return Outcome::converged; }
  // The first state, and every one that was accepted; v belongs to the momentum of the audit.
  virtual void observe(const StateView<T>&) {}

  virtual Columns columns() const { return {}; }
  // Appends the numbers of its columns; v and lambda are those of the row.
  virtual void record(const StateView<T>&, std::vector<double>& /*row*/) {}

  virtual void save(ArchiveWriter&) {}
  virtual void restore(ArchiveReader&) {}
};

}  // namespace livens
