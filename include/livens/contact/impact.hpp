// Impact: contacts whose gap is 0 and closes. Positions stay, velocities jump by impulses P_j >= 0 of contacts and by
// those of the two-sided constraints, which keep their rate 0. With the rates w_i = s_i (G_i v + g_i,t) before (-) and
// after (+)
//
//   (1)  w+ = w- + D P ,   D_ij: change of rate i by a unit impulse of contact j, two-sided constraints kept
//   (2)  0 <= w+_i + e_i w-_i   |   P_i >= 0        for all contacts that touch (Newton's law, Moreau 1988)
//
// where e_i is the restitution of one that closes with speed, and 0 of one that was closed: w-_i = 0, so that it gets
// the impulse it needs or opens. By (2) the energy changes by  sum_i P_i (w+_i + w-_i)/2 = sum_i P_i (1 - e_i) w-_i / 2
// <= 0 .
//
// Where two or more contacts close with speed at the same time and with restitution, (2) is one law among several that
// physics allows (Newton's cradle), unless D does not couple them: such impacts are not decided here.
//
// (2) is a linear complementarity problem; contacts at one time are few, so that active sets are tried one by one:
// first by Murty's rule, which ends where D is positive definite, then all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "livens/contact/system.hpp"
#include "livens/math/lu.hpp"

