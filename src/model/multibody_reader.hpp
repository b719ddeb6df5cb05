// [[body]], [[joint]], [[spring]], [[damper]] and [[force]] to a mechanism.
#pragma once

#include <map>

#include "livens/multibody/mechanism.hpp"
#include "model/vocabulary.hpp"

namespace livens {

class MultibodyReader {
 public:
  // local_block: that of the variables of forces, x, y, z, x', y', z'. tolerance: by how much rotations may miss being
  // ones; without bound where poses are projected.
  MultibodyReader(const Section& top, const Section& system, Vocabulary& words, int local_block, double tolerance);

  multibody::Mechanism read();

 private:
  using Indices = formula::Indices;
  using Vector = multibody::Vector;

  // read(section, indices) for every table of a kind, repeats spelled out.
  template <class Read>
  void for_each(std::string_view kind, const Read& read);
  // What a statement is refused for, at its key.
  template <class Statement>
  void add(const Section& section, const Statement& statement, const Indices& indices);

  void read_body(const Section& table, const Indices& indices);
  multibody::Shape read_shape(const Value& value, const Indices& indices) const;
  void read_inertia(const Value& value, const Indices& indices, multibody::BodyStatement& body) const;
  void read_rotation(const Value& value, const Indices& indices, multibody::BodyStatement& body) const;
  void read_rates(const Section& section, const Indices& indices, multibody::BodyStatement& body) const;
  void read_joint(const Section& table, const Indices& indices);
  void read_spring(const Section& table, const Indices& indices, bool damper);
  void read_force(const Section& table, const Indices& indices);

  formula::Number number(const Value& value, const Indices& indices) const;
  Vector vector(const Value& value, const Indices& indices) const;
  Vector vector_of_three(const Value& value, const Indices& indices) const;
  multibody::Matrix matrix(const Value& value, const Indices& indices) const;
  std::array<Vector, 2> two_vectors(const Value& value, const Indices& indices) const;
  std::vector<Value> two(const Value& value, std::string_view what) const;
  std::string new_name(const Section& section, std::string_view what, const Indices& indices);
  int body_named(const Value& value, const Indices& indices, bool ground_too) const;
  std::array<int, 2> bodies(const Section& section, const Indices& indices) const;

  const Section &top_, &system_;
  Vocabulary& words_;
  int local_block_;
  double tolerance_;
  multibody::Mechanism mechanism_;
  std::map<std::string, int, std::less<>> bodies_, joints_;
};

}  // namespace livens
