// summary.json: the run in one page, for programs.
#pragma once

#include <string>

#include "livens/registry/entry.hpp"
#include "livens/session/session.hpp"

namespace livens {

// How right a motion of the model is.
std::string accuracy_in_words(const Accuracy& accuracy, const Model& model);

// "accuracy" of the summary of a run whose step was found.
std::string accuracy_text(const FoundStep& found, const Model& model);

// The same beside what came of the run: of one that ended early no error is known.
std::string accuracy_as_run(const std::string& found, const RunResult& result);

std::string summary_text(const Model& model, const MethodEntry& method, const Options& options,
                         const SessionResult& session, double seconds);

}  // namespace livens
