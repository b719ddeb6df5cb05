// Results that could not be written, or could not be read back.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace livens {

// "runs/a-1/rows.bin: no space left on device; the rows up to t = 3.2 are kept"
class StoreError : public std::runtime_error {
 public:
  StoreError(const std::filesystem::path& path, const std::string& reason, const std::string& kept = "");
  // The reason in the system's words for this errno.
  StoreError(const std::filesystem::path& path, int system_error, const std::string& kept = "");
};

}  // namespace livens
