// The programs of a formula system: compiled once for all, then bound to a scalar by each user. A part is compiled and
// given registers when first used, so that a run pays only for the derivatives that its method asks for; from then on
// nothing allocates.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "livens/formula/program.hpp"

namespace livens {

// The formulas of a system and those derived from them, in numbered parts. May be shared by threads.
class CompiledParts {
 public:
  std::shared_ptr<const formula::Program> program(int part) const;

  // The first sub-formula of an output that is not finite at these values, in words; empty if all are finite.
  std::string explain(int part, int index, const double* const* blocks) const;
  std::string explain(int part, const double* const* blocks) const;  // of any output

  // Where the equations of motion are not smooth: x of every corner, in that order. Those of tables are not in it.
  struct Corners {
    std::shared_ptr<const formula::Program> x;
    std::vector<formula::Corner::Kind> kinds;
  };
  Corners corners() const;

  // As it is now: derivatives that are asked for later are not in it.
  formula::Graph graph() const;

 protected:
  CompiledParts(formula::Graph graph, int parts)
      : graph_(std::move(graph)), programs_(static_cast<std::size_t>(parts)) {}
  virtual ~CompiledParts() = default;

  // Called with the graph locked.
  virtual std::vector<formula::NodeId> outputs(int part) const = 0;
  // The formulas that the equations of motion are made of.
  virtual std::vector<formula::NodeId> equations() const = 0;

  // Throws std::invalid_argument with this message if a formula contains a variable of another block.
  void require_only(std::span<const formula::NodeId> formulas, std::initializer_list<int> allowed_blocks,
                    const char* message) const;

  mutable formula::Graph graph_;  // grows with the derivatives asked for

 private:
  mutable std::mutex growing_;
  mutable std::vector<std::shared_ptr<const formula::Program>> programs_;
};

template <class Formulas, class T>
class Programs {
 public:
  explicit Programs(const Formulas& formulas) : formulas_(&formulas) {}

  // The outputs of a run, to be stored one vector or matrix after another.
  class Outputs {
   public:
    Outputs(const T* registers, const formula::Program::Register* next) : registers_(registers), next_(next) {}
    const T& operator[](int k) const { return registers_[next_[k]]; }
    Outputs& store(T* to, int count) {
      for (int k = 0; k < count; ++k) to[k] = registers_[next_[k]];
      next_ += count;
      return *this;
    }

   private:
    const T* registers_;
    const formula::Program::Register* next_;
  };

  Outputs run(int part, const T* const* blocks) const {
    auto& evaluator = evaluators_[static_cast<std::size_t>(part)];
    if (!evaluator) evaluator.emplace(formulas_->program(part));
    const T* registers = evaluator->run(blocks);
    return Outputs(registers, evaluator->program().outputs.data());
  }

 private:
  const Formulas* formulas_;
  mutable std::array<std::optional<formula::Evaluator<T>>, Formulas::parts> evaluators_;
};

// d f_i / d x_j for all variables x of a block, by rows; zero where f_i does not contain x_j.
std::vector<formula::NodeId> jacobian(formula::Graph& graph, std::span<const formula::NodeId> f, int block, int count);

// sum_i w_i f_i, where w is a block of variables.
formula::NodeId weighted_sum(formula::Graph& graph, std::span<const formula::NodeId> f, int weight_block);

// Second derivatives of one formula by the variables of a block.
std::vector<formula::NodeId> second_derivatives(formula::Graph& graph, formula::NodeId f, int block, int count);

// One list after another.
void append(std::vector<formula::NodeId>& to, const std::vector<formula::NodeId>& from);

}  // namespace livens
