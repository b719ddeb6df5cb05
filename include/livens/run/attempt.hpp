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

template <class T, class Coordinates>
Place place(const T& t, const Coordinates& q, const Coordinates& v, const Coordinates& p) {
  Place out;
  out.t = to_double(t);
  for (int i = 0; i < q.size(); ++i) {
    out.q.push_back(to_double(q[i]));
    out.v.push_back(to_double(v[i]));
    out.p.push_back(to_double(p[i]));
  }
  return out;
}

}  // namespace livens
