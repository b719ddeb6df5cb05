#include "cli/given_model.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/say.hpp"

namespace livens::cli {

namespace {

constexpr const char* standard_input = "standard input";
constexpr std::size_t most_bytes_of_input = 50'000'000;

std::string all_of_standard_input() {
  if (isatty(STDIN_FILENO)) say("reading the model from standard input; Ctrl-D ends it\n");
  std::string text, piece(1 << 16, '\0');
  for (;;) {
    const ssize_t size = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) throw InputError(fmt::format("{}: cannot be read: {}", standard_input, std::strerror(errno)));
    if (size == 0) break;
    text.append(piece, 0, static_cast<std::size_t>(size));
    if (text.size() > most_bytes_of_input)
      throw InputError(fmt::format("{}: is larger than {} MB; is this a model file?", standard_input,
                                   most_bytes_of_input / 1'000'000));
  }
  if (text.empty()) throw InputError(fmt::format("{}: is empty; - reads a model file from there", standard_input));
  return text;
}

}  // namespace

Model load_given_model(const std::string& model, const Overrides& set) {
  return model == "-" ? read_model(standard_input, all_of_standard_input(), set) : load_model(model, set);
}

std::string name_of_results(const std::string& model, const Model& read) {
  return model == "-" ? "standard-input" : read.name;
}

}  // namespace livens::cli
