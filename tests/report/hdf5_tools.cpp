// trajectory.h5 is for everybody: the tools that are installed read it, too.
#include <doctest/doctest.h>

#include <cstdlib>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"

using namespace program;

namespace {

int shell(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str());
}

}  // namespace

TEST_CASE("h5dump_prints_every_dataset") {
  if (shell("h5dump --version") != 0) return;
  const Place place;
  const Json s = place.summary("spherical-pendulum --out r", {"run.steps=10"});
  const std::string out = (place / "dump.txt").string();
  REQUIRE(std::system(("h5dump -m %.17g " + (place / "r/trajectory.h5").string() + " > " + out).c_str()) == 0);
  const std::string dump = contents(out);
  for (const char* part : {"DATASET \"q\"", "( 11, 3 )", "DATASET \"energy\"", "DATASET \"angular_momentum\"",
                           "DATASET \"model\"", "ATTRIBUTE \"method\"", "(0): \"rattle\""})
    CHECK_MESSAGE(mentions(dump, part), part);
}

TEST_CASE("h5py_reads_the_numbers_that_the_C_interface_reads") {
  const std::string python = "/usr/bin/python3";
  if (shell(python + " -c 'import h5py'") != 0) return;
  const Place place;
  place.summary("spherical-pendulum --out r", {"run.steps=10"});
  put(place / "read.py", R"(
import h5py, sys
with h5py.File(sys.argv[1], "r") as h5, open(sys.argv[2], "w") as out:
    for name in ("t", "q", "audit/energy"):
        for x in h5[name][...].ravel():
            print(float(x).hex(), file=out)
    model = h5["model"][()]
    print(len(model), h5.attrs["method"], file=out)
)");
  const std::string h5 = (place / "r/trajectory.h5").string(), out = (place / "out.txt").string();
  REQUIRE(shell(python + " " + (place / "read.py").string() + " " + h5 + " " + out) == 0);
  std::istringstream read(contents(out));
  const Trajectory direct(h5);
  for (const char* name : {"t", "q", "audit/energy"})
    for (const double x : direct.numbers(name)) {
      std::string hex;
      read >> hex;
      CHECK(std::strtod(hex.c_str(), nullptr) == x);
    }
  std::size_t length = 0;
  std::string method;
  read >> length >> method;
  CHECK(length == direct.text("model").size());
  CHECK(method == "rattle");
}
