#include "livens/store/result_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "livens/store/files.hpp"

namespace livens {

namespace fs = std::filesystem;

namespace {

bool marks_a_run(const std::string& file) {
  return file == "summary.json" || file == "trajectory.h5" || file.starts_with("checkpoint.");
}

// All that Livens itself puts there, hidden leftovers of a killed run included.
bool belongs_to_a_run(const std::string& file) {
  return marks_a_run(file) || file == "rows.bin" || file == "report.html" || is_partial(file);
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw std::invalid_argument(path.string() + ": " + why);
}

// Names of what is in the directory; none where there is none.
std::vector<std::string> files_in(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return {};
  if (status.type() == fs::file_type::none) throw StoreError(path, error.value());
  if (status.type() != fs::file_type::directory) refuse(path, "is not a directory; choose another --out");
  std::vector<std::string> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    files.push_back(entry->path().filename().string());
  if (error) throw StoreError(path, error.value());
  return files;
}

void refuse_unless_replaceable(const fs::path& path, bool force) {
  bool holds_run = false, finished = false;
  std::string stranger, other;
  for (const std::string& file : files_in(path)) {
    holds_run |= marks_a_run(file);
    finished |= file == "summary.json";
    (belongs_to_a_run(file) ? other : stranger) = file;
  }
  if (holds_run && !force)
    refuse(path, fmt::format("holds {} run; choose another --out or give --force",
                             finished ? "a finished" : "an unfinished"));
  if (!holds_run && stranger.empty()) stranger = other;
  if (!stranger.empty()) refuse(path, fmt::format("holds {}, which is not of a run; choose another --out", stranger));
}

// Without symbolic links, trailing slashes and dots: rename(2) wants the directory itself.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) throw StoreError(path, error.value());
  return result.has_filename() ? result : result.parent_path();
}

// zz/../yy where there is no zz: such a path does not work even when yy is there.
bool leads_through_nothing(const fs::path& path) {
  std::error_code ignored;
  fs::path before;
  for (const fs::path& part : path) {
    if (part == ".." && !before.empty() && !fs::exists(before, ignored)) return true;
    before /= part;
  }
  return false;
}

std::string cleaned(std::string name) {
  constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  for (char& c : name)
    if (allowed.find(c) == std::string_view::npos) c = '-';
  // Neither hidden nor like an option.
  name.erase(0, std::min(name.find_first_not_of(".-"), name.size()));
  return name.empty() ? "run" : name;
}

// Hidden directories of runs that were killed before their first checkpoint, or while they took an earlier run away.
// Those of a run that goes on are held by its process, and by its lock from the first row on.
void remove_leftovers(const fs::path& parent) {
  std::error_code ignored;
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(parent, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    const std::size_t mark = name.rfind(".partial-");
    int process = 0, number = 0, read = 0;
    if (!is_partial(name) || !entry->is_directory(ignored) ||
        std::sscanf(name.c_str() + mark, ".partial-%d-%d%n", &process, &number, &read) != 2 ||
        mark + static_cast<std::size_t>(read) != name.size() || process <= 0)
      continue;
    if (::kill(process, 0) == 0 || errno != ESRCH) continue;
    left.push_back(entry->path());
  }
  for (const fs::path& path : left) {
    try {
      const RunLock held(path);
      fs::remove_all(path, ignored);
    } catch (const std::invalid_argument&) {  // a run on another machine
    }
  }
}

int rename_status(const fs::path& from, const fs::path& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

// Two directories change places, and neither name is ever without one. Not every file system can.
int exchange_status(const fs::path& a, const fs::path& b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}

}  // namespace

ResultDirectory ResultDirectory::choose(std::optional<fs::path> wanted, const std::string& name, bool force) {
  ResultDirectory directory;
  directory.force_ = force;
  if (!wanted) {
    directory.name_ = cleaned(name);
    directory.take_free_name();
    return directory;
  }
  directory.take(*wanted);
  refuse_unless_replaceable(directory.path_, force);
  directory.replaced_ = std::make_unique<RunLock>(directory.path_);
  return directory;
}

ResultDirectory ResultDirectory::replacing(fs::path wanted, bool (*is_own)(const std::string& file)) {
  ResultDirectory directory;
  directory.force_ = true;
  directory.take(wanted);
  for (const std::string& file : files_in(directory.path_))
    if (!is_own(file))
      refuse(directory.path_,
             fmt::format("holds {}, which was not written by this command; choose another --out", file));
  directory.replaced_ = std::make_unique<RunLock>(directory.path_);
  return directory;
}

void ResultDirectory::take(const fs::path& wanted) {
  if (wanted.empty()) throw std::invalid_argument("--out: is empty; give a directory");
  path_ = leads_through_nothing(wanted) ? resolved(wanted) : wanted;
}

ResultDirectory::ResultDirectory(ResultDirectory&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::move(other.name_)),
      force_(other.force_),
      replaced_(std::move(other.replaced_)),
      hidden_(std::exchange(other.hidden_, {})) {}

ResultDirectory::~ResultDirectory() {
  std::error_code ignored;
  if (!hidden_.empty()) fs::remove_all(hidden_, ignored);
}

void ResultDirectory::take_free_name() {
  std::error_code ignored;
  for (int n = 1;; ++n) {
    path_ = fs::path("runs") / fmt::format("{}-{}", name_, n);
    if (!fs::exists(fs::symlink_status(path_, ignored))) return;
  }
}

void ResultDirectory::create() {
  if (!hidden_.empty()) throw std::logic_error("ResultDirectory: create() comes once, before appear()");
  const fs::path target = resolved(path_);
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error) throw StoreError(path_, error.value());
  remove_leftovers(target.parent_path());
  // Counted, because process numbers come back: a run killed in a container leaves a name that the next one would use.
  for (int n = 1;; ++n) {
    fs::path hidden =
        target.parent_path() / fmt::format(".{}.partial-{}-{}", target.filename().string(), ::getpid(), n);
    if (fs::create_directory(hidden, error)) {
      hidden_ = std::move(hidden);
      return;
    }
    if (error) throw StoreError(path_, error.value());
  }
}

