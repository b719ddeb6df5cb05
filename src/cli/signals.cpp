#include "cli/signals.hpp"

#include <csignal>

namespace livens::cli {

std::atomic<bool> stop_asked = false;

namespace {

constexpr int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

extern "C" void on_signal(int) {
  stop_asked.store(true);
  for (const int signal : stop_signals) std::signal(signal, SIG_DFL);
}

}  // namespace

void listen_to_signals() {
  for (const int signal : stop_signals)
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);  // as nohup asks for
}

}  // namespace livens::cli
