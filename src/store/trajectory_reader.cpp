#include <algorithm>

#include "livens/store/trajectory.hpp"
#include "store/hdf5.hpp"

namespace livens {

struct TrajectoryReader::File : Handle {
  explicit File(const std::filesystem::path& path)
      : Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {}
};

namespace {

herr_t keep_name(hid_t, const char* name, const H5L_info_t*, void* kept) {
  static_cast<std::vector<std::string>*>(kept)->emplace_back(name);
  return 0;
}

std::vector<std::string> all_names(hid_t file) {
  std::vector<std::string> all;
  checked(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, keep_name, &all));
  return all;
}

std::vector<hsize_t> extents_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> extents(static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space))));
  if (!extents.empty()) checked(H5Sget_simple_extent_dims(space, extents.data(), nullptr));
  return extents;
}

bool holds_numbers(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  return H5Tget_class(type) == H5T_FLOAT;
}

std::string read_text(hid_t file, const char* name) {
  const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  const TextType type;
  char* characters = nullptr;
  checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &characters));
  const std::string text = characters == nullptr ? "" : characters;
  H5free_memory(characters);
  return text;
}

std::vector<std::string> read_list(hid_t file, const char* name) {
  if (checked(H5Lexists(file, name, H5P_DEFAULT)) == 0) return {};
  const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  const std::vector<hsize_t> extents = extents_of(dataset);
  if (extents.size() != 1) throw Hdf5Failure{std::string("/") + name + " is not a list"};
  std::vector<char*> characters(extents.front(), nullptr);
  const TextType type;
  if (!characters.empty()) checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()));
  std::vector<std::string> list;
  for (char* text : characters) {
    list.emplace_back(text == nullptr ? "" : text);
    H5free_memory(text);
  }
  return list;
}

// All that is not rows: texts, and the few numbers of events.
std::string check_of_small(hid_t file, const std::string& name) {
  RowCheck check;
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const auto count = static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space)));
  if (holds_numbers(dataset)) {
    std::vector<double> numbers(count);
    if (count > 0) checked(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
    check.add(numbers);
  } else {
    const bool is_list = !extents_of(dataset).empty();
    for (const std::string& text : is_list ? read_list(file, name.c_str()) : std::vector{read_text(file, name.c_str())})
      check.add(text);
  }
  return in_digits(check);
}

template <class Call>
void with_path(const std::filesystem::path& path, const Call& call) {
  const QuietHdf5 quiet;
  try {
    call();
  } catch (const Hdf5Failure& failure) {
    throw UnreadableTrajectory(path, failure.reason);
  }
}

}  // namespace

TrajectoryReader::TrajectoryReader(const std::filesystem::path& path) : path_(path) {
  with_path(path_, [&] { open(); });
}

TrajectoryReader::~TrajectoryReader() = default;
TrajectoryReader::TrajectoryReader(TrajectoryReader&&) noexcept = default;

void TrajectoryReader::open() {
  file_ = std::make_unique<File>(path_);
  model_text_ = read_text(*file_, "model");
  order_ = read_list(*file_, "columns");
  for (const std::string& name : all_names(*file_)) {
    const Handle object(H5Oopen(*file_, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (H5Iget_type(object) != H5I_DATASET || !holds_numbers(object) || name.starts_with("events/")) continue;
    const std::vector<hsize_t> extents = extents_of(object);
    const auto rows = static_cast<std::int64_t>(extents.empty() ? 0 : extents.front());
    if (extents.empty() || extents.size() > 2 || (!columns_.empty() && rows != rows_))
      throw Hdf5Failure{"/" + name + " has another shape than the rows of a run"};
    columns_.push_back({name, extents.size() == 1 ? 0 : static_cast<int>(extents[1]), role_of(name)});
    rows_ = rows;
  }
  if (!has(Role::time) || !has(Role::position) || rows_ == 0) throw Hdf5Failure{"there are no rows of a run in it"};
}

void TrajectoryReader::verify() const {
  constexpr std::int64_t block = 1 << 15;
  std::vector<double> read_numbers;
  for (const Column& column : columns_) {
    std::string written;
    with_path(path_, [&] {
      const Handle dataset(H5Dopen2(*file_, column.name.c_str(), H5P_DEFAULT), H5Dclose);
      written = read_attribute(dataset, "check");
    });
    if (written.empty()) continue;  // of an earlier Livens
    RowCheck check;
    for (std::int64_t first = 0; first < rows_; first += block) {
      read(column.name, first, std::min(block, rows_ - first), read_numbers);
      check.add(read_numbers);
    }
    if (in_digits(check) != written)
      throw UnreadableTrajectory(path_, "is damaged: /" + column.name + " does not hold the numbers that were written");
  }
  with_path(path_, [&] {
    const auto compare = [](const std::string& what, const std::string& written, const auto& check) {
      if (!written.empty() && check() != written) throw Hdf5Failure{"is damaged: " + what + " not what was written"};
    };
    compare("the attributes are", read_attribute(*file_, "check"),
            [&] { return in_digits(check_of_attributes(*file_)); });
    for (const std::string& name : all_names(*file_)) {
      const bool is_rows =
          std::any_of(columns_.begin(), columns_.end(), [&](const Column& column) { return column.name == name; });
      const Handle object(H5Oopen(*file_, name.c_str(), H5P_DEFAULT), H5Oclose);
      if (is_rows || H5Iget_type(object) != H5I_DATASET) continue;
      compare("/" + name + " is", read_attribute(object, "check"), [&] { return check_of_small(*file_, name); });
    }
  });
}

void TrajectoryReader::refuse(const std::string& column) const {
  throw StoreError(path_, "there is no /" + column + " in it");
}

void TrajectoryReader::read(const std::string& column, std::int64_t first, std::int64_t count,
                            std::vector<double>& numbers) const {
  const auto width = static_cast<hsize_t>(this->numbers(column));
  numbers.resize(static_cast<std::size_t>(count) * width);
  with_path(path_, [&] {
    const Handle dataset(H5Dopen2(*file_, column.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle rows(H5Dget_space(dataset), H5Sclose);
    const hsize_t begin[] = {static_cast<hsize_t>(first), 0}, size[] = {static_cast<hsize_t>(count), width};
    checked(H5Sselect_hyperslab(rows, H5S_SELECT_SET, begin, nullptr, size, nullptr));
    const Handle memory(H5Screate_simple(2, size, nullptr), H5Sclose);
    checked(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, rows, H5P_DEFAULT, numbers.data()));
  });
}

}  // namespace livens
