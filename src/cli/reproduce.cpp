// livens reproduce
#include "livens/reproduce/reproduce.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "livens/formula/nearest.hpp"
#include "livens/model/model.hpp"
#include "livens/store/atomic_file.hpp"
#include "livens/store/json.hpp"

namespace livens::cli {

namespace {

struct Printed {
  int digits;
  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(double x) const { return fmt::format("{:.{}e}", x, digits - 1); }
  std::string operator()(const std::string& words) const { return words; }
};

Json json_of(const ReproducedFigure& figure) {
  if (const auto* number = std::get_if<double>(&figure)) return *number;
  if (const auto* words = std::get_if<std::string>(&figure)) return *words;
  return nullptr;
}

Json json_of(const Reproduction& r) {
  Json rows = Json::array();
  for (const ReproductionRow& row : r.rows) {
    Json out = {{"name", row.name},
                {"printed", json_of(row.printed)},
                {"expected", json_of(row.expected)},
                {"measured", json_of(row.measured)},
                {"ok", row.ok}};
    if (!row.note.empty()) out["note"] = row.note;
    rows.push_back(std::move(out));
  }
  return {{"id", r.id}, {"title", r.title}, {"definition", r.definition}, {"rows", rows}, {"ok", r.ok()}};
}

void print_table(const Reproduction& r) {
  std::size_t width = 4, number = 14;
  for (const ReproductionRow& row : r.rows) {
    width = std::max(width, row.name.size());
    number = std::max(number, static_cast<std::size_t>(row.digits) + 7);
  }
  fmt::print("{}: {}\n{}\n\n", r.id, r.title, r.definition);
  fmt::print("{:<{}}  {:>14}  {:>{}}  {:>{}}\n", "", width, "printed", "expected", number, "measured", number);
  for (const ReproductionRow& row : r.rows) {
    const std::string remark = row.ok ? row.note : row.note.empty() ? "NOT OK" : "NOT OK: " + row.note;
    const Printed printed{row.digits};
    fmt::print("{:<{}}  {:>14}  {:>{}}  {:>{}}{}{}\n", row.name, width, std::visit(printed, row.printed),
               std::visit(printed, row.expected), number, std::visit(printed, row.measured), number,
               remark.empty() ? "" : "  ", remark);
  }
  fmt::print("\n");
}

void write(const std::filesystem::path& directory, const Reproduction& r) {
  const std::filesystem::path stem = directory / r.id;
  write_file_atomically(stem.string() + ".json", to_text(json_of(r)) + "\n");
  if (!r.pictures.empty()) write_file_atomically(stem.string() + ".html", page(r));
}

std::vector<const ReproductionEntry*> chosen(const std::string& id) {
  std::vector<const ReproductionEntry*> entries;
  std::vector<std::string> ids = {"all"};
  for (const ReproductionEntry& entry : reproductions()) {
    if (id == "all" || id == entry.id) entries.push_back(&entry);
    ids.push_back(entry.id);
  }
  if (entries.empty())
    throw InputError(fmt::format("reproduce {}: there is no such table or figure{}; livens reproduce lists them", id,
                                 formula::suggestion(id, ids)));
  return entries;
}

int list_reproductions(bool json) {
  Json rows = Json::array();
  for (const ReproductionEntry& entry : reproductions()) {
    rows.push_back({{"id", entry.id}, {"title", entry.title}});
    if (!json) fmt::print("{:<24} {}\n", entry.id, entry.title);
  }
  if (json) fmt::print("{}\n", to_text(rows));
  return 0;
}

}  // namespace

int reproduce(const ReproduceArguments& arguments) {
  if (!arguments.id) return list_reproductions(arguments.json);
  const std::vector<const ReproductionEntry*> entries = chosen(*arguments.id);
  if (arguments.out)  // before the work: it takes minutes
    for (const ReproductionEntry* entry : entries)
      std::filesystem::create_directories((std::filesystem::path(*arguments.out) / entry->id).parent_path());
  Json all = Json::array();
  bool ok = true;
  for (const ReproductionEntry* entry : entries) {
    if (isatty(STDERR_FILENO)) say("{} ...\n", entry->id);
    const Reproduction r = livens::reproduce(*entry, arguments.full ? Extent::full : Extent::whole);
    ok = ok && r.ok();
    if (arguments.out) write(*arguments.out, r);
    if (arguments.json)
      all.push_back(json_of(r));
    else
      print_table(r);
    std::fflush(stdout);
  }
  if (arguments.json) fmt::print("{}\n", to_text(*arguments.id == "all" ? all : all.elements().front()));
  return ok ? 0 : 1;
}

}  // namespace livens::cli
