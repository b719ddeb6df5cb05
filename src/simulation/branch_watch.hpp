// Goes along with a run whose system has constraints g = 0 and sees to it that no step leaves the branch that it is on
// (branches.hpp), whatever the method: a step that does is refused, one of which nothing can be said is told.
//
// Not every state is looked at. From one look to the next the normals change their lengths and turn, by so much a step
// and so much a distance; the next look is where, at the larger of this rate and 3/4 of the one before, lengths would
// have changed by a quarter or normals turned by 0.3, after twice as many steps as last time at most, and 32. That is
// four times sooner than constraints could lose rank, and a motion that leaps from one branch to another passes a place
// where they do. A step that leaps is long: distances, which cost next to nothing, are looked at after every step.
// Where states are no neighbours, or lengths have changed at such a rate that constraints may lose rank within the
// step, the way between them is looked at.
//
// A state at which constraints have lost rank says nothing: the next one is compared with the last that does.
#pragma once

#include <string>

#include "livens/run/companion.hpp"
#include "simulation/branches.hpp"

namespace livens {

template <class T>
class BranchWatch : public Companion<T> {
 public:
  explicit BranchWatch(WatchedConstraints constraints);

  Outcome judge(const StateView<T>& x) override;
  void observe(const StateView<T>& x) override;
  void save(ArchiveWriter& a) override { archive(a); }
  void restore(ArchiveReader& a) override {
    archive(a);
    branches_.look(last_);
  }

  // What is worth knowing, in words; empty: nothing.
  std::string words() const;

 private:
  using Way = Branches::Way;
  struct Rate {  // per step or per distance
    double length = 0, turn = 0;
    void follow(const Branches::Change& change, double way);
    double until_next_look() const;
  };
  struct Tally {  // of steps
    long long count = 0;
    double first = 0;
    void add(double t) {
      if (count++ == 0) first = t;
    }
  };

  static void put(const StateView<T>& x, Branches::Place& place);
  Way way_to_now();
  void choose_next_look();
  template <class Archive>
  void archive(Archive& a) {
    a(last_.at.t, last_.at.q, last_.at.v, steps_, wait_, reach_squared_, per_step_, per_distance_, singular_, unknown_);
  }

  Branches branches_;
  Branches::Point last_, now_;  // looked at last, looked at now
  bool started_ = false, looked_ = false;
  long long steps_ = 0, wait_ = 1;  // since the last look; until the next one
  double reach_squared_ = 0;        // of distances without a look
  Rate per_step_, per_distance_;
  Branches::Change change_;  // from last_ to now_
  Way found_ = Way::continued;
  Tally singular_, unknown_;
};

}  // namespace livens
