// The memory of a run as bytes, all bits kept, and back. A class that has something to remember offers
//
//   template <class Archive> void archive(Archive& a) { a(x_, y_, ...); }
//
// which serves both ways. Bytes are those of this program on this machine; the checkpoint file says which program, and
// which layout: a change to what any class remembers raises its number.
#pragma once

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "livens/math/vec.hpp"

namespace livens {

constexpr int memory_layout = 19;

// The bytes are not those of this layout.
struct ArchiveError : std::runtime_error {
  ArchiveError() : std::runtime_error("the checkpoint is damaged") {}
};

class ArchiveWriter {
 public:
  static constexpr bool reads = false;
  template <class... X>
  void operator()(X&... x) {
    (put(x), ...);
  }
  std::string take() { return std::move(bytes_); }
  // To be written again, in the room that it has.
  void clear() { bytes_.clear(); }
  std::string_view bytes() const { return bytes_; }

 private:
  template <class X>
  void put(X& x) {
    if constexpr (requires { x.archive(*this); }) {
      x.archive(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<X>);
      raw(&x, sizeof x);
    }
  }
  template <class X>
  void put(std::vector<X>& x) {
    std::size_t size = x.size();
    raw(&size, sizeof size);
    for (X& xi : x) put(xi);
  }
#if LIVENS_QUAD
  void put(Quad& x) {
    put(x.backend().value());
  }
#endif
  void put(std::string& x) {
    std::size_t size = x.size();
    raw(&size, sizeof size);
    raw(x.data(), size);
  }
  template <class X, std::size_t N>
  void put(std::array<X, N>& x) {
    for (X& xi : x) put(xi);
  }
  template <class X, class Y>
  void put(std::pair<X, Y>& x) {
    put(x.first), put(x.second);
  }
  template <class X, int N>
  void put(Vec<X, N>& x) {
    for (X& xi : x) put(xi);
  }
  void raw(const void* from, std::size_t size) {
    bytes_.append(static_cast<const char*>(from), size);
  }

  std::string bytes_;
};

class ArchiveReader {
 public:
  static constexpr bool reads = true;
  explicit ArchiveReader(std::string_view bytes) : bytes_(bytes) {}
  template <class... X>
  void operator()(X&... x) {
    (get(x), ...);
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  template <class X>
  void get(X& x) {
    if constexpr (requires { x.archive(*this); }) {
      x.archive(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<X>);
      raw(&x, sizeof x);
    }
  }
  template <class X>
  void get(std::vector<X>& x) {
    std::size_t size = 0;
    raw(&size, sizeof size);
    if (size > bytes_.size()) throw ArchiveError();
    x.resize(size);
    for (X& xi : x) get(xi);
  }
#if LIVENS_QUAD
  void get(Quad& x) {
    get(x.backend().value());
  }
#endif
  void get(std::string& x) {
    std::size_t size = 0;
    raw(&size, sizeof size);
    if (size > bytes_.size()) throw ArchiveError();
    x.resize(size);
    raw(x.data(), size);
  }
  template <class X, std::size_t N>
  void get(std::array<X, N>& x) {
    for (X& xi : x) get(xi);
  }
  template <class X, class Y>
  void get(std::pair<X, Y>& x) {
    get(x.first), get(x.second);
  }
  template <class X, int N>
  void get(Vec<X, N>& x) {
    for (X& xi : x) get(xi);
  }
  void raw(void* to, std::size_t size) {
    if (size > bytes_.size()) throw ArchiveError();
    std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  std::string_view bytes_;
};

}  // namespace livens
