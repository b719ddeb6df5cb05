// trajectory.h5, read through the C interface without any code of Livens.
#pragma once

#include <doctest/doctest.h>
#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

namespace program {

using Shape = std::vector<hsize_t>;

class Trajectory {
 public:
  explicit Trajectory(const std::filesystem::path& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    REQUIRE(file_ >= 0);
  }
  ~Trajectory() { H5Fclose(file_); }
  Trajectory(const Trajectory&) = delete;
  Trajectory& operator=(const Trajectory&) = delete;

  Shape shape(const std::string& name) const {
    const hid_t set = open(name), space = H5Dget_space(set);
    Shape extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    H5Sclose(space), H5Dclose(set);
    return extents;
  }

  std::size_t rows() const { return shape("t").front(); }

  std::vector<double> numbers(const std::string& name) const {
    hsize_t count = 1;
    for (const hsize_t extent : shape(name)) count *= extent;
    std::vector<double> values(count);
    const hid_t set = open(name);
    REQUIRE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    H5Dclose(set);
    return values;
  }

  std::vector<double> row(const std::string& name, std::size_t n) const {
    const std::vector<double> all = numbers(name);
    const std::size_t width = all.size() / rows();
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(n * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }
  std::vector<double> last(const std::string& name) const { return row(name, rows() - 1); }

  std::string text(const std::string& name) const {
    const hid_t set = open(name), type = H5Dget_type(set);
    char* characters = nullptr;
    REQUIRE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &characters) >= 0);
    const std::string copy(characters);
    H5free_memory(characters);
    H5Tclose(type), H5Dclose(set);
    return copy;
  }

 private:
  hid_t open(const std::string& name) const {
    const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    REQUIRE_MESSAGE(set >= 0, name);
    return set;
  }
  hid_t file_;
};

}  // namespace program
