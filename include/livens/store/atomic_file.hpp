// A small file that is either the earlier one or the new one, whole, whatever happens while it is being written.
#pragma once

#include <filesystem>
#include <string_view>

namespace livens {

// Written under a hidden name beside `path`, synced, renamed. Throws StoreError; what stood at `path` is then
// untouched.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace livens
