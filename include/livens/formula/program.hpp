// Formulas as a list of instructions that runs over any scalar.
//
// A program works on registers: first the constants, then the variables it reads, then intermediate values, which
// share registers once nobody needs them any more. Each instruction is  r[y] = op(r[a], r[b], r[c]).
// Pairs such as a*b + c become one instruction when the inner result has no other use: reading and dispatching an
// instruction costs more than an addition. Both operations of a pair still round, so a program computes the very bits
// that its operations would compute one by one (given -ffp-contract=off).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "livens/formula/expression.hpp"

namespace livens::formula {

struct Program {
  using Register = std::uint32_t;
  struct Instruction {
    std::uint32_t which;    // of functions: the Op; of tables: the number of the call
    std::uint32_t handler;  // 0: end of the program, 1: any function, 2: a table, 3 ...: arithmetic from Op::neg on
    Register y, a, b, c;
  };
  // Variables index, index + 1, ... of a block, to be found in successive registers.
  struct Input {
    int block, index, count;
    Register first;
  };

  std::vector<Number> constants;  // registers 0, 1, ...
  std::vector<std::shared_ptr<const Table>> tables;
  std::vector<TableCall> calls;
  std::vector<Input> inputs;
  std::vector<Instruction> code;
  std::vector<Register> outputs;
  std::vector<bool> zero;  // outputs that are zero whatever the variables are
  std::size_t registers = 0;
  std::size_t operations = 0;  // the instructions, pairs counting two
};

// Computes every node below the outputs once, and no other.
Program compile(const Graph& graph, std::span<const NodeId> outputs);

// Several values that run through a program together, as one scalar: reading and dispatching an instruction is then
// shared by them, and its arithmetic is a loop that compilers vectorise. Every lane is computed as if it were alone.
template <class T, int lanes>
struct Batch {
  T lane[lanes];

  Batch() = default;
  explicit Batch(const T& x) {
    for (T& l : lane) l = x;
  }
  friend Batch operator-(const Batch& a) {
    return of([&](int l) { return -a.lane[l]; });
  }
  friend Batch operator+(const Batch& a, const Batch& b) {
    return of([&](int l) { return a.lane[l] + b.lane[l]; });
  }
  friend Batch operator-(const Batch& a, const Batch& b) {
    return of([&](int l) { return a.lane[l] - b.lane[l]; });
  }
  friend Batch operator*(const Batch& a, const Batch& b) {
    return of([&](int l) { return a.lane[l] * b.lane[l]; });
  }
  friend Batch operator/(const Batch& a, const Batch& b) {
    return of([&](int l) { return a.lane[l] / b.lane[l]; });
  }

