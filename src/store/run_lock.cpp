#include "livens/store/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <stdexcept>

namespace livens {

namespace {

// Another process may have put another run in place of this one between open and flock.
bool is_still_there(int descriptor, const std::filesystem::path& path) {
  struct stat open_file {
  }, named{};
  return ::fstat(descriptor, &open_file) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "checkpoint.rows";
  // Writable where it may be: NFS turns flock into a lock that needs it.
  int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  rows_.emplace(descriptor);
  const bool taken = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (taken || !is_still_there(descriptor, path))
    throw std::invalid_argument(directory.string() + ": a run is going on in it; wait for its end or stop it");
}

}  // namespace livens
