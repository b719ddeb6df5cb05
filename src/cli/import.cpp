// livens import
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/commands.hpp"
#include "cli/given_model.hpp"
#include "cli/say.hpp"
#include "livens/model/model.hpp"
#include "livens/urdf/urdf.hpp"

namespace livens::cli {

namespace {

// JOINT=VALUE
std::pair<std::string, double> position_of(const std::string& words) {
  const std::size_t at = words.rfind('=');
  double x = 0;
  const char* end = words.data() + words.size();
  if (at == words.npos || at == 0 || std::from_chars(words.data() + at + 1, end, x).ptr != end || !std::isfinite(x))
    throw InputError(fmt::format("--pose {}: write JOINT=VALUE, such as elbow=0.5", words));
  return {words.substr(0, at), x};
}

std::string contents(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(fmt::format("{}: is a directory; name the URDF file inside it", path));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string xml{std::istreambuf_iterator<char>(file), {}};
  if (!file || file.bad())
    throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno == 0 ? EIO : errno)));
  return xml;
}

}  // namespace

int import_robot(const ImportArguments& arguments) {
  UrdfOptions options{.free = arguments.free, .pose = {}};
  for (const std::string& words : arguments.pose)
    if (const auto given = position_of(words); !options.pose.insert(given).second)
      throw InputError(
          fmt::format("--pose {}: the joint \"{}\" has a value before; leave one out", words, given.first));
  const bool piped = arguments.file == "-";
  const UrdfModel made = piped ? model_of_urdf(standard_input, all_of_standard_input("URDF file"), options)
                               : model_of_urdf(arguments.file, contents(arguments.file), options);
  for (const std::string& note : made.notes) say_note(note);
  fmt::print("{}", made.text);
  return 0;
}

}  // namespace livens::cli
