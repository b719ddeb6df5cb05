// livens import: robots from files and from standard input.
#include <doctest/doctest.h>

#include "cli/program.hpp"

using namespace program;

TEST_CASE("a_robot_is_imported_from_a_file_or_from_standard_input") {
  const Place place;
  const std::string arm = std::string(LIVENS_SOURCE) + "/examples/arm.urdf";
  const Reply model = place.livens("import " + arm + " --pose elbow=0.4 --pose wrist=0.05");
  CHECK(model.status == 0);
  CHECK(mentions(model.err, "note: <transmission> is left out"));
  const std::string line = "'" LIVENS_PROGRAM "' import - --pose elbow=0.4 --pose wrist=0.05 < '" + arm + "' > '" +
                           (place / "piped.toml").string() + "' 2> '" + (place / "notes").string() + "'";
  CHECK(std::system(line.c_str()) == 0);
  CHECK(contents(place / "piped.toml") == model.out);
  CHECK(place.livens("check piped.toml").status == 0);
}

TEST_CASE("what_cannot_be_imported_is_refused_in_words") {
  const Place place;
  const std::string arm = std::string(LIVENS_SOURCE) + "/examples/arm.urdf";
  const auto refusal = [&](const std::string& words) {
    const Reply reply = place.livens("import " + words);
    CHECK(reply.status == 2);
    CHECK(reply.out == "");
    return reply.err;
  };
  CHECK(mentions(refusal("none.urdf"), "none.urdf: cannot be read: No such file or directory"));
  CHECK(mentions(refusal("."), ".: is a directory; name the URDF file inside it"));
  CHECK(mentions(refusal(arm + " --pose elbow"), "--pose elbow: write JOINT=VALUE, such as elbow=0.5"));
  CHECK(mentions(refusal(arm + " --pose elbow=1 --pose elbow=2"),
                 "--pose elbow=2: the joint \"elbow\" has a value before; leave one out"));
}
