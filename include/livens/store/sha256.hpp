// The SHA-256 digest (FIPS 180-4) as 64 hexadecimal digits: it ties a summary to the model it was made from.
#pragma once

#include <string>
#include <string_view>

namespace livens {

std::string sha256(std::string_view bytes);

}  // namespace livens
