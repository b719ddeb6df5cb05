// A run that goes on, as a page: rows come in from the thread that runs, pages are made in another.
//
// Memory stays bounded: when so many rows have come that there is no room for more, every second one is dropped, and
// from then on only every second one is kept. The page of the finished run has all again.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/store/row_table.hpp"

namespace livens {

class LiveRun {
 public:
  explicit LiveRun(const Model& model) : model_(model) {}

  // ---- from the thread that runs
  void begin(const Columns& columns);
  void write(std::span<const double> row);

  // ---- from any thread
  std::int64_t rows() const;
  // The page, which asks for its data at ./data; there must be a row.
  std::string page() const;
  // What there is now, as JSON, and a word that tells one state from the next.
  std::string data() const;
  std::string state() const;

 private:
  struct Kept;
  Kept snapshot() const;
  std::string words(double t) const;

  const Model& model_;
  mutable std::mutex mutex_;
  Columns columns_;
  std::size_t width_ = 0, most_ = 0;
  std::int64_t came_ = 0, stride_ = 1;
  std::vector<double> numbers_, last_;  // rows, one after another; the last one, which may not be among them
};

}  // namespace livens
