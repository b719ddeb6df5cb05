// Runs that are made without redundant constraints (model/least_norm.hpp): those are watched, and rows completed.
#pragma once

#include <span>
#include <vector>

#include "livens/run/companion.hpp"
#include "livens/run/table.hpp"
#include "model/least_norm.hpp"

namespace livens {

struct LeftOutFigures {
  double constraint = 0, hidden_constraint = 0;  // the largest |g| and |G v + g_t|
};

// Goes along with the run and looks at the constraints left out, so that the audit is about all of them. One that
// follows from the others is as good as they are, times how steeply it depends on them; a run where one is worse ends:
//
//   |g_d| <= (1e-9 + 100 max_i |g_i|/size_i) size_d ,    size: of the terms that g is summed from
//
// 1e-9 is far above round-off and far below what is seen in results. The rates G v + g_t are recorded, not judged: a
// method that leaves those of the kept constraints free leaves all free.
template <class T>
class LeftOut : public Companion<T> {
 public:
  LeftOut(const Model& model, std::vector<int> left_out);

  Outcome judge(const StateView<T>& x) override;
  void observe(const StateView<T>& x) override;
  void save(ArchiveWriter& a) override { a(worst_, last_, size_); }
  void restore(ArchiveReader& a) override { a(worst_, last_, size_); }

  const LeftOutFigures& worst() const { return worst_; }  // of all steps
  const LeftOutFigures& last() const { return last_; }    // of the last one

 private:
  ElementSystem<T> system_;  // with all constraints
  std::vector<int> left_out_;
  SparseMat<T> G_;
  Vec<T> q_, g_, rate_, size_;
  LeftOutFigures worst_, last_;
};

// Completes the rows of a run that was made without some constraints: columns of multipliers get all of them, those of
// the audit look at all.
class LeastNormRows : public RowSink {
 public:
  // last: the figures of the constraints left out at the state that a row is about, when it is written.
  LeastNormRows(const Model& model, std::vector<int> left_out, const Columns& of_run, const LeftOutFigures& last);
  const Columns& columns() const { return complete_; }
  void write_to(RowSink* rows) { rows_ = rows; }
  void write(std::span<const double> row) override;

 private:
  LeastNorm<double> all_;
  Columns of_run_, complete_;
  const LeftOutFigures& last_;
  RowSink* rows_ = nullptr;
  std::vector<double> row_;
};

}  // namespace livens
