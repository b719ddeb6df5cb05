// [view]: what pages draw. [system.units], [system.descriptions]: what they write beside it.
#pragma once

#include <string>
#include <vector>

#include "livens/model/model.hpp"
#include "model/vocabulary.hpp"

namespace livens {

class ViewReader {
 public:
  // motion: what the points may contain; tau: the block of the parameter of background curves.
  ViewReader(Vocabulary& words, const Contents& motion, int tau) : words_(words), motion_(motion), tau_(tau) {}
  void read(const Section& view, Model::View& out);

 private:
  using Nodes = std::vector<formula::NodeId>;
  // visit(value, indices) for the items of an array, repeats spelled out.
  template <class Visit>
  void for_each(const Value& array, const Visit& visit);
  Nodes read_place(const Value& place, const formula::Indices& indices, const Contents& contents, int& dimension);
  void read_points(const Value& points, Model::View& out);
  void read_rods(const Value& rods, int points, Model::View& out);
  void read_background(const Value& curves, Model::View& out);
  double read_positive(const Value& value, const char* of_what);

  Vocabulary& words_;
  Contents motion_;
  int tau_;
};

// The units and descriptions of coordinates, of families of them (x of all x[i]), of what else is named (invariants,
// values), of t and energy; of a mechanism those of kinds of quantities.
void read_words(const Section& system, const std::string& kind, const std::vector<std::string>& coordinates,
                const std::vector<std::string>& named, Model& model);

}  // namespace livens
