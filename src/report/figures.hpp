// Which pictures a recorded run deserves.
#pragma once

#include <string>
#include <vector>

#include "report/recorded_run.hpp"
#include "report/svg.hpp"

namespace livens::report {

struct Figure {
  std::string title = {}, note = {};
  svg::Plot plot = {};
};

// Coordinates that belong together: x1, y1, z1 are the position of body "1"; x, y that of the only body.
struct Body {
  std::string name;              // the common suffix
  std::vector<int> coordinates;  // index of x, y and, in space, z
};
// Empty unless there are bodies, and all of them have the same two or three coordinates.
std::vector<Body> bodies(const std::vector<std::string>& coordinates);

std::vector<Figure> projections(const RecordedRun& run);
std::vector<Figure> coordinates_over_time(const RecordedRun& run);
std::vector<Figure> errors(const RecordedRun& run, const std::vector<AuditLine>& audit);

}  // namespace livens::report
