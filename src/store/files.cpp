#include "livens/store/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace livens {

namespace {

template <class Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

Descriptor::Descriptor(const std::filesystem::path& path, int flags, const std::filesystem::path& shown_as)
    : descriptor_(uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); })) {
  if (descriptor_ < 0) throw StoreError(shown_as, errno);
}

Descriptor::~Descriptor() {
  ::close(descriptor_);
}

bool write_all(int descriptor, const void* bytes, std::size_t size) {
  auto rest = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = uninterrupted([&] { return ::write(descriptor, rest, size); });
    if (written < 0) return false;
    rest += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool write_all_at(int descriptor, const void* bytes, std::size_t size, std::int64_t offset) {
  return ::lseek(descriptor, offset, SEEK_SET) == offset && write_all(descriptor, bytes, size);
}

bool read_all_at(int descriptor, void* bytes, std::size_t size, std::int64_t offset) {
  auto rest = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = uninterrupted([&] { return ::pread(descriptor, rest, size, offset); });
    if (got == 0) errno = ENODATA;
    if (got <= 0) return false;
    rest += got;
    size -= static_cast<std::size_t>(got);
    offset += got;
  }
  return true;
}

bool sync_to_disk(int descriptor) {
  // EINVAL: a device, or a file system that cannot sync a directory; there is nothing to wait for.
  return uninterrupted([&] { return ::fsync(descriptor); }) == 0 || errno == EINVAL;
}

std::int64_t size_of_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? status.st_size : 0;
}

std::filesystem::path parent_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void sync_directory(const std::filesystem::path& directory, const std::filesystem::path& shown_as) {
  const Descriptor descriptor(directory, O_RDONLY | O_DIRECTORY, shown_as);
  if (!sync_to_disk(descriptor)) throw StoreError(shown_as, errno);
}

PartialFile::PartialFile(const std::filesystem::path& final_path, const std::filesystem::path& shown_as)
    : final_path_(final_path),
      shown_as_(shown_as),
      path_(parent_of(final_path) / fmt::format(".{}.partial-{}", final_path.filename().string(), ::getpid())) {}

PartialFile::~PartialFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void PartialFile::put_in_place() {
  {
    const Descriptor written(path_, O_RDONLY, shown_as_);
    if (!sync_to_disk(written)) throw StoreError(shown_as_, errno);
  }
  if (::rename(path_.c_str(), final_path_.c_str()) != 0) throw StoreError(shown_as_, errno);
  sync_directory(parent_of(final_path_), parent_of(shown_as_));
}

bool is_partial(const std::string& file_name) {
  return file_name.starts_with('.') && file_name.find(".partial-") != std::string::npos;
}

void remove_partial_files(const std::filesystem::path& directory) {
  std::error_code ignored;
  std::vector<std::filesystem::path> partial;
  for (std::filesystem::directory_iterator entry(directory, ignored), end; !ignored && entry != end;
       entry.increment(ignored))
    if (is_partial(entry->path().filename().string())) partial.push_back(entry->path());
  for (const std::filesystem::path& path : partial) std::filesystem::remove(path, ignored);
}

}  // namespace livens
