#include "report/motion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "livens/multibody/mechanism.hpp"
#include "report/encode.hpp"
#include "report/mechanism_view.hpp"
#include "report/phase_portrait.hpp"
#include "report/row_blocks.hpp"
#include "report/units.hpp"
#include "report/view_points.hpp"

namespace livens::report {

namespace {

constexpr std::int64_t bytes_of_frames = 150'000, most_frames = 12'000, fewest_frames = 400;
constexpr double smooth_step = 0.06, jumping_step = 0.12;  // parts of the picture, from one frame to the next

// Writes the drawn numbers of one row: places of points, or places and turns of bodies.
struct Drawn {
  std::size_t places = 0, dimension = 2;  // the first numbers are places, so many of this dimension
  std::size_t turns = 0;                  // then so many numbers between -1 and 1
  std::function<void(const double* const* blocks, double* out)> draw;
  std::size_t width() const { return places * dimension + turns; }
};

struct MotionBox {
  std::array<double, 3> low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
  bool finite = true;
  void include(const double* x, std::size_t dimension) {
    for (std::size_t k = 0; k < dimension; ++k) {
      finite = finite && std::abs(x[k]) < 1e30;  // what browsers draw in single precision
      low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
    }
  }
  // Where scales are equal, of the diagonal; else by direction.
  double part(const double* a, const double* b, std::size_t dimension, bool equal) const {
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < dimension; ++k) {
      const double width = high[k] - low[k];
      size += width * width;
      if (width > 0) sum += (b[k] - a[k]) * (b[k] - a[k]) / (equal ? 1 : width * width);
    }
    return size > 0 ? std::sqrt(equal ? sum / size : sum) : 0;
  }
};

struct Frames {
  std::int64_t first = 0, stride = 1, count = 0;
};

class MotionWriter {
 public:
  MotionWriter(const Model& model, const RowTable& rows, Drawn drawn, bool equal)
      : rows_(rows), blocks_(model, rows), drawn_(std::move(drawn)), equal_(equal) {}

  // False: there are numbers that are not finite.
  bool write(bool failed, Json& view) {
    const std::int64_t all = rows_.rows();
    const auto most = std::clamp<std::int64_t>(bytes_of_frames / static_cast<std::int64_t>(2 * drawn_.width()),
                                               fewest_frames, most_frames);
    Frames frames{0, (all + most - 1) / most, 0};
    frames.count = (all - 1) / frames.stride + 1;
    take(frames);
    if (!box_.finite) return false;
    if (frames.stride > 1 && largest_mean_step() > jumping_step) {
      const double part = largest_mean_step_of_rows(std::min<std::int64_t>(all, 2000));
      const auto stride = static_cast<std::int64_t>(smooth_step / std::max(part, 1e-12));
      frames.stride = std::clamp<std::int64_t>(stride, 1, frames.stride);
      frames.count = std::min(most, (all - 1) / frames.stride + 1);
      if (failed) frames.first = all - 1 - (frames.count - 1) * frames.stride;
      take(frames);
    }
    put(frames, view);
    return box_.finite;
  }

 private:
  void take(const Frames& frames) {
    numbers_.clear(), times_.clear();
    box_ = {};
    numbers_.resize(static_cast<std::size_t>(frames.count) * drawn_.width());
    double* out = numbers_.data();
    blocks_.visit(frames.first, frames.stride, frames.count, [&](double t, const double* const* blocks) {
      times_.push_back(t);
      drawn_.draw(blocks, out);
      for (std::size_t p = 0; p < drawn_.places; ++p) box_.include(out + p * drawn_.dimension, drawn_.dimension);
      out += drawn_.width();
    });
  }
  double largest_mean_step() const {
    double largest = 0;
    const std::size_t width = drawn_.width(), frames = times_.size();
    for (std::size_t p = 0; p < drawn_.places; ++p) {
      double sum = 0;
      for (std::size_t k = 1; k < frames; ++k) {
        const double* x = numbers_.data() + k * width + p * drawn_.dimension;
        sum += box_.part(x - width, x, drawn_.dimension, equal_);
      }
      largest = std::max(largest, sum / static_cast<double>(std::max<std::size_t>(frames - 1, 1)));
    }
    return largest;
  }
  double largest_mean_step_of_rows(std::int64_t count) {
    const MotionBox whole = box_;
    take({0, 1, count});
    box_ = whole;
    return largest_mean_step();
  }

