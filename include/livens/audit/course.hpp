// The course of an error over the rows of a run, taken as they come: what the words of the audit (words.hpp) are made
// from. Memory does not grow with the run.
//
//   largest, slope      sums over all rows
//   band                the width of e about its least-squares line, which is known only at the end: the extremes of
//                       e - s t for any s are corners of the convex hull of the points (t, e), which is kept, at most
//                       4096 corners of it (those of a parabola are all its points): where there are more, only
//                       corners at least so far from each other that half as many are left
//   halves of the run   root mean squares before and after the middle of the time, which is known only at the end as
//                       well: sums over blocks of rows, at most 4096 of them, two joined to one when there are more
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "livens/audit/audit.hpp"

namespace livens {

struct Course {
  double rows = 0;                         // that tell about e
  double largest = 0;                      // E
  double slope = 0;                        // s
  double duration = 0;                     // T
  double band = 0;                         // A
  double first_half = 0, second_half = 0;  // r1, r2
  double rounding = 0;
  double turns = INFINITY;  // of the motion: the most changes of sign of a velocity; infinite where nobody counted
};

class CourseWatch {
 public:
  void add(double t, double e) {
    if (rows_ == 0) begin_ = t;
    end_ = t, rows_ += 1;
    largest_ = std::max(largest_, std::abs(e));
    line_.add(t, e);
    add_corner(upper_, t, e, 1);
    add_corner(lower_, t, e, -1);
    add_square(t, e * e);
  }

  // The rounding and the turns are left to the caller, who knows the size of the terms.
  Course course() const {
    Course c;
    c.rows = rows_;
    if (rows_ == 0) return c;
    c.largest = largest_;
    c.slope = line_.slope();
    c.duration = std::abs(end_ - begin_);
    const auto extreme = [&](const std::vector<Point>& corners, double side) {
      double farthest = -INFINITY;
      for (const Point& p : corners) farthest = std::max(farthest, side * (p.e - c.slope * (p.t - begin_)));
      return farthest;
    };
    c.band = extreme(upper_, 1) + extreme(lower_, -1);
    const double middle = begin_ + (end_ - begin_) / 2;
    std::array<double, 2> squares{}, counts{};
    for (const Block& block : blocks_) {
      const std::size_t half = (block.last - middle) * (end_ - begin_) > 0;
      squares[half] += block.squares, counts[half] += block.rows;
    }
    c.first_half = std::sqrt(squares[0] / std::max(counts[0], 1.0));
    c.second_half = std::sqrt(squares[1] / std::max(counts[1], 1.0));
    return c;
  }

 private:
  static constexpr std::size_t most = 4096;
  struct Point {
    double t, e;
  };
  struct Block {
    double last, squares, rows;  // time of its last row
  };

  // side 1: the upper hull, -1: the lower one. Times come in their order, forward or back.
  void add_corner(std::vector<Point>& hull, double t, double e, double side) {
    const double direction = end_ >= begin_ ? 1 : -1;
    const auto turns_out = [&](const Point& a, const Point& b) {  // b lies inside of the line from a to (t, e)
      return side * direction * ((b.t - a.t) * (e - a.e) - (b.e - a.e) * (t - a.t)) >= 0;
    };
    const auto is_near = [&](const Point& a, const Point& b) { return std::abs(b.t - a.t) < corner_distance_; };
    while (hull.size() >= 2 &&
           (turns_out(hull[hull.size() - 2], hull.back()) || is_near(hull[hull.size() - 2], hull.back())))
      hull.pop_back();
    hull.push_back({t, e});
    if (hull.size() <= most) return;
    corner_distance_ = 2 * std::abs(t - begin_) / static_cast<double>(most);
    std::size_t kept = 1;
    for (std::size_t k = 1; k < hull.size(); ++k)
      if (!is_near(hull[kept - 1], hull[k]) || k + 1 == hull.size()) hull[kept++] = hull[k];
    hull.resize(kept);
  }

  void add_square(double t, double square) {
    if (blocks_.empty() || blocks_.back().rows >= rows_of_block_) blocks_.push_back({t, 0, 0});
    Block& block = blocks_.back();
    block.last = t, block.squares += square, block.rows += 1;
    if (blocks_.size() <= most) return;
    std::size_t kept = 0;
    for (std::size_t k = 0; k + 1 < blocks_.size(); k += 2) {
      const Block &a = blocks_[k], &b = blocks_[k + 1];
      blocks_[kept++] = {b.last, a.squares + b.squares, a.rows + b.rows};
    }
    if (blocks_.size() % 2 == 1) blocks_[kept++] = blocks_.back();
    blocks_.resize(kept);
    rows_of_block_ *= 2;
  }

  double rows_ = 0, begin_ = 0, end_ = 0, largest_ = 0;
  Drift line_;
  std::vector<Point> upper_, lower_;
  double corner_distance_ = 0;
  std::vector<Block> blocks_;
  double rows_of_block_ = 1;
};

}  // namespace livens
