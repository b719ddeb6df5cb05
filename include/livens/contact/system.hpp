// A system with one-sided constraints: what it is whatever is closed, and what it is while certain contacts are.
//
//   contact i    gap  s_i g_i(t,q) >= 0 ,  push  N_i >= 0 ,  N_i gap_i = 0 ,        s_i = +1 or -1
//   Lagrangian   the force of a constraint is -G^T lambda, so  N_i = -s_i lambda_i
//   odae         r(t,y,z,psi) with  N_i = psi_i
//
// The state is (q, p) and, of every contact, whether it is open, closed, slips or sticks. While nothing of that changes
// the system is an ordinary one, its `Mode`, in which open contacts are not there, closed ones are constraints, and one
// that sticks holds all coordinates of its contact. A `Motion` is a trajectory of a mode by the method of the run.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "livens/method/method.hpp"
#include "livens/run/archive.hpp"
#include "livens/run/event.hpp"
#include "livens/run/step_of.hpp"
#include "livens/solve/outcome.hpp"
#include "livens/system/state.hpp"

namespace livens {

enum class ContactState : signed char { open, closed, slips, sticks };

constexpr bool is_closed(ContactState s) {
  return s != ContactState::open;
}

// Of all contacts. With friction, coordinates of one contact after another: where those of a contact that sticks are
// held, and the direction in which one that slips does so.
template <class T>
struct ContactStates {
  std::vector<ContactState> of;
  Vec<T> held, sliding;

  template <class Archive>
  void archive(Archive& a) {
    a(of, held, sliding);
  }
};

// What contacts exert on a state.
template <class T>
struct ContactForces {
  Vec<T> v;        // of the state
  Vec<T> lambda;   // of all constraints of the model; 0 where open
  Vec<T> push;     // N_i of each contact
  Vec<T> reserve;  // of each that sticks: c F_N^r - |F_T| , what is left until it slips
  Vec<T> escape;   // of those: the directions in which they would, one after another

  template <class Archive>
  void archive(Archive& a) {
    a(v, lambda, push, reserve, escape);
  }
};

// The push of a contact that carries nothing, beside others that do.
template <class T>
T noise_of_push(const ContactForces<T>& forces) {
  T largest(0);
  for (const T& push : forces.push) largest = std::max<T>(largest, abs_of(push));
  return 64 * epsilon<T>() * largest;
}

template <class T>
class Motion {
 public:
  virtual ~Motion() = default;
  // At (t, q, p), which is on the constraints of the mode; forces: velocity and multipliers near those of the state.
  virtual Outcome start(const T& t, const Vec<T>& q, const Vec<T>& p, const ContactStates<T>& states,
                        const ContactForces<T>& forces) = 0;
  virtual void advance(const T& t0, const T& t1, const T& h, StepReport& report) = 0;
  virtual const Vec<T>& q() const = 0;
  virtual const Vec<T>& p() const = 0;
  virtual const Vec<T>& attempted_position() const = 0;
  // What the scheme produced, multipliers of all constraints of the model.
  virtual void multipliers(Vec<T>& lambda) const = 0;
  virtual std::string save() = 0;
  virtual void restore(const std::string& bytes, const T& t) = 0;
};

template <class T>
class Mode : public std::enable_shared_from_this<Mode<T>> {
 public:
  virtual ~Mode() = default;
  virtual std::unique_ptr<Motion<T>> motion() = 0;
  // The forces at a state on the constraints of the mode; on entry a guess of them.
  virtual Outcome look(const T& t, const Vec<T>& q, const Vec<T>& p, const ContactStates<T>& states,
                       ContactForces<T>& forces) = 0;
  virtual void save(ArchiveWriter& a) = 0;
  virtual void restore(ArchiveReader& a) = 0;
};

// What is said about contacts in words.
struct ContactRules {
  std::vector<double> restitution;  // of each
  bool friction = false;
  double threshold = 1e-7;  // approach speeds below it count as 0
  long long events_per_step = 10000;
};

template <class T>
class ContactSystem {
 public:
  using Scalar = T;
  using Coordinates = Vec<T>;
  using Multipliers = Vec<T>;
  static constexpr int n = Dynamic, m = Dynamic;

