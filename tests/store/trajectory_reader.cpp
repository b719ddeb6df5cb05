// trajectory.h5, read by Livens itself.
#include <doctest/doctest.h>

#include "livens/store/record_file.hpp"
#include "livens/store/trajectory.hpp"
#include "store/scratch.hpp"

using namespace livens;

namespace {

const Columns read_columns = {{"t", 0}, {"q", 2}, {"audit/energy", 0}};

// Row n is t = n, q = (10 n, 10 n + 1), energy = -n.
void write(const scratch::Directory& place, int rows) {
  RecordFile record(place / "rows", read_columns);
  for (int n = 0; n < rows; ++n) {
    const double t = n, row[] = {t, 10 * t, 10 * t + 1, -t};
    record.write(row);
  }
  record.flush();
  write_trajectory(place / "rows", read_columns, {{"model", "the model\n"}}, {}, place / "t.h5");
}

std::string refusal_to_read(const std::filesystem::path& path) {
  return scratch::message_of<StoreError>([&] { TrajectoryReader reader(path); });
}

}  // namespace

TEST_CASE("what_was_written_is_read_back_in_any_piece") {
  const scratch::Directory place;
  write(place, 100);
  const TrajectoryReader reader(place / "t.h5");
  CHECK(reader.rows() == 100);
  CHECK(reader.model_text() == "the model\n");
  REQUIRE(reader.columns().size() == 3);
  CHECK(reader.columns()[0].name == "audit/energy");
  CHECK(reader.columns()[1].width == 2);
  CHECK(reader.columns()[2].width == 0);
  CHECK(reader.has("q"));
  CHECK(!reader.has("audit"));
  CHECK(!reader.has("model"));
  CHECK(reader.numbers("q") == 2);
  CHECK(reader.numbers("t") == 1);
  CHECK(reader.column(Role::position).name == "q");
  CHECK(reader.column(Role::energy).name == "audit/energy");
  CHECK_FALSE(reader.has(Role::multiplier));
  CHECK(scratch::mentions(scratch::message_of<StoreError>([&] { reader.column(Role::invariant, "I"); }),
                          "there is no /audit/invariants/I in it"));
  std::vector<double> numbers;
  reader.read("q", 41, 2, numbers);
  CHECK(numbers == std::vector<double>{410, 411, 420, 421});
  reader.read("audit/energy", 99, 1, numbers);
  CHECK(numbers == std::vector<double>{-99});
}

TEST_CASE("a_piece_beyond_the_end_or_of_an_unknown_column_is_refused") {
  const scratch::Directory place;
  write(place, 10);
  const TrajectoryReader reader(place / "t.h5");
  std::vector<double> numbers;
  const auto refused = [&](const std::string& column, std::int64_t first, std::int64_t count) {
    return scratch::message_of<StoreError>([&] { reader.read(column, first, count, numbers); });
  };
  CHECK(scratch::mentions(refused("t", 9, 2), "t.h5: HDF5: "));
  CHECK(scratch::mentions(refused("w", 0, 1), "there is no /w in it"));
  CHECK(refused("t", 9, 1) == "");
}

TEST_CASE("a_file_that_is_no_trajectory_is_refused") {
  const scratch::Directory place;
  CHECK(scratch::mentions(refusal_to_read(place / "nowhere.h5"), "nowhere.h5: HDF5: "));
  scratch::put(place / "text.h5", "not HDF5");
  CHECK(scratch::mentions(refusal_to_read(place / "text.h5"), "HDF5: "));
  write(place, 10);
  std::filesystem::resize_file(place / "t.h5", std::filesystem::file_size(place / "t.h5") / 2);
  CHECK(scratch::mentions(refusal_to_read(place / "t.h5"), "HDF5: "));
}
