// What rows may hold beside the state, where the model asks for it in [record].
//
//   reactions  -G(t,q)^T lambda , the forces of the constraints on the coordinates
//   work       W(t_n) = int F.v dt  of the forces since the start, from the power P = F.v at the nodes: up to the fifth
//              step the integral of the polynomial through all of them (closed Newton-Cotes), then
//              W_n = W_{n-1} + integral over the last step of the polynomial through the last six (Adams-Moulton);
//              error O(h^6), from the sixth node on.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/run/companion.hpp"
#include "livens/system/elements.hpp"

namespace livens {

template <class T>
class Reactions : public Companion<T> {
 public:
  explicit Reactions(const Model& model);

  Columns columns() const override { return {{"reaction", system_.coordinates(), Role::companion, Per::coordinate}}; }
  void record(const StateView<T>& x, std::vector<double>& row) override;

 private:
  ElementSystem<T> system_;
  SparseMat<T> G_;
  Vec<T> g_, lambda_, q_, force_;
};

template <class T>
class Work : public Companion<T> {
 public:
  explicit Work(const Model& model);

  Columns columns() const override { return {{"work", 0, Role::companion}}; }
  void observe(const StateView<T>& x) override;
  void record(const StateView<T>& x, std::vector<double>& row) override;
  void save(ArchiveWriter& a) override { archive(a); }
  void restore(ArchiveReader& a) override { archive(a); }

 private:
  static constexpr int points = 6;
  using Weights = std::array<T, points>;
  static Weights weights(int last, int from, const T& step);

  template <class Archive>
  void archive(Archive& a) {
    for (T& p : power_) a(p);
    a(known_, work_, remainder_);
  }

  ElementSystem<T> system_;
  Vec<T> q_, v_, force_;
  std::array<Weights, points> from_start_{};
  Weights last_step_{};
  Weights power_{};  // at the last nodes
  int known_ = 0;    // of these
  T work_{}, remainder_{};
};

// Those that the model asks for.
template <class T>
std::vector<std::unique_ptr<Companion<T>>> asked_for(const Model& model) {
  std::vector<std::unique_ptr<Companion<T>>> companions;
  if (model.record.reactions) companions.push_back(std::make_unique<Reactions<T>>(model));
  if (model.record.work) companions.push_back(std::make_unique<Work<T>>(model));
  return companions;
}

}  // namespace livens
