#include "cli/open_page.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace livens::cli {

bool open_page(const std::string& address) {
  const char* const named = std::getenv("BROWSER");
  const bool is_named = named != nullptr && *named != '\0';
#ifdef __APPLE__
  const char* const usual = "open";
  const bool has_desktop = true;
#else
  const char* const usual = "xdg-open";
  const bool has_desktop = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
#endif
  if (!is_named && !has_desktop) return false;
  const char* const program = is_named ? named : usual;
  // The child of a child belongs to nobody: it may stay longer than this program. The pipe tells whether it began.
  int told[2];
  if (::pipe2(told, O_CLOEXEC) != 0) return false;
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() == 0) {
      const int nowhere = ::open("/dev/null", O_RDWR);
      for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
      ::execlp(program, program, address.c_str(), nullptr);
      [[maybe_unused]] const ssize_t written = ::write(told[1], "x", 1);
    }
    ::_exit(0);
  }
  ::close(told[1]);
  char failed = 0;
  const bool began = child > 0 && ::read(told[0], &failed, 1) == 0;
  ::close(told[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return began;
}

}  // namespace livens::cli
