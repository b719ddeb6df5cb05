// Which rows of a sparse matrix of symmetric pattern are eliminated together, as small full blocks, and where their
// numbers lie (group_elimination.hpp has the mathematics).
//
// Groups are found by structure alone. In the tree of an elimination row by row, where the parent of a row is the first
// later one that it meets, a row takes in those of its children that cost less with it than apart, by the estimate
// `cost`. The internal constraints of a rigid body meet its joints and no other body: they become one group, or two
// where the joints see some of the directors only; the rows of a joint become another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "livens/math/sparse.hpp"

namespace livens {

struct EliminationGroups {
  // Of w rows `first` .. in the order of elimination, which meet r = `later` rows R that are eliminated after them.
  struct Group {
    int first, width, later;
    int lower, upper, left, top;    // where its numbers are: rows of L_D, columns of U_D, rows of L, columns of U
    int rows;                       // where R begins in `rows`
    int first_target, last_target;  // the groups of R
  };
  // Rows from .. to - 1 of R are of one group; `places`: where it is told at which place that group has the rest of R.
  struct Target {
    int group, from, to, places;
  };

  std::vector<Group> groups;
  std::vector<Target> targets;
  std::vector<int> order;  // order[k]: the row eliminated k-th
  std::vector<int> rows, places;
  std::vector<int> place_of_entry;  // of the pattern, among the numbers
  std::vector<int> zeros;           // places of numbers that are no entries, and may become different from 0
  int numbers = 0;
  double instructions = 0;  // of a factorisation, about

  static double cost(double w, double r) {
    return 150 + 3 * (w * w * w / 3 + w * w * r + w * r * r) + 20 * r + 4 * r * r;
  }

  // By place in the order of elimination row by row: the parent (-1: none), and how many later rows it meets.
  static EliminationGroups find(const SparsePattern& pattern, const std::vector<int>& order,
                                const std::vector<int>& parent, const std::vector<int>& later) {
    EliminationGroups found;
    found.find_groups(order, parent, later);
    found.find_rows(pattern);
    found.find_targets();
    found.find_zeros();
    return found;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  void find_groups(const std::vector<int>& by_row, const std::vector<int>& parent, const std::vector<int>& later) {
    const std::size_t n = parent.size();
    std::vector<std::vector<int>> members(n), children(n);  // of the group that ends with a row
    std::vector<int> open;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<int> own{static_cast<int>(i)}, apart;
      std::sort(children[i].begin(), children[i].end(),
                [&](int a, int b) { return std::pair(later[index(a)], a) > std::pair(later[index(b)], b); });
      for (const int child : children[i]) {
        std::vector<int>& its = members[index(child)];
        const auto w = static_cast<double>(own.size()), v = static_cast<double>(its.size());
        if (cost(v + w, later[i]) > cost(v, later[index(child)]) + cost(w, later[i])) {
          apart.push_back(child);
          continue;
        }
        its.insert(its.end(), own.begin(), own.end());
        own.swap(its);
        apart.insert(apart.end(), children[index(child)].begin(), children[index(child)].end());
      }
      members[i].swap(own), children[i].swap(apart);
      if (parent[i] >= 0)
        children[index(parent[i])].push_back(static_cast<int>(i));
      else
        open.push_back(static_cast<int>(i));
    }
    std::vector<int> parents_first;
    while (!open.empty()) {
      const int next = open.back();
      open.pop_back();
      parents_first.push_back(next);
      open.insert(open.end(), children[index(next)].begin(), children[index(next)].end());
    }
    for (auto next = parents_first.rbegin(); next != parents_first.rend(); ++next) {
      Group& group = groups.emplace_back();
      group.first = static_cast<int>(order.size()), group.width = static_cast<int>(members[index(*next)].size());
      for (const int row : members[index(*next)]) order.push_back(by_row[index(row)]);
    }
  }

