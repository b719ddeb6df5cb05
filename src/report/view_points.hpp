// The points and rods that a model of formulas is drawn as: those of [view], or found from names and constraints.
//
// Names: x1, y1, z1 are point "1"; x[3], y[3] point "[3]"; coordinates that belong to no such group, as an angle or the
// "s" of a cart, are left out; an x alone beside points in the plane is a point on the line y = 0.
//
// Rods: constraints g_a of one or two points that say how far they are from each other, or from a place c that stays,
//   two points  dg/dx_i = k (x_i - x_j) = -dg/dx_j ,      one point  dg/dx_i = k (x_i - c) ,  k constant ,
// which is looked at in two configurations.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "livens/model/model.hpp"

namespace livens::report {

using Place = std::array<double, 3>;

struct ViewPoint {
  std::string name;
  std::array<int, 3> coordinates{-1, -1, -1};  // numbers of coordinates; -1: the component is 0
};

struct ViewRod {
  int from, to;  // numbers of points from 0; -1 - k: place k of those that stay
};

struct ViewPoints {
  int dimension = 0;  // 2 or 3; 0: there are no points
  std::vector<ViewPoint> points;
  std::vector<ViewRod> rods;
  std::vector<Place> places;  // that stay
  std::optional<Place> gravity;
};

// From names alone; rods, places and gravity stay empty.
ViewPoints points_of_names(const std::vector<std::string>& coordinates);

// Those of the model's coordinates, with rods and the direction of gravity where its potential is one.
ViewPoints points_of(const Model& model);

}  // namespace livens::report
