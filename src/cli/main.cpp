// The program: reads the command line, calls the library, speaks to people on standard error and to programs on
// standard output.  Exit status: 0 done, 1 stopped early, 2 wrong input, 3 results could not be written.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <system_error>

#include "cli/command_line.hpp"
#include "cli/say.hpp"
#include "livens/model/model.hpp"
#include "livens/store/error.hpp"
#include "livens/study/stopped.hpp"

namespace {

int complain(int status, const std::string& message) {
  livens::cli::say_wrong(message);
  return status;
}

// A file of results must not get the number of a standard stream that the caller has closed. What is read only cannot
// be printed to: a closed standard output stays one that cannot be written.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

// What was printed has to arrive: a full disk under standard output is found out here at the latest.
int printed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return complain(3, "standard output could not be written");
}

}  // namespace

int main(int argc, char** argv) {
  using namespace livens;
  using namespace livens::cli;
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file larger than allowed is then an error of write, as a full disk is

  CommandLine line;
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return printed(line.app.exit(e));
    return complain(2, line.what_is_wrong(e) + " livens --help lists the commands, livens COMMAND --help its options");
  }

  try {
    return printed(line.act());
  } catch (const InputError& e) {
    return complain(2, e.what());
  } catch (const Stopped& e) {
    return complain(1, e.what());
  } catch (const StoreError& e) {
    return complain(3, e.what());
  } catch (const std::system_error& e) {
    return complain(3, e.what());
  } catch (const std::bad_alloc&) {
    return complain(3, "out of memory");
  } catch (const std::exception& e) {
    return complain(3, std::string("something that should not happen: ") + e.what());
  }
}