  // R: what the rows of a group and the groups before it meet, without the group itself.
  void find_rows(const SparsePattern& pattern) {
    std::vector<int> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[index(order[i])] = static_cast<int>(i);
    const std::vector<int> group_of = groups_of_rows();
    std::vector<std::vector<int>> inherited(groups.size());
    std::vector<int> place_of_row(order.size(), -1);  // in R of the group at hand
    place_of_entry.resize(index(pattern.entries()));
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Group& group = groups[g];
      const int next = group.first + group.width;
      std::vector<int>& met = inherited[g];
      for (int i = group.first; i < next; ++i)
        for (int k = pattern.begin(order[index(i)]); k < pattern.end(order[index(i)]); ++k)
          met.push_back(place[index(pattern.col(k))]);
      std::erase_if(met, [next](int row) { return row < next; });
      std::sort(met.begin(), met.end());
      met.erase(std::unique(met.begin(), met.end()), met.end());
      group.rows = static_cast<int>(rows.size()), group.later = static_cast<int>(met.size());
      rows.insert(rows.end(), met.begin(), met.end());
      if (!met.empty()) {
        std::vector<int>& of_parent = inherited[index(group_of[index(met[0])])];
        of_parent.insert(of_parent.end(), met.begin(), met.end());
      }
      instructions += cost(group.width, group.later);
      const int w = group.width, r = group.later;
      const auto take = [this](int count) { return std::exchange(numbers, numbers + count); };
      group.lower = take(w * w), group.upper = take(w * w), group.left = take(r * w), group.top = take(r * w);

      // Entries of the matrix in rows or columns of the group, none of them in an earlier one.
      for (std::size_t k = 0; k < met.size(); ++k) place_of_row[index(met[k])] = static_cast<int>(k);
      for (int i = group.first; i < next; ++i)
        for (int k = pattern.begin(order[index(i)]); k < pattern.end(order[index(i)]); ++k) {
          const int j = place[index(pattern.col(k))], own = i - group.first, other = j - group.first;
          if (j < group.first) continue;
          int& mirrored = place_of_entry[index(find_entry(pattern, pattern.col(k), order[index(i)]))];
          if (j >= next) {
            place_of_entry[index(k)] = group.top + place_of_row[index(j)] * w + own;
            mirrored = group.left + place_of_row[index(j)] * w + own;
          } else if (j >= i) {
            mirrored = group.lower + other * w + own;
            place_of_entry[index(k)] = group.upper + other * w + own;
          }
        }
      met.clear(), met.shrink_to_fit();
    }
  }

  void find_targets() {
    const std::vector<int> group_of = groups_of_rows();
    for (Group& group : groups) {
      group.first_target = static_cast<int>(targets.size());
      const int* const R = rows.data() + group.rows;
      for (int from = 0, to = 0; from < group.later; from = to) {
        const int g = group_of[index(R[from])];
        while (to < group.later && group_of[index(R[to])] == g) ++to;
        targets.push_back({g, from, to, static_cast<int>(places.size())});
        const int* const its = rows.data() + groups[index(g)].rows;
        for (int j = to, k = 0; j < group.later; ++j) {
          while (its[k] != R[j]) ++k;
          places.push_back(k);
        }
      }
      group.last_target = static_cast<int>(targets.size());
    }
  }

  void find_zeros() {
    std::vector<bool> is_entry(index(numbers), false);
    for (const int place : place_of_entry) is_entry[index(place)] = true;
    const auto add = [&](int place) {
      if (!is_entry[index(place)]) zeros.push_back(place);
    };
    for (const Group& group : groups) {
      for (int i = 0; i < group.width; ++i)
        for (int j = 0; j < i; ++j) add(group.lower + i * group.width + j), add(group.upper + i * group.width + j);
      for (int k = 0; k < group.later * group.width; ++k) add(group.left + k), add(group.top + k);
    }
  }

  std::vector<int> groups_of_rows() const {
    std::vector<int> group_of(order.size());
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (int i = 0; i < groups[g].width; ++i) group_of[index(groups[g].first + i)] = static_cast<int>(g);
    return group_of;
  }
};

}  // namespace livens
