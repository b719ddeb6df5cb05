// Who knows whom: every #include of a file of ours in include/livens and src is an arrow from room to room, and the
// table "Rooms" of docs/architecture.md has exactly these arrows.
//
// A room is a folder: include/livens/solve and src/solve are two halves of the room "solve". "livens/solve/newton.hpp"
// and "solve/newton.hpp" point to it, in <> as well; a name without a folder is a neighbour, or made by the build, and
// no arrow.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Arrow {
  std::string from, to;
  auto operator<=>(const Arrow&) const = default;
};

// What the sources do: each arrow with the first file that needs it, and the rooms with files in them.
struct Includes {
  std::map<Arrow, std::string> arrows;
  std::set<std::string> rooms;

  void read(const std::string& file, std::istream& text);
  void settle();  // once all files are read

 private:
  std::map<Arrow, std::string> in_brackets_;  // to a room, or to a folder of a library
};

// What the table says.
struct Table {
  std::map<std::string, std::set<std::string>> may_know;
  Words faults;  // of the table itself
};

Words split(std::string_view text, char separator) {
  Words parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  for (std::string& part : parts) {
    const auto kept = [](char c) { return c != ' ' && c != '`'; };
    part.erase(part.begin(), std::ranges::find_if(part, kept));
    part.erase(std::find_if(part.rbegin(), part.rend(), kept).base(), part.end());
  }
  return parts;
}

// "include/livens/solve/newton.hpp", "src/cli/run.cpp", "livens/solve/newton.hpp", "solve/newton.hpp" to their room.
std::string room_of(std::string_view path) {
  for (const std::string_view root : {"include/", "src/", "livens/"})
    if (path.starts_with(root)) path.remove_prefix(root.size());
  return std::string(path.substr(0, path.find('/') == path.npos ? 0 : path.find('/')));
}

// What a line includes, with the mark before it: "\"solve/newton.hpp", "<vector"; empty if nothing.
std::string_view included(std::string_view line) {
  const auto skip = [&](std::string_view word) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool there = line.starts_with(word);
    if (there) line.remove_prefix(word.size());
    return there;
  };
  if (!skip("#") || !skip("include") || !skip("")) return "";
  if (!line.starts_with('"') && !line.starts_with('<')) return "";
  return line.substr(0, line.find(line.front() == '"' ? '"' : '>', 1));
}

void Includes::read(const std::string& file, std::istream& text) {
  const std::string from = room_of(file);
  rooms.insert(from);
  for (std::string line; std::getline(text, line);) {
    const std::string_view name = included(line);
    if (name.empty()) continue;
    const bool ours = name.front() == '"' || name.starts_with("<livens/");
    const std::string to = room_of(name.substr(1));
    if (to != "" && to != from) (ours ? arrows : in_brackets_).emplace(Arrow{from, to}, file);
  }
}

void Includes::settle() {
  for (const auto& [arrow, file] : in_brackets_)
    if (rooms.contains(arrow.to)) arrows.emplace(arrow, file);
  in_brackets_.clear();
}

bool is_source(const fs::path& file) {
  const Words endings = {".hpp", ".cpp", ".h", ".inl"};
  return std::ranges::find(endings, file.extension().string()) != endings.end();
}

