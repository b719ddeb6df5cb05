// What rows may hold beside the state, where the model asks for it in [record].
//
//   reactions  -G(t,q)^T lambda , the forces of the constraints on the coordinates
//   work       W(t_n) = int F.v dt  of the forces since the start (path_integral.hpp)
#pragma once

#include <memory>
#include <vector>

#include "livens/math/path_integral.hpp"
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
  void save(ArchiveWriter& a) override { a(work_); }
  void restore(ArchiveReader& a) override { a(work_); }

 private:
  ElementSystem<T> system_;
  T step_;
  Vec<T> q_, v_, force_;
  PathIntegral<T> work_;
  bool started_ = false;
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
