// A small plotting kit: curves on linear or logarithmic axes as inline SVG. Colours are CSS classes (c0 .. c7), so that
// the page decides about light and dark.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace livens::svg {

constexpr int colours = 8;

struct Point {
  double x, y;
};

struct Curve {
  std::string name = {};
  int colour = 0;
  std::vector<Point> points = {};
  bool ends_with_dot = false;
  bool marks_few_points = true;  // of curves of a dozen points, as measurements are
  bool guide = false;            // a slope to compare with: dashed, without marks
};

struct Plot {
  std::string description = {};  // for those who cannot see it
  std::string x_label = {}, y_label = {};
  bool logarithmic = false;    // the vertical axis; values that are not positive are not drawn
  bool x_logarithmic = false;  // the horizontal one, likewise
  bool equal_scales = false;
  std::vector<double> x_includes = {};  // the horizontal axis reaches that far, and without a margin
  std::vector<Curve> curves = {};
};

std::string drawing(const Plot& plot);
// What a logarithmic axis has no place for, in words; empty if it has.
std::string left_out(const Plot& plot);

// Slopes between neighbours of a curve on logarithmic axes: one less than it has points, in their order; not a number
// where one of the two has no place there.
std::vector<double> slopes(const Curve& curve);
// Dashed lines of the slopes that the curves have, each once, to whole numbers where they are close to them.
void add_slopes(Plot& plot);

// Text between tags and in attributes.
std::string escaped(std::string_view text);

// Multiples of 1, 2 or 5 times a power of ten between lowest and highest, about `wanted` of them.
struct Ticks {
  double step;
  std::vector<double> values;
};
Ticks ticks(double lowest, double highest, int wanted);
std::string tick_label(double value, const Ticks& marks);

// Keeps the extremes: of each of at most `parts` equal parts of a series of known length the lowest and the highest
// value, or only the highest, at the times where they stand.
class Thinned {
 public:
  enum class Keep { both, highest };
  Thinned(std::int64_t length, std::int64_t parts, Keep keep);
  void add(double x, double y);
  std::vector<Point> points();

 private:
  void finish_part();

  std::int64_t part_length_;
  Keep keep_;
  std::int64_t in_part_ = 0, lowest_at_ = 0, highest_at_ = 0;
  bool any_ = false;  // a finite value in this part
  Point lowest_{}, highest_{};
  std::vector<Point> points_;
};

}  // namespace livens::svg
