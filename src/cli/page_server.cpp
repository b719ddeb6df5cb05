#include "cli/page_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <vector>

#include "livens/store/error.hpp"

namespace livens::cli {

namespace {

constexpr std::size_t longest_request = 16'384, most_clients = 32;
constexpr std::chrono::milliseconds patience(10'000);  // for a client to say what it wants, and to take the answer

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw StoreError("random numbers", errno);
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string reply(std::string_view status, std::string_view type, std::string_view body) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\n\r\n{}",
      status, type, body.size(), body);
}

// The value of a header, whose name is lower case; empty if it is not there or there twice.
std::string header(const std::string& request, std::string_view name) {
  std::string found;
  for (std::size_t at = request.find("\r\n"); at != request.npos && at + 2 < request.size();
       at = request.find("\r\n", at + 2)) {
    const std::size_t colon = request.find(':', at + 2), end = request.find("\r\n", at + 2);
    if (colon == request.npos || colon > end) continue;
    std::string key = request.substr(at + 2, colon - at - 2);
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
    if (key != name) continue;
    if (!found.empty()) return "";
    const std::size_t begin = request.find_first_not_of(" \t", colon + 1);
    found = request.substr(begin, end - begin);
  }
  return found;
}

// Takes as long for every token of the right length.
bool is_same(std::string_view a, std::string_view b) {
  unsigned char difference = a.size() != b.size();
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    difference = static_cast<unsigned char>(difference | (a[k] ^ b[k]));
  return difference == 0;
}

bool can_take(int socket) {
  pollfd one{socket, POLLOUT, 0};
  return ::poll(&one, 1, static_cast<int>(patience.count())) > 0;
}

}  // namespace

PageServer::PageServer(const LiveRun& run) : run_(run), token_(random_token()) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0 ||
      ::listen(socket_, 16) != 0 || ::getsockname(socket_, reinterpret_cast<sockaddr*>(&place), &size) != 0) {
    const int error = errno;
    if (socket_ >= 0) ::close(socket_);
    throw StoreError("127.0.0.1", error);
  }
  port_ = ntohs(place.sin_port);
  thread_ = std::thread([this] { serve(); });
}

PageServer::~PageServer() {
  ending_ = true;
  thread_.join();
  ::close(socket_);
}

std::string PageServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port_, token_);
}

bool PageServer::wait_for_page(std::chrono::milliseconds time, const std::atomic<bool>& stop) {
  const auto end = std::chrono::steady_clock::now() + time;
  std::unique_lock lock(mutex_);
  while (!page_asked_ && !stop && std::chrono::steady_clock::now() < end)
    changed_.wait_for(lock, std::chrono::milliseconds(50));
  return page_asked_;
}

void PageServer::finish(std::string data, std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  ended_ = std::move(data);
  if (page_asked_) changed_.wait_for(lock, time, [this] { return ended_told_; });
}

void PageServer::serve() {
  // Signals are for the thread that runs.
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  // Browsers open connections before they have something to ask: those wait beside the others.
  std::vector<Client> clients;
  while (!ending_) {
    std::vector<pollfd> ready{{socket_, POLLIN, 0}};
    for (const Client& client : clients) ready.push_back({client.socket, POLLIN, 0});
    ::poll(ready.data(), ready.size(), 50);
    for (std::size_t k = 0; k < clients.size(); ++k)
      if (ready[k + 1].revents != 0) hear(clients[k]);
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(clients, [now](Client& client) {
      if (!client.done && now < client.until) return false;
      ::close(client.socket);
      return true;
    });
    if (ready.front().revents == 0) continue;
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    if (clients.size() == most_clients) {  // whoever has been silent for longest makes room
      ::close(clients.front().socket);
      clients.erase(clients.begin());
    }
    clients.push_back({socket, now + patience, "", false});
  }
  for (const Client& client : clients) ::close(client.socket);
}

// What it has to say by now; a whole request is answered.
void PageServer::hear(Client& client) {
  std::array<char, 4096> piece{};
  const ssize_t count = ::recv(client.socket, piece.data(), piece.size(), 0);
  if (count > 0) client.request.append(piece.data(), static_cast<std::size_t>(count));
  const bool whole = client.request.find("\r\n\r\n") != client.request.npos;
  client.done = count <= 0 || whole || client.request.size() > longest_request;
  if (!whole) return;
  const std::string text = reply_to(client.request);
  for (std::size_t sent = 0; sent < text.size();) {
    if (!can_take(client.socket)) return;
    const ssize_t some = ::send(client.socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (some <= 0) return;
    sent += static_cast<std::size_t>(some);
  }
}

std::string PageServer::reply_to(const std::string& request) {
  // A page of another site may ask this port, but under its own host name, and does not know the token.
  const std::string host = header(request, "host");
  if (host != fmt::format("127.0.0.1:{}", port_) && host != fmt::format("localhost:{}", port_))
    return reply("403 Forbidden", "text/plain", "another host\n");
  if (!request.starts_with("GET /")) return reply("405 Method Not Allowed", "text/plain", "only GET\n");
  const std::string path = request.substr(5, request.find(' ', 5) - 5);
  const std::size_t slash = path.find('/');
  if (!is_same(path.substr(0, slash), token_)) return reply("403 Forbidden", "text/plain", "another token\n");
  const std::string what = slash == path.npos ? "-" : path.substr(slash + 1);
  if (!what.empty() && what != "data") return reply("404 Not Found", "text/plain", "nothing here\n");
  {
    const std::lock_guard lock(mutex_);
    page_asked_ = true;
    changed_.notify_all();
    if (ended_ && what == "data") {
      ended_told_ = true;
      return reply("200 OK", "application/json", *ended_);
    }
  }
  // The first row comes when the run begins.
  for (int n = 0; n < 200 && run_.rows() == 0 && !ending_; ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (run_.rows() == 0) return reply("503 Service Unavailable", "text/plain", "the run has not begun\n");
  if (what.empty()) return reply("200 OK", "text/html", run_.page());
  if (header(request, "x-known") == run_.state()) return reply("204 No Content", "application/json", "");
  return reply("200 OK", "application/json", run_.data());
}

}  // namespace livens::cli
