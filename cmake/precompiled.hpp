// What many sources of the library and of the program include, compiled once.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "livens/model/start.hpp"
#include "livens/registry/entry.hpp"
#include "livens/registry/steps.hpp"
#include "livens/run/time_loop.hpp"
#include "livens/solve/in_double.hpp"
#include "livens/system/elements.hpp"

// Compiled once, with -O2, in src/simulation/systems/elements.cpp (solve/in_double.hpp says why).
extern template class livens::BlockMatrix<livens::ElementSystem<double>, livens::Dynamic, livens::SparseMat<double>>;
