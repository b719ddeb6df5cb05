// The entry point that libFuzzer calls; the build names the target.
#include <cstddef>
#include <cstdint>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  livens::fuzz::LIVENS_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
