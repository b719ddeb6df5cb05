#include "livens/store/error.hpp"

#include <cctype>
#include <system_error>

namespace livens {

namespace {

std::string in_words(int system_error) {
  std::string words = std::generic_category().message(system_error);
  // The words go on a sentence, so they start small unless they start with an abbreviation.
  if (words.size() > 1 && std::islower(static_cast<unsigned char>(words[1])))
    words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return words;
}

}  // namespace

StoreError::StoreError(const std::filesystem::path& path, const std::string& reason, const std::string& kept)
    : std::runtime_error(path.string() + ": " + reason + (kept.empty() ? "" : "; " + kept)) {}

StoreError::StoreError(const std::filesystem::path& path, int system_error, const std::string& kept)
    : StoreError(path, in_words(system_error), kept) {}

}  // namespace livens
