// When a step is solved by its multipliers alone ((5) of stage_solve.hpp), a way whose corrections are cheap and may
// contract slowly or not at all.
//
//   LinearTarget::schur       in every step
//   LinearTarget::lu          never
//   LinearTarget::automatic   where corrections contract
//
// In the last case a step begins with it, and leaves it for Newton's matrix as soon as at the present contraction it
// would take more than `most` corrections. After that it is left alone for a number of steps that doubles each time,
// and halves with every step that is done by it. Where there are two such ways (ggl.hpp), the simpler one is left for
// the other in every case.
//
// Corrections are counted, never time, and what is remembered goes with the checkpoint of a run: it is the same on
// every machine, and a resumed run has the same bits.
#pragma once

#include <algorithm>

#include "livens/math/sparse.hpp"
#include "livens/solve/linear_choice.hpp"
#include "livens/solve/mass.hpp"

namespace livens {

// Dense systems: never.
template <class System, class Square = typename System::Square>
class MultipliersAlone {
 public:
  using Real = RealOf<typename System::Scalar>;
  MultipliersAlone(const System&, bool, bool = true, int = 0, int = 0) {}
  void start(const Mass<Square>&) {}
  static constexpr bool ever() { return false; }
  static constexpr bool always() { return false; }
  static constexpr bool now() { return false; }
  static constexpr void begin_step() {}
  static constexpr void skip_step() {}
  static constexpr void begin_attempt() {}
  static constexpr void end_step() {}
  static constexpr bool leaves() { return false; }
  static constexpr void note(const Real&) {}
  static constexpr bool contracts_slowly() { return false; }
  template <class Archive>
  void archive(Archive&) {}
};

template <class System, class T>
class MultipliersAlone<System, SparseMat<T>> {
 public:
  using Real = RealOf<T>;

  // possible: the equations of the step allow it; last: only Newton's matrix comes after it; near: how many epsilon are
  // near round-off.
  MultipliersAlone(const System& system, bool possible, bool last = true, int most = 23, int near = 512)
      : ever_(possible && system.linear().target != LinearTarget::lu),
        always_(ever_ && last && (system.linear().target == LinearTarget::schur || !system.linear().make_lu)),
        most_(most),
        near_(near) {}

  void start(const Mass<SparseMat<T>>& mass) {
    if (!always_ && !mass.has_blocks()) ever_ = false;  // M^-1 is full
    pause_ = shortest_pause;
    wait_ = 0;
  }
  bool ever() const { return ever_; }
  bool always() const { return always_; }
  bool now() const { return now_; }

  void begin_step() {
    now_ = ever_ && wait_ == 0;
    if (wait_ > 0) --wait_;
  }
  void skip_step() { now_ = false; }
  void begin_attempt() { corrections_ = 0, slow_ = false; }
  // After an attempt that failed: whether it is made again with Newton's matrix.
  bool leaves() {
    if (!now_ || always_) return false;
    now_ = false;
    wait_ = pause_;
    pause_ = std::min(2 * pause_, longest_pause);
    return true;
  }
  void end_step() {
    if (now_) pause_ = std::max(pause_ / 2, shortest_pause);
  }

  // change: size of a correction relative to the unknowns
  void note(const Real& change) {
    if (!now_ || always_) return;
    if (++corrections_ > 1) slow_ = !arrives(change, change / before_);
    before_ = change;
  }
  bool contracts_slowly() const { return slow_; }

  template <class Archive>
  void archive(Archive& a) {
    a(wait_, pause_);
  }

 private:
  // A pause of 8 steps makes a vain attempt, of two or three corrections, a small part of the cost.
  static constexpr int shortest_pause = 8, longest_pause = 1024;

  // Whether `most_` corrections come near round-off, where contraction says nothing any more.
  bool arrives(Real change, const Real& contraction) const {
    for (int k = corrections_; change > near_ * epsilon<T>(); ++k) {
      if (k >= most_ || !(contraction < Real(1))) return false;
      change *= contraction;
    }
    return true;
  }

  bool ever_, always_, now_ = false, slow_ = false;
  // Newton's matrix costs least beside it on chains, whose factors do not fill up: there, with two stages and per mass,
  // 15600 instructions a step, and 1850 + 600 a correction by multipliers alone, so that 23 corrections cost the same
  // (bench/galerkin, N = 100, 1000). On rings of 100 masses a step by Newton's matrix takes 80 times as long as one by
  // multipliers alone, on nets of 10 x 10 and 20 x 20 masses 15 and 85 times.
  int most_, near_;
  int corrections_ = 0, wait_ = 0, pause_ = shortest_pause;
  Real before_ = Real(0);
};

}  // namespace livens
