// Whether the steps of a motion resolve what is not smooth in its formulas (docs/model-files.md, Jumps). Of the x of a
// corner (formula/expression.hpp), looked at after every step:
//
//   crossed      a sharp one or a jump changes its sign; no step resolves that
//   unresolved   a root has a narrow dip: x is less than a quarter of what it is two steps before and after;
//                a sigmoid changes its sign within two steps by more than 2
//   overlooked   a blow: x and those beside the largest one differ by more than 4 in all, so that exp(x) may be large
//                between them alone
//
// Tables are splines with four derivatives, whose pieces every motion crosses: too few for orders above 4.
#pragma once

#include <array>
#include <vector>

#include "livens/formula/program.hpp"
#include "livens/model/system_description.hpp"
#include "livens/run/attempt.hpp"

namespace livens {

class Corners {
 public:
  Corners(const SystemDescription& system, double order_of_method);

  bool any() const { return !kinds_.empty(); }
  bool need_multipliers() const { return need_multipliers_; }
  void look(const Place& at, const std::vector<double>& multipliers);

  bool crossed() const { return crossed_; }  // jumps, too
  bool jumped() const { return jumped_; }
  bool unresolved() const { return unresolved_; }
  bool overlooked() const { return overlooked_; }

 private:
  struct Blocks {
    int time, q, v, p, multipliers;  // -1: there is none
  };
  explicit Corners(const CompiledParts::Corners& corners, const Blocks& blocks);

  static constexpr std::size_t span = 5;  // nodes
  Blocks blocks_;
  std::vector<formula::Corner::Kind> kinds_;
  formula::Evaluator<double> formulas_;
  std::vector<const double*> pointers_;
  std::vector<double> now_;
  std::vector<std::array<double, span>> x_;  // the last ones, this one first
  std::vector<int> sign_;                    // the last one that was not 0
  std::size_t seen_ = 0;
  bool need_multipliers_ = false, crossed_ = false, jumped_ = false, unresolved_ = false, overlooked_ = false;
};

}  // namespace livens
