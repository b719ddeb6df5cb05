// A matrix of blocks (block_matrix.hpp, band_matrix.hpp) whose places need not be declared by themselves: the same
// assembly is run twice the first time, once to see where blocks are, and then as ever to add them. So it has to add
// the same blocks in the same order every time; what is in them may change.
#pragma once

#include <map>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "livens/math/sparse.hpp"
#include "livens/math/vec.hpp"

namespace livens {

template <class Matrix, class T>
class RecordedBlocks {
 public:
  struct Block {
    int row, col;
  };

  template <class System>
  RecordedBlocks(const System& system, int size) : matrix_(system, size) {}

  // False if the matrix is singular.
  template <class Assemble>
  bool factorise(const Assemble& assemble) {
    if (!declared_) {
      assemble();
      matrix_.finish();
      known_.clear();
      declared_ = true;
      if constexpr (has_pivots)
        if (!remembered_.empty()) matrix_.choose_pivots(std::move(remembered_));
    }
    matrix_.clear();
    next_ = 0;
    assemble();
    return matrix_.factorise();
  }
  void solve(const Vec<T>& b, Vec<T>& x) { matrix_.solve(b, x); }

  // The pivots of a sparse matrix stay from one factorisation to the next. A resumed run gets them back before its
  // first.
  template <class Archive>
  void archive(Archive& a) {
    if constexpr (has_pivots) {
      std::vector<T> values = declared_ ? matrix_.values_of_pivots() : remembered_;
      a(values);
      if constexpr (Archive::reads) remembered_ = std::move(values);
    }
  }

  // For `assemble`: factor B, its transposed, and (diag(unit) B)^T.
  template <class Some>
  void add(const Block& at, const T& factor, const Some& B) {
    if (declared_) return matrix_.add(next(), factor, B);
    record(at, false, B, [&] { return matrix_.block(at.row, at.col, B); });
  }
  template <class Some>
  void add_transposed(const Block& at, const T& factor, const Some& B) {
    if (declared_) return matrix_.add_transposed(next(), factor, B);
    record(at, true, B, [&] { return matrix_.transposed_block(at.row, at.col, B); });
  }
  template <class Unit, class Some>
  void add_transposed(const Block& at, const T& factor, const Unit& unit, const Some& B) {
    if (declared_) return matrix_.add_transposed(next(), factor, unit, B);
    record(at, true, B, [&] { return matrix_.transposed_block(at.row, at.col, B); });
  }

 private:
  using Own = typename Matrix::Block;
  static constexpr bool has_pivots = requires(const Matrix& matrix) { matrix.values_of_pivots(); };
  using Key = std::tuple<int, int, bool, const void*>;

  const Own& next() { return blocks_[next_++]; }

  // Sparse matrices keep a list of places for every block: one is enough for all that have the same pattern there.
  template <class Some, class Declare>
  void record(const Block& at, bool transposed, const Some& B, const Declare& declare) {
    const void* pattern = nullptr;
    if constexpr (requires { B.shared_pattern(); }) pattern = B.shared_pattern().get();
    const auto [found, is_new] = known_.try_emplace(Key(at.row, at.col, transposed, pattern));
    if (is_new) found->second = declare();
    blocks_.push_back(found->second);
  }

  Matrix matrix_;
  std::map<Key, Own> known_;
  std::vector<Own> blocks_;  // of all that is added, in its order
  std::size_t next_ = 0;
  bool declared_ = false;
  std::vector<T> remembered_;
};

}  // namespace livens
