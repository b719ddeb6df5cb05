#include "model/least_norm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/solve/elimination.hpp"
#include "livens/solve/sparse_product.hpp"

namespace livens {

template <class T>
LeastNorm<T>::LeastNorm(const Model& model, std::vector<int> left_out)
    : system_(model.system->elements<T>()),
      left_out_(std::move(left_out)),
      G_(system_.jacobian()),
      g_(system_.constraints()) {
  for (int a = 0; a < system_.constraints(); ++a)
    if (!std::binary_search(left_out_.begin(), left_out_.end(), a)) kept_.push_back(a);
}

template <class T>
void LeastNorm<T>::check(const Model& model, const T& t, const Vec<T>& q, const Vec<T>& v) {
  using std::abs;
  Vec<T> size(g_), rate(g_);
  system_.constraint_jacobian(t, q, g_, G_);
  system_.constraint_rate(t, q, rate);
  system_.constraint_size(t, q, size);
  const T tolerance(model.initial.tolerance), v_size = max_norm(v);
  const auto refuse = [&](const char* what, int d, const T& value) {
    throw InputError(
        model.at(model.system->constraint_key(d),
                 fmt::format("{}{} is {:.1e} at the start values, not 0, and the others leave no freedom to "
                             "correct it; correct it or {}",
                             what, model.system->constraint_name(d), to_double(value),
                             model.system->mechanism() ? "the poses" : "initial.q")));
  };
  for (const int d : left_out_) {
    T terms = abs(rate[d]);
    T row(0);
    for_row(G_, d, [&](int j, const T& x) { rate[d] += x * v[j], row += abs(x); });
    const T round_off = 64 * epsilon<T>() * row * max_norm(q);  // terms may vanish themselves
    if (!(abs(g_[d]) <= tolerance * size[d] + round_off)) refuse("", d, g_[d]);
    terms += row * v_size;
    const T nothing = T(1e-25) * row * max_norm(q);  // no clock counts in such units
    if (!(abs(rate[d]) <= tolerance * terms + nothing)) refuse("the rate of ", d, rate[d]);
  }
}

template <class T>
Vec<T> LeastNorm<T>::multipliers(const T& t, const Vec<T>& q, std::span<const T> kept) {
  system_.constraint_jacobian(t, q, g_, G_);
  SparsePattern rest;
  rest.rows = static_cast<int>(kept_.size()), rest.cols = G_.cols();
  rest.start.push_back(0);
  std::vector<T> values;
  for (const int a : kept_) {
    for_row(G_, a, [&](int j, const T& x) { rest.column.push_back(j), values.push_back(x); });
    rest.start.push_back(rest.entries());
  }
  find_groups(rest);
  const auto pattern = std::make_shared<const SparsePattern>(std::move(rest));
  SparseMat<T> G_rest(pattern);
  std::copy(values.begin(), values.end(), G_rest.values());
  const SparseProduct<T> product(*pattern, *pattern);
  Elimination<T> elimination(product.pattern());
  product(values.data(), values.data(), elimination.values());
  elimination.factorise();

  // Most constraints that follow from others follow from few: the kernel is kept without its zeros and their noise.
  using std::abs;
  std::vector<std::vector<std::pair<int, T>>> kernel;
  Vec<T> row(G_.cols()), right(pattern->rows), k(pattern->rows);
  for (const int d : left_out_) {
    row.fill(T(0));
    for_row(G_, d, [&](int j, const T& x) { row[j] = x; });
    multiply(G_rest, row, right);
    elimination.solve(right, k);
    auto& n = kernel.emplace_back();
    n.emplace_back(d, T(1));
    const T noise = 64 * epsilon<T>() * std::max(T(1), max_norm(k));
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (const T& x = k[static_cast<int>(i)]; abs(x) > noise) n.emplace_back(kept_[i], -x);
  }
  const int count = static_cast<int>(kernel.size());
  const auto column = [&](int i) -> const auto& {
    return kernel[static_cast<std::size_t>(i)];
  };
  std::vector<std::vector<std::pair<int, T>>> users(static_cast<std::size_t>(g_.size()));  // columns by constraint
  for (int i = 0; i < count; ++i)
    for (const auto& [a, x] : column(i)) users[static_cast<std::size_t>(a)].emplace_back(i, x);
  std::vector<std::pair<int, int>> meetings;
  for (const auto& all : users)
    for (const auto& first : all)
      for (const auto& second : all) meetings.emplace_back(first.first, second.first);
  const auto gram_pattern = std::make_shared<const SparsePattern>(make_pattern(count, count, std::move(meetings)));
  Elimination<T> gram(gram_pattern);
  std::fill_n(gram.values(), gram_pattern->entries(), T(0));
  for (const auto& all : users)
    for (const auto& [i, x] : all)
      for (const auto& [j, y] : all) gram.values()[find_entry(*gram_pattern, i, j)] += x * y;
  gram.factorise();

  const std::size_t blocks = kept.size() / kept_.size();
  Vec<T> all(static_cast<int>(blocks) * g_.size()), lambda(g_.size()), along(count), share(count);
  for (std::size_t block = 0; block < blocks; ++block) {
    lambda.fill(T(0));
    for (std::size_t i = 0; i < kept_.size(); ++i) lambda[kept_[i]] = kept[block * kept_.size() + i];
    for (int i = 0; i < count; ++i) {
      along[i] = T(0);
      for (const auto& [a, x] : column(i)) along[i] += x * lambda[a];
    }
    gram.solve(along, share);
    for (int i = 0; i < count; ++i)
      for (const auto& [a, x] : column(i)) lambda[a] -= share[i] * x;
    for (int a = 0; a < lambda.size(); ++a) all[static_cast<int>(block) * lambda.size() + a] = lambda[a];
  }
  return all;
}

template class LeastNorm<double>;
template class LeastNorm<long double>;
#if LIVENS_QUAD
template class LeastNorm<Widest>;
#endif

}  // namespace livens
