#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <memory>

#include "livens/report/export.hpp"
#include "report/exported_rows.hpp"
#include "report/mechanism_outline.hpp"
#include "report/recorded_run.hpp"
#include "report/row_blocks.hpp"
#include "report/view_points.hpp"

namespace livens::report {

namespace {

// Of one row. Points of lines follow one another and belong to no other line.
struct PolyData {
  std::vector<Space> points;
  std::vector<int> parts;  // of each point
  std::vector<std::size_t> vertices;
  std::vector<std::vector<std::size_t>> lines;

  std::size_t add(const Space& x, int part) {
    points.push_back(x), parts.push_back(part);
    return points.size() - 1;
  }
};

template <class Range, class Put>
std::string array_of(const char* type, const char* name, const Range& values, const Put& put) {
  std::string text = fmt::format("        <DataArray type=\"{}\" Name=\"{}\" format=\"ascii\">\n         ", type, name);
  for (const auto& value : values) put(value, text);
  return text + "\n        </DataArray>\n";
}

std::string file_of(const PolyData& data) {
  const auto number = [](const auto& x, std::string& text) { fmt::format_to(std::back_inserter(text), " {}", x); };
  std::vector<std::size_t> ends_of_vertices, connected, ends_of_lines;
  for (std::size_t k = 0; k < data.vertices.size(); ++k) ends_of_vertices.push_back(k + 1);
  for (const auto& line : data.lines) {
    connected.insert(connected.end(), line.begin(), line.end());
    ends_of_lines.push_back(connected.size());
  }
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n  <PolyData>\n"
      "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n",
      data.points.size(), data.vertices.size(), data.lines.size());
  text +=
      "      <PointData Scalars=\"part\">\n" + array_of("Int32", "part", data.parts, number) + "      </PointData>\n";
  text += "      <Points>\n        <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n";
  for (const Space& x : data.points) fmt::format_to(std::back_inserter(text), "          {} {} {}\n", x[0], x[1], x[2]);
  text += "        </DataArray>\n      </Points>\n";
  text += "      <Verts>\n" + array_of("Int64", "connectivity", data.vertices, number) +
          array_of("Int64", "offsets", ends_of_vertices, number) + "      </Verts>\n";
  text += "      <Lines>\n" + array_of("Int64", "connectivity", connected, number) +
          array_of("Int64", "offsets", ends_of_lines, number) + "      </Lines>\n";
  return text + "    </Piece>\n  </PolyData>\n</VTKFile>\n";
}

[[noreturn]] void refuse_motion(const RecordedRun& run, const std::string& why) {
  throw InputError(run.directory.string() + ": " + why + "; --csv exports the numbers");
}

// Where the parts of a run are in a row.
using Scene = std::function<PolyData(std::int64_t row)>;

Scene mechanism_scene(const RecordedRun& run) {
  const multibody::Mechanism& m = *run.model.system->mechanism();
  for (const multibody::Body& body : m.bodies())
    if (!run.rows.has("bodies/" + body.name + "/position"))
      refuse_motion(run, "the positions of the bodies were not recorded");
  std::vector<std::vector<Line>> outlines;
  for (std::size_t b = 0; b < m.bodies().size(); ++b) outlines.push_back(outline_of_body(m, static_cast<int>(b)));
  return [&run, &m, outlines](std::int64_t row) {
    PolyData data;
    std::vector<Pose> poses;
    for (const multibody::Body& body : m.bodies()) poses.push_back(pose_of(run.rows, m, body, row));
    for (std::size_t b = 0; b < poses.size(); ++b) {
      const int part = static_cast<int>(b) + 1;
      data.vertices.push_back(data.add(poses[b].position, part));
      for (const Line& line : outlines[b]) {
        data.lines.emplace_back();
        for (const Space& X : line) data.lines.back().push_back(data.add(poses[b].at(X), part));
      }
    }
    // What holds two points together: springs, dampers, distances.
    const auto connect = [&](const auto& bodies, const auto& points) {
      data.lines.emplace_back();
      for (std::size_t side = 0; side < 2; ++side) {
        const Space X = space_of(points[side]);
        const int b = bodies[side];
        data.lines.back().push_back(b == multibody::ground ? data.add(X, 0)
                                                           : data.add(poses[static_cast<std::size_t>(b)].at(X), b + 1));
      }
    };
    for (const multibody::Spring& spring : m.springs())
      if (!spring.joint) connect(spring.bodies, spring.points);
    for (const multibody::Joint& joint : m.joints())
      if (joint.type == multibody::JointType::distance)
        connect(joint.bodies, std::array{joint.frames[0].point, joint.frames[1].point});
    return data;
  };
}

// Points of [view], or of the names of coordinates.
struct Points {
  std::size_t count = 0;
  std::vector<ViewRod> rods;
  std::vector<Place> places;  // that stay
  std::function<void(const double* const* blocks, Space* out)> at;
};

Points stated_in_view(const Model& model) {
  const auto evaluate = std::make_shared<formula::Evaluator<double>>(model.view.points);
  const auto dimension = static_cast<std::size_t>(model.view.dimension);
  const auto numbers = std::make_shared<std::vector<double>>(model.view.points->outputs.size());
  Points points;
  points.count = numbers->size() / dimension;
  points.at = [=](const double* const* blocks, Space* out) {
    (*evaluate)(blocks, numbers->data());
    for (std::size_t i = 0; i < numbers->size(); ++i) out[i / dimension][i % dimension] = (*numbers)[i];
  };
  if (model.view.rods)
    for (const auto& [from, to] : *model.view.rods) points.rods.push_back({from - 1, to - 1});
  points.places = {Place{0, 0, 0}};  // number 0 of [view]
  return points;
}

Points found_by_names(const Model& model) {
  const ViewPoints found = points_of(model);
  const std::size_t position = model.system->kind() == SystemKind::degenerate ? 0 : 1;
  return {.count = found.points.size(),
          .rods = found.rods,
          .places = found.places,
          .at = [points = found.points, position](const double* const* blocks, Space* out) {
            for (const ViewPoint& point : points) {
              for (std::size_t k = 0; k < 3; ++k)
                (*out)[k] =
                    point.coordinates[k] < 0 ? 0 : blocks[position][static_cast<std::size_t>(point.coordinates[k])];
              ++out;
            }
          }};
}

Scene scene_of_points(const RecordedRun& run) {
  const Points points = run.model.view.points ? stated_in_view(run.model) : found_by_names(run.model);
  if (points.count == 0) refuse_motion(run, "no coordinates are those of points; state some as [view] points");
  const auto blocks = std::make_shared<RowBlocks>(run.model, run.rows);
  return [&run, points, blocks](std::int64_t row) {
    PolyData data;
    std::vector<Space> x(points.count, Space{0, 0, 0});
    blocks->visit(row, 1, 1, [&](double, const double* const* values) { points.at(values, x.data()); });
    for (std::size_t k = 0; k < x.size(); ++k) {
      for (const double number : x[k])
        if (!std::isfinite(number)) refuse_motion(run, "coordinates of points were not recorded, or are not finite");
      data.vertices.push_back(data.add(x[k], static_cast<int>(k) + 1));
    }
    const std::size_t stay = x.size();
    if (!points.rods.empty())
      for (const Place& place : points.places) data.add(place, 0);
    const auto end = [&](int k) {
      return k >= 0 ? static_cast<std::size_t>(k) : stay + static_cast<std::size_t>(-1 - k);
    };
    for (const ViewRod& rod : points.rods) data.lines.push_back({end(rod.from), end(rod.to)});
    return data;
  };
}

void write_motion(const RecordedRun& run, std::int64_t every,
                  const std::function<void(const std::string&, std::string_view)>& write) {
  const Scene scene = run.model.system->mechanism() ? mechanism_scene(run) : scene_of_points(run);
  const std::vector<std::int64_t> rows = exported_rows(run.rows.rows(), every);
  const std::size_t digits = std::to_string(rows.size() - 1).size();
  std::string series = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
  std::vector<double> t;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::string name = fmt::format("motion-{:0{}}.vtp", k, digits);
    write(name, file_of(scene(rows[k])));
    run.rows.read(run.rows.column(Role::time).name, rows[k], 1, t);
    series += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", t.front(), name);
  }
  write("motion.pvd", series + "  </Collection>\n</VTKFile>\n");
}

}  // namespace

}  // namespace livens::report

namespace livens {

void export_vtk(const std::filesystem::path& directory, std::int64_t every,
                const std::function<void(const std::string&, std::string_view)>& write) {
  const report::RecordedRun run =
      report::readable(directory, [](report::RecordedRun&& read) { return std::move(read); });
  report::write_motion(run, every, write);
}

}  // namespace livens
