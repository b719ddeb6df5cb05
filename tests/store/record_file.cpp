#include "livens/store/record_file.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "scratch.hpp"

using namespace livens;
using namespace scratch;

namespace {

const Columns columns = {{"t", 0, Role::time}, {"q", 2, Role::position}};

std::vector<double> row(std::int64_t n) {
  const double t = 0.1 * static_cast<double>(n);
  return {t, std::sin(t), -t};
}

void write_rows(RecordFile& file, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) file.write(row(file.rows()));
}

// How many rows there are, if they are the right ones.
std::int64_t right_rows(const fs::path& path, std::int64_t block_bytes = 1 << 20) {
  RecordReader reader(path, columns, block_bytes);
  std::int64_t n = 0;
  for (auto block = reader.next(); !block.empty(); block = reader.next())
    for (std::size_t i = 0; i < block.size(); i += 3, ++n)
      if (std::vector(block.begin() + static_cast<std::ptrdiff_t>(i),
                      block.begin() + static_cast<std::ptrdiff_t>(i) + 3) != row(n))
        return -1;
  return n == reader.rows() ? n : -1;
}

}  // namespace

TEST_CASE("rows_come_back_as_they_were_written_in_blocks_of_any_size") {
  const Directory place;
  RecordFile file(place / "rows.bin", columns);
  write_rows(file, 10000);
  CHECK(file.rows() == 10000);
  file.sync();
  CHECK(fs::file_size(place / "rows.bin") == 10000 * 24);
  for (const std::int64_t block : {1, 100, 65536, 1 << 20}) CHECK(right_rows(place / "rows.bin", block) == 10000);
}

TEST_CASE("a_record_without_rows_reads_as_empty") {
  const Directory place;
  { const RecordFile file(place / "rows.bin", columns); }
  CHECK(right_rows(place / "rows.bin") == 0);
}

TEST_CASE("the_buffer_is_bounded_and_written_at_the_end") {
  const Directory place;
  {
    RecordFile file(place / "rows.bin", columns);
    write_rows(file, 10000);
    CHECK(fs::file_size(place / "rows.bin") > 10000 * 24 - 65536);
    CHECK(fs::file_size(place / "rows.bin") < 10000 * 24);
  }
  CHECK(right_rows(place / "rows.bin") == 10000);
}

TEST_CASE("a_row_wider_than_the_buffer_is_recorded_whole") {
  const Directory place;
  const Columns wide = {{"q", 20000}};
  const std::vector<double> ones(20000, 1.0), twos(20000, 2.0);
  RecordFile file(place / "rows.bin", wide);
  file.write(ones);
  file.write(twos);
  file.flush();
  RecordReader reader(place / "rows.bin", wide, 100);
  CHECK(reader.rows() == 2);
  const auto first = reader.next();
  CHECK(std::vector(first.begin(), first.end()) == ones);
  const auto second = reader.next();
  CHECK(std::vector(second.begin(), second.end()) == twos);
  CHECK(reader.next().empty());
}

TEST_CASE("reopening_at_a_row_drops_what_a_killed_run_left_behind_it") {
  const Directory place;
  {
    RecordFile file(place / "rows.bin", columns);
    write_rows(file, 100);
  }
  std::ofstream(place / "rows.bin", std::ios::app) << "partial row";
  CHECK(right_rows(place / "rows.bin") == 100);
  {
    RecordFile file(place / "rows.bin", columns, 60);
    CHECK(file.rows() == 60);
    CHECK(fs::file_size(place / "rows.bin") == 60 * 24);
    write_rows(file, 20);
  }
  CHECK(right_rows(place / "rows.bin") == 80);
  { const RecordFile anew(place / "rows.bin", columns); }
  CHECK(fs::file_size(place / "rows.bin") == 0);
}

TEST_CASE("reopening_behind_the_end_is_refused_and_changes_nothing") {
  const Directory place;
  {
    RecordFile file(place / "rows.bin", columns);
    write_rows(file, 5);
  }
  const std::string message = message_of<StoreError>([&] { RecordFile(place / "rows.bin", columns, 6); });
  CHECK(mentions(message, "rows.bin: has 5 rows, not the 6 to go on from"));
  CHECK(right_rows(place / "rows.bin") == 5);
}

