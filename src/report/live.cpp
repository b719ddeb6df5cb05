#include "livens/report/live.hpp"

#include <fmt/format.h>

#include "livens/store/error.hpp"
#include "report/assets.hpp"
#include "report/encode.hpp"
#include "report/page_data.hpp"
#include "report/sheet.hpp"

namespace livens {

// Rows in memory, as they were at one moment.
struct LiveRun::Kept : RowTable {
  Columns columns_of;
  std::size_t width = 0;
  std::vector<double> numbers_of;

  const Columns& columns() const override { return columns_of; }
  std::int64_t rows() const override { return static_cast<std::int64_t>(numbers_of.size() / width); }
  void read(const std::string& column, std::int64_t first, std::int64_t count,
            std::vector<double>& out) const override {
    std::size_t begin = 0;
    for (const Column& c : columns_of) {
      if (c.name == column) break;
      begin += static_cast<std::size_t>(c.numbers());
    }
    const auto size = static_cast<std::size_t>(numbers(column));
    out.clear();
    for (std::int64_t row = first; row < first + count; ++row) {
      const auto at = numbers_of.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * width + begin);
      out.insert(out.end(), at, at + static_cast<std::ptrdiff_t>(size));
    }
  }
  [[noreturn]] void refuse(const std::string& column) const override {
    throw StoreError("the run", "has no column " + column);
  }
};

void LiveRun::begin(const Columns& columns) {
  constexpr std::size_t most_numbers = 8'000'000;
  const std::lock_guard lock(mutex_);
  columns_ = columns;
  for (Column& column : columns_) column.role = role_of(column.name);
  width_ = static_cast<std::size_t>(row_width(columns));
  most_ = std::clamp<std::size_t>(most_numbers / width_, 200, 4000);
}

void LiveRun::write(std::span<const double> row) {
  const std::lock_guard lock(mutex_);
  last_.assign(row.begin(), row.end());
  if (came_++ % stride_ != 0) return;
  if (numbers_.size() == most_ * width_) {
    for (std::size_t k = 0; 2 * k < most_; ++k)
      std::copy_n(numbers_.begin() + static_cast<std::ptrdiff_t>(2 * k * width_), width_,
                  numbers_.begin() + static_cast<std::ptrdiff_t>(k * width_));
    numbers_.resize((most_ + 1) / 2 * width_);
    stride_ *= 2;
    if ((came_ - 1) % stride_ != 0) return;
  }
  numbers_.insert(numbers_.end(), row.begin(), row.end());
}

std::int64_t LiveRun::rows() const {
  const std::lock_guard lock(mutex_);
  return came_;
}

std::string LiveRun::state() const {
  return fmt::format("{}", rows());
}

LiveRun::Kept LiveRun::snapshot() const {
  const std::lock_guard lock(mutex_);
  Kept kept;
  kept.columns_of = columns_, kept.width = width_, kept.numbers_of = numbers_;
  if ((came_ - 1) % stride_ != 0) kept.numbers_of.insert(kept.numbers_of.end(), last_.begin(), last_.end());
  return kept;
}

std::string LiveRun::words(double t) const {
  const double first = to_double(model_.initial.t), last = to_double(model_.run.end);
  return fmt::format("Running with {}: t = {:.6g} of {:.6g}, {:.0f} %.", model_.method.name, t, last,
                     100 * (t - first) / (last - first));
}

std::string LiveRun::data() const {
  const Kept kept = snapshot();
  Json data = report::page_data(model_, kept, nullptr);
  std::vector<double> t;
  kept.read(kept.column(Role::time).name, kept.rows() - 1, 1, t);
  data["live"] = true;
  data["ended"] = false;
  data["state"] = state();
  data["words"] = words(t.front());
  return report::script_json(data);
}

std::string LiveRun::page() const {
  const std::string title = model_.title.empty() ? model_.name : model_.title;
  return html_page(
      title,
      fmt::format(
          "<div id=\"told\">\n<header>\n<h1>{}</h1>\n<p class=\"verdict\" id=\"verdict\">Running.</p>\n</header>\n"
          "</div>\n<section id=\"stage\" class=\"stage\" aria-label=\"The motion\" hidden=\"\"></section>\n"
          "<div id=\"plots\" hidden=\"\"></div>\n<div id=\"still\"><p>This page needs its script to follow a run; "
          "livens report writes one that does not.</p></div>\n"
          "<h2>The model</h2>\n<div class=\"card\"><pre>{}</pre></div>\n"
          "<script type=\"application/json\" id=\"data\">{}</script>\n",
          svg::escaped(title), svg::escaped(std::string(model_.written_text())), data()),
      report::page_script(), Connects::to_its_server);
}

}  // namespace livens
