// Where a step that was not done was evaluated, for words about it: at its start, and where it led or tried to lead.
#pragma once

#include <vector>

#include "livens/math/scalar.hpp"

namespace livens {

struct Place {
  double t = 0;
  std::vector<double> q, v, p;  // empty: not known
};

struct Attempt {
  Place from, to;
};

template <class T, class Q, class V, class P>
Place place(const T& t, const Q& q, const V& v, const P& p) {
  const auto plain = [](const auto& x) {
    std::vector<double> out;
    for (const auto& xi : x) out.push_back(to_double(xi));
    return out;
  };
  return {to_double(t), plain(q), plain(v), plain(p)};
}

}  // namespace livens
