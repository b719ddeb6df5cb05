// Angles of torsional springs and dampers lie in (-pi, pi], where their potential has a jump: a run in which one passes
// pi ends there.
#pragma once

#include <vector>

#include "livens/model/model.hpp"
#include "livens/multibody/mechanism.hpp"
#include "livens/run/companion.hpp"

namespace livens {

template <class T>
class TorsionWatch : public Companion<T> {
 public:
  explicit TorsionWatch(const multibody::Mechanism& mechanism) : mechanism_(mechanism) {}

  Outcome judge(const StateView<T>& x) override;
  void observe(const StateView<T>& x) override;
  void save(ArchiveWriter& a) override { a(last_); }
  void restore(ArchiveReader& a) override { a(last_); }

 private:
  const multibody::Mechanism& mechanism_;
  std::vector<double> last_, now_;
};

bool has_torsional_springs(const multibody::Mechanism& mechanism);

// The joint whose angle has passed pi between two states, in words.
std::string joint_turned_over(const multibody::Mechanism& mechanism, const std::vector<double>& before,
                              const std::vector<double>& after);

}  // namespace livens
