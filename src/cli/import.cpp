// livens import
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>

#include "cli/commands.hpp"
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

}  // namespace

int import_robot(const ImportArguments& arguments) {
  UrdfOptions options{.free = arguments.free, .pose = {}};
  for (const std::string& words : arguments.pose) options.pose.insert(position_of(words));
  errno = 0;
  std::ifstream file(arguments.file, std::ios::binary);
  const std::string xml{std::istreambuf_iterator<char>(file), {}};
  if (!file || file.bad())
    throw InputError(fmt::format("{}: cannot be read: {}", arguments.file, std::strerror(errno == 0 ? EIO : errno)));
  const UrdfModel made = model_of_urdf(arguments.file, xml, options);
  for (const std::string& note : made.notes) say_note(note);
  fmt::print("{}", made.text);
  return 0;
}

}  // namespace livens::cli