  template <class F>
  static Batch of(const F& f) {
    Batch result;
    for (int l = 0; l < lanes; ++l) result.lane[l] = f(l);
    return result;
  }
};

template <class T, int lanes>
Batch<T, lanes> apply(Op op, const Batch<T, lanes>& a, const Batch<T, lanes>& b, const Batch<T, lanes>& c) {
  return Batch<T, lanes>::of([&](int l) { return apply(op, a.lane[l], b.lane[l], c.lane[l]); });
}

template <class T>
T table_value(const Program& program, std::uint32_t call, const T& a, const T& b, const T& c) {
  const TableCall& which = program.calls[call];
  return (*program.tables[which.table])(which.order, a, b, c);
}

template <class T, int lanes>
Batch<T, lanes> table_value(const Program& program, std::uint32_t call, const Batch<T, lanes>& a,
                            const Batch<T, lanes>& b, const Batch<T, lanes>& c) {
  return Batch<T, lanes>::of([&](int l) { return table_value(program, call, a.lane[l], b.lane[l], c.lane[l]); });
}

// A program together with the registers to run it over a scalar. Copies may run at the same time.
template <class T>
class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<const Program> program)
      : program_(std::move(program)), registers_(program_->registers, T(0)) {
    for (std::size_t i = 0; i < program_->constants.size(); ++i) registers_[i] = converted<T>(program_->constants[i]);
  }

  const Program& program() const { return *program_; }

  // out[k] is the k-th output where blocks[b][i] is the variable Slot{b, i}; blocks that no formula uses may be null.
  void operator()(const T* const* blocks, T* out) {
    const T* const r = run(blocks);
    for (const Program::Register output : program_->outputs) *out++ = r[output];
  }

  // The same, leaving the k-th output in register program().outputs[k] of the registers returned.
  const T* run(const T* const* blocks) {
    T* const r = registers_.data();
    for (const Program::Input& input : program_->inputs) {
      const T* const from = blocks[input.block] + input.index;
      T* const to = r + input.first;
      for (int k = 0; k < input.count; ++k) to[k] = from[k];
    }
    execute(r, program_->code.data(), *program_);
    return r;
  }

 private:
  // Every handler jumps to the next one by itself: 10 machine instructions for a product of doubles, 22 by a call of
  // `apply` for each. The arithmetic of `apply` is repeated here for that reason only.
  static void execute(T* r, const Program::Instruction* i, const Program& program) {
    static const void* const handlers[] = {&&end,     &&function, &&table,   &&neg,     &&add,     &&sub,
                                           &&mul,     &&div,      &&mul_add, &&mul_sub, &&sub_mul, &&mul_mul,
                                           &&add_mul, &&dif_mul,  &&add_add, &&dif_add};
    goto* handlers[i->handler];
  function:
    r[i->y] = apply(static_cast<Op>(i->which), r[i->a], r[i->b], r[i->c]);
    goto* handlers[(++i)->handler];
  table:
    r[i->y] = table_value(program, i->which, r[i->a], r[i->b], r[i->c]);
    goto* handlers[(++i)->handler];
  neg:
    r[i->y] = -r[i->a];
    goto* handlers[(++i)->handler];
  add:
    r[i->y] = r[i->a] + r[i->b];
    goto* handlers[(++i)->handler];
  sub:
    r[i->y] = r[i->a] - r[i->b];
    goto* handlers[(++i)->handler];
  mul:
    r[i->y] = r[i->a] * r[i->b];
    goto* handlers[(++i)->handler];
  div:
    r[i->y] = r[i->a] / r[i->b];
    goto* handlers[(++i)->handler];
  mul_add:
    r[i->y] = r[i->a] * r[i->b] + r[i->c];
    goto* handlers[(++i)->handler];
  mul_sub:
    r[i->y] = r[i->a] * r[i->b] - r[i->c];
    goto* handlers[(++i)->handler];
  sub_mul:
    r[i->y] = r[i->c] - r[i->a] * r[i->b];
    goto* handlers[(++i)->handler];
  mul_mul:
    r[i->y] = r[i->a] * r[i->b] * r[i->c];
    goto* handlers[(++i)->handler];
  add_mul:
    r[i->y] = (r[i->a] + r[i->b]) * r[i->c];
    goto* handlers[(++i)->handler];
  dif_mul:
    r[i->y] = (r[i->a] - r[i->b]) * r[i->c];
    goto* handlers[(++i)->handler];
  add_add:
    r[i->y] = r[i->a] + r[i->b] + r[i->c];
    goto* handlers[(++i)->handler];
  dif_add:
    r[i->y] = r[i->a] - r[i->b] + r[i->c];
    goto* handlers[(++i)->handler];
  end:
    return;
  }

  // Through the value part: a jet of doubles takes a double, not a Number.
  template <class S>
  static S converted(const Number& x) {
    if constexpr (std::is_same_v<S, RealOf<S>>)
      return static_cast<S>(x);
    else
      return S(converted<RealOf<S>>(x));
  }

  std::shared_ptr<const Program> program_;
  std::vector<T> registers_;
};

// An operation that turns finite operands into a value that is not finite, for messages.
struct Fault {
  std::string formula;                                   // log(R/R0)
  std::vector<std::pair<std::string, double>> operands;  // {R/R0, -0.2}; constants are left out
  double value;                                          // nan
  std::string reason = {};                               // of tables: outside of table B, whose x goes from 0 to 2
  std::string message() const;                           // log(R/R0) with R/R0 = -0.2
};

// The first such operation below the outputs, or a variable that is not finite itself; none if all values are finite.
std::optional<Fault> explain(const Graph& graph, std::span<const NodeId> outputs, const double* const* blocks);

}  // namespace livens::formula

namespace livens {
template <class T, int lanes>
struct ScalarTraits<formula::Batch<T, lanes>> {
  using Real = RealOf<T>;
};
}  // namespace livens
