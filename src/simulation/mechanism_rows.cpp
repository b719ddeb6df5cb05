#include "simulation/mechanism_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "livens/model/element_lagrangian.hpp"
#include "simulation/run_system.hpp"

namespace livens {

namespace {

using Space = std::array<double, 3>;  // the third is 0 in the plane

Space cross_product(const Space& a, const Space& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Space sum(const Space& a, const Space& b, double factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

}  // namespace

MechanismView::MechanismView(const Model& model)
    : mechanism_(*model.system->mechanism()),
      friction_(model.system->friction().get()),
      system_((friction_ ? friction_->smooth : model.system)->elements<double>()),
      G_(system_.jacobian()),
      q_(system_.coordinates()),
      g_(system_.constraints()) {
  if (friction_) friction_values_.emplace(friction_->program), friction_now_.resize(friction_->program->outputs.size());
  const int D = mechanism_.dimension(), turns = mechanism_.plane() ? 0 : 3;
  const auto recorded = [](const std::optional<std::vector<int>>& chosen, int first, int count) {
    return !chosen ||
           std::any_of(chosen->begin(), chosen->end(), [&](int i) { return i >= first && i < first + count; });
  };
  for (const multibody::Body& body : mechanism_.bodies()) {
    const int directors = static_cast<int>(body.directors.size());
    if (!recorded(model.record.coordinates, body.first, D * (1 + directors))) continue;
    bodies_.push_back(&body);
    const std::string path = "bodies/" + body.name + "/";
    columns_.push_back({path + "position", D});
    if (directors == 1) columns_.push_back({path + "direction", D});
    if (directors > 1 || (directors == 1 && mechanism_.plane()))
      columns_.push_back({path + "rotation", mechanism_.plane() ? 0 : 9});
    columns_.push_back({path + "velocity", D});
    if (directors > 0) columns_.push_back({path + "angular_velocity", turns});
  }
  for (const multibody::Joint& joint : mechanism_.joints()) {
    if (!recorded(model.record.multipliers, mechanism_.internal_rows() + joint.first_row, joint.rows)) continue;
    joints_.push_back(&joint);
    columns_.push_back({"joints/" + joint.name + "/force", D});
    columns_.push_back({"joints/" + joint.name + "/torque", turns});
  }
}

void MechanismView::append(double t, std::span<const double> q, std::span<const double> v, std::span<const double> p,
                           std::span<const double> lambda, std::vector<double>& to) {
  for (const multibody::Body* body : bodies_) append_body(*body, q, v, to);
  std::copy(q.begin(), q.end(), q_.begin());
  if (!lambda.empty()) system_.constraint_jacobian(t, q_, g_, G_);
  if (!lambda.empty() && friction_) {
    const double* const blocks[OdaeFormulas::blocks] = {&t, q.data(), p.data(), lambda.data(), nullptr};
    (*friction_values_)(blocks, friction_now_.data());
  }
  for (const multibody::Joint* joint : joints_) append_joint(*joint, q, lambda, to);
}

void MechanismView::append_body(const multibody::Body& body, std::span<const double> q, std::span<const double> v,
                                std::vector<double>& to) const {
  const int D = mechanism_.dimension();
  const bool plane = mechanism_.plane();
  const auto part = [&](std::span<const double> x, int director) {
    Space out{0, 0, 0};
    for (int k = 0; k < D; ++k)
      out[static_cast<std::size_t>(k)] = x[static_cast<std::size_t>(mechanism_.place_of(body, director) + k)];
    return out;
  };
  const auto push = [&](const Space& x) { to.insert(to.end(), x.begin(), x.begin() + D); };
  push(part(q, -1));
  std::array<Space, 3> d{}, rate{};
  for (const int i : body.directors)
    d[static_cast<std::size_t>(i)] = part(q, i), rate[static_cast<std::size_t>(i)] = part(v, i);
  const std::size_t count = body.directors.size();
  if (count == 1) push(d[static_cast<std::size_t>(body.directors[0])]);
  if (!plane && count == 2) {
    d[2] = cross_product(d[0], d[1]);
    rate[2] = sum(cross_product(rate[0], d[1]), cross_product(d[0], rate[1]));
  }
  if (plane && count > 0) to.push_back(std::atan2(d[0][1], d[0][0]));
  if (!plane && count > 1)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) to.push_back(d[j][i]);
  push(part(v, -1));
  if (count == 0) return;
  Space turning{0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) turning = sum(turning, cross_product(d[i], rate[i]), count == 1 ? 1 : 0.5);
  if (plane)
    to.push_back(turning[2]);
  else
    push(turning);
}

void MechanismView::append_joint(const multibody::Joint& joint, std::span<const double> q,
                                 std::span<const double> lambda, std::vector<double>& to) const {
  const int D = mechanism_.dimension();
  Space force{0, 0, 0}, torque{0, 0, 0};
  if (lambda.empty()) {
    force.fill(std::numeric_limits<double>::quiet_NaN());
    torque = force;
  } else {
    // On the second body, or on the first where the second is ground.
    const std::size_t side = joint.bodies[1] == multibody::ground ? 0 : 1;
    const multibody::Body& body = mechanism_.bodies()[static_cast<std::size_t>(joint.bodies[side])];
    const int first = body.first, size = D * (1 + static_cast<int>(body.directors.size()));
    std::vector<double> on_body(static_cast<std::size_t>(size), 0.0);
    for (int k = 0; k < joint.rows; ++k) {
      const int row = mechanism_.internal_rows() + joint.first_row + k;
      for_row(G_, row, [&](int j, const double& x) {
        if (j >= first && j < first + size)
          on_body[static_cast<std::size_t>(j - first)] -= x * lambda[static_cast<std::size_t>(row)];
      });
    }
    if (friction_) add_friction(joint, first, on_body);
    const auto part = [&](const auto& x, int from) {
      Space out{0, 0, 0};
      for (int k = 0; k < D; ++k) out[static_cast<std::size_t>(k)] = x[static_cast<std::size_t>(from + k)];
      return out;
    };
    const auto at_point = [&](int of_body, const multibody::Vector& X) {
      Space x{0, 0, 0};
      if (of_body == multibody::ground) {
        for (int k = 0; k < D; ++k) x[static_cast<std::size_t>(k)] = to_double(X[k]);
        return x;
      }
      const multibody::Body& own = mechanism_.bodies()[static_cast<std::size_t>(of_body)];
      x = part(q, own.first);
      for (const int i : own.directors) x = sum(x, part(q, mechanism_.place_of(own, i)), to_double(X[i]));
      return x;
    };
    force = part(on_body, 0);
    for (const int i : body.directors) {
      const int place = mechanism_.place_of(body, i);
      torque = sum(torque, cross_product(part(q, place), part(on_body, place - first)));
    }
    const Space arm = sum(at_point(joint.bodies[1], joint.frames[1].point), part(q, first), -1);
    torque = sum(torque, cross_product(arm, force), -1);
    if (side == 0) force = sum({0, 0, 0}, force, -1), torque = sum({0, 0, 0}, torque, -1);
  }
  to.insert(to.end(), force.begin(), force.begin() + D);
  if (mechanism_.plane())
    to.push_back(torque[2]);
  else
    to.insert(to.end(), torque.begin(), torque.end());
}

void MechanismView::add_friction(const multibody::Joint& joint, int first, std::vector<double>& on_body) const {
  std::size_t k = 0;
  for (const MechanismFriction::Part& part : friction_->parts) {
    k += static_cast<std::size_t>(part.loads) + static_cast<std::size_t>(part.rates);
    for (const int i : part.coordinates) {
      const bool its = &mechanism_.joints()[static_cast<std::size_t>(part.joint)] == &joint;
      if (its && i >= first && i < first + static_cast<int>(on_body.size()))
        on_body[static_cast<std::size_t>(i - first)] += friction_now_[k];
      ++k;
    }
  }
}

MechanismRows::MechanismRows(const Model& model, const Columns& of_run)
    : view_(model), of_run_(of_run), columns_(of_run) {
  columns_.insert(columns_.end(), view_.columns().begin(), view_.columns().end());
}

void MechanismRows::write(std::span<const double> row) {
  row_.assign(row.begin(), row.end());
  view_.append(row[0], part_of(row, of_run_, Role::position), part_of(row, of_run_, Role::velocity),
               part_of(row, of_run_, Role::momentum), part_of(row, of_run_, Role::multiplier), row_);
  rows_->write(row_);
}

void PartsOfMechanism::finish(RunResult& result) const {
  if (!given_.system->mechanism() || !result.final.v) return;
  Model all = given_;
  all.record.coordinates.reset(), all.record.multipliers.reset();
  MechanismView view(all);
  std::vector<double> numbers;
  const std::vector<double> none;
  view.append(result.final.t.numbers.front(), result.final.q.numbers, result.final.v->numbers, result.final.p.numbers,
              result.final.lambda ? result.final.lambda->numbers : none, numbers);
  auto next = numbers.begin();
  for (const Column& column : view.columns()) {
    result.parts.push_back({column, {next, next + column.numbers()}});
    next += column.numbers();
  }
}

}  // namespace livens