Includes read_sources(const fs::path& root) {
  std::vector<fs::path> files;
  for (const char* folder : {"include/livens", "src"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (is_source(entry.path())) files.push_back(entry.path());
  std::ranges::sort(files);  // the same words on every machine
  Includes includes;
  for (const fs::path& file : files) {
    std::ifstream text(file);
    includes.read(file.lexically_relative(root).generic_string(), text);
  }
  includes.settle();
  return includes;
}

Table read_table(std::istream& page) {
  Table table;
  std::string line;
  while (std::getline(page, line) && line != "## Rooms") {
  }
  while (std::getline(page, line) && !line.starts_with("|")) {
  }
  if (split(line, '|') != Words{"", "room", "holds", "may know", ""})
    table.faults.push_back("the table has other columns than room | holds | may know: " + line);
  std::getline(page, line);  // the rule below the head
  while (std::getline(page, line) && line.starts_with("|")) {
    const Words cells = split(line, '|');
    if (cells.size() != 5) {
      table.faults.push_back("not three cells: " + line);
      continue;
    }
    const std::string room = cells[1].substr(cells[1].rfind('/') + 1);
    const auto [row, fresh] = table.may_know.try_emplace(room);
    if (!fresh) table.faults.push_back("two rows for the room " + room);
    for (const std::string& word : split(cells[3], ','))
      if (word != "") row->second.insert(word);
  }
  for (const auto& [room, known] : table.may_know)
    for (const std::string& other : known)
      if (!table.may_know.contains(other))
        table.faults.push_back(room + " may know \"" + other + "\", which is no room; name rooms, with commas between");
  return table;
}

Words rooms_without_row(const Includes& includes, const Table& table) {
  Words faults;
  for (const std::string& room : includes.rooms)
    if (!table.may_know.contains(room)) faults.push_back(room == "" ? "a file that lies in no room" : room);
  return faults;
}

Words rows_without_room(const Includes& includes, const Table& table) {
  Words faults;
  for (const auto& [room, known] : table.may_know)
    if (!includes.rooms.contains(room)) faults.push_back(room);
  return faults;
}

Words arrows_without_entry(const Includes& includes, const Table& table) {
  Words faults;
  for (const auto& [arrow, file] : includes.arrows) {
    const auto row = table.may_know.find(arrow.from);
    if (row == table.may_know.end() || !row->second.contains(arrow.to))
      faults.push_back(arrow.from + " -> " + arrow.to + " (" + file + ")");
  }
  return faults;
}

Words entries_without_arrow(const Includes& includes, const Table& table) {
  Words faults;
  for (const auto& [room, known] : table.may_know)
    for (const std::string& other : known)
      if (!includes.arrows.contains({room, other})) faults.push_back(room + " may know " + other + ", no file does");
  return faults;
}

// One cycle for every arrow that closes one, said from its first room: "registry -> study -> registry (files)".
Words cycles(const Includes& includes) {
  Words faults;
  std::map<std::string, int> finished;
  std::vector<std::string> way;
  const std::function<void(const std::string&)> visit = [&](const std::string& room) {
    if (const auto begin = std::ranges::find(way, room); begin != way.end()) {
      std::string rooms, files;
      for (auto at = begin; at != way.end(); ++at) {
        rooms += *at + " -> ";
        files += (files.empty() ? "" : ", ") + includes.arrows.at({*at, at + 1 == way.end() ? room : *(at + 1)});
      }
      faults.push_back(rooms + room + " (" + files + ")");
      return;
    }
    if (finished[room]++ > 0) return;
    way.push_back(room);
    for (const auto& [arrow, file] : includes.arrows)
      if (arrow.from == room) visit(arrow.to);
    way.pop_back();
  };
  for (const std::string& room : includes.rooms) visit(room);
  return faults;
}

const Includes& sources() {
  static const Includes includes = read_sources(LIVENS_SOURCE);
  return includes;
}

const Table& table_of_the_page() {
  static const Table table = [] {
    std::ifstream page(fs::path(LIVENS_SOURCE) / "docs/architecture.md");
    return read_table(page);
  }();
  return table;
}

void check_none(const Words& faults) {
  for (const std::string& fault : faults) FAIL_CHECK(fault);
}

// A house in which everything is wrong once.
Includes crooked_house() {
  Includes house;
  const auto file = [&](const std::string& name, const std::string& text) {
    std::istringstream in(text);
    house.read(name, in);
  };
  file("include/livens/math/vec.hpp", "#include <vector>\n#include \"scalar.hpp\"\n");
  file("include/livens/solve/newton.hpp", "#include \"livens/math/vec.hpp\"\n");
  file("src/solve/newton.cpp", "#  include \"livens/solve/newton.hpp\"\n#include \"made_by_the_build.hpp\"\n");
  file("include/livens/run/march.hpp", "#include <livens/solve/newton.hpp>\n#include \"livens/store/rows.hpp\"\n");
  file("src/store/rows.cpp", "#include \"run/march.hpp\"\n");
  file("src/attic/old.cpp", "");
  house.settle();
  return house;
}

Table its_table() {
  std::istringstream page(
      "# Page\n| other | table |\n|---|---|\n## Rooms\n\n| room | holds | may know |\n|---|---|---|\n"
      "| `include/livens/math` | numbers | |\n| `include/livens/solve` | solvers | `math` |\n"
      "| `include/livens/run` | time, rows | math, solve, all above |\n| `src/store` | files | run |\n"
      "| `cellar` | nothing | |\n\n| `attic` | of another table | |\n");
  return read_table(page);
}

}  // namespace

TEST_CASE("the table of rooms names rooms only") {
  REQUIRE(table_of_the_page().may_know.size() > 1);
  check_none(table_of_the_page().faults);
}

TEST_CASE("every room has its row in the table, and every row its room") {
  check_none(rooms_without_row(sources(), table_of_the_page()));
  check_none(rows_without_room(sources(), table_of_the_page()));
}

TEST_CASE("no file includes what its room may not know") {
  REQUIRE(sources().arrows.size() > 1);
  check_none(arrows_without_entry(sources(), table_of_the_page()));
}

TEST_CASE("rooms know each other one way only") {
  check_none(cycles(sources()));
}

TEST_CASE("what a room may know, a file of it does know") {
  check_none(entries_without_arrow(sources(), table_of_the_page()));
}

TEST_CASE("the faults of a crooked house are found, each by its name") {
  const Includes house = crooked_house();
  const Table table = its_table();
  const std::string march = "include/livens/run/march.hpp", rows = "src/store/rows.cpp";
  CHECK(table.faults == Words{"run may know \"all above\", which is no room; name rooms, with commas between"});
  CHECK(rooms_without_row(house, table) == Words{"attic"});
  CHECK(rows_without_room(house, table) == Words{"cellar"});
  CHECK(arrows_without_entry(house, table) == Words{"run -> store (" + march + ")"});
  CHECK(entries_without_arrow(house, table) ==
        Words{"run may know all above, no file does", "run may know math, no file does"});
  CHECK(cycles(house) == Words{"run -> store -> run (" + march + ", " + rows + ")"});
}

TEST_CASE("an include is seen however it is written") {
  for (const char* line : {"#include \"store/rows.hpp\"", "#include <store/rows.hpp>", "#include\t\"store/rows.hpp\"",
                           "\t#include \"store/rows.hpp\"", " # include<livens/store/rows.hpp>  // rows"}) {
    CAPTURE(line);
    Includes house;
    std::istringstream text(line), none;
    house.read("src/run/march.cpp", text);
    house.read("src/store/rows.cpp", none);
    house.settle();
    CHECK(house.arrows.contains({"run", "store"}));
  }
  CHECK(included("#include <vector>") == "<vector");
  for (const char* line : {"// #include \"store/rows.hpp\"", "#define include \"store/rows.hpp\"", "#include ROWS", ""})
    CHECK(included(line) == "");
}

TEST_CASE("libraries are no rooms, and all sources are read") {
  Includes house;
  std::istringstream text("#include <fmt/format.h>\n#include <sys/wait.h>\n");
  house.read("src/run/march.cpp", text);
  house.settle();
  CHECK(house.arrows.empty());
  for (const char* file : {"a.hpp", "a.cpp", "a.h", "a.inl"}) CHECK(is_source(file));
  CHECK_FALSE(is_source("a.md"));
}

// The fuzzers compile these rooms without the precompiled header, which has it.
TEST_CASE("sources that are fuzzed include the library that they print with") {
  Words faults;
  for (const char* room : {"formula", "model", "multibody", "sparse"})
    for (const auto& entry : fs::directory_iterator(fs::path(LIVENS_SOURCE) / "src" / room)) {
      if (entry.path().extension() != ".cpp") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const bool uses = text.str().find("fmt::format(") != std::string::npos,
                 includes = text.str().find("#include <fmt/format.h>") != std::string::npos;
      if (uses && !includes) faults.push_back(entry.path().filename().string());
    }
  CHECK(faults == Words{});
}
