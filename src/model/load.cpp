#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "livens/formula/nearest.hpp"
#include "livens/model/model.hpp"
#include "livens/model/problems.hpp"

namespace livens {

namespace {

constexpr std::size_t largest_file = 50'000'000;

[[noreturn]] void refuse(const std::string& path, std::string_view message) {
  throw InputError(fmt::format("{}: {}", path, message));
}

std::string contents(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse(path, "is a directory; name the model file inside it");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, fmt::format("cannot be read: {}; check the path", std::strerror(errno)));
  std::string text;
  std::string piece(1 << 16, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    text.append(piece, 0, static_cast<std::size_t>(file.gcount()));
    if (text.size() > largest_file)
      refuse(path, fmt::format("is larger than {} MB; is this a model file?", largest_file / 1'000'000));
  }
  if (file.bad()) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

}  // namespace

Model load_model(const std::string& model, const Overrides& set) {
  if (model.find('/') != model.npos || model.ends_with(".toml")) return read_model(model, contents(model), set);
  std::vector<std::string> names;
  for (const ReadyProblem& problem : ready_problems()) {
    if (problem.name == model) return read_model(model, std::string(problem.text), set);
    names.emplace_back(problem.name);
  }
  const std::string near = formula::suggestion(model, names);
  throw InputError(
      fmt::format("\"{}\" is not a ready problem{} \"livens list problems\" shows them; the name of a file "
                  "contains \"/\" or ends in .toml",
                  model, near.empty() ? ";" : near));
}

}  // namespace livens
