// What there is: ready problems, methods, studies, functions of formulas, keys of model files, as `livens list --json`
// prints them.
#pragma once

#include "livens/store/json.hpp"

namespace livens {

Json list_of_problems();
Json list_of_methods();
Json list_of_studies();
Json list_of_functions();
Json list_of_keys();

}  // namespace livens
