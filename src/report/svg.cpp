#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace livens::svg {

namespace {

constexpr double width = 480, height = 320;
constexpr double narrowest_left = 66, right = 460, top = 32, bottom = 272;
constexpr double character = 8.8;    // of a label: digits of DejaVu Sans at 13.5 px, wider than those of most fonts
constexpr double most_decades = 40;  // below the highest value: from 1 to the round-off of binary128

struct Range {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  void include(double x) { lowest = std::min(lowest, x), highest = std::max(highest, x); }
  bool empty() const { return !(lowest <= highest); }
  double span() const { return highest - lowest; }
  double middle() const { return lowest + span() / 2; }
};

// A range one can put ticks on: not a point, not so narrow that its numbers would all look the same.
Range opened(Range r) {
  if (r.empty()) return {0, 1};
  const double size = std::max(std::abs(r.lowest), std::abs(r.highest));
  if (r.span() > 1e-12 * size) return r;
  const double half = size > 0 ? 0.1 * size : 1;
  return {r.middle() - half, r.middle() + half};
}

Range with_margin(Range r, double fraction) {
  return {r.lowest - fraction * r.span(), r.highest + fraction * r.span()};
}

// One horizontal or vertical axis: data to page.
struct Axis {
  Range range;
  double page_begin, page_end;
  double operator()(double x) const { return page_begin + (page_end - page_begin) * (x - range.lowest) / range.span(); }
};

// Of the horizontal or of the vertical axis, in whole powers of ten.
Range log_range(const Plot& plot, double Point::*direction) {
  Range r;
  for (const Curve& curve : plot.curves)
    for (const Point& p : curve.points)
      if (p.*direction > 0) r.include(std::log10(p.*direction));
  if (r.empty()) return {-17, -15};
  r.lowest = std::floor(std::max(r.lowest, r.highest - most_decades));
  r.highest = std::ceil(r.highest);
  if (r.span() < 2 && direction == &Point::y) r.lowest = r.highest - 2;
  if (r.span() == 0) r.lowest -= 1;
  return r;
}

// Widens the range whose page is too long, so that one unit is the same length on both axes.
void make_scales_equal(Axis& x, Axis& y) {
  const double x_unit = std::abs(x.page_end - x.page_begin) / x.range.span();
  const double y_unit = std::abs(y.page_end - y.page_begin) / y.range.span();
  if (x_unit > y_unit)
    x.range = with_margin(x.range, (x_unit / y_unit - 1) / 2);
  else
    y.range = with_margin(y.range, (y_unit / x_unit - 1) / 2);
}

std::string with_true_minus(std::string text) {
  for (std::size_t at = text.find('-'); at != text.npos; at = text.find('-', at + 3)) text.replace(at, 1, "\u2212");
  return text;
}

class Page {
 public:
  void open(const std::string& description) {
    print("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", width, height, escaped(description));
  }
  void line(double x1, double y1, double x2, double y2, std::string_view kind) {
    print("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", kind, x1, y1, x2, y2);
  }
  void text(double x, double y, std::string_view kind, std::string_view words) {
    print("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kind, x, y, words);
  }
  void dot(double x, double y, int colour, double radius) {
    print("<circle class=\"dot c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", colour, x, y, radius);
  }
  void curve(const std::vector<Point>& points, int colour, bool guide) {
    print("<polyline class=\"curve c{}{}\" points=\"", colour, guide ? " guide" : "");
    std::string last;
    for (const Point& p : points) {
      std::string here = fmt::format("{:.1f},{:.1f} ", p.x, p.y);
      if (here == last) continue;
      text_ += here;
      last = std::move(here);
    }
    text_ += "\"/>\n";
  }
  std::string close() && { return std::move(text_) + "</svg>\n"; }

 private:
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }
  std::string text_;
};

// The pieces of a curve that can be drawn: a logarithmic axis has no place for 0, nor for what lies below its end.
std::vector<std::vector<Point>> pieces(const Curve& curve, const Axis& x, const Axis& y, const Plot& plot) {
  std::vector<std::vector<Point>> all(1);
  for (const Point& p : curve.points) {
    const double height_of = plot.logarithmic ? std::log10(std::max(p.y, 0.0)) : p.y;
    const double place = plot.x_logarithmic ? std::log10(std::max(p.x, 0.0)) : p.x;
    if ((!plot.logarithmic || height_of >= y.range.lowest) && (!plot.x_logarithmic || place >= x.range.lowest))
      all.back().push_back({x(place), y(height_of)});
    else if (!all.back().empty())
      all.emplace_back();
  }
  if (all.back().empty()) all.pop_back();
  return all;
}

void draw_curve(Page& page, const Curve& curve, const Axis& x, const Axis& y, const Plot& plot) {
  const std::vector<std::vector<Point>> all = pieces(curve, x, y, plot);
  for (const std::vector<Point>& piece : all) {
    const bool is_alone = piece.size() == 1 && all.size() > 1;
    if (curve.marks_few_points && !curve.guide && (curve.points.size() <= 12 || is_alone))
      for (const Point& p : piece) page.dot(p.x, p.y, curve.colour, is_alone ? 2 : 3);
    if (!is_alone) page.curve(piece, curve.colour, curve.guide);
  }
  if (curve.ends_with_dot && !all.empty())
    page.dot(all.back().back().x, all.back().back().y, curve.colour, curve.marks_few_points ? 5 : 3);
}

std::string power_of_ten(double exponent) {
  return fmt::format("10<tspan dy=\"-6\" class=\"power\">{}</tspan>", with_true_minus(fmt::format("{}", exponent)));
}

void draw_x_axis(Page& page, const Axis& x, const Plot& plot) {
  const Ticks marks = ticks(x.range.lowest, x.range.highest, 6);
  for (const double value : marks.values) {
    if (plot.x_logarithmic && value != std::round(value)) continue;
    page.line(x(value), top, x(value), bottom, "grid");
    page.text(x(value), bottom + 20, "tick mid",
              plot.x_logarithmic ? power_of_ten(value) : with_true_minus(tick_label(value, marks)));
  }
  page.text((x.page_begin + right) / 2, bottom + 43, "label mid", escaped(plot.x_label));
}

// So far to the right that the labels have room beside it.
double left_of(const Range& y, bool logarithmic) {
  if (logarithmic) return narrowest_left;
  const Ticks marks = ticks(y.lowest, y.highest, 5);
  std::size_t longest = 0;
  for (const double value : marks.values) longest = std::max(longest, tick_label(value, marks).size());
  return std::max(narrowest_left, 14 + character * static_cast<double>(longest));
}

void draw_y_axis(Page& page, const Axis& y, double left, const Plot& plot) {
  if (plot.logarithmic) {
    const Ticks marks = ticks(y.range.lowest, y.range.highest, 5);
    for (const double exponent : marks.values) {
      if (exponent != std::round(exponent)) continue;
      page.line(left, y(exponent), right, y(exponent), "grid");
      page.text(left - 8, y(exponent) + 5, "tick end", power_of_ten(exponent));
    }
  } else {
    const Ticks marks = ticks(y.range.lowest, y.range.highest, 5);
    for (const double value : marks.values) {
      page.line(left, y(value), right, y(value), "grid");
      page.text(left - 8, y(value) + 5, "tick end", with_true_minus(tick_label(value, marks)));
    }
  }
  page.text(narrowest_left - 4, top - 17, "label", escaped(plot.y_label));
}

}  // namespace

