// Goes along with a run whose system has constraints g = 0 and sees to it that no step leaves the branch that it is on
// (branches.hpp), whatever the method: a step that does is refused, one of which nothing can be said is told.
//
// Not every state is looked at. From one look to the next the normals change their lengths and turn, by so much a step
// and so much a distance; the next look is where, at the larger of this rate and 3/4 of the one before, lengths would
// have changed by a quarter or normals turned by 0.3, after twice as many steps as last time at most, and 32. That is
// four times sooner than constraints could lose rank, and a motion that leaps from one branch to another passes a place
// where they do. A step that leaps is long: distances, which cost next to nothing, are looked at after every step.
// So is what velocities do not say of a step from q0 to q1,
//
//   (1)  rest = q1 - q0 - h (v0 + v1)/2 ,
//
// where velocities lie along branches; those of a carried momentum may lead off them, and rest is then what the step is
// not like the one before, as long. Where it is twice as long as in the steps before, or 1/20 of the step, the state is
// looked at and compared with the one right before. Where states are no neighbours, or a hundredth of the way between
// them leads across branches, or lengths have changed at such a rate that constraints may lose rank within the step,
// the way between them is looked at.
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
  BranchWatch(WatchedConstraints constraints, bool velocities_lie_along);

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
  struct Squares {  // of the distance from the last look, of the step and of (1)
    double from_last = 0, step = 0, rest = 0;
  };
  struct Tally {  // of steps
    long long count = 0;
    double first = 0;
    void add(double t) {
      if (count++ == 0) first = t;
    }
  };

  static void put(const StateView<T>& x, Branches::Place& place);
  Squares squares(const StateView<T>& x) const;
  void look_at_before();
  Way way_to_now();
  void choose_next_look();
  template <class Archive>
  void archive(Archive& a) {
    a(last_.at.t, last_.at.q, last_.at.v, before_.t, before_.q, before_.v, rate_before_, steps_, wait_, reach_squared_,
      usual_rest_, least_rest_, per_step_, per_distance_, singular_, unknown_);
  }

  Branches branches_;
  bool velocities_lie_along_;
  Branches::Point last_, now_;  // looked at last, looked at now
  Branches::Place before_;      // of the last step
  Vec<double> rate_before_;     // at which positions changed in it, unless velocities lie along branches
  bool started_ = false, looked_ = false;
  long long steps_ = 0, wait_ = 1;                     // since the last look; until the next one
  double reach_squared_ = 0;                           // of distances without a look
  double rest_ = 0, usual_rest_ = 0, least_rest_ = 0;  // squares of (1): now, of late, that mean something
  Rate per_step_, per_distance_;
  Branches::Change change_;  // from last_ to now_
  Way found_ = Way::continued;
  Tally singular_, unknown_;
};

}  // namespace livens