// A run that has appeared there since this one was begun.
void ResultDirectory::hold_replaced(const fs::path& target) {
  try {
    replaced_.reset();
    replaced_ = std::make_unique<RunLock>(target);
  } catch (const std::invalid_argument&) {
    throw StoreError(path_, "a run is going on in it");
  }
}

void ResultDirectory::appear() {
  if (hidden_.empty()) throw std::logic_error("ResultDirectory: create() comes once, before appear()");
  sync_directory(hidden_, path_);
  fs::path target = resolved(path_);
  const fs::path aside = hidden_.string() + ".replaced";
  std::error_code ignored;
  const bool replaces = force_ && name_.empty() && fs::exists(target, ignored) && !fs::is_empty(target, ignored);
  if (replaces) {
    hold_replaced(target);
    if (exchange_status(hidden_, target) == 0) {
      sync_directory(target.parent_path());
      fs::remove_all(std::exchange(hidden_, {}), ignored);
      replaced_.reset();
      return;
    }
    if (const int error = rename_status(target, aside)) throw StoreError(path_, error);
  }

  int error = rename_status(hidden_, target);
  while (!name_.empty() && (error == ENOTEMPTY || error == EEXIST)) {
    take_free_name();
    target = resolved(path_);
    error = rename_status(hidden_, target);
  }
  if (error != 0) {
    if (replaces) rename_status(aside, target);
    if (error == ENOTEMPTY || error == EEXIST)
      throw StoreError(path_, "another run has appeared there since this one was begun; choose another --out");
    throw StoreError(path_, error);
  }
  hidden_.clear();
  sync_directory(target.parent_path());
  if (replaces) fs::remove_all(aside, ignored);
  replaced_.reset();
}

}  // namespace livens
