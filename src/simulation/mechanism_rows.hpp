// What the results of a mechanism hold beside its coordinates, for every body and joint by name:
//
//   bodies/<name>/position, velocity   of the centre of mass
//   bodies/<name>/rotation             the directors as columns, by rows; in the plane the angle in (-pi, pi]
//   bodies/<name>/direction            of a rod, instead; in the plane beside the angle
//   bodies/<name>/angular_velocity     sum_i d_i x d_i'/2 in the axes of space, d3 = d1 x d2 of a plate; d x d' of a
//   rod joints/<name>/force, torque        -G^T lambda of the joint's rows on its second body: f on phi, f_i on d_i,
//                                      F = f ,  T = sum_i d_i x f_i - (x - phi) x f  at the joint's point x of that
//                                      body; on ground: what the first body does not get; with the friction of the
//                                      joint
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "livens/formula/program.hpp"
#include "livens/model/mechanism_friction.hpp"
#include "livens/model/model.hpp"
#include "livens/multibody/mechanism.hpp"
#include "livens/run/table.hpp"
#include "livens/system/elements.hpp"

namespace livens {

class MechanismView {
 public:
  explicit MechanismView(const Model& model);  // of all constraints

  const Columns& columns() const { return columns_; }
  // Appends the numbers of the columns; without lambda those of joints are not-a-number.
  void append(double t, std::span<const double> q, std::span<const double> v, std::span<const double> p,
              std::span<const double> lambda, std::vector<double>& to);

 private:
  void append_body(const multibody::Body& body, std::span<const double> q, std::span<const double> v,
                   std::vector<double>& to) const;
  void append_joint(const multibody::Joint& joint, std::span<const double> q, std::span<const double> lambda,
                    std::vector<double>& to) const;
  // Friction of a joint on coordinates of a body, first .. first + size - 1.
  void add_friction(const multibody::Joint& joint, int first, std::vector<double>& on_body) const;

  const multibody::Mechanism& mechanism_;
  std::vector<const multibody::Body*> bodies_;  // those that are recorded
  std::vector<const multibody::Joint*> joints_;
  Columns columns_;
  const MechanismFriction* friction_;  // or null
  std::optional<formula::Evaluator<double>> friction_values_;
  std::vector<double> friction_now_;
  ElementSystem<double> system_;
  SparseMat<double> G_;
  Vec<double> q_, g_;
};

// Adds these columns to the rows of a run.
class MechanismRows : public RowSink {
 public:
  MechanismRows(const Model& model, const Columns& of_run);
  const Columns& columns() const { return columns_; }
  void write_to(RowSink* rows) { rows_ = rows; }
  void write(std::span<const double> row) override;

 private:
  MechanismView view_;
  Columns of_run_, columns_;
  RowSink* rows_ = nullptr;
  std::vector<double> row_;
};

}  // namespace livens