  void put(const Frames& frames, Json& view) const {
    std::vector<std::int16_t> shorts_of;
    shorts_of.reserve(numbers_.size());
    Json low = Json::array(), scale = Json::array();
    std::array<double, 3> scales{};
    for (std::size_t k = 0; k < drawn_.dimension; ++k) {
      scales[k] = (box_.high[k] - box_.low[k]) / 65534;
      low.push_back(box_.low[k]), scale.push_back(scales[k]);
    }
    const std::size_t places = drawn_.places * drawn_.dimension;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const std::size_t at = i % drawn_.width(), k = at % drawn_.dimension;
      const double x = at >= places    ? 32767 * numbers_[i]
                       : scales[k] > 0 ? (numbers_[i] - box_.low[k]) / scales[k] - 32767
                                       : -32767;
      shorts_of.push_back(static_cast<std::int16_t>(std::lround(std::clamp(x, -32767.0, 32767.0))));
    }
    view["dimension"] = drawn_.dimension;
    view["low"] = low, view["scale"] = scale;
    view["frames"] = static_cast<long long>(frames.count);
    view["stride"] = static_cast<long long>(frames.stride);
    view["places"] = static_cast<long long>(drawn_.places);
    view["width"] = static_cast<long long>(drawn_.width());
    view["motion"] = shorts(shorts_of);
    view["times"] = doubles_of_times();
    std::vector<double> ends, last;
    rows_.read(rows_.column(Role::time).name, 0, 1, ends);
    rows_.read(rows_.column(Role::time).name, rows_.rows() - 1, 1, last);
    view["part"] = frames.first > 0 || frames.first + frames.count * frames.stride < rows_.rows();
  }
  // Evenly spaced times are two numbers.
  Json doubles_of_times() const {
    const std::size_t n = times_.size();
    const double step = n > 1 ? (times_.back() - times_.front()) / static_cast<double>(n - 1) : 0;
    bool even = true;
    for (std::size_t k = 0; k < n; ++k)
      even = even && std::abs(times_[k] - times_.front() - static_cast<double>(k) * step) <= 1e-6 * std::abs(step);
    if (even) return {{"first", times_.front()}, {"step", step}};
    return {{"each", doubles(times_)}};
  }

  const RowTable& rows_;
  RowBlocks blocks_;
  Drawn drawn_;
  bool equal_;
  MotionBox box_;
  std::vector<double> numbers_, times_;
};

Json json_of(const Place& x) {
  return Json::Array{x[0], x[1], x[2]};
}

void put_background(const Model& model, Json& view) {
  Json curves = Json::array();
  for (const Model::View::Curve& curve : model.view.background) {
    std::vector<double> numbers;
    for (const auto& x : curve) numbers.insert(numbers.end(), {x[0], x[1], x[2]});
    curves.push_back({{"name", ""}, {"points", floats(numbers)}});
  }
  view["background"] = curves;
}

void put_rods(const std::vector<ViewRod>& rods, const std::vector<Place>& places, Json& view) {
  Json ends = Json::array(), fixed = Json::array();
  for (const ViewRod& rod : rods) ends.push_back(Json::Array{rod.from, rod.to});
  for (const Place& place : places) fixed.push_back(json_of(place));
  view["rods"] = ends, view["fixed"] = fixed;
}

Json names_of_points(const std::vector<ViewPoint>& points) {
  Json names = Json::array();
  for (const ViewPoint& point : points) names.push_back(point.name);
  return names;
}

void put_gravity(const Place& g, Json& view) {
  if (g[0] != 0 || g[1] != 0 || g[2] != 0) view["gravity"] = json_of(g);
}

