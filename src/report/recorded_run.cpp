#include "report/recorded_run.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "livens/store/sha256.hpp"
#include "livens/store/shell_word.hpp"
#include "livens/store/summary_check.hpp"

namespace livens::report {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw InputError(path.string() + ": " + why);
}

// Those of a finished run are in trajectory.h5 alone.
bool keeps_rows(const fs::path& directory) {
  std::error_code error;
  const auto size = fs::file_size(directory / "checkpoint.rows", error);
  return !error && size > 0;
}

bool holds_checkpoint(const fs::path& directory) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename().string().starts_with("checkpoint.")) return true;
  return false;
}

}  // namespace

// A run with a checkpoint can still be taken to its end, which writes its results anew.
std::string remedy(const fs::path& directory, bool damaged, bool rows_are_lost) {
  if (!holds_checkpoint(directory) || (rows_are_lost && !keeps_rows(directory)))
    return "run the model again with --force";
  return (damaged ? "remove it, and livens resume " : "livens resume ") + shell_word(directory.string()) +
         " writes it again";
}

namespace {

void refuse_unless_a_run(const fs::path& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found)
    refuse(directory, "there is no such directory; livens run MODEL --out DIR makes one");
  if (status.type() == fs::file_type::none) refuse(directory, "cannot be read: " + error.message());
  if (status.type() != fs::file_type::directory) refuse(directory, "is not a directory; give the directory of a run");
  const bool summary = fs::exists(directory / "summary.json", error);
  const bool trajectory = fs::exists(directory / "trajectory.h5", error);
  if (!summary && holds_checkpoint(directory))
    refuse(directory,
           "the run in it is not finished; livens resume " + shell_word(directory.string()) + " takes it to its end");
  if (!summary && !trajectory) refuse(directory, "there is no run in it; give a directory that livens run has made");
  for (const char* file : {"summary.json", "trajectory.h5"})
    if (!fs::exists(directory / file, error))
      refuse(directory / file, "is missing; " + remedy(directory, false, !trajectory));
}

Json read_summary(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file && !file.eof()) refuse(path, "cannot be read");
  Json summary = Json::parse(text);
  verify_summary(summary);
  return summary;
}

Overrides recorded_overrides(const Json& summary, const char* where) {
  Overrides set;
  if (summary.contains(where))
    for (const auto& [key, value] : summary.at(where).items()) set.emplace_back(key, value.get<std::string>());
  return set;
}

}  // namespace

RecordedRun::RecordedRun(const fs::path& run_directory)
    : directory((refuse_unless_a_run(run_directory), run_directory)),
      summary(read_summary(directory / "summary.json")),
      file(std::make_shared<const TrajectoryReader>(directory / "trajectory.h5")),
      rows(*file),
      model(read_model((directory / "trajectory.h5").string() + ": /model", file->model_text(),
                       recorded_overrides(summary, "set"), {recorded_overrides(summary, "found"), {}})) {
  std::vector<double> last;
  rows.read(rows.column(Role::time).name, rows.rows() - 1, 1, last);
  if (sha256(model.text) != summary.at("model_sha256") || last.front() != summary.at("final").at("t"))
    refuse(directory, "summary.json and trajectory.h5 are not of the same run; " + remedy(directory));
  file->verify();
}

RecordedRun::RecordedRun(const Model& of_run, const RowTable& of_rows, const Json& of_summary)
    : summary(of_summary), rows(of_rows), model(of_run) {}

void visit_rows(const RowTable& rows, const std::string& column, int component,
                const std::function<void(double, double)>& visit) {
  constexpr std::int64_t block = 1 << 15;
  const std::string& time = rows.column(Role::time).name;
  const auto width = static_cast<std::size_t>(rows.numbers(column));
  std::vector<double> t, numbers;
  for (std::int64_t first = 0; first < rows.rows(); first += block) {
    const std::int64_t count = std::min(block, rows.rows() - first);
    rows.read(time, first, count, t);
    rows.read(column, first, count, numbers);
    for (std::size_t k = 0; k < t.size(); ++k) visit(t[k], numbers[k * width + static_cast<std::size_t>(component)]);
  }
}

}  // namespace livens::report
