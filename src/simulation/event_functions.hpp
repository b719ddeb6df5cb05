// The formulas of [[event]] at a state, and what of their values is round-off.
//
//   (1)  |w| <= 16 epsilon size(w)
//
// counts as 0. size(w) is that of the terms from which w is computed (math/magnitude.hpp), where a coordinate, a rate
// or a momentum counts as the largest one of the motion so far: what comes to rest keeps the round-off of what it did.
#pragma once

#include <algorithm>
#include <vector>

#include "livens/formula/program.hpp"
#include "livens/math/magnitude.hpp"
#include "livens/model/model.hpp"
#include "livens/run/companion.hpp"
#include "livens/run/event.hpp"

namespace livens {

template <class T>
RunEvent event_at(const StateView<T>& x, EventKind kind, int index) {
  RunEvent event{to_double(x.t), kind, index, {}, {}};
  for (const T& q : x.q) event.q.push_back(to_double(q));
  for (const T& v : x.v) event.v.push_back(to_double(v));
  return event;
}

template <class T>
class EventFunctions {
 public:
  explicit EventFunctions(const Model& model)
      : blocks_(model.event_blocks),
        values_(model.event_program),
        sizes_(model.event_program),
        pointers_(static_cast<std::size_t>(blocks_.count)),
        sized_(model.events.size()),
        sized_pointers_(pointers_.size()) {}

  void operator()(const StateView<T>& x, std::vector<T>& w) {
    const auto put = [&](int block, const T* numbers) {
      if (block >= 0) pointers_[static_cast<std::size_t>(block)] = numbers;
    };
    put(blocks_.time, &x.t), put(blocks_.q, x.q.data()), put(blocks_.v, x.v.data()), put(blocks_.p, x.p.data());
    values_(pointers_.data(), w.data());
  }

  // The same, of a state of the motion, with what counts as 0.
  void operator()(const StateView<T>& x, std::vector<T>& w, std::vector<T>& floor) {
    (*this)(x, w);
    const Sized t_sized(x.t);
    const auto put = [&](int block, const Sized* numbers) {
      if (block >= 0) sized_pointers_[static_cast<std::size_t>(block)] = numbers;
    };
    put(blocks_.time, &t_sized), put(blocks_.q, sized(x.q, largest_.q, q_)), put(blocks_.v, sized(x.v, largest_.v, v_)),
        put(blocks_.p, sized(x.p, largest_.p, p_));
    sizes_(sized_pointers_.data(), sized_.data());
    for (std::size_t k = 0; k < floor.size(); ++k) floor[k] = 16 * epsilon<T>() * sized_[k].size;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(largest_.q, largest_.v, largest_.p);
  }

 private:
  using Sized = Magnitude<T>;

  static const Sized* sized(std::span<const T> x, T& largest, std::vector<Sized>& out) {
    for (const T& number : x) largest = std::max<T>(largest, abs_of(number));
    out.clear();
    for (const T& number : x) out.emplace_back(number, largest);
    return out.data();
  }

  Model::EventBlocks blocks_;
  formula::Evaluator<T> values_;
  formula::Evaluator<Sized> sizes_;
  std::vector<const T*> pointers_;
  std::vector<Sized> sized_, q_, v_, p_;
  std::vector<const Sized*> sized_pointers_;
  struct {
    T q{}, v{}, p{};
  } largest_;  // so far
};

}  // namespace livens
