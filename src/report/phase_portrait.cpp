#include "report/phase_portrait.hpp"

#include <algorithm>
#include <cmath>

namespace livens::report {

namespace {

// Around the motion, half its size wider on every side.
struct Box {
  double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;

  explicit Box(const std::vector<svg::Point>& points) {
    for (const svg::Point& p : points) {
      left = std::min(left, p.x), right = std::max(right, p.x);
      low = std::min(low, p.y), high = std::max(high, p.y);
    }
  }
  bool has(const svg::Point& p) const {
    const double x = (right - left) / 2, y = (high - low) / 2;
    return p.x >= left - x && p.x <= right + x && p.y >= low - y && p.y <= high + y;
  }
};

// Walks along the level in steps of the size of a pixel: across the gradient, then back to the level along it.
class LevelWalk {
 public:
  // swapped: the second coordinate goes across the page.
  LevelWalk(const Model& model, const Box& box, bool swapped)
      : system_(model.system->degenerate()),
        gradient_(2),
        q_(2),
        across_(swapped ? 1 : 0),
        pixel_{(box.right - box.left) / pixels, (box.high - box.low) / pixels} {
    for (int i = 0; i < 2; ++i) q_[i] = static_cast<double>(model.initial.q[static_cast<std::size_t>(i)]);
    level_ = system_.hamiltonian(q_);
  }

  svg::Point point() const { return {q_[across_], q_[1 - across_]}; }
  // In pixels.
  double distance(const svg::Point& p) const {
    return std::hypot((point().x - p.x) / pixel_.x, (point().y - p.y) / pixel_.y);
  }

  // In one of the two directions, 1 or -1. False: no way on.
  bool step(int direction) {
    system_.hamiltonian_gradient(q_, gradient_);
    const double dx = -gradient_[1 - across_] * direction, dy = gradient_[across_] * direction,
                 length = std::hypot(dx / pixel_.x, dy / pixel_.y);
    if (!(length > 0) || !std::isfinite(length)) return false;
    q_[across_] += dx / length, q_[1 - across_] += dy / length;
    for (int k = 0; k < 3; ++k) {
      system_.hamiltonian_gradient(q_, gradient_);
      const double square = gradient_[0] * gradient_[0] + gradient_[1] * gradient_[1],
                   back = (level_ - system_.hamiltonian(q_)) / square;
      q_[0] += back * gradient_[0], q_[1] += back * gradient_[1];
    }
    return std::isfinite(q_[0]) && std::isfinite(q_[1]);
  }

 private:
  static constexpr double pixels = 400;

  FormulaDegenerate<double> system_;
  Vec<double> gradient_, q_;
  int across_;
  svg::Point pixel_;
  double level_ = 0;
};

}  // namespace

bool has_phase_plane(const Model& model) {
  return model.system->kind() == SystemKind::degenerate && model.system->coordinates() == 2 &&
         model.recorded_coordinates().size() == 2;
}

svg::Curve level_curve(const Model& model, const std::vector<svg::Point>& motion) {
  constexpr int most_steps = 20'000;
  svg::Curve curve{.name = "H = H(0)", .colour = 7};
  const Box box(motion);
  if (!(box.right > box.left) || !(box.high > box.low)) return curve;
  const bool swapped = model.recorded_coordinates().front() != model.system->coordinate_names().front();
  for (const int direction : {1, -1}) {
    LevelWalk walk(model, box, swapped);
    const svg::Point start = walk.point();
    std::reverse(curve.points.begin(), curve.points.end());
    if (direction == 1) curve.points.push_back(start);
    for (int n = 0; n < most_steps && walk.step(direction) && box.has(walk.point()); ++n) {
      curve.points.push_back(walk.point());
      if (n > 2 && walk.distance(start) < 1) {  // closed
        curve.points.push_back(start);
        return curve;
      }
    }
  }
  return curve;
}

}  // namespace livens::report
