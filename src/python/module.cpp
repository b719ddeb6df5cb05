// livens._core: models, runs, sweeps and studies of the library for python/livens, which gives them their Python shape.
//
// Texts go out as JSON where the program prints JSON, so that both say the same. Columns go out as arrays that are
// views of the numbers of the run, and keep them alive.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <fstream>
#include <iterator>

#include "livens/model/check_model.hpp"
#include "livens/model/problems.hpp"
#include "livens/report/report.hpp"
#include "livens/session/lists.hpp"
#include "livens/session/sweep.hpp"
#include "livens/simulation/failure.hpp"
#include "livens/store/trajectory.hpp"
#include "livens/store/version.hpp"
#include "livens/study/study_json.hpp"
#include "python/beside.hpp"

namespace livens::python {

namespace {

// ---- arrays

using Shape = std::vector<py::ssize_t>;

Shape shape_of(const Column& column, std::int64_t rows) {
  return column.width == 0 ? Shape{rows} : Shape{rows, column.width};
}

// A view of numbers that `owner` keeps alive; it cannot be written to.
py::array view(const std::vector<double>& numbers, const Shape& shape, const std::shared_ptr<const void>& owner) {
  const py::capsule keep(new std::shared_ptr<const void>(owner),
                         [](void* p) { delete static_cast<std::shared_ptr<const void>*>(p); });
  const py::array out(py::dtype::of<double>(), shape, numbers.data(), keep);
  py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return out;
}

// ---- runs

struct Run {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const MemoryRows> rows;
  std::string directory;  // empty: in memory alone
  std::string outcome, message, summary;
  std::vector<std::string> warnings;
  bool interrupted = false;

  py::dict columns() const {
    py::dict out;
    for (std::size_t k = 0; k < rows->columns().size(); ++k) {
      const Column& column = rows->columns()[k];
      out[py::str(column.name)] = view(rows->of(k), shape_of(column, rows->rows()), rows);
    }
    return out;
  }
  std::string page() const { return report_page(*model, *rows, summary); }
};

Run make_run(const std::shared_ptr<const Model>& model, std::shared_ptr<const MemoryRows> rows,
             const SessionResult& session, const Course& course) {
  return {.model = model,
          .rows = std::move(rows),
          .directory = session.directory.string(),
          .outcome = std::string(outcome_name(session.run.report.outcome)),
          .message = session.message,
          .summary = session.summary,
          .warnings = course.warnings};
}

// Refused before the first step where they are too many, whether or not a directory holds them, too.
class RowsOfRun : public MemoryRows {
 public:
  explicit RowsOfRun(const Model& model) : MemoryRows(rows_expected(model)), model_(model) {}
  void begin(const Columns& columns) override {
    check_memory(model_, columns);
    MemoryRows::begin(columns);
  }

