#include "livens/session/sweep.hpp"

namespace livens {

namespace {

SweptRun run_of(const Model& base, const Overrides& point, const std::atomic<bool>* stop) {
  SweptRun out;
  try {
    Overrides set = base.set;
    set.insert(set.end(), point.begin(), point.end());
    const Model model = read_model(base.source, base.text, set);
    out.rows = MemoryRows(rows_expected(model));
    SessionRequest request;
    request.rows = &out.rows;
    request.stop = stop;
    SessionResult session = run_in_memory(model, request);
    out.outcome = outcome_name(session.run.report.outcome);
    out.message = std::move(session.message);
    out.summary = std::move(session.summary);
  } catch (const InputError& e) {
    out.outcome = "refused";
    out.message = e.what();
  }
  return out;
}

}  // namespace

std::vector<SweptRun> sweep(const Model& model, const std::vector<Overrides>& points, const SweepRequest& request) {
  std::vector<SweptRun> runs(points.size());
  in_parallel(request.threads, points.size(), [&](std::size_t, std::size_t i) {
    if (request.stop && *request.stop) return;
    runs[i] = run_of(model, points[i], request.stop);
    if (request.done) ++*request.done;
  });
  return runs;
}

}  // namespace livens
