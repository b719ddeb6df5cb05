// The files of a study, in a directory that was not there before.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/store/atomic_file.hpp"
#include "livens/store/result_directory.hpp"

namespace livens::cli {

class StudyDirectory {
 public:
  explicit StudyDirectory(const std::optional<std::string>& out) {
    if (!out) return;
    try {
      directory_.emplace(ResultDirectory::choose(*out, "", false));
    } catch (const std::invalid_argument& e) {
      throw InputError(e.what());
    }
  }
  // By name and content.
  void write(const std::vector<std::pair<std::string, std::string>>& files) {
    if (!directory_) return;
    directory_->create();
    for (const auto& file : files) write_file_atomically(directory_->working() / file.first, file.second);
    directory_->appear();
  }

 private:
  std::optional<ResultDirectory> directory_;
};

}  // namespace livens::cli