TEST_CASE("the_check_of_rows_is_the_same_however_they_were_written_and_read") {
  const Directory place;
  RecordFile at_once(place / "a", columns), in_pieces(place / "b", columns);
  write_rows(at_once, 5000);
  at_once.sync();
  RowCheck of_beginning;
  for (int piece = 0; piece < 50; ++piece) {
    write_rows(in_pieces, 100);
    in_pieces.flush();
    if (piece == 19) of_beginning = in_pieces.check();
  }
  CHECK(at_once.check().value() == in_pieces.check().value());
  RecordReader reader(place / "a", columns, 1000);
  while (!reader.next().empty()) {
  }
  CHECK(reader.check().value() == at_once.check().value());
  RecordFile resumed(place / "b", columns, 2000, "b", of_beginning);
  write_rows(resumed, 3000);
  resumed.sync();
  CHECK(resumed.check().value() == at_once.check().value());
}

TEST_CASE("a_changed_bit_changes_the_check_and_so_do_two_of_the_same_kind") {
  const std::vector<double> numbers = row(7);
  RowCheck of_numbers;
  of_numbers.add(numbers);
  for (int bit = 0; bit < 64; ++bit) {
    std::vector<double> changed = numbers;
    for (std::size_t k = 0; k < 2; ++k) {
      changed[k] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(changed[k]) ^ (std::uint64_t{1} << bit));
      RowCheck check;
      check.add(changed);
      CHECK(check.value() != of_numbers.value());
    }
  }
}

TEST_CASE("a_file_that_another_program_made_shorter_takes_no_more_rows") {
  const Directory place;
  RecordFile file(place / "rows.bin", columns);
  write_rows(file, 10);
  file.flush();
  fs::resize_file(place / "rows.bin", 100);
  file.write(row(10));
  CHECK(mentions(message_of<StoreError>([&] { file.sync(); }),
                 "has 100 bytes, not the 240 that were written; another program has changed it"));
}

TEST_CASE("a_row_of_the_wrong_width_stops_at_once") {
  const Directory place;
  RecordFile file(place / "rows.bin", columns);
  CHECK_THROWS_AS(file.write(std::vector{1.0, 2.0}), std::invalid_argument);
  CHECK_THROWS_AS(RecordFile(place / "none.bin", Columns{}), std::invalid_argument);
  CHECK(entries(place) == 1);
}

TEST_CASE("a_full_disk_keeps_whole_rows_and_says_which_are_surely_kept") {
  const SmallDisk disk;
  if (!disk.mounted()) return;
  disk.leave_free(100 * 4096);
  RecordFile file(disk / "rows.bin", columns, 0, "runs/a-1/rows.bin");  // where it will be seen
  write_rows(file, 1234);
  file.sync();
  const std::string message = message_of<StoreError>([&] { write_rows(file, 100000); });
  const std::int64_t kept = 100 * 4096 / 24;
  CHECK(file.rows() == kept);
  CHECK(message == "runs/a-1/rows.bin: no space left on device; the rows up to t = 123.3 are kept");
  CHECK(fs::file_size(disk / "rows.bin") == static_cast<std::uintmax_t>(kept) * 24);
  CHECK(right_rows(disk / "rows.bin") == kept);

  disk.leave_free(0);
  fs::remove(disk / "ballast");  // room again, but a gap in the record would look like data
  CHECK(message_of<StoreError>([&] { file.write(row(kept)); }) == message);
  CHECK(message_of<StoreError>([&] { file.sync(); }) == message);
  CHECK(right_rows(disk / "rows.bin") == kept);
}

TEST_CASE("a_device_that_is_always_full_keeps_no_row") {
  if (!fs::exists("/dev/full")) return;
  RecordFile file("/dev/full", columns);
  file.write(row(0));
  CHECK(message_of<StoreError>([&] { file.flush(); }) == "/dev/full: no space left on device; no row is kept");
  CHECK(file.rows() == 0);
}

TEST_CASE("a_record_that_is_not_there_is_a_store_error") {
  const Directory place;
  CHECK(mentions(message_of<StoreError>([&] { RecordReader(place / "rows.bin", columns); }), "no such file"));
  CHECK(mentions(message_of<StoreError>([&] { RecordFile(place / "missing/rows.bin", columns); }), "no such file"));
}
