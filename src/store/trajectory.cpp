// HDF5 lays the file out, the numbers are written past it. For HDF5 1.10 cannot give a file up: where the pending part
// cannot be written (a full disk), H5Fclose leaves the file open in the library, a second attempt fails as well, and
// the process crashes at its end (1.10.8; tests/store/trajectory.cpp, the disk that fills). In memory that does not
// happen, and every write to the disk is our own.
#include "livens/store/trajectory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <span>

#include "livens/store/files.hpp"
#include "livens/store/record_file.hpp"
#include "store/hdf5.hpp"

namespace livens {

namespace {

using Extents = std::vector<hsize_t>;

struct Space : Handle {
  Space() : Handle(H5Screate(H5S_SCALAR), H5Sclose) {}
  explicit Space(const Extents& extents)
      : Handle(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose) {}
};

struct Properties : Handle {
  explicit Properties(hid_t kind) : Handle(H5Pcreate(kind), H5Pclose) {}
};

struct DatasetProperties : Properties {
  DatasetProperties() : Properties(H5P_DATASET_CREATE) { checked(H5Pset_obj_track_times(*this, false)); }
};

void write_attribute(hid_t file, const std::string& name, const std::string& text) {
  const TextType type;
  const char* characters = text.c_str();
  const Handle made(H5Acreate2(file, name.c_str(), type, Space(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  checked(H5Awrite(made, type, &characters));
}

void write_attribute(hid_t file, const std::string& name, double number) {
  const Handle made(H5Acreate2(file, name.c_str(), H5T_NATIVE_DOUBLE, Space(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  checked(H5Awrite(made, H5T_NATIVE_DOUBLE, &number));
}

std::string described(const Column& column) {
  switch (column.role) {
    case Role::time:
      return "time of each row";
    case Role::position:
      return "coordinates q (positions y of an overdetermined system), in the order of /coordinate_names";
    case Role::velocity:
      return "velocities dq/dt";
    case Role::momentum:
      return "momenta p that are consistent with the constraints (z of an overdetermined system)";
    case Role::multiplier:
      return "multipliers lambda: the constraint forces are -G^T lambda (psi of an overdetermined system)";
    case Role::raw:
      return "what the scheme itself produced, before p and lambda were made consistent; not a number where a row has "
             "none";
    case Role::energy:
      return "energy";
    case Role::energy_balance:
      return "energy less what time and forces have brought since the start";
    case Role::constraint:
      return "largest |g(q)|";
    case Role::hidden_constraint:
      return "largest |dg/dt|";
    case Role::invariant:
      return "an invariant of system.invariants";
    case Role::companion:
      break;
  }
  if (column.name == "iterations") return "iterations of the step that ends with the row";
  if (column.name == "reaction") return "forces of the constraints, -G^T lambda";
  if (column.name == "work") return "work of the forces since the start";
  if (column.name.starts_with("values/")) return "a quantity of record.values";
  return "recorded beside the state";
}

std::string described(const std::string& name) {
  if (name == "model") return "the model file and the tables that it names";
  if (name == "model_as_run") return "the model with the overrides and what was found for run.accuracy put in";
  if (name == "names") return "names of the coordinates, one a line, in the order of /q";
  if (name == "coordinate_names") return "names of the coordinates, in the order of /q";
  if (name == "columns") return "the datasets of numbers, in the order in which a row was recorded";
  return "of this run";
}

void describe(hid_t dataset, const std::string& description, const RowCheck& check) {
  write_attribute(dataset, "description", description);
  write_attribute(dataset, "check", in_digits(check));
}

RowCheck check_of(const std::vector<std::string>& texts) {
  RowCheck check;
  for (const std::string& text : texts) check.add(text);
  return check;
}

void write_texts(hid_t file, const std::string& name, const Space& space, const std::vector<std::string>& texts,
                 const std::string& description) {
  const TextType type;
  std::vector<const char*> characters;
  for (const std::string& text : texts) characters.push_back(text.c_str());
  const Handle made(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, DatasetProperties(), H5P_DEFAULT),
                    H5Dclose);
  if (!texts.empty()) checked(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()));
  describe(made, description, check_of(texts));
}

void write_text(hid_t file, const std::string& name, const std::string& text) {
  write_texts(file, name, Space(), {text}, described(name));
}

void write_list(hid_t file, const std::string& name, const std::vector<std::string>& texts,
                const std::string& description) {
  write_texts(file, name, Space(Extents{texts.size()}), texts, description);
}

Extents shape(const Column& column, std::int64_t rows) {
  Extents extents = {static_cast<hsize_t>(rows)};
  if (column.width > 0) extents.push_back(static_cast<hsize_t>(column.width));
  return extents;
}

// Makes the dataset, writes no number, and tells where in the file they belong.
std::int64_t reserve_numbers(hid_t file, const Column& column, std::int64_t rows, const RowCheck& check) {
  const Properties link(H5P_LINK_CREATE);
  checked(H5Pset_create_intermediate_group(link, 1));
  const DatasetProperties properties;
  checked(H5Pset_layout(properties, H5D_CONTIGUOUS));
  checked(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY));
  checked(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER));
  const Space space(shape(column, rows));
  const Handle made(H5Dcreate2(file, column.name.c_str(), H5T_NATIVE_DOUBLE, space, link, properties, H5P_DEFAULT),
                    H5Dclose);
  describe(made, described(column), check);
  return static_cast<std::int64_t>(H5Dget_offset(made));
}

// A table of few rows, numbers and all.
void write_numbers(hid_t file, const std::string& name, const Extents& extents, const std::vector<double>& numbers,
                   const std::string& description) {
  const Handle made(
      H5Dcreate2(file, name.c_str(), H5T_NATIVE_DOUBLE, Space(extents), H5P_DEFAULT, DatasetProperties(), H5P_DEFAULT),
      H5Dclose);
  if (!numbers.empty()) checked(H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
  RowCheck check;
  check.add(numbers);
  describe(made, description, check);
}

void write_events(hid_t file, const EventTable& events) {
  const Handle group(H5Gcreate2(file, "events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  const Extents column = {events.t.size()}, rows = {events.t.size(), static_cast<hsize_t>(events.width)};
  write_numbers(group, "t", column, events.t, "time of each event");
  write_list(group, "kind", events.kind, "release, impact, landing, stick, slip, record or stop");
  write_numbers(group, "constraint", column, events.constraint, "number of the constraint, from 1; 0: none");
  write_list(group, "name", events.name, "name of the event; empty: none");
  write_numbers(group, "q", rows, events.q, "coordinates right after each event");
  if (events.v.size() == events.q.size())
    write_numbers(group, "v", rows, events.v, "velocities right after each event");
}

// Of what stands beside the rows, by name as HDF5 lists them.
void write_attributes(hid_t file, const NamedTexts& texts, const std::vector<std::pair<std::string, double>>& numbers) {
  for (const auto& [name, text] : texts) write_attribute(file, name, text);
  for (const auto& [name, number] : numbers) write_attribute(file, name, number);
  write_attribute(file, "check", in_digits(check_of_attributes(file)));
}

// The whole file but for the numbers, laid out by HDF5 in memory, where their place is a hole that takes no room.
struct Skeleton {
  Descriptor file{::memfd_create("trajectory", MFD_CLOEXEC)};
  std::vector<std::int64_t> first_number;  // of each column: offset in the file

  Skeleton(const Columns& columns, std::int64_t rows, const NamedTexts& texts, const NamedTexts& attributes,
           const TrajectoryNotes& notes, const std::vector<RowCheck>& checks) {
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    const Properties access(H5P_FILE_ACCESS);
    checked(H5Pset_fapl_stdio(access));  // the default driver wants a name that stands in a directory
    const Handle made(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    write_attributes(made, attributes, notes.numbers);
    for (const auto& [name, text] : texts) write_text(made, name, text);
    for (const auto& [name, list] : notes.lists) write_list(made, name, list, described(name));
    std::vector<std::string> order;
    for (const Column& column : columns) order.push_back(column.name);
    write_list(made, "columns", order, described("columns"));
    for (std::size_t c = 0; c < columns.size(); ++c)
      first_number.push_back(reserve_numbers(made, columns[c], rows, checks[c]));
    if (notes.events) write_events(made, *notes.events);
    checked(H5Fflush(made, H5F_SCOPE_GLOBAL));
  }
};

bool copy_without_holes(int from, int to) {
  const std::int64_t size = size_of_file(from);
  if (::ftruncate(to, size) != 0) return false;
  std::vector<char> bytes;
  std::int64_t end = 0;
  for (auto begin = ::lseek(from, 0, SEEK_DATA); begin >= 0; begin = ::lseek(from, end, SEEK_DATA)) {
    end = ::lseek(from, begin, SEEK_HOLE);
    bytes.resize(static_cast<std::size_t>(end - begin));
    if (!read_all_at(from, bytes.data(), bytes.size(), begin) || !write_all_at(to, bytes.data(), bytes.size(), begin))
      return false;
  }
  return true;
}

// The numbers of one column out of whole rows of `width` numbers.
void gather(std::span<const double> rows, std::size_t width, std::size_t first, std::size_t numbers,
            std::vector<double>& values) {
  values.clear();
  for (; !rows.empty(); rows = rows.subspan(width)) {
    const auto part = rows.subspan(first, numbers);
    values.insert(values.end(), part.begin(), part.end());
  }
}

// Of each column.
std::vector<RowCheck> checks_of(const std::filesystem::path& record, const Columns& columns) {
  const auto width = static_cast<std::size_t>(row_width(columns));
  std::vector<RowCheck> checks(columns.size());
  RecordReader reader(record, columns);
  for (auto rows = reader.next(); !rows.empty(); rows = reader.next())
    for (; !rows.empty(); rows = rows.subspan(width)) {
      std::size_t first = 0;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto numbers = static_cast<std::size_t>(columns[c].numbers());
        checks[c].add(rows.subspan(first, numbers));
        first += numbers;
      }
    }
  return checks;
}

bool write_columns(RecordReader& reader, const Columns& columns, std::vector<std::int64_t> place, int file) {
  const auto width = static_cast<std::size_t>(row_width(columns));
  std::vector<double> values;
  for (auto rows = reader.next(); !rows.empty(); rows = reader.next()) {
    std::size_t first = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto numbers = static_cast<std::size_t>(columns[c].numbers());
      gather(rows, width, first, numbers, values);
      if (!write_all_at(file, values.data(), values.size() * sizeof(double), place[c])) return false;
      place[c] += static_cast<std::int64_t>(values.size() * sizeof(double));
      first += numbers;
    }
  }
  return true;
}

}  // namespace

void write_trajectory(const std::filesystem::path& record, const Columns& columns, const NamedTexts& texts,
                      const NamedTexts& attributes, const std::filesystem::path& out,
                      const std::optional<RowCheck>& check, const TrajectoryNotes& notes) {
  const std::vector<RowCheck> checks = checks_of(record, columns);
  RecordReader reader(record, columns);
  PartialFile partial(out);
  try {
    const QuietHdf5 quiet;
    const Skeleton skeleton(columns, reader.rows(), texts, attributes, notes, checks);
    const Descriptor file(partial.path(), O_WRONLY | O_CREAT | O_TRUNC, out);
    if (!copy_without_holes(skeleton.file, file) || !write_columns(reader, columns, skeleton.first_number, file))
      throw StoreError(out, errno, "all rows are kept in " + record.string());
  } catch (const Hdf5Failure& failure) {
    throw StoreError(out, failure.reason, "all rows are kept in " + record.string());
  }
  if (check && check->value() != reader.check().value())
    throw StoreError(record, "does not hold the rows that were written; another program or the disk has changed it");
  partial.put_in_place();
}

}  // namespace livens
