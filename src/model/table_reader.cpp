#include "model/table_reader.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>

#include "livens/formula/functions.hpp"

namespace livens {

namespace {

using formula::Number;
using formula::Table;

constexpr std::size_t largest_table = 50'000'000;  // characters
constexpr std::string_view separators = ",; \t\r";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // with which some programs begin their files

// A file of rows; every refusal names it and the line.
class Rows {
 public:
  Rows(const Value& where, std::string file) : where_(where), file_(std::move(file)) {}

  void read(std::string_view text) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    int line = 0;
    bool first = true;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view written = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++line;
      const std::vector<std::string_view> fields = split(written);
      if (fields.empty() || fields.front().starts_with('#')) continue;
      if (written.find(';') != written.npos && written.find(',') != written.npos)
        refuse(line, "has semicolons and commas; write numbers with a decimal point, and one kind of separator");
      if (first && !std::any_of(fields.begin(), fields.end(), is_number))
        for (const std::string_view field : fields) std::erase_if(names_.emplace_back(field), is_quote);
      else
        add(fields, line);
      first = false;
    }
    if (lines_.empty()) where_.refuse(fmt::format("{} has no rows of numbers; write x,value on every line", file_));
  }

  // The grid, checked row by row.
  std::shared_ptr<const Table> table(const std::string& name) const {
    const std::size_t variables = width_ - 1;
    std::vector<Table::Variable> axes(variables);
    for (std::size_t k = 0; k < variables; ++k) axes[k].name = k < names_.size() ? names_[k] : "";
    // The points of a variable: those of the rows in which the variables before have their first point, and those
    // after, too.
    const auto starts = [&](std::size_t row, std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < to; ++k)
        if (at(row, k) != at(0, k)) return false;
      return true;
    };
    for (std::size_t row = 0; row < lines_.size(); ++row) {
      if (row > 0) check_order(row);
      for (std::size_t k = 0; k < variables; ++k)
        if (starts(row, 0, k) && starts(row, k + 1, variables)) axes[k].points.push_back(at(row, k));
    }
    std::size_t count = 1;
    for (std::size_t k = 0; k < variables; ++k) count *= axes[k].points.size();
    for (std::size_t row = 0; row < std::min(count, lines_.size()); ++row) check_point(row, axes);
    if (count != lines_.size())
      where_.refuse(fmt::format(
          "{} has {} rows, and its grid {} points ({}); write one row for every combination of the variables", file_,
          lines_.size(), count, sizes(axes)));
    for (std::size_t k = 0; k < variables; ++k)
      if (axes[k].points.size() < Table::least_points)
        where_.refuse(fmt::format("{} has {} point{} of {}; splines of degree 5 need at least {} of every variable",
                                  file_, axes[k].points.size(), axes[k].points.size() == 1 ? "" : "s", name_of(k),
                                  Table::least_points));
    std::vector<Number> values;
    for (std::size_t row = 0; row < lines_.size(); ++row) values.push_back(at(row, variables));
    return std::make_shared<const Table>(name, std::move(axes), std::move(values));
  }

  // Numbers as they were written.
  std::string text() const {
    std::string out;
    for (std::size_t k = 0; k < names_.size(); ++k) out += fmt::format("{}{}", k == 0 ? "" : ",", names_[k]);
    if (!names_.empty()) out += "\n";
    for (std::size_t i = 0; i < written_.size(); ++i)
      out += fmt::format("{}{}", written_[i], (i + 1) % width_ == 0 ? "\n" : ",");
    return out;
  }

 private:
  static std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t at = line.find_first_not_of(separators); at != line.npos;) {
      const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
      fields.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(separators, end);
    }
    return fields;
  }
  static bool is_quote(char c) { return c == '"' || c == '\''; }
  static bool is_number(std::string_view field) { return formula::number_in(field).has_value(); }

  [[noreturn]] void refuse(int line, const std::string& message) const {
    where_.refuse(fmt::format("{}:{}: {}", file_, line, message));
  }

  void add(const std::vector<std::string_view>& fields, int line) {
    if (width_ == 0) {
      width_ = fields.size();
      if (width_ < 2 || width_ > Table::most_variables + 1)
        refuse(line, fmt::format("{} number{} in a row; write one to three variables and the value", width_,
                                 width_ == 1 ? "" : "s"));
    }
    if (fields.size() != width_)
      refuse(line, fmt::format("{} number{} in a row, {} in those before; every row has the variables and the value",
                               fields.size(), fields.size() == 1 ? "" : "s", width_));
    for (const std::string_view field : fields) {
      const auto number = formula::number_in(field);
      if (!number || !is_finite(to_double(*number)))
        refuse(line, fmt::format("\"{}\" is not a number; write 1.5 or 1e-3, with a decimal point", field));
      numbers_.push_back(*number);
      written_.emplace_back(field);
    }
    lines_.push_back(line);
  }

  const Number& at(std::size_t row, std::size_t k) const { return numbers_[row * width_ + k]; }
  std::string name_of(std::size_t k) const {
    return k < names_.size() ? names_[k] : width_ == 2 ? "its variable" : fmt::format("variable {}", k + 1);
  }
  static std::string sizes(const std::vector<Table::Variable>& axes) {
    std::string words;
    for (const auto& axis : axes) words += fmt::format("{}{}", words.empty() ? "" : " x ", axis.points.size());
    return words;
  }

  void check_order(std::size_t row) const {
    for (std::size_t k = 0; k + 1 < width_; ++k) {
      if (at(row, k) > at(row - 1, k)) return;
      if (at(row, k) < at(row - 1, k))
        refuse(lines_[row],
               fmt::format("{} = {} follows {}; sort the rows by the first variable{}", name_of(k),
                           to_double(at(row, k)), to_double(at(row - 1, k)), width_ > 2 ? ", then by the next" : ""));
    }
    refuse(lines_[row], "the point is there twice; leave one row out");
  }

  void check_point(std::size_t row, const std::vector<Table::Variable>& axes) const {
    std::size_t rest = row;
    for (std::size_t k = axes.size(); k-- > 0;) {
      const Number& expected = axes[k].points[rest % axes[k].points.size()];
      rest /= axes[k].points.size();
      if (at(row, k) != expected)
        refuse(
            lines_[row],
            fmt::format("{} = {}, where the grid of the first rows has {}; every combination of the variables' points "
                        "has one row",
                        name_of(k), to_double(at(row, k)), to_double(expected)));
    }
  }

  const Value& where_;
  std::string file_;
  std::size_t width_ = 0;
  std::vector<std::string> names_;
  std::vector<Number> numbers_;
  std::vector<std::string_view> written_;
  std::vector<int> lines_;
};

