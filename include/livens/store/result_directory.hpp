// The directory of a run's results: chosen without a trace, filled out of sight, then there at once.
//
// A run writes into a hidden directory beside the final one and calls appear() when the first checkpoint is in it, so
// that every directory a user can see can be resumed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "livens/store/error.hpp"
#include "livens/store/run_lock.hpp"

namespace livens {

class ResultDirectory {
 public:
  // `wanted`, or runs/<name>-<n> with the first free n >= 1. Refused with std::invalid_argument: a directory with a run
  // in it unless `force`, one that a run is going on in, and always one with anything else in it, because replacing a
  // run removes its directory.
  static ResultDirectory choose(std::optional<std::filesystem::path> wanted, const std::string& name, bool force);
  // `wanted`, with files of its own kind replaced. Refused in the same way: a directory with anything else in it.
  static ResultDirectory replacing(std::filesystem::path wanted, bool (*is_own)(const std::string& file));
  ResultDirectory(ResultDirectory&& other) noexcept;
  // Takes the hidden directory away if it never appeared.
  ~ResultDirectory();

  // Makes parents and the hidden directory. Throws StoreError.
  void create();
  // Gives it its name, and takes an earlier run away once the new one stands. Where the name was not wanted but found,
  // and another program has taken it since, the next free n is used. Throws StoreError.
  void appear();

  // Where the results will stand; settled once they have appeared.
  const std::filesystem::path& path() const { return path_; }
  // Where files go now: hidden between create() and appear(), path() after it.
  const std::filesystem::path& working() const { return hidden_.empty() ? path_ : hidden_; }

 private:
  ResultDirectory() = default;
  void take(const std::filesystem::path& wanted);
  void take_free_name();
  void hold_replaced(const std::filesystem::path& target);

  std::filesystem::path path_;
  std::string name_;  // of which path_ is runs/<name>-<n>; empty if the path was wanted
  bool force_ = false;
  std::unique_ptr<RunLock> replaced_;  // the run that is to be replaced stays at rest
  std::filesystem::path hidden_;       // empty before create() and after appear()
};

}  // namespace livens
