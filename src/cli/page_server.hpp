// The server of a page that follows a run: on 127.0.0.1 only, for whoever knows the token in its address, as long as
// the run goes on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "livens/report/live.hpp"

namespace livens::cli {

class PageServer {
 public:
  // Throws StoreError where no socket can be had.
  explicit PageServer(const LiveRun& run);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::string address() const;  // http://127.0.0.1:PORT/TOKEN/
  // True when the page was asked for within this time; stops waiting when `stop` becomes true.
  bool wait_for_page(std::chrono::milliseconds time, const std::atomic<bool>& stop);
  // Hands the data of the ended run to a page that is looked at, for at most this time.
  void finish(std::string data, std::chrono::milliseconds time);

 private:
  void serve();
  struct Client {
    int socket;
    std::chrono::steady_clock::time_point until;
    std::string request;
    bool done;
  };
  void hear(Client& client);
  std::string reply_to(const std::string& request);

  const LiveRun& run_;
  int socket_ = -1, port_ = 0;
  std::string token_;
  std::atomic<bool> ending_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool page_asked_ = false, ended_told_ = false;
  std::optional<std::string> ended_;
  std::thread thread_;
};

}  // namespace livens::cli