std::string drawing(const Plot& plot) {
  Axis x{{}, narrowest_left, right}, y{{}, bottom, top};
  for (const double value : plot.x_includes) x.range.include(value);
  for (const Curve& curve : plot.curves)
    for (const Point& p : curve.points) x.range.include(p.x), y.range.include(p.y);
  x.range = plot.x_logarithmic ? log_range(plot, &Point::x) : opened(x.range);
  y.range = plot.logarithmic ? log_range(plot, &Point::y) : with_margin(opened(y.range), 0.04);
  if (plot.x_includes.empty() && !plot.x_logarithmic) x.range = with_margin(x.range, 0.04);
  const double left = x.page_begin = left_of(y.range, plot.logarithmic);
  if (plot.equal_scales) make_scales_equal(x, y);

  Page page;
  page.open(plot.description);
  draw_x_axis(page, x, plot);
  draw_y_axis(page, y, left, plot);
  page.line(left, bottom, right, bottom, "axis");
  page.line(left, bottom, left, top, "axis");
  for (const Curve& curve : plot.curves) draw_curve(page, curve, x, y, plot);
  return std::move(page).close();
}

std::string left_out(const Plot& plot) {
  if (!plot.logarithmic) return "";
  std::string nowhere;
  bool gaps = false;
  for (const Curve& curve : plot.curves) {
    const auto zeros = std::count_if(curve.points.begin(), curve.points.end(), [](const Point& p) { return p.y == 0; });
    if (zeros == std::ssize(curve.points) && zeros > 0)
      nowhere += fmt::format("{}{} is exactly 0", nowhere.empty() ? "" : "; ", curve.name);
    else
      gaps = gaps || zeros > 0;
  }
  return nowhere + (gaps ? (nowhere.empty() ? "" : "; ") + std::string("what is exactly 0 is not drawn") : "");
}

