// Friction in joints is not defined where nothing slides or nothing presses: a run that comes there ends.
#pragma once

#include <vector>

#include "livens/formula/program.hpp"
#include "livens/model/mechanism_friction.hpp"
#include "livens/model/model.hpp"
#include "livens/run/companion.hpp"

namespace livens {

template <class T>
class FrictionWatch : public Companion<T> {
 public:
  explicit FrictionWatch(const SystemDescription& system);

  Outcome judge(const StateView<T>& x) override;
  void observe(const StateView<T>& x) override { evaluate(x, last_); }
  // Whether a joint whose rate goes on changing as it does at x is at rest within about two steps: no step has a
  // solution beyond. Remembers it as the one that ended the run.
  bool is_about_to_rest(const StateView<T>& x, double step);
  // The joint that ended the run, in words.
  const std::string& stopped() const { return stopped_; }
  void save(ArchiveWriter& a) override { a(last_); }
  void restore(ArchiveReader& a) override { a(last_); }

 private:
  void evaluate(const StateView<T>& x, std::vector<double>& to);

  const SystemDescription& system_;
  const MechanismFriction& friction_;
  std::string stopped_;
  formula::Evaluator<double> values_;
  std::vector<double> last_, now_, y_, z_, psi_;
};

}  // namespace livens
