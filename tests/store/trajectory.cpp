#include "livens/store/trajectory.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "livens/store/record_file.hpp"
#include "scratch.hpp"

using namespace livens;
using namespace scratch;

namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

const Columns written_columns = {
    {"t", 0}, {"q", 2}, {"lambda", 1}, {"audit/energy", 0}, {"audit/invariants/L", 0}, {"audit/force", 3}};

// The j-th number of row n; one of them is missing, as in the first row of a multiplier.
double number(std::size_t n, std::size_t j) {
  if (n == 0 && j == 3) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(n) + 0.1 * static_cast<double>(j);
}

void record(const fs::path& path, const Columns& table, std::size_t rows) {
  RecordFile file(path, table);
  std::vector<double> row(static_cast<std::size_t>(row_width(table)));
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = number(n, j);
    file.write(row);
  }
}

// Reading back through the C interface, without any code of the store.
struct Hdf5 {
  explicit Hdf5(const fs::path& path) : file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) { REQUIRE(file >= 0); }
  ~Hdf5() { H5Fclose(file); }
  Hdf5(const Hdf5&) = delete;
  Hdf5& operator=(const Hdf5&) = delete;

  std::vector<hsize_t> shape(const char* name) const {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    H5Sclose(space), H5Dclose(set);
    return extents;
  }

  std::vector<double> numbers(const char* name) const {
    hsize_t count = 1;
    for (const hsize_t extent : shape(name)) count *= extent;
    std::vector<double> values(count);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    REQUIRE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    H5Dclose(set);
    return values;
  }

  std::string dataset_text(const char* name) const {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set);
    char* characters = nullptr;
    REQUIRE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &characters) >= 0);
    H5Dclose(set);
    return taken(characters, type);
  }

  std::string attribute_text(const char* name) const {
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    char* characters = nullptr;
    REQUIRE(H5Aread(attribute, type, &characters) >= 0);
    H5Aclose(attribute);
    return taken(characters, type);
  }

  static std::string taken(char* characters, hid_t type) {
    CHECK(H5Tis_variable_str(type) > 0);
    CHECK(H5Tget_cset(type) == H5T_CSET_UTF8);
    const std::string text = characters == nullptr ? "" : characters;
    H5free_memory(characters), H5Tclose(type);
    return text;
  }

  hid_t file;
};

using Shape = std::vector<hsize_t>;

}  // namespace

TEST_CASE("every_column_is_a_dataset_of_its_name_and_shape_with_its_numbers") {
  const Directory place;
  const std::size_t rows = 40000;  // more than two blocks
  record(place / "rows.bin", written_columns, rows);
  write_trajectory(place / "rows.bin", written_columns, {{"model", "title = \"top\""}}, {}, place / "trajectory.h5");
  const Hdf5 file(place / "trajectory.h5");
  CHECK(file.shape("/t") == Shape{rows});
  CHECK(file.shape("/q") == Shape{rows, 2});
  CHECK(file.shape("/lambda") == Shape{rows, 1});
  CHECK(file.shape("/audit/energy") == Shape{rows});
  CHECK(file.shape("/audit/invariants/L") == Shape{rows});
  CHECK(file.shape("/audit/force") == Shape{rows, 3});
  CHECK(file.shape("/model") == Shape{});

  const std::vector<const char*> names = {"t", "q", "lambda", "audit/energy", "audit/invariants/L", "audit/force"};
  const std::vector<std::size_t> first = {0, 1, 3, 4, 5, 6}, width = {1, 2, 1, 1, 1, 3};
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::vector<double> values = file.numbers(names[c]);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = number(i / width[c], first[c] + i % width[c]);
      wrong += values[i] == expected || (std::isnan(values[i]) && std::isnan(expected)) ? 0 : 1;
    }
    CHECK_MESSAGE(wrong == 0, names[c]);
  }
  CHECK(std::isnan(file.numbers("lambda")[0]));
}

TEST_CASE("model_and_attributes_come_back_letter_by_letter") {
  const Directory place;
  record(place / "rows.bin", written_columns, 3);
  std::string model;
  while (model.size() < 200000) model += "# K\xc3\xb6rper " + std::to_string(model.size()) + "\n";
  const Attributes attributes = {{"livens", "0.1.0"}, {"title", "Kreisel \xe2\x80\x93 schwer"}, {"note", ""}};
  write_trajectory(place / "rows.bin", written_columns, {{"model", model}}, attributes, place / "trajectory.h5");
  const Hdf5 file(place / "trajectory.h5");
  CHECK(file.dataset_text("model") == model);
  for (const auto& [name, text] : attributes) CHECK(file.attribute_text(name.c_str()) == text);
}