  virtual ~ContactSystem() = default;

  // ---- counts
  virtual int coordinates() const = 0;
  virtual int momenta() const = 0;
  virtual int constraints() const = 0;  // of the model
  virtual int invariants() const = 0;
  int contacts() const { return static_cast<int>(rules.restitution.size()); }
  // With friction: the coordinates of a contact, those that its gap contains, and their place in `held` and `sliding`.
  struct Place {
    std::vector<int> coordinates;
    int first = 0;
  };
  std::vector<Place> places;  // empty without friction
  // Whether two contacts are of one point, of points that have coordinates in common.
  bool same_point(int i, int j) const {
    return std::is_permutation(point(i).begin(), point(i).end(), point(j).begin(), point(j).end());
  }
  bool points_overlap(int i, int j) const {
    return std::any_of(point(i).begin(), point(i).end(),
                       [&](int c) { return std::find(point(j).begin(), point(j).end(), c) != point(j).end(); });
  }
  ContactRules rules;
  MethodTraits traits{};  // of the method of the run

  // ---- whatever is closed
  virtual Outcome velocity(const T& t, const Vec<T>& q, const Vec<T>& p, Vec<T>& v) const = 0;
  virtual void gaps(const T& t, const Vec<T>& q, Vec<T>& gap) const = 0;
  virtual void gap_sizes(const T& t, const Vec<T>& q,
                         Vec<T>& size) const = 0;  // of the terms that they are summed from
  virtual void rates(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& rate) const = 0;
  // Momentum of a velocity of the coordinates of a contact that is 0.
  virtual void bring_to_rest(int contact, Vec<T>& p) const = 0;

  // ---- impacts: directions of the impulses at a state, then p + impulse times the direction of a contact, and what
  // the two-sided constraints make of a momentum: rates 0, with the velocity.
  virtual void aim(const T& t, const Vec<T>& q, const Vec<T>& p) const = 0;
  virtual void kick(int contact, const T& impulse, Vec<T>& p) const = 0;
  virtual Outcome settle(const T& t, const Vec<T>& q, Vec<T>& p, Vec<T>& v) const = 0;

  // ---- audit; `largest` of |g| and |G v + g_t| of the two-sided constraints
  virtual bool has_energy() const = 0;
  virtual T energy(const T& t, const Vec<T>& q, const Vec<T>& p, const Vec<T>& v) const = 0;
  virtual void invariant_values(const T& t, const Vec<T>& q, const Vec<T>& v, const Vec<T>& p, T* values) const = 0;
  virtual void two_sided(const T& t, const Vec<T>& q, const Vec<T>& v, double& largest, double& largest_rate) const = 0;

  // ---- modes, made when first asked for
  virtual Mode<T>& mode(const ContactStates<T>& states) const = 0;
  virtual void save(ArchiveWriter& a) const = 0;
  virtual void restore(ArchiveReader& a) const = 0;

  ContactStates<T> start_states;  // those of the start

  // Its step by the method of the run (step.hpp), and what happened in the last one.
  virtual std::unique_ptr<StepOf<ContactSystem>> make_step() const = 0;
  virtual const std::vector<RunEvent>& happened(const StepOf<ContactSystem>& step) const = 0;

 private:
  const std::vector<int>& point(int contact) const { return places[static_cast<std::size_t>(contact)].coordinates; }
};

namespace detail {
template <class T>
struct Parts<ContactSystem<T>> {
  using Momenta = Vec<T>;
  using Hint = Vec<T>;  // multipliers of all constraints
  static int momenta(const ContactSystem<T>& system) { return system.momenta(); }
  static int hint(const ContactSystem<T>& system) { return system.constraints(); }
};
}  // namespace detail

template <class T>
struct State<ContactSystem<T>> {
  explicit State(const ContactSystem<T>& system)
      : q(system.coordinates()), p(system.momenta()), contacts(system.start_states) {}
  Vec<T> q, p;
  ContactStates<T> contacts;

  void forget_remainders() {}  // motions keep them

  template <class Archive>
  void archive(Archive& a) {
    a(q, p, contacts);
  }
};

}  // namespace livens
