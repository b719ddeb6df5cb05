#include "livens/store/version.hpp"

#include "build_info.hpp"

namespace livens {

std::string library_version() {
  return LIVENS_VERSION " (" LIVENS_COMMIT ", " LIVENS_COMPILER ")";
}

}  // namespace livens
