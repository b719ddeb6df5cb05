// livens export: tables and motions that other programs read.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"

using namespace program;

namespace {

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

std::vector<std::vector<std::string>> table(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);) rows.push_back(fields(line));
  return rows;
}

std::size_t column(const std::vector<std::vector<std::string>>& rows, const std::string& name) {
  const auto at = std::find(rows.front().begin(), rows.front().end(), name);
  REQUIRE_MESSAGE(at != rows.front().end(), name);
  return static_cast<std::size_t>(at - rows.front().begin());
}

// The value of attribute="..." at every place where it stands.
std::vector<std::string> attributes(const std::string& xml, const std::string& name) {
  std::vector<std::string> out;
  const std::string begin = " " + name + "=\"";
  for (std::size_t at = xml.find(begin); at != xml.npos; at = xml.find(begin, at + 1)) {
    const std::size_t first = at + begin.size();
    out.push_back(xml.substr(first, xml.find('"', first) - first));
  }
  return out;
}

// The numbers of the array that follows this mark.
std::vector<double> array_after(const std::string& xml, const std::string& mark) {
  const std::size_t first = xml.find('>', xml.find("<DataArray", xml.find(mark))) + 1;
  std::istringstream in(xml.substr(first, xml.find('<', first) - first));
  return {std::istream_iterator<double>(in), {}};
}

}  // namespace

TEST_CASE("a_table_has_every_recorded_number_with_name_and_unit_to_the_last_bit") {
  const Place place;
  const std::string units = "\n[system.units]\nx = \"m\"\nt = \"s\"\n";
  put(place / "m.toml", problem("pendulum") + units);
  REQUIRE(place.livens("run m.toml --steps 10 --out r").status == 0);
  const Reply reply = place.livens("export r --csv");
  CHECK(reply.status == 0);
  const auto rows = table(reply.out);
  REQUIRE(rows.size() == 12);
  const Trajectory file(place / "r/trajectory.h5");
  CHECK(rows[0][0] == "t (s)");
  for (const auto& row : rows) CHECK(row.size() == rows[0].size());
  const auto last = [&](const std::string& name) { return std::stod(rows.back()[column(rows, name)]); };
  CHECK(last("t (s)") == file.last("t")[0]);
  CHECK(last("x (m)") == file.last("q")[0]);
  CHECK(last("y") == file.last("q")[1]);
  CHECK(last("x' (m/s)") == file.last("v")[0]);
  CHECK(last("p_y") == file.last("p")[1]);
  CHECK(last("lambda_1") == file.last("lambda")[0]);
  CHECK(last("audit/energy") == file.last("audit/energy")[0]);
  CHECK(rows[1][column(rows, "raw_lambda_1")] == "");  // the start has none
  CHECK(rows[0].size() == 15);  // t; two of q, v, p, raw p; lambda, raw lambda; three audits; iterations
  CHECK(table(place.livens("export r --csv --every 4").out).size() == 1 + 4);  // rows 0, 4, 8 and 10
}

TEST_CASE("a_motion_for_paraview_has_times_points_and_rods") {
  const Place place;
  REQUIRE(place.livens("run double-pendulum --steps 20 --out r").status == 0);
  REQUIRE(place.livens("export r/ --vtk --every 10 --out v").status == 0);
  const std::string series = contents(place / "v/motion.pvd");
  CHECK(mentions(series, "<VTKFile type=\"Collection\""));
  const Trajectory file(place / "r/trajectory.h5");
  const auto times = attributes(series, "timestep"), files = attributes(series, "file");
  REQUIRE(times.size() == files.size());
  CHECK(std::stod(times.back()) == file.last("t")[0]);
  const std::string frame = contents(place / ("v/" + files.back()));
  CHECK(attributes(frame, "NumberOfPoints") == Arguments{"3"});
  CHECK(attributes(frame, "NumberOfVerts") == Arguments{"2"});
  std::vector<double> expected = file.last("q");
  expected.insert(expected.end(), 3, 0.0);  // where the first rod hangs
  CHECK(array_after(frame, "<Points>") == expected);
  CHECK(array_after(frame, "<PointData") == std::vector<double>{1, 2, 0});
  CHECK(array_after(frame, "<Lines>") == std::vector<double>{2, 0, 0, 1});
}

TEST_CASE("a_second_export_takes_the_place_of_the_first") {
  const Place place;
  REQUIRE(place.livens("run slider-crank --steps 20 --set run.every=1 --out r").status == 0);
  REQUIRE(place.livens("export r --vtk").status == 0);
  CHECK(place.has("r-vtk/motion-20.vtp"));
  REQUIRE(place.livens("export r --vtk --every 10").status == 0);
  CHECK(attributes(contents(place / "r-vtk/motion.pvd"), "file").size() == 3);
  CHECK(place.has("r-vtk/motion-2.vtp"));
  CHECK_FALSE(place.has("r-vtk/motion-20.vtp"));
}

TEST_CASE("bodies_are_exported_where_they_are_and_what_cannot_be_is_refused") {
  const Place place;
  REQUIRE(place.livens("run slider-crank --steps 2 --out r").status == 0);
  REQUIRE(place.livens("export r --vtk").status == 0);
  const std::string frame = contents(place / "r-vtk/motion-0.vtp");
  const std::vector<double> points = array_after(frame, "<Points>"), vertices = array_after(frame, "<Verts>"),
                            position = Trajectory(place / "r/trajectory.h5").row("bodies/rod/position", 0);
  REQUIRE(vertices.size() == 3);
  const auto rod = 3 * static_cast<std::size_t>(vertices[1]);
  CHECK(std::vector<double>(points.begin() + static_cast<std::ptrdiff_t>(rod),
                            points.begin() + static_cast<std::ptrdiff_t>(rod) + 2) == position);
  CHECK(array_after(frame, "<Lines>").size() > 4);

  const auto refusal = [&](const std::string& words) {
    const Reply reply = place.livens("export " + words);
    CHECK(reply.status == 2);
    CHECK(reply.out == "");
    return reply.err;
  };
  CHECK(mentions(refusal("r"), "give one of --csv and --vtk"));
  CHECK(mentions(refusal("r --csv --vtk"), "excludes"));
  put(place / "r-vtk/notes.txt", "mine");
  CHECK(mentions(refusal("r --vtk"), "r-vtk: holds notes.txt, which was not written by this command"));
  CHECK(place.has("r-vtk/motion-0.vtp"));
  CHECK(mentions(refusal("r --vtk --out r"), "which was not written by this command"));
  CHECK(mentions(refusal("r --csv --every 0"), "--every: is 0; give 1 or more"));
  CHECK(mentions(refusal("nowhere --csv"), "there is no such directory"));
  put(place / "angle.toml",
      "system = { kind = \"lagrangian\", coordinates = [\"phi\"], lagrangian = \"phi'^2/2\" }\n"
      "initial = { q = [0.0], v = [1.0] }\nmethod.name = \"rattle\"\nrun = { step = 0.1, steps = 2 }\n");
  REQUIRE(place.livens("run angle.toml --out a").status == 0);
  CHECK(mentions(refusal("a --vtk"), "no coordinates are those of points; state some as [view] points; --csv"));
  CHECK_FALSE(place.has("a-vtk"));
}
