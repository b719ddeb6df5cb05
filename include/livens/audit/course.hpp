// The course of an error e(t) over all steps of a run: what the words of the audit (words.hpp) are made from. With m_k,
// low_k, high_k the mean and the extremes of block k of B (course_watch.hpp), u_k = (k + 1/2)/B its place in the run:
//
//   moved      what a line moves over the run, M: the smaller of two figures. M_1 = (16/5) (1/B) sum_k K(u_k) m_k with
//              -K the derivative of the smooth window sin^6(pi u), to which an oscillation of k >= 4 periods in the run
//              counts for at most 4 % of its amplitude (to a least-squares line: 24 % of its width for k = 4); M_2 that
//              of the line beside the three strongest oscillations of at least 2.75 periods, fitted to 64 means, and of
//              64 blocks and more, where the strongest of all is not slower, beside up to three of at least four
//              periods that explain more than 40 times the mean square of what is left: harmonics
//   amplitude  A = half the width of e - M u, from the extremes of the blocks
//   bent       root mean square of what a slow oscillation, of less than 2.75 periods, explains better than the line
//              beside those, and its evidence: the squares explained over the mean square of what is left
//   bent_alone the same without them
//   slow       the amplitude of that slow oscillation, or of the strongest of all where that is a slow one
//   doubt      the standard error of M_2, from what that fit leaves
//   growth     the least width of e in the windows of the last quarter, of 32 or of 8 in all, over the largest in those
//              of the first, where those of the third quarter have become larger, too
//   widening   the width of e in the last quarter over that in the first
//   late_widening
//              that in the last over that in the third: 4/3 for t sin t, less for a beat that is about to turn back
//   early_swings
//              how often e goes up or down by more than 0.4 of its range in the first quarter, twice a period: an
//              oscillation that becomes faster is as narrow as one that grows, while less than a period is seen of it
//   reversals  the part of the steps at which e turns round: near 1 an oscillation has little more than two steps a
//              period, and beats with them
//   leaving    how far the last quarter goes beyond the range of e before it, in widths of that
//   jump       of the two levels that fit the means best, if they leave at most half of the squares that a line leaves,
//              most of the way between them is gone within six blocks, two of less than 40, and what oscillates about
//              either is seen to, by three swings of it, or is small beside what lies between; or if e rests before
//              and after: but for these blocks its means stay within a tenth of the way; or if e leaves its start at
//              once, without going back, and rests then
//   apart      how far the two levels that fit the means best are from each other where they are no jump, if what
//              oscillates about either is seen to; of 64 blocks and more
//   left       e has left its start for good: 0 is outside the range of e after the first sixteenth of the run, by more
//              than half of the width of that range; the block after which e is never again within half of the way
//   trend      mean / (standard deviation / sqrt B) of the differences of neighbouring means: for round-off, which
//              walks at random where it does not drift
//   early      the largest |e| / (sqrt n + 16) after n steps: what a random walk reaches at last it has not at first,
//   but
//              for what rounding does to each value
//   back       how often the means have crossed their line, twice a period; without bound where e goes to and fro
//              within blocks more than from one to the next
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "livens/audit/course_watch.hpp"

namespace livens {

struct Course {
  double steps = 0, duration = 0;
  double largest = 0;  // E, of |e|
  double slope = 0;    // of the least-squares line, per unit of time
  int blocks = 0;      // B
  double moved = 0, doubt = 0, amplitude = 0, slow = 0, growth = 0, widening = 0, late_widening = 0, early_swings = 0,
         reversals = 0, leaving = 0, apart = 0, early = 0, trend = 0, back = 0;
  struct Bent {
    double size, evidence;
  };
  Bent bent{}, bent_alone{};
  struct Jump {
    double t, size;
    bool between_rests;  // e rests before and after it, or at its start and after it
  };
  std::optional<Jump> jump;
  struct Left {
    double t, nearest, farthest;  // of e, after the first sixteenth
    bool rests() const { return std::abs(farthest - nearest) < std::abs(farthest + nearest) / 20; }
  };
  std::optional<Left> left;
  double rounding = 0;      // what round-off may do; the caller knows the size of the terms
  double size = 0;          // of the terms; 0: not known
  double turns = INFINITY;  // of the motion: the most changes of sign of a velocity; infinite where nobody counted
};

Course course_of(const CourseWatch& watch);

// What a line moves over the run, by the smooth window.
double moved_by_window(const std::vector<double>& means);

}  // namespace livens