TEST_CASE("datasets_are_contiguous_and_carry_no_time_so_that_equal_records_give_equal_files") {
  const Directory place;
  record(place / "rows.bin", written_columns, 1000);
  write_trajectory(place / "rows.bin", written_columns, {{"model", "model"}}, {{"title", "top"}}, place / "a.h5");
  write_trajectory(place / "rows.bin", written_columns, {{"model", "model"}}, {{"title", "top"}}, place / "b.h5");
  CHECK(contents(place / "a.h5") == contents(place / "b.h5"));
  const Hdf5 file(place / "a.h5");
  for (const char* name : {"t", "q", "model", "audit/energy"}) {
    const hid_t set = H5Dopen2(file.file, name, H5P_DEFAULT), made = H5Dget_create_plist(set);
    H5G_stat_t status{};
    CHECK(H5Gget_objinfo(file.file, name, true, &status) >= 0);
    CHECK(status.mtime == 0);
    CHECK(H5Pget_layout(made) == H5D_CONTIGUOUS);
    H5Pclose(made), H5Dclose(set);
  }
}

TEST_CASE("a_record_without_rows_and_one_with_a_partial_row_become_files") {
  const Directory place;
  record(place / "rows.bin", written_columns, 0);
  write_trajectory(place / "rows.bin", written_columns, {{"model", ""}}, {}, place / "trajectory.h5");
  {
    const Hdf5 file(place / "trajectory.h5");
    CHECK(file.shape("q") == Shape{0, 2});
    CHECK(file.dataset_text("model") == "");
  }
  record(place / "rows.bin", written_columns, 7);
  std::ofstream(place / "rows.bin", std::ios::app) << "partial row";
  write_trajectory(place / "rows.bin", written_columns, {{"model", ""}}, {}, place / "trajectory.h5");
  CHECK(Hdf5(place / "trajectory.h5").shape("q") == Shape{7, 2});
  CHECK(entries(place) == 2);
}

TEST_CASE("a_million_rows_need_little_memory_and_little_time") {
  const Directory place;
  const Columns table = {{"t", 0}, {"q", 2}};
  const auto start = std::chrono::steady_clock::now();
  record(place / "rows.bin", table, 1000000);
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  write_trajectory(place / "rows.bin", table, {{"model", "model"}}, {}, place / "trajectory.h5");
  ::getrusage(RUSAGE_SELF, &after);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  CHECK(after.ru_maxrss - before.ru_maxrss < 2 * 7300);  // KiB, measured 7300, most of it the HDF5 library's own
  CHECK(elapsed.count() < 2);                            // measured 0.06 s
  CHECK(fs::file_size(place / "trajectory.h5") < 24000000 + 16384);  // measured 8240 beside the numbers
  const std::vector<double> t = Hdf5(place / "trajectory.h5").numbers("t");
  CHECK(t.back() == 999999);
}

TEST_CASE("a_full_disk_keeps_the_record_and_the_earlier_file_whenever_it_fills") {
  const SmallDisk disk;
  if (!disk.mounted()) return;
  const Directory place;
  record(place / "rows.bin", written_columns, 300);  // 21600 bytes
  put(disk / "trajectory.h5", "earlier");
  int failures = 0;
  for (std::uintmax_t pages = 0; pages < 16; ++pages) {
    fs::remove(disk / "trajectory.h5");
    put(disk / "trajectory.h5", "earlier");
    disk.leave_free(pages * 4096);
    const std::string message = message_of<StoreError>([&] {
      write_trajectory(place / "rows.bin", written_columns, {{"model", "model"}}, {}, disk / "trajectory.h5");
    });
    CAPTURE(pages);
    if (message.empty()) {
      CHECK(Hdf5(disk / "trajectory.h5").shape("q") == Shape{300, 2});
    } else {
      ++failures;
      CHECK(message == (disk / "trajectory.h5").string() + ": no space left on device; all rows are kept in " +
                           (place / "rows.bin").string());
      CHECK(contents(disk / "trajectory.h5") == "earlier");
    }
    CHECK(entries((disk / "x").parent_path()) == 2);
    CHECK(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL) == 0);
  }
  CHECK(failures >= 6);
  CHECK(failures < 16);
}

TEST_CASE("names_that_cannot_both_be_are_refused_in_words_and_leave_nothing") {
  const Directory place;
  const Columns twice = {{"q", 1}, {"q", 1}};
  record(place / "rows.bin", twice, 2);
  const std::string message = message_of<StoreError>([&] {
    write_trajectory(place / "rows.bin", twice, {{"model", ""}}, {}, place / "trajectory.h5");
  });
  CHECK(mentions(message, "trajectory.h5: HDF5: "));
  CHECK(entries(place) == 1);
}
