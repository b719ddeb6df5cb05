// Numbers of any precision for the results: as double, and with all their digits.
#pragma once

#include <iomanip>
#include <limits>
#include <sstream>
#include <type_traits>

#include "livens/math/vec.hpp"
#include "livens/registry/registry.hpp"

namespace livens {

template <class T>
std::string digits(const T& x) {
  std::ostringstream out;
  out << std::setprecision(std::numeric_limits<T>::max_digits10) << x;
  return out.str();
}

template <class T, int N>
Values values(std::string name, const Vec<T, N>& x) {
  Values v;
  v.name = std::move(name);
  for (const T& xi : x) {
    v.numbers.push_back(to_double(xi));
    if constexpr (!std::is_same_v<T, double>) v.digits.push_back(digits(xi));
  }
  return v;
}

}  // namespace livens
