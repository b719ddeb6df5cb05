// MODEL of the command line.
#pragma once

#include <string>

#include "livens/model/model.hpp"

namespace livens::cli {

// As livens::load_model; "-" is standard input, which messages then name as the file. Throws InputError.
Model load_given_model(const std::string& model, const Overrides& set);

// What results are called after, where they are not told where to go: a model of standard input has no file name.
std::string name_of_results(const std::string& model, const Model& read);

}  // namespace livens::cli
