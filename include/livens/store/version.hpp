// Which program wrote a file.
#pragma once

#include <string>

namespace livens {

std::string library_version();  // version, commit and compiler

}  // namespace livens
