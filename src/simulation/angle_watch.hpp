// Angles of joints that equations know only up to whole turns or half ones. Those of torsional springs and dampers lie
// in (-pi, pi], where their potential has a jump: a run in which one passes pi ends there. The row of a prescribed
// motion holds for the opposite angle, too: a run that comes to it ends.
#pragma once

#include <optional>
#include <vector>

#include "livens/formula/program.hpp"
#include "livens/model/model.hpp"
#include "livens/multibody/mechanism.hpp"
#include "livens/run/companion.hpp"

namespace livens {

template <class T>
class AngleWatch : public Companion<T> {
 public:
  explicit AngleWatch(const SystemDescription& system);

  Outcome judge(const StateView<T>& x) override;
  void observe(const StateView<T>& x) override;
  void save(ArchiveWriter& a) override { a(last_); }
  void restore(ArchiveReader& a) override { a(last_); }

 private:
  const multibody::Mechanism& mechanism_;
  std::vector<const multibody::Joint*> driven_;  // revolute, with a motion
  std::optional<formula::Evaluator<double>> motions_;
  std::vector<double> last_, now_, motion_now_;
};

bool has_angles(const multibody::Mechanism& mechanism);

// The joint whose angle has passed pi between two states, in words.
std::string joint_turned_over(const multibody::Mechanism& mechanism, const std::vector<double>& before,
                              const std::vector<double>& after);

}  // namespace livens
