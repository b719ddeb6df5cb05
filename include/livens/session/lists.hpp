// What there is: ready problems, methods, studies, as `livens list --json` prints them.
#pragma once

#include "livens/store/json.hpp"

namespace livens {

Json list_of_problems();
Json list_of_methods();
Json list_of_studies();

}  // namespace livens
