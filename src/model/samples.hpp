// [loop] and [surface]: start points of `livens study invariants` as formulas of tau, or of sigma and tau, on [0, 1].
#pragma once

#include "model/counts.hpp"
#include "model/vocabulary.hpp"

namespace livens {

class SampleReader {
 public:
  // Once all formulas of the system are read: from then on its words know sigma and tau, where the model does not use
  // these names itself.
  explicit SampleReader(Vocabulary& words);

  void read_loop(const Section& loop, const Owners& coordinates, Model::Samples& samples);
  void read_surface(const Section& surface, const Owners& coordinates, Model::Samples& samples);

 private:
  void require(const std::string& name, const Section& where) const;
  std::vector<formula::NodeId> read_formulas(const Section& section, const Contents& contents,
                                             const Owners& coordinates, Model::Samples& samples);
  // The formulas at every point, each given by its parameters, sigma and tau; refuses what is not finite.
  std::vector<std::vector<formula::Number>> values(const Value& texts, const std::vector<formula::NodeId>& formulas,
                                                   const Model::Samples& samples,
                                                   const std::vector<std::pair<formula::Number, formula::Number>>& at);

  Vocabulary& words_;
  int tau_, sigma_;  // blocks
};

}  // namespace livens