namespace livens {

// Whether rows of D say what others of them say: by elimination, a pivot that is noise beside what it was.
template <class T>
bool is_dependent(const std::vector<T>& D, int k, const std::vector<int>& set) {
  const int n = static_cast<int>(set.size());
  Mat<T> A(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      A(i, j) = D[static_cast<std::size_t>(set[static_cast<std::size_t>(i)] * k + set[static_cast<std::size_t>(j)])];
  for (int i = 0; i < n; ++i) {
    const int row = set[static_cast<std::size_t>(i)];
    if (!(abs_of(A(i, i)) > T(1e-10) * abs_of(D[static_cast<std::size_t>(row * k + row)]))) return true;
    for (int l = i + 1; l < n; ++l)
      for (int j = n - 1; j >= i; --j) A(l, j) -= A(l, i) / A(i, i) * A(i, j);
  }
  return false;
}

// P with  w = D P + b >= 0 , P >= 0 , w.P = 0 ; none: there is none, or none was found. D by rows. Of contacts that say
// the same only some have an impulse: what they do together is the same.
template <class T>
std::optional<std::vector<T>> complementary(const std::vector<T>& D, const std::vector<T>& b) {
  using std::abs;
  const int k = static_cast<int>(b.size());
  const auto at = [&](int i, int j) -> const T& { return D[static_cast<std::size_t>(i * k + j)]; };
  std::vector<bool> active(b.size(), false);
  std::vector<T> P(b.size());
  T size(0);
  for (const T& x : b) size = std::max<T>(size, abs(x));
  // The first index where the set is wrong, -1 if it is right, -2 if its equations are singular.
  const auto judge = [&]() -> int {
    std::vector<int> set;
    for (int i = 0; i < k; ++i)
      if (active[static_cast<std::size_t>(i)]) set.push_back(i);
    std::fill(P.begin(), P.end(), T(0));
    const int n = static_cast<int>(set.size());
    if (n > 1 && is_dependent(D, k, set)) return -2;
    if (n > 0) {
      Lu<T> lu(n);
      Vec<T> r(n), x(n);
      for (int i = 0; i < n; ++i) {
        r[i] = -b[static_cast<std::size_t>(set[static_cast<std::size_t>(i)])];
        for (int j = 0; j < n; ++j)
          lu.matrix()(i, j) = at(set[static_cast<std::size_t>(i)], set[static_cast<std::size_t>(j)]);
      }
      if (!lu.factorise()) return -2;
      lu.solve(r, x);
      for (int i = 0; i < n; ++i) {
        if (!is_finite(x[i])) return -2;
        P[static_cast<std::size_t>(set[static_cast<std::size_t>(i)])] = x[i];
      }
    }
    const T floor = 64 * epsilon<T>() * size;
    for (int i = 0; i < k; ++i) {
      if (active[static_cast<std::size_t>(i)]) {
        if (P[static_cast<std::size_t>(i)] * abs(at(i, i)) < -floor) return i;
        continue;
      }
      T w = b[static_cast<std::size_t>(i)];
      for (int j = 0; j < k; ++j) w += at(i, j) * P[static_cast<std::size_t>(j)];
      if (w < -floor) return i;
    }
    return -1;
  };
  const auto solved = [&] {
    for (T& x : P) x = std::max<T>(x, T(0));
    return P;
  };
  const int most_pivots = 50 * k;
  for (int pivot = 0; pivot < most_pivots; ++pivot) {
    const int wrong = judge();
    if (wrong == -1) return solved();
    if (wrong == -2) break;
    active[static_cast<std::size_t>(wrong)] = !active[static_cast<std::size_t>(wrong)];
  }
  constexpr int most_tried = 16;
  if (k > most_tried) return std::nullopt;
  for (std::uint32_t set = 0; set < (std::uint32_t(1) << k); ++set) {
    for (int i = 0; i < k; ++i) active[static_cast<std::size_t>(i)] = (set >> i) & 1;
    if (judge() == -1) return solved();
  }
  return std::nullopt;
}

template <class T>
class Impact {
 public:
  explicit Impact(const ContactSystem<T>& system)
      : system_(system), p_(system.momenta()), v_(system.coordinates()), before_(system.contacts()), after_(before_) {}

  // p and v of a state with `touching` contacts, those among them that close with speed having restitution e > 0 or e =
  // 0, become those after the impact.
  Outcome apply(const T& t, const Vec<T>& q, Vec<T>& p, Vec<T>& v, const std::vector<int>& touching) {
    using std::abs;
    const auto k = touching.size();
    system_.aim(t, q, p);
    system_.rates(t, q, v, before_);
    T speed(0);
    for (const int i : touching) speed = std::max<T>(speed, abs(before_[i]));
    if (speed == T(0)) return Outcome::converged;
    std::vector<T> D(k * k), b(k);
    std::vector<int> closing;
    for (std::size_t i = 0; i < k; ++i) {
      const T w = before_[touching[i]];
      const bool fast = w < -T(system_.rules.threshold);
      if (fast) closing.push_back(static_cast<int>(i));
      b[i] = w * (T(1) + (fast ? T(system_.rules.restitution[static_cast<std::size_t>(touching[i])]) : T(0)));
    }
    T fastest = speed;
    for (const T& x : v) fastest = std::max<T>(fastest, abs_of(x));
    if (const Outcome outcome = find_responses(t, q, p, touching, fastest, D); !succeeded(outcome)) return outcome;
    if (!is_one_law(D, k, closing, touching)) return Outcome::several_impacts;

    // Where v is not linear in p the same again from there, until the rates are those of the law.
    Vec<T> start = p;
    std::vector<T> rest = b;
    constexpr int most = 30;
    for (int repeat = 0; repeat < most; ++repeat) {
      const auto P = complementary(D, rest);
      if (!P) return Outcome::contact_undecided;
      p_ = start;
      for (std::size_t j = 0; j < k; ++j) system_.kick(touching[j], (*P)[j], p_);
      if (const Outcome outcome = system_.settle(t, q, p_, v_); !succeeded(outcome)) return outcome;
      system_.rates(t, q, v_, after_);
      T off(0);
      for (std::size_t i = 0; i < k; ++i) {
        T aimed = rest[i];
        for (std::size_t j = 0; j < k; ++j) aimed += D[i * k + j] * (*P)[j];
        const T missed = after_[touching[i]] + (b[i] - before_[touching[i]]) - aimed;
        off = std::max<T>(off, abs(missed));
        rest[i] += missed;
      }
      if (off <= 256 * epsilon<T>() * (speed + fastest) || (repeat > 0 && off <= T(1e-6) * speed)) {
        p = p_, v = v_;
        return Outcome::converged;
      }
    }
    return Outcome::contact_undecided;
  }

  // The rates of these contacts become 0, whatever the signs of the impulses: of contacts whose speeds count as 0. Of
  // those that say the same only some have an impulse, which is enough for all.
  Outcome still(const T& t, const Vec<T>& q, Vec<T>& p, Vec<T>& v, const std::vector<int>& touching) {
    const auto k = touching.size();
    system_.aim(t, q, p);
    system_.rates(t, q, v, before_);
    T fastest(0);
    for (const int i : touching) fastest = std::max<T>(fastest, abs_of(before_[i]));
    if (fastest == T(0)) return Outcome::converged;
    for (const T& x : v) fastest = std::max<T>(fastest, abs_of(x));
    std::vector<T> D(k * k);
    if (const Outcome outcome = find_responses(t, q, p, touching, fastest, D); !succeeded(outcome)) return outcome;
    std::vector<int> set;
    for (std::size_t i = 0; i < k; ++i) {
      set.push_back(static_cast<int>(i));
      if (is_dependent(D, static_cast<int>(k), set)) set.pop_back();
    }
    const int n = static_cast<int>(set.size());
    Lu<T> lu(n);
    Vec<T> r(n), P(n);
    for (int i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(set[static_cast<std::size_t>(i)]);
      r[i] = -before_[touching[row]];
      for (int j = 0; j < n; ++j)
        lu.matrix()(i, j) = D[row * k + static_cast<std::size_t>(set[static_cast<std::size_t>(j)])];
    }
    if (!lu.factorise()) return Outcome::contact_undecided;
    lu.solve(r, P);
    p_ = p;
    for (int j = 0; j < n; ++j)
      system_.kick(touching[static_cast<std::size_t>(set[static_cast<std::size_t>(j)])], P[j], p_);
    const Outcome outcome = system_.settle(t, q, p_, v_);
    if (succeeded(outcome)) p = p_, v = v_;
    return outcome;
  }

 private:
  // D of (1) at the rates before_. Units of impulses change velocities by about as much as they are, for digits of the
  // differences.
  Outcome find_responses(const T& t, const Vec<T>& q, const Vec<T>& p, const std::vector<int>& touching,
                         const T& fastest, std::vector<T>& D) {
    const auto k = touching.size();
    for (std::size_t j = 0; j < k; ++j) {
      T unit(1);
      for (const bool scaled : {false, true}) {
        if (const Outcome outcome = respond(t, q, p, touching[j], unit); !succeeded(outcome)) return outcome;
        const T own = after_[touching[j]] - before_[touching[j]];
        if (!(own * unit > T(0)) || !is_finite(own)) return Outcome::contact_undecided;
        for (std::size_t i = 0; i < k; ++i) D[i * k + j] = (after_[touching[i]] - before_[touching[i]]) / unit;
        if (!scaled) unit *= fastest / own;
      }
    }
    return Outcome::converged;
  }
  // Rates after an impulse of one contact.
  Outcome respond(const T& t, const Vec<T>& q, const Vec<T>& p, int contact, const T& impulse) {
    p_ = p;
    system_.kick(contact, impulse, p_);
    const Outcome outcome = system_.settle(t, q, p_, v_);
    if (succeeded(outcome)) system_.rates(t, q, v_, after_);
    return outcome;
  }
  bool is_one_law(const std::vector<T>& D, std::size_t k, const std::vector<int>& closing,
                  const std::vector<int>& touching) const {
    using std::abs;
    for (const int i : closing)
      for (const int j : closing) {
        if (i == j) continue;
        const auto a = static_cast<std::size_t>(i), c = static_cast<std::size_t>(j);
        const bool elastic = system_.rules.restitution[static_cast<std::size_t>(touching[a])] > 0 ||
                             system_.rules.restitution[static_cast<std::size_t>(touching[c])] > 0;
        const T coupling = D[a * k + c] * D[c * k + a] / (D[a * k + a] * D[c * k + c]);
        // Two that are one, in round-off, have one law.
        const bool same = coupling > T(1) - T(1e-10) && D[a * k + c] > T(0) &&
                          system_.rules.restitution[static_cast<std::size_t>(touching[a])] ==
                              system_.rules.restitution[static_cast<std::size_t>(touching[c])];
        if (elastic && !same && coupling > T(1e-20)) return false;
      }
    return true;
  }

  const ContactSystem<T>& system_;
  Vec<T> p_, v_, before_, after_;
};

}  // namespace livens