std::vector<double> slopes(const Curve& curve) {
  std::vector<double> all;
  for (std::size_t k = 1; k < curve.points.size(); ++k) {
    const Point &a = curve.points[k - 1], &b = curve.points[k];
    const bool shown = a.x > 0 && b.x > 0 && a.y > 0 && b.y > 0 && a.x != b.x;
    all.push_back(shown ? std::log(b.y / a.y) / std::log(b.x / a.x) : std::numeric_limits<double>::quiet_NaN());
  }
  return all;
}

void add_slopes(Plot& plot) {
  std::vector<double> known;
  const std::size_t measured = plot.curves.size();
  for (std::size_t c = 0; c < measured; ++c) {
    const Curve& curve = plot.curves[c];
    std::vector<double> found = slopes(curve);
    std::erase_if(found, [](double s) { return !std::isfinite(s); });
    if (found.size() < 2) continue;
    std::nth_element(found.begin(), found.begin() + std::ssize(found) / 2, found.end());
    double slope = found[found.size() / 2];
    if (std::abs(slope - std::round(slope)) < 0.3)
      slope = std::round(slope);
    else
      slope = std::round(10 * slope) / 10;
    if (slope == 0 || std::find(known.begin(), known.end(), slope) != known.end()) continue;
    known.push_back(slope);
    // Through the point of the largest value, a little below the curve, over its width.
    const Point top_point = *std::max_element(curve.points.begin(), curve.points.end(),
                                              [](const Point& a, const Point& b) { return a.y < b.y; });
    const auto [left_end, right_end] = std::minmax_element(curve.points.begin(), curve.points.end(),
                                                           [](const Point& a, const Point& b) { return a.x < b.x; });
    const auto at = [&](double place) {
      return Point{place, 0.4 * top_point.y * std::pow(place / top_point.x, slope)};
    };
    plot.curves.push_back({.name = with_true_minus(fmt::format("slope {}", slope)),
                           .colour = curve.colour,
                           .points = {at(left_end->x), at(right_end->x)},
                           .guide = true});
  }
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

Ticks ticks(double lowest, double highest, int wanted) {
  const double rough = (highest - lowest) / wanted;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= 0.75 * rough) step = factor * power;
  Ticks out{step, {}};
  const double slack = 1e-9 * (highest - lowest);
  for (double k = std::ceil((lowest - slack) / step); k * step <= highest + slack; ++k) out.values.push_back(k * step);
  return out;
}

std::string tick_label(double value, const Ticks& marks) {
  if (std::abs(value) < marks.step / 2) return "0";
  const auto exponent = [](double x) { return static_cast<int>(std::floor(std::log10(std::abs(x) * (1 + 1e-12)))); };
  const double largest = std::max(std::abs(marks.values.front()), std::abs(marks.values.back()));
  // As many digits as tell neighbours apart, and one power of ten for all.
  const int last = exponent(marks.step), power = exponent(largest);
  if (marks.step >= 0.9e-3 && largest < 1e6) return fmt::format("{:.{}f}", value, std::max(0, -last));
  return fmt::format("{:.{}f}e{}", value / std::pow(10, power), power - last, power);
}

Thinned::Thinned(std::int64_t length, std::int64_t parts, Keep keep)
    : part_length_(std::max<std::int64_t>(1, (length + parts - 1) / parts)), keep_(keep) {}

void Thinned::add(double x, double y) {
  if (std::isfinite(y)) {
    if (!any_ || y < lowest_.y) lowest_ = {x, y}, lowest_at_ = in_part_;
    if (!any_ || y > highest_.y) highest_ = {x, y}, highest_at_ = in_part_;
    any_ = true;
  }
  if (++in_part_ == part_length_) finish_part();
}

void Thinned::finish_part() {
  const bool low = any_ && keep_ == Keep::both && lowest_at_ != highest_at_;
  if (low && lowest_at_ < highest_at_) points_.push_back(lowest_);
  if (any_) points_.push_back(highest_);
  if (low && lowest_at_ > highest_at_) points_.push_back(lowest_);
  any_ = false;
  in_part_ = 0;
}

std::vector<Point> Thinned::points() {
  finish_part();
  return points_;
}

}  // namespace livens::svg
