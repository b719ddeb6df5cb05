// The program as a user meets it: started in a fresh directory, with its words and its exit status caught.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "store/scratch.hpp"

namespace program {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Arguments = std::vector<std::string>;
using scratch::contents, scratch::mentions, scratch::put;

// Where standard error goes. Nobody reads the full pipe: the first word said there blocks the program for ever.
enum class Errors { pipe, terminal, full_pipe };

struct Reply {
  int status = 0;  // 128 + n: ended by signal n
  std::string out, err;
  Json json() const { return Json::parse(out); }
};

class Process {
 public:
  Process(const fs::path& directory, const Arguments& arguments, Errors errors) {
    std::vector<char*> argv = {const_cast<char*>(LIVENS_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    int out[2], err[2];
    REQUIRE(::pipe2(out, O_CLOEXEC) == 0);
    if (errors == Errors::terminal)
      REQUIRE(::openpty(&err[0], &err[1], nullptr, nullptr, nullptr) == 0);
    else
      REQUIRE(::pipe2(err, O_CLOEXEC) == 0);
    if (errors == Errors::full_pipe) fill(err[1]);
    id_ = ::fork();
    REQUIRE(id_ >= 0);
    if (id_ == 0) {
      if (::chdir(directory.c_str()) == 0 && ::dup2(out[1], 1) == 1 && ::dup2(err[1], 2) == 2) {
        if (errors == Errors::terminal) ::close(err[0]), ::close(err[1]);
        ::execv(LIVENS_PROGRAM, argv.data());
      }
      ::_exit(127);
    }
    ::close(out[1]), ::close(err[1]);
    out_ = out[0];
    (errors == Errors::full_pipe ? unread_ : err_) = err[0];
  }
  ~Process() {
    if (id_ > 0) ::kill(id_, SIGKILL), ::waitpid(id_, nullptr, 0);
    for (const int end : {out_, err_, unread_})
      if (end >= 0) ::close(end);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void signal(int number) { REQUIRE(::kill(id_, number) == 0); }

  // Waits until standard error says this.
  void hear(std::string_view words) {
    while (!mentions(reply_.err, words)) REQUIRE(listen());
  }

  Reply wait() {
    while (listen()) {
    }
    int status = 0;
    REQUIRE(::waitpid(id_, &status, 0) == id_);
    id_ = 0;
    reply_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return reply_;
  }

 private:
  static void fill(int descriptor) {
    const int size = ::fcntl(descriptor, F_SETPIPE_SZ, 4096);
    const std::string ballast(static_cast<std::size_t>(size), ' ');
    REQUIRE(::write(descriptor, ballast.data(), ballast.size()) == size);
  }

  // Takes what the program says next; false when both ends are closed.
  bool listen() {
    pollfd ends[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};  // poll passes over the ends that are closed
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(limit_ - Clock::now()).count();
    const int heard = ::poll(ends, 2, static_cast<int>(std::max<long long>(left, 0)));
    REQUIRE_MESSAGE(heard > 0, "the program does not end");
    const bool out_open = take(ends[0], out_, reply_.out), err_open = take(ends[1], err_, reply_.err);
    return out_open || err_open;
  }
  // A terminal whose program has gone answers with an error, not with an end of file.
  static bool take(const pollfd& heard, int& end, std::string& text) {
    if (heard.revents == 0) return end >= 0;
    char piece[4096];
    const ssize_t size = ::read(end, piece, sizeof piece);
    if (size <= 0) {
      ::close(std::exchange(end, -1));
      return false;
    }
    text.append(piece, static_cast<std::size_t>(size));
    return true;
  }

  using Clock = std::chrono::steady_clock;
  pid_t id_ = 0;
  int out_ = -1, err_ = -1, unread_ = -1;
  Reply reply_;
  Clock::time_point limit_ = Clock::now() + std::chrono::seconds(30);
};

// A directory to run in, and what the program left there.
class Place {
 public:
  Process start(const Arguments& arguments, Errors errors = Errors::pipe) const {
    return Process(directory_, arguments, errors);
  }
  Reply run(const Arguments& arguments) const { return start(arguments).wait(); }
  Reply livens(const std::string& words) const { return run(split(words)); }

  // Runs `livens run WORDS --json` with these overrides and expects this status.
  Json summary(const std::string& words, const Arguments& set = {}, int status = 0) const {
    const Reply reply = run(joined(split("run " + words + " --json"), set));
    INFO(reply.err);
    REQUIRE(reply.status == status);
    return reply.json();
  }

  fs::path operator/(const std::string& name) const { return directory_ / name; }
  bool has(const std::string& name) const { return fs::exists(directory_ / name); }
  bool empty() const { return fs::is_empty(directory_); }
  void wait_for(const std::string& name) const {
    for (int n = 0; n < 3000 && !has(name); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    REQUIRE(has(name));
  }

  static Arguments joined(Arguments arguments, const Arguments& set) {
    for (const std::string& item : set) arguments.insert(arguments.end(), {"--set", item});
    return arguments;
  }

  static Arguments split(const std::string& words) {
    std::istringstream in(words);
    return {std::istream_iterator<std::string>(in), {}};
  }

 private:
  scratch::Directory directory_;
};

inline std::string problem(const std::string& name) {
  return contents(fs::path(LIVENS_SOURCE) / "problems" / (name + ".toml"));
}

inline std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;
}

}  // namespace program
