#include "report/mechanism_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/mechanism_outline.hpp"

namespace livens::report {

namespace {

constexpr int instants = 6;
constexpr std::size_t most_outlines = 150;  // bodies; of more, their centres are connected

// Seen from the side and a little from above, gravity pulling down the page; the plane is seen as it is.
class View {
 public:
  explicit View(const multibody::Mechanism& m) : plane_(m.plane()) {
    const Space g = space_of(m.gravity());
    std::size_t down = 2;
    for (std::size_t k = 0; k < 3; ++k)
      if (std::abs(g[k]) > std::abs(g[down])) down = k;
    up_ = down, first_ = (down + 1) % 3, second_ = (down + 2) % 3;
    sign_ = g[down] > 0 ? -1 : 1;
  }
  svg::Point operator()(const Space& x) const {
    if (plane_) return {x[0], x[1]};
    constexpr double around = -1.0, above = 0.35;
    const double a = x[first_], b = x[second_];
    return {-std::sin(around) * a + std::cos(around) * b,
            sign_ * std::cos(above) * x[up_] - std::sin(above) * (std::cos(around) * a + std::sin(around) * b)};
  }

 private:
  bool plane_;
  std::size_t up_, first_, second_;
  double sign_;
};

}  // namespace

std::vector<Figure> mechanism_figure(const RecordedRun& run) {
  if (!run.model.system->mechanism()) return {};
  const multibody::Mechanism& m = *run.model.system->mechanism();
  for (const multibody::Body& body : m.bodies())
    if (!run.rows.has("bodies/" + body.name + "/position")) return {};
  const View view(m);
  const std::int64_t last = run.rows.rows() - 1;
  const auto count = static_cast<int>(std::min<std::int64_t>(instants, last + 1));
  const bool outlines = m.bodies().size() <= most_outlines;

  Figure figure;
  figure.title = "The mechanism";
  figure.plot = {.description = fmt::format("the mechanism at {} instants", count), .equal_scales = true};
  if (!m.plane()) figure.note = "seen from the side and a little from above";
  if (m.plane()) figure.plot.x_label = "x", figure.plot.y_label = "y";
  for (int k = 0; k < count; ++k) {
    const std::int64_t row = count == 1 ? 0 : last * k / (count - 1);
    std::vector<double> t;
    run.rows.read(run.rows.column(Role::time).name, row, 1, t);
    std::string name = fmt::format("t = {:.4g}", t.front());
    const auto draw = [&](const std::vector<svg::Point>& points, bool dot) {
      figure.plot.curves.push_back({.name = std::move(name),
                                    .colour = k % svg::colours,
                                    .points = points,
                                    .ends_with_dot = dot,
                                    .marks_few_points = false});
      name.clear();
    };
    std::vector<Pose> poses;
    for (const multibody::Body& body : m.bodies()) poses.push_back(pose_of(run.rows, m, body, row));
    if (!outlines) {
      std::vector<svg::Point> centres;
      for (const Pose& pose : poses) centres.push_back(view(pose.position));
      draw(centres, true);
      continue;
    }
    for (std::size_t b = 0; b < poses.size(); ++b) {
      for (const Line& line : outline_of_body(m, static_cast<int>(b))) {
        std::vector<svg::Point> points;
        for (const Space& X : line) points.push_back(view(poses[b].at(X)));
        draw(points, false);
      }
      if (m.bodies()[b].shape.type == multibody::Shape::Type::point) draw({view(poses[b].position)}, true);
    }
    for (const multibody::Joint& joint : m.joints()) {
      const std::size_t side = joint.bodies[1] == multibody::ground ? 0 : 1;
      draw({view(poses[static_cast<std::size_t>(joint.bodies[side])].at(space_of(joint.frames[side].point)))}, true);
    }
  }
  return {figure};
}

}  // namespace livens::report
