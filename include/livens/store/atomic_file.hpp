// A small file that is either the earlier one or the new one, whole, whatever happens while it is being written.
#pragma once

#include <filesystem>
#include <string_view>

namespace livens {

// Written under a hidden name beside `path`, synced, renamed. Throws StoreError; what stood at `path` is then
// untouched.
// Messages name it `shown_as`.
void write_file_atomically(const std::filesystem::path& path, std::string_view text,
                           const std::filesystem::path& shown_as);
inline void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  write_file_atomically(path, text, path);
}

}  // namespace livens
