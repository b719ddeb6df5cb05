#include "livens/store/checkpoint.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "livens/model/model.hpp"
#include "livens/run/archive.hpp"
#include "livens/store/error.hpp"
#include "livens/store/sha256.hpp"
#include "scratch.hpp"

using namespace livens;
using namespace scratch;

namespace {

Checkpoint some_checkpoint() {
  Checkpoint c;
  c.layout = memory_layout;
  c.program = "0.1.0";
  c.overrides = {{"run.steps", "10"}};
  c.step = 7, c.rows = 8, c.seconds = 0.5, c.report = true;
  c.memory = "all that was";
  return c;
}

std::string refusal(const fs::path& directory) {
  return message_of<std::invalid_argument>([&] { read_checkpoint(directory); });
}

}  // namespace

TEST_CASE("a_checkpoint_is_read_as_it_was_written") {
  const Directory place;
  write_checkpoint(place, some_checkpoint(), place);
  const Checkpoint c = read_checkpoint(place);
  CHECK(c.overrides == some_checkpoint().overrides);
  CHECK(c.step == 7);
  CHECK(c.rows == 8);
  CHECK(c.report);
  CHECK(c.memory == "all that was");
}

TEST_CASE("a_checkpoint_of_another_layout_is_refused_by_name") {
  const Directory place;
  Checkpoint c = some_checkpoint();
  c.layout = memory_layout + 1;
  c.program = "9.9.9";
  write_checkpoint(place, c, place);
  CHECK(mentions(refusal(place), "was written by livens 9.9.9, which keeps other things in it"));
}

TEST_CASE("a_whole_file_with_other_contents_is_no_checkpoint") {
  const Directory place;
  write_checkpoint(place, some_checkpoint(), place);
  std::string bytes = contents(place / "checkpoint.state");
  bytes.resize(bytes.size() - 64 - 8);
  put(place / "checkpoint.state", bytes + sha256(bytes));
  CHECK(mentions(refusal(place), "holds no checkpoint that can be read"));
}

TEST_CASE("a_directory_that_may_not_be_read_is_not_called_empty") {
  const Directory place;
  fs::create_directory(place / "r");
  write_checkpoint(place / "r", some_checkpoint(), place / "r");
  fs::permissions(place, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  fs::permissions(place / "r", fs::perms::owner_all);
  const uid_t user = ::geteuid();
  if (user != 0) fs::permissions(place / "r", fs::perms::none);
  if (user == 0) REQUIRE(::seteuid(65534) == 0);  // nobody: the superuser may read anything
  const std::string message = refusal(place / "r");
  if (user == 0) REQUIRE(::seteuid(user) == 0);
  CAPTURE(message);
  fs::permissions(place / "r", fs::perms::owner_all);
  CHECK(mentions(message, "r/checkpoint.state: permission denied"));
}

TEST_CASE("a_full_disk_is_told_of_the_directory_that_will_be_seen") {
  const SmallDisk disk;
  if (!disk.mounted()) return;
  Checkpoint c = some_checkpoint();
  c.memory.resize(2'000'000);
  fs::create_directory(disk / ".r.partial-1");
  const auto write = [&] { write_checkpoint(disk / ".r.partial-1", c, "r"); };
  CHECK(mentions(message_of<StoreError>(write), "r/checkpoint.state: no space left on device"));
}
