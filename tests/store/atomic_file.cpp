#include "livens/store/atomic_file.hpp"

#include <doctest/doctest.h>

#include "scratch.hpp"

using namespace livens;
using namespace scratch;

TEST_CASE("a_file_written_atomically_replaces_the_earlier_one_and_leaves_nothing_beside_it") {
  const Directory place;
  write_file_atomically(place / "summary.json", "one");
  CHECK(contents(place / "summary.json") == "one");
  const std::string large(300000, 'x');
  write_file_atomically(place / "summary.json", large);
  CHECK(contents(place / "summary.json") == large);
  CHECK(entries(place) == 1);
}

TEST_CASE("a_file_in_a_directory_that_is_not_there_is_a_store_error_with_its_own_name") {
  const Directory place;
  const auto path = place / "missing/summary.json";
  const std::string message = message_of<StoreError>([&] { write_file_atomically(path, "one"); });
  CHECK(message == path.string() + ": no such file or directory");
}

TEST_CASE("a_full_disk_keeps_the_earlier_file") {
  const SmallDisk disk;
  if (!disk.mounted()) return;
  write_file_atomically(disk / "summary.json", "one");
  const std::string message =
      message_of<StoreError>([&] { write_file_atomically(disk / "summary.json", std::string(2000000, 'x')); });
  CHECK(mentions(message, "summary.json: no space left on device; the earlier one is kept"));
  CHECK(contents(disk / "summary.json") == "one");
  CHECK(entries((disk / "summary.json").parent_path()) == 1);
}
