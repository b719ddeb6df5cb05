// MODEL of the command line.
#pragma once

#include <string>
#include <string_view>

#include "livens/model/model.hpp"

namespace livens::cli {

inline constexpr const char* standard_input = "standard input";

// All of it, which should be a `what`. Throws InputError.
std::string all_of_standard_input(std::string_view what);

// As livens::load_model; "-" is standard input, which messages then name as the file. Throws InputError.
Model load_given_model(const std::string& model, const Overrides& set);

// What results are called after, where they are not told where to go: a model of standard input has no file name.
std::string name_of_results(const std::string& model, const Model& read);

}  // namespace livens::cli
