// Places to write to that leave nothing behind.
#pragma once

#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "livens/store/error.hpp"

namespace scratch {

namespace fs = std::filesystem;

class Directory {
 public:
  Directory() {
    std::string name = (fs::temp_directory_path() / "livens-store-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory: " + name);
    path_ = name;
  }
  ~Directory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  operator const fs::path&() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

// A disk of 1 MiB, where one can be had: mounting needs rights that few test machines give.
class SmallDisk {
 public:
  SmallDisk() : mounted_(::mount("tmpfs", fs::path(place_).c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "size=1m") == 0) {}
  ~SmallDisk() {
    if (mounted_) ::umount2(fs::path(place_).c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }
  fs::path operator/(const std::string& name) const { return place_ / name; }
  void leave_free(std::uintmax_t bytes) const {
    fs::remove(place_ / "ballast");
    const auto size = fs::space(place_).available - bytes;
    std::ofstream(place_ / "ballast") << std::string(size, 'x');
  }

 private:
  Directory place_;
  bool mounted_;
};

inline std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline int entries(const fs::path& directory) {
  return static_cast<int>(std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

// What the call says when it refuses; empty if it does not.
template <class Error, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace scratch
