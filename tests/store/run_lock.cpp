#include "livens/store/run_lock.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "livens/store/result_directory.hpp"
#include "scratch.hpp"

using namespace livens;
using namespace scratch;

namespace {

std::string refusal_of_lock(const fs::path& directory) {
  return message_of<std::invalid_argument>([&] { RunLock lock(directory); });
}

}  // namespace

TEST_CASE("a_directory_is_locked_once_and_free_again_afterwards") {
  const Directory place;
  put(place / "checkpoint.rows", "");
  {
    const RunLock held(place);
    CHECK(mentions(refusal_of_lock(place), ": a run is going on in it; wait for its end or stop it"));
  }
  CHECK(refusal_of_lock(place) == "");
}

TEST_CASE("a_lock_goes_with_a_renamed_directory") {
  const Directory place;
  fs::create_directory(place / "hidden");
  put(place / "hidden/checkpoint.rows", "");
  const RunLock held(place / "hidden");
  fs::rename(place / "hidden", place / "r");
  CHECK(mentions(refusal_of_lock(place / "r"), "a run is going on"));
}

TEST_CASE("where_there_are_no_rows_there_is_nothing_to_lock") {
  const Directory place;
  CHECK(refusal_of_lock(place) == "");
  CHECK(refusal_of_lock(place / "missing") == "");
  CHECK(entries(place) == 0);
}

TEST_CASE("a_run_that_is_going_on_is_not_replaced") {
  const Directory place;
  fs::create_directory(place / "r");
  put(place / "r/checkpoint.rows", "");
  std::optional<RunLock> held(place / "r");
  const auto choose = [&] { return ResultDirectory::choose(place / "r", "top", true); };
  CHECK(mentions(message_of<std::invalid_argument>(choose), "a run is going on"));
  held.reset();
  auto directory = choose();
  CHECK(mentions(refusal_of_lock(place / "r"), "a run is going on"));  // nor taken up while it is being replaced
  directory.create();
  put(directory.working() / "checkpoint.rows", "new");
  directory.appear();
  CHECK(refusal_of_lock(place / "r") == "");
  CHECK(contents(place / "r/checkpoint.rows") == "new");
}

TEST_CASE("a_run_that_has_appeared_since_is_not_replaced") {
  const Directory place;
  auto directory = ResultDirectory::choose(place / "r", "top", true);
  directory.create();
  put(directory.working() / "checkpoint.rows", "late");
  fs::create_directory(place / "r");
  put(place / "r/checkpoint.rows", "first");
  const RunLock held(place / "r");
  CHECK(mentions(message_of<StoreError>([&] { directory.appear(); }), "r: a run is going on in it"));
  CHECK(contents(place / "r/checkpoint.rows") == "first");
}