std::string with_unit(const Model& model, const std::string& name) {
  const std::string unit = unit_of(model, name);
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

Json stated_points(const Model& model, const RowTable& rows, bool failed) {
  const auto evaluate = std::make_shared<formula::Evaluator<double>>(model.view.points);
  const auto dimension = static_cast<std::size_t>(model.view.dimension);
  Drawn drawn{model.view.points->outputs.size() / dimension, dimension, 0,
              [evaluate](const double* const* blocks, double* out) { (*evaluate)(blocks, out); }};
  std::vector<ViewPoint> points(drawn.places);
  std::vector<ViewRod> rods;
  std::vector<Place> places;
  if (model.view.rods)
    for (const auto& [from, to] : *model.view.rods) {
      rods.push_back({from - 1, to - 1});  // 0, the origin, is the first of the places that stay: -1
      if (from == 0 || to == 0) places.assign(1, Place{0, 0, 0});
    }
  Json view = {{"kind", "points"}, {"equal", true}, {"names", names_of_points(points)}};
  put_rods(rods, places, view);
  if (!MotionWriter(model, rows, std::move(drawn), true).write(failed, view)) return nullptr;
  return view;
}

Json found_points(const Model& model, const ViewPoints& found, const RowTable& rows, bool failed) {
  const auto dimension = static_cast<std::size_t>(found.dimension);
  const std::size_t position = model.system->kind() == SystemKind::degenerate ? 0 : 1;
  Drawn drawn{
      found.points.size(), dimension, 0, [&found, dimension, position](const double* const* blocks, double* out) {
        for (const ViewPoint& point : found.points)
          for (std::size_t k = 0; k < dimension; ++k)
            *out++ = point.coordinates[k] < 0 ? 0 : blocks[position][static_cast<std::size_t>(point.coordinates[k])];
      }};
  Json view = {{"kind", "points"}, {"equal", true}, {"names", names_of_points(found.points)}};
  put_rods(found.rods, found.places, view);
  if (found.gravity) put_gravity(*found.gravity, view);
  if (!MotionWriter(model, rows, std::move(drawn), true).write(failed, view)) return nullptr;
  return view;
}

// Two numbers of a row across and up: two coordinates, or one and its momentum.
Json plane_of(const Model& model, const RowTable& rows, bool failed) {
  const std::vector<std::string> names = model.recorded_coordinates();
  const std::vector<std::string>& all = model.system->coordinate_names();
  const auto number = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
  };
  const bool degenerate = model.system->kind() == SystemKind::degenerate;
  const std::size_t position = degenerate ? 0 : 1, momentum = degenerate                                 ? 1
                                                              : model.system->kind() == SystemKind::odae ? 2
                                                                                                         : 3;
  const std::size_t across = number(names[0]), up = names.size() > 1 ? number(names[1]) : across;
  const std::size_t up_block = names.size() > 1 ? position : momentum;
  Drawn drawn{1, 2, 0, [=](const double* const* blocks, double* out) {
                out[0] = blocks[position][across], out[1] = blocks[up_block][up];
              }};
  Json view = {{"kind", "phase"},
               {"equal", false},
               {"names", Json::Array{""}},
               {"labels", Json::Array{with_unit(model, names[0]),
                                      names.size() > 1 ? with_unit(model, names[1]) : "p_" + names[0]}}};
  put_rods({}, {}, view);
  if (!MotionWriter(model, rows, std::move(drawn), false).write(failed, view)) return nullptr;
  return view;
}

// The level of H through the start, as far as the recorded motion reaches.
void put_level(const Model& model, Json& view) {
  const auto number = [&](const char* key, std::size_t k) { return view.at(key)[k].get<double>(); };
  std::vector<svg::Point> corners;
  for (const double end : {0.0, 65534.0})
    corners.push_back({number("low", 0) + end * number("scale", 0), number("low", 1) + end * number("scale", 1)});
  std::vector<double> numbers;
  const svg::Curve curve = level_curve(model, corners);
  for (const svg::Point& p : curve.points) numbers.insert(numbers.end(), {p.x, p.y, 0});
  Json curves = view.at("background");
  curves.push_back({{"name", curve.name}, {"points", floats(numbers)}});
  view["background"] = curves;
}

}  // namespace

Json motion(const Model& model, const RowTable& rows, bool failed) {
  Json view;
  if (const auto& mechanism = model.system->mechanism()) {
    if (model.record.coordinates) return nullptr;
    const MechanismDrawing drawing(*mechanism);
    Drawn drawn{mechanism->bodies().size(), mechanism->plane() ? 2U : 3U, drawing.turns(),
                [&drawing](const double* const* blocks, double* out) { drawing.draw(blocks[1], out); }};
    view = drawing.parts();
    if (!MotionWriter(model, rows, std::move(drawn), true).write(failed, view)) return nullptr;
  } else if (model.view.points) {
    view = stated_points(model, rows, failed);
  } else if (has_phase_plane(model)) {
    view = plane_of(model, rows, failed);
  } else if (const ViewPoints found = points_of(model); found.dimension > 0) {
    view = found_points(model, found, rows, failed);
  } else {
    view = plane_of(model, rows, failed);
  }
  if (view.is_null()) return view;
  put_background(model, view);
  if (has_phase_plane(model) && !model.view.points) put_level(model, view);
  if (model.view.trail) view["trail"] = *model.view.trail;
  if (model.view.radius) view["radius"] = *model.view.radius;
  return view;
}

}  // namespace livens::report