 private:
  const Model& model_;
};

Run run(const std::shared_ptr<Model>& given, const std::optional<std::string>& out, bool force,
        const py::object& progress) {
  Course course;
  auto ended = beside(course, progress, [&] {
    const std::optional<Model> found = with_found_step(*given, &course.stop);
    if (!found) throw Stopped();
    const auto model = std::make_shared<const Model>(*found);
    course.total = model->run.steps;
    const auto rows = std::make_shared<RowsOfRun>(*model);
    SessionRequest request;
    request.force = force;
    request.monitor = &course;
    request.stop = &course.stop;
    request.rows = rows.get();
    if (out) request.out = *out;
    return make_run(model, rows, out ? run_session(*model, request) : run_in_memory(*model, request), course);
  });
  ended.result.interrupted = ended.interrupted;
  return std::move(ended.result);
}

// What becomes of runs and models in another process.
py::tuple pickled(const Model& model) {
  return py::make_tuple(model.source, model.text, model.set, model.found.set, model.found.accuracy);
}
Model unpickled_model(const py::tuple& state) {
  return read_model(state[0].cast<std::string>(), state[1].cast<std::string>(), state[2].cast<Overrides>(),
                    {state[3].cast<Overrides>(), state[4].cast<std::string>()});
}

using Described = std::tuple<std::string, int, int, int>;  // a column

py::tuple pickled(const Run& run) {
  std::vector<Described> columns;
  for (const Column& c : run.rows->columns())
    columns.emplace_back(c.name, c.width, static_cast<int>(c.role), static_cast<int>(c.per));
  return py::make_tuple(pickled(*run.model), columns, run.rows->rows(), run.columns(), run.directory, run.outcome,
                        run.message, run.summary, run.warnings, run.interrupted);
}
Run unpickled_run(const py::tuple& state) {
  Columns columns;
  std::vector<py::array_t<double, py::array::c_style>> numbers;
  const auto arrays = state[3].cast<py::dict>();
  for (const auto& [name, width, role, per] : state[1].cast<std::vector<Described>>()) {
    columns.push_back({name, width, static_cast<Role>(role), static_cast<Per>(per)});
    numbers.emplace_back(arrays[py::str(name)]);
  }
  const auto count = state[2].cast<std::int64_t>();
  const auto rows = std::make_shared<MemoryRows>(count);
  rows->begin(columns);
  std::vector<double> row;
  for (std::int64_t i = 0; i < count; ++i) {
    row.clear();
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double* first = numbers[k].data() + i * columns[k].numbers();
      row.insert(row.end(), first, first + columns[k].numbers());
    }
    rows->write(row);
  }
  return {.model = std::make_shared<const Model>(unpickled_model(state[0].cast<py::tuple>())),
          .rows = rows,
          .directory = state[4].cast<std::string>(),
          .outcome = state[5].cast<std::string>(),
          .message = state[6].cast<std::string>(),
          .summary = state[7].cast<std::string>(),
          .warnings = state[8].cast<std::vector<std::string>>(),
          .interrupted = state[9].cast<bool>()};
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The run in a directory as it stands there.
Run recorded(const std::string& directory) {
  audit_run(directory);  // refuses what is no run, not of one piece or damaged
  const std::filesystem::path path(directory);
  const TrajectoryReader file(path / "trajectory.h5");
  const std::string text = contents(path / "summary.json");
  const Json summary = Json::parse(text);
  const auto overrides = [&](const char* key) {
    Overrides set;
    if (summary.contains(key))
      for (const auto& [name, value] : summary.at(key).items()) set.emplace_back(name, value.get<std::string>());
    return set;
  };
  return {
      .model = std::make_shared<const Model>(read_model((path / "trajectory.h5").string() + ": /model",
                                                        file.model_text(), overrides("set"), {overrides("found"), {}})),
      .rows = std::make_shared<const MemoryRows>(file),
      .directory = directory,
      .outcome = summary.at("outcome").get<std::string>(),
      .message = summary.at("message").get<std::string>(),
      .summary = text,
      .warnings = {}};
}

Run resume(const std::string& directory, const Overrides& set, const py::object& progress) {
  Course course;
  auto ended = beside(course, progress, [&] {
    {
      const Resumable resumable = open_resumable(directory, set);
      if (!resumable.finished) {
        course.total = resumable.model.run.steps;
        SessionRequest request;
        request.monitor = &course;
        request.stop = &course.stop;
        resume_session(resumable, request);
        if (resumable.report || std::filesystem::exists(std::filesystem::path(directory) / "report.html"))
          write_report(directory);
      }
    }
    Run out = recorded(directory);
    out.warnings = course.warnings;
    return out;
  });
  ended.result.interrupted = ended.interrupted;
  return std::move(ended.result);
}

// ---- sweeps

struct Sweep {
  std::shared_ptr<const Model> model;
  std::vector<Overrides> points;
  std::shared_ptr<const std::vector<SweptRun>> runs;
  bool interrupted = false;

