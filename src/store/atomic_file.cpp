#include "livens/store/atomic_file.hpp"

#include <fcntl.h>

#include <cerrno>

#include "livens/store/files.hpp"

namespace livens {

void write_file_atomically(const std::filesystem::path& path, std::string_view text,
                           const std::filesystem::path& shown_as) {
  PartialFile partial(path, shown_as);
  {
    const Descriptor file(partial.path(), O_WRONLY | O_CREAT | O_TRUNC, shown_as);
    if (!write_all(file, text.data(), text.size())) {
      const int reason = errno;
      std::error_code ignored;
      throw StoreError(shown_as, reason, std::filesystem::exists(path, ignored) ? "the earlier one is kept" : "");
    }
  }
  partial.put_in_place();
}

}  // namespace livens
