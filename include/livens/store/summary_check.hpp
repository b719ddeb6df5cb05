// The check sum of a summary, by which a changed digit or word of it is noticed: the SHA-256 of its values in a form of
// their own, so that another layout, another order of keys or 100 for 100.0 changes nothing. Where the results lie and
// how long they took are not results: `directory` and `cost.seconds` are left out, and so is `check` itself.
#pragma once

#include <string>

#include "livens/store/json.hpp"

namespace livens {

std::string summary_check(const Json& summary);

// Throws JsonError if the values are no longer those that were written. Summaries of builds that wrote no `check` pass.
void verify_summary(const Json& summary);

}  // namespace livens