  // The first run whose rows have no such column, or one of another width; none: it can be stacked.
  std::optional<std::size_t> differs(const Column& column) const {
    for (std::size_t i = 0; i < runs->size(); ++i) {
      const MemoryRows& rows = (*runs)[i].rows;
      if (rows.columns().empty()) continue;
      if (const Column* own = rows.find(column.name); !own || own->width != column.width) return i;
    }
    return std::nullopt;
  }
  // Names of what can be stacked: all runs with rows have it.
  std::vector<std::string> columns() const {
    std::vector<std::string> names;
    const auto first = std::ranges::find_if(*runs, [](const SweptRun& run) { return !run.rows.columns().empty(); });
    if (first == runs->end()) return names;
    for (const Column& column : first->rows.columns())
      if (!differs(column)) names.push_back(column.name);
    return names;
  }
  std::int64_t most_rows() const {
    std::int64_t most = 0;
    for (const SweptRun& run : *runs) most = std::max(most, run.rows.rows());
    return most;
  }
  // (runs, rows) or (runs, rows, width); not-a-number where a run has no row. Every run has the column at a place of
  // its own: methods record different ones before it. Where one has none of this width, because a swept key changes the
  // number of coordinates, runs cannot be stacked.
  py::array_t<double> stacked(const std::string& name) const {
    const auto first = std::ranges::find_if(*runs, [&](const SweptRun& run) { return run.rows.find(name) != nullptr; });
    if (first == runs->end()) throw py::key_error(name);
    const Column& column = *first->rows.find(name);
    if (const auto i = differs(column))
      throw InputError(
          fmt::format("{0}: run {1} of the sweep has {2} and cannot be stacked with the others; take "
                      "sweep[{1}]",
                      name, *i, (*runs)[*i].rows.find(name) ? "another number of components" : "no such column"));
    Shape shape = shape_of(column, most_rows());
    shape.insert(shape.begin(), static_cast<py::ssize_t>(runs->size()));
    py::array_t<double> out(shape);
    const std::int64_t size = most_rows() * column.numbers();
    double* at = out.mutable_data();
    for (const SweptRun& run : *runs) {
      double* end = at;
      if (const Column* own = run.rows.find(name)) {
        const std::vector<double>& numbers = run.rows.of(static_cast<std::size_t>(own - run.rows.columns().data()));
        end = std::copy(numbers.begin(), numbers.end(), at);
      }
      std::fill(end, at + size, std::nan(""));
      at += size;
    }
    return out;
  }
  Run run(std::size_t i) const {
    const SweptRun& one = runs->at(i);
    if (one.outcome == "refused") throw InputError(one.message);
    Overrides set = model->set;
    set.insert(set.end(), points[i].begin(), points[i].end());
    return {.model = std::make_shared<const Model>(read_model(model->source, model->text, set)),
            .rows = std::shared_ptr<const MemoryRows>(runs, &one.rows),
            .directory = "",
            .outcome = one.outcome,
            .message = one.message,
            .summary = one.summary,
            .warnings = {}};
  }
};

Sweep sweep_of(const std::shared_ptr<Model>& model, const std::vector<Overrides>& points,
               const std::optional<std::size_t>& workers, const py::object& progress) {
  Course course;
  course.total = static_cast<long long>(points.size());
  auto ended = beside(course, progress, [&] {
    SweepRequest request;
    if (workers) request.threads = *workers;
    request.stop = &course.stop;
    request.done = &course.done;
    return sweep(*model, points, request);
  });
  return {.model = model,
          .points = points,
          .runs = std::make_shared<const std::vector<SweptRun>>(std::move(ended.result)),
          .interrupted = ended.interrupted};
}

// ---- studies: their JSON, and the failures in words

using Told = std::pair<std::string, std::vector<std::string>>;

// work() that tells what it has done by calling its argument once a row.
template <class Work>
Told study(const py::object& progress, std::size_t rows, const Work& work) {
  Course course;
  course.total = static_cast<long long>(rows);
  const std::function<void()> row_done = [&] { ++course.done; };
  auto ended = beside(course, progress, [&] { return work(row_done, course); });
  if (ended.interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
  return std::move(ended.result);
}

Told order(const Model& model, const std::string& step_sizes, const std::string& reference,
           const py::object& progress) {
  const std::vector<formula::Number> steps = read_step_sizes(step_sizes);
  return study(progress, steps.size(), [&](const auto& row_done, Course& course) {
    const OrderStudy result = study_order(
        model, steps, reference, [&](const OrderRow&) { row_done(); }, &course.stop);
    return Told{to_text(order_json(model, result)), result.failures};
  });
}

Told efficiency(const Model& model, const std::string& methods, const std::string& step_sizes,
                const std::string& reference, const py::object& progress) {
  const MethodModels compared = with_methods(model, read_methods(methods));
  const std::vector<formula::Number> steps =
      step_sizes.empty() ? default_step_sizes(compared.models.front()) : read_step_sizes(step_sizes);
  return study(progress, steps.size() * compared.models.size(), [&](const auto& row_done, Course& course) {
    const EfficiencyStudy result = study_efficiency(
        compared.models, steps, reference, [&](const EfficiencyRow&) { row_done(); }, &course.stop);
    return Told{to_text(efficiency_json(compared, result)), result.failures};
  });
}

Told symplecticity(const Model& model) {
  return study(py::none(), 1, [&](const auto&, Course& course) {
    const Symplecticity result = study_symplecticity(model, &course.stop);
    Told told{to_text(symplecticity_json(result)), {}};
    if (result.failure) told.second.push_back(describe_failure(model, *result.failure, result.attempt, 1));
    return told;
  });
}

Told reversibility(const Model& model) {
  return study(py::none(), 1, [&](const auto&, Course& course) {
    const Reversibility result = study_reversibility(model, &course.stop);
    Told told{to_text(reversibility_json(result)), {}};
    if (result.failure)
      told.second.push_back(describe_failure(model, *result.failure, result.attempt, result.steps + 1));
    return told;
  });
}

Told invariants(const Model& model, const std::optional<std::size_t>& workers) {
  return study(py::none(), 1, [&](const auto&, Course& course) {
    InvariantOptions options;
    options.stop = &course.stop;
    if (workers) options.threads = *workers;
    const InvariantsStudy result = study_invariants(model, options);
    return Told{to_text(invariants_json(result)), result.failures};
  });
}

Told advice(const Model& model, const py::object& progress) {
  return study(progress, 0, [&](const auto&, Course& course) {
    const std::optional<Advice> result = livens::advise(model, &course.stop, [&](const PilotRow&) { ++course.done; });
    if (!result) throw Stopped();
    return Told{to_text(advice_json(*result)), {}};
  });
}

std::string problem_text(const std::string& name) {
  for (const ReadyProblem& p : ready_problems())
    if (p.name == name) return std::string(p.text);
  return load_model(name).text;  // refuses it, with the nearest name
}

std::vector<std::pair<std::string, std::string>> check(const Model& model) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const CheckReport::Line& line : check_model(model).lines)
    lines.emplace_back(line.what, (line.ok ? "" : "WRONG: ") + line.finding);
  return lines;
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The compiled part of livens; use the package.";
  m.attr("version") = library_version();
  const auto named = [&](py::handle type, const char* words) {
    type.attr("__module__") = "livens";
    type.attr("__doc__") = words;
  };
  named(py::register_exception<InputError>(m, "InputError", PyExc_ValueError),
        "The input is wrong: nothing was run. The message is that of the program.");
  named(py::register_exception<StoreError>(m, "StoreError", PyExc_OSError),
        "Results could not be written or read back.");
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const Stopped&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });

  py::class_<Model, std::shared_ptr<Model>>(m, "Model")
      .def_static(
          "load", [](const std::string& name, const Overrides& set) { return load_model(name, set); },
          py::call_guard<Released>())
      .def_static(
          "read",
          [](const std::string& source, const std::string& text, const Overrides& set) {
            return read_model(source, text, set);
          },
          py::call_guard<Released>())
      .def_readonly("source", &Model::source)
      .def_readonly("name", &Model::name)
      .def_readonly("text", &Model::text)
      .def_readonly("title", &Model::title)
      .def_readonly("set", &Model::set)
      .def_readonly("as_run", &Model::as_run)
      .def_readonly("unused", &Model::unused)
      .def_property_readonly("kind", [](const Model& model) { return std::string(model.system->written_kind()); })
      .def_property_readonly("coordinates", &Model::recorded_coordinates)
      .def_property_readonly("constraints", [](const Model& model) { return model.system->constraints(); })
      .def_property_readonly("method", [](const Model& model) { return model.method.name; })
      .def(
          "with_overrides",
          [](const Model& model, const Overrides& more) {
            Overrides set = model.set;
            set.insert(set.end(), more.begin(), more.end());
            return read_model(model.source, model.text, set);
          },
          py::call_guard<Released>())
      .def("check", &check, py::call_guard<Released>())
      .def(py::pickle([](const Model& model) { return pickled(model); },
                      [](const py::tuple& state) { return std::make_shared<Model>(unpickled_model(state)); }));

  py::class_<Run>(m, "Run")
      .def_property_readonly("model", [](const Run& run) { return std::make_shared<Model>(*run.model); })
      .def_readonly("directory", &Run::directory)
      .def_readonly("outcome", &Run::outcome)
      .def_readonly("message", &Run::message)
      .def_readonly("summary", &Run::summary)
      .def_readonly("warnings", &Run::warnings)
      .def_readonly("interrupted", &Run::interrupted)
      .def("columns", &Run::columns)
      .def("page", &Run::page, py::call_guard<Released>())
      .def(py::pickle([](const Run& run) { return pickled(run); }, &unpickled_run));

  py::class_<Sweep>(m, "Sweep")
      .def_readonly("interrupted", &Sweep::interrupted)
      .def_property_readonly("columns", &Sweep::columns)
      .def_property_readonly("ends",
                             [](const Sweep& sweep) {  // outcome, message, summary of every run
                               std::vector<std::array<std::string, 3>> out;
                               for (const SweptRun& run : *sweep.runs)
                                 out.push_back({run.outcome, run.message, run.summary});
                               return out;
                             })
      .def("stacked", &Sweep::stacked)
      .def("run", &Sweep::run);

  py::module_::import("atexit").attr("register")(py::cpp_function(&Exit::begin));

  m.def("run", &run);
  m.def("recorded", &recorded, py::call_guard<Released>());
  m.def("resume", &resume);
  m.def("sweep", &sweep_of);
  m.def("study_order", &order);
  m.def("study_efficiency", &efficiency);
  m.def("study_symplecticity", &symplecticity);
  m.def("study_reversibility", &reversibility);
  m.def("study_invariants", &invariants);
  m.def("advise", &advice);
  m.def("method_keys", [](const std::string& text) { return read_method("method", text).set; });
  m.def("problem_text", &problem_text);
  m.def("problems", [] { return to_text(list_of_problems()); });
  m.def("methods", [] { return to_text(list_of_methods()); });
  m.def("studies", [] { return to_text(list_of_studies()); });
  m.def("functions", [] { return to_text(list_of_functions()); });
}

}  // namespace livens::python