std::string contents_of(const std::filesystem::path& path, const Value& where) {
  std::error_code ignored;
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, ignored))
    where.refuse(fmt::format("{} cannot be read: {}; paths are relative to the model file", path.string(),
                             file ? "it is a directory" : std::strerror(errno)));
  std::string text;
  std::string piece(1 << 16, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    text.append(piece, 0, static_cast<std::size_t>(file.gcount()));
    if (text.size() > largest_table)
      where.refuse(fmt::format("{} is larger than {} MB; leave out points", path.string(), largest_table / 1'000'000));
  }
  return text;
}

// Models of the same table share its splines: a sweep reads a model many times.
std::shared_ptr<const Table> shared_table(const std::string& name, const std::string& text, const Rows& rows) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, std::weak_ptr<const Table>> known;
  const std::scoped_lock lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  auto& place = known[{name, text}];
  std::shared_ptr<const Table> table = place.lock();
  if (!table) place = table = rows.table(name);
  return table;
}

}  // namespace

std::string read_tables(const Section& top, const Model& model, Vocabulary& words) {
  const auto given = top.find("table");
  if (!given) return "";
  std::map<std::string, std::string> embedded;
  if (const auto data = top.find("table_data"))
    for (const Value& item : data->items())
      embedded[item.section().get("file").text()] = item.section().get("rows").text();

  std::string added;
  for (const auto& [name, value] : given->section().entries()) {
    const Section section = value.section();
    for (const auto& [key, other] : section.entries())
      if (key != "file") other.refuse("unknown key; a table has the key file");
    for (const formula::FunctionWords& function : formula::functions_in_words())
      if (function.name == name)
        value.refuse(fmt::format("\"{}\" is a function of formulas; choose another name", name));
    const Value file = section.get("file");
    const std::string path = file.text();
    const auto found = embedded.find(path);
    const bool stored = found != embedded.end();
    const std::filesystem::path place = std::filesystem::path(model.source).parent_path() / path;
    const std::string text = stored ? found->second : contents_of(place, file);
    Rows rows(file, stored ? path : place.string());
    rows.read(text);
    const std::string as_read = rows.text();
    words.add_table(name, value, shared_table(name, as_read, rows));
    if (stored) continue;
    added += fmt::format("{}file = {}\nrows = '''\n{}'''\n", added.empty() ? tables_begin : "[[table_data]]\n",
                         in_toml_quotes(path), as_read);
    embedded[path] = as_read;
  }
  return added;
}

}  // namespace livens
