#include "cli/given_model.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/say.hpp"

namespace livens::cli {

std::string all_of_standard_input(std::string_view what) {
  if (isatty(STDIN_FILENO)) say("reading a {} from standard input; Ctrl-D ends it\n", what);
  std::string text, piece(1 << 16, '\0');
  constexpr std::size_t most_bytes = 50'000'000;
  for (;;) {
    const ssize_t size = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) throw InputError(fmt::format("{}: cannot be read: {}", standard_input, std::strerror(errno)));
    if (size == 0) break;
    text.append(piece, 0, static_cast<std::size_t>(size));
    if (text.size() > most_bytes)
      throw InputError(
          fmt::format("{}: is larger than {} MB; is this a {}?", standard_input, most_bytes / 1'000'000, what));
  }
  if (text.empty()) throw InputError(fmt::format("{}: is empty; - reads a {} from there", standard_input, what));
  return text;
}

Model load_given_model(const std::string& model, const Overrides& set) {
  return model == "-" ? read_model(standard_input, all_of_standard_input("model file"), set) : load_model(model, set);
}

std::string name_of_results(const std::string& model, const Model& read) {
  return model == "-" ? "standard-input" : read.name;
}

}  // namespace livens::cli
