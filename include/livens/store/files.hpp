// What the store needs of POSIX files: every failure becomes a StoreError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "livens/store/error.hpp"

namespace livens {

// An open file, closed at the end of its scope. Messages name it `shown_as`.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, const std::filesystem::path& shown_as);
  Descriptor(const std::filesystem::path& path, int flags) : Descriptor(path, flags, path) {}
  explicit Descriptor(int open_file) : descriptor_(open_file) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return descriptor_; }

 private:
  int descriptor_;
};

// These return false with errno set when the system refuses; interrupted calls go on.
bool write_all(int descriptor, const void* bytes, std::size_t size);
bool write_all_at(int descriptor, const void* bytes, std::size_t size, std::int64_t offset);
bool read_all_at(int descriptor, void* bytes, std::size_t size, std::int64_t offset);
bool sync_to_disk(int descriptor);

std::int64_t size_of_file(int descriptor);
std::filesystem::path parent_of(const std::filesystem::path& path);  // "." for a bare name
// The names in it, not the files.
void sync_directory(const std::filesystem::path& directory, const std::filesystem::path& shown_as);
inline void sync_directory(const std::filesystem::path& directory) {
  sync_directory(directory, directory);
}

// A hidden name beside `final_path`, to write to first. What stands there is removed unless it was put in place.
// Messages name it `shown_as`.
class PartialFile {
 public:
  PartialFile(const std::filesystem::path& final_path, const std::filesystem::path& shown_as);
  explicit PartialFile(const std::filesystem::path& final_path) : PartialFile(final_path, final_path) {}
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  const std::filesystem::path& path() const { return path_; }
  void put_in_place();

 private:
  std::filesystem::path final_path_, shown_as_, path_;
};
bool is_partial(const std::string& file_name);
void remove_partial_files(const std::filesystem::path& directory);  // that killed processes have left

}  // namespace livens
