#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "livens/model/same_system.hpp"
#include "livens/run/recorded_roles.hpp"
#include "livens/store/json.hpp"
#include "livens/store/summary_check.hpp"
#include "livens/store/trajectory.hpp"
#include "study/references.hpp"

namespace livens {

namespace {

struct Recorded {
  std::string path;
  TrajectoryReader rows;
  std::vector<double> t;
  bool multipliers;
};

class FileReference : public Reference {
 public:
  explicit FileReference(std::shared_ptr<const Recorded> recorded) : recorded_(std::move(recorded)) {}

  const SolutionNode* at(const Widest& wanted) override {
    const std::vector<double>& t = recorded_->t;
    const double near = 1e-9 * std::abs(t.back() - t.front());
    while (row_ < t.size() && !(std::abs(t[row_] - to_double(wanted)) <= near)) ++row_;
    if (row_ == t.size())
      throw InputError(
          fmt::format("--reference {}: has no row at t = {}; the reference must have recorded every node of every step "
                      "size: run.every = 1 and a step that divides them",
                      recorded_->path, to_double(wanted)));
    node_.q = row(Role::position);
    node_.p = row(Role::momentum);
    if (recorded_->multipliers) node_.lambda = row(Role::multiplier);
    return &node_;
  }

 private:
  std::vector<Widest> row(Role role) {
    recorded_->rows.read(recorded_->rows.column(role).name, static_cast<std::int64_t>(row_), 1, numbers_);
    return widened(numbers_);
  }

  std::shared_ptr<const Recorded> recorded_;
  std::size_t row_ = 0;
  std::vector<double> numbers_;
  SolutionNode node_;
};

// The overrides of the run stand in the summary beside its trajectory; without them its model is not known.
std::optional<Overrides> recorded_overrides(const std::string& trajectory) {
  const std::filesystem::path path = std::filesystem::path(trajectory).replace_filename("summary.json");
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Json summary;
  try {
    summary = Json::parse(text);
  } catch (const JsonError&) {
    return std::nullopt;
  }
  try {
    verify_summary(summary);
  } catch (const JsonError& error) {
    throw InputError(fmt::format("--reference {}: {} is damaged ({}); livens resume of its directory writes it again",
                                 trajectory, path.string(), error.what()));
  }
  try {
    Overrides set;
    for (const auto& [key, value] : summary.at("set").items()) set.emplace_back(key, value.get<std::string>());
    return set;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

void check_model(const Model& model, const Recorded& recorded) {
  const auto set = recorded_overrides(recorded.path);
  const auto difference = set ? first_difference(model, recorded.rows.model_text(), *set) : std::nullopt;
  if (!difference) return;
  const auto shown = [](const std::string& value) {
    const std::size_t longest = 60;
    return value.empty() ? "missing" : value.size() <= longest ? value : value.substr(0, longest) + "...";
  };
  throw InputError(
      fmt::format("--reference {}: is a run of another model: {} is {} there, {} here; make a reference of "
                  "the same system from the same start",
                  recorded.path, difference->key, shown(difference->there), shown(difference->here)));
}

void check_width(const Recorded& recorded, Role role, int wanted) {
  const int found = recorded.rows.has(role) ? recorded.rows.column(role).numbers() : 0;
  if (found != wanted)
    throw InputError(
        fmt::format("--reference {}: is of another system, or its [record] chose some of the numbers: {} "
                    "has {}, the model has {}",
                    recorded.path, recorded_name(role), found, wanted));
}

}  // namespace

ReferenceChoice file_reference(const Model& model, const std::string& given) try {
  std::string path = given;
  if (!std::filesystem::exists(given))
    throw InputError(
        fmt::format("--reference {}: there is no such file; write exact, fine or the path of a trajectory.h5", given));
  if (std::filesystem::is_directory(given)) {
    path = (std::filesystem::path(given) / "trajectory.h5").string();
    if (!std::filesystem::exists(path))
      throw InputError(
          fmt::format("--reference {}: is a directory without a trajectory.h5; write exact, fine or the "
                      "directory of a finished run",
                      given));
  }
  const int n = model.system->coordinates(), m = model.system->constraints();
  auto recorded =
      std::make_shared<Recorded>(Recorded{.path = path, .rows = TrajectoryReader(path), .t = {}, .multipliers = m > 0});
  recorded->rows.verify();
  check_width(*recorded, Role::position, n);
  check_width(*recorded, Role::momentum, model.system->momenta());
  check_width(*recorded, Role::multiplier, m);
  check_model(model, *recorded);
  recorded->rows.read(recorded->rows.column(Role::time).name, 0, recorded->rows.rows(), recorded->t);
  if (recorded->t.empty()) throw InputError(fmt::format("--reference {}: has no rows", path));
  return {.description = "the recorded run " + path, .round_off = epsilon<double>(), .make = [recorded] {
            return std::make_unique<FileReference>(recorded);
          }};
} catch (const StoreError& e) {
  throw InputError(fmt::format("--reference {}; write exact, fine or the path of a trajectory.h5", e.what()));
}

}  // namespace livens
