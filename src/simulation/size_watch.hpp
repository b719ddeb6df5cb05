// Takes the sizes of the steps of a run (audit/sizes.hpp).
#pragma once

#include "livens/audit/sizes.hpp"
#include "livens/math/scalar.hpp"
#include "livens/run/companion.hpp"

namespace livens {

template <class T>
class SizeWatch : public Companion<T> {
 public:
  void observe(const StateView<T>& x) override {
    if (!sizes_.is_next_looked_at()) return;
    sizes_.take(to_double(x.t), doubles(x.q, q_), doubles(x.v, v_), doubles(x.p, p_));
  }
  const RunSizes& sizes() const { return sizes_; }
  void save(ArchiveWriter& a) override { a(sizes_); }
  void restore(ArchiveReader& a) override { a(sizes_); }

 private:
  static std::span<const double> doubles(std::span<const T> x, std::vector<double>& to) {
    if constexpr (std::is_same_v<T, double>) {
      return x;
    } else {
      to.resize(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) to[i] = to_double(x[i]);
      return to;
    }
  }

  RunSizes sizes_;
  std::vector<double> q_, v_, p_;
};

}  // namespace livens
