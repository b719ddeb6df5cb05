// SIGINT, SIGTERM and SIGHUP: the first ends what is running after the current step, a second one, of whichever kind,
// the program at once.
#pragma once

#include <atomic>

namespace livens::cli {

extern std::atomic<bool> stop_asked;
void listen_to_signals();

}  // namespace livens::cli
