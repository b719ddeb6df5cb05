#include "simulation/left_out.hpp"

#include <algorithm>
#include <cmath>

namespace livens {

template <class T>
LeftOut<T>::LeftOut(const Model& model, std::vector<int> left_out)
    : system_(model.system->elements<T>()),
      left_out_(std::move(left_out)),
      G_(system_.jacobian()),
      q_(system_.coordinates()),
      g_(system_.constraints()),
      rate_(g_) {}

template <class T>
Outcome LeftOut<T>::judge(const StateView<T>& x) {
  using std::abs;
  std::copy(x.q.begin(), x.q.end(), q_.begin());
  system_.constraint(x.t, q_, g_);
  const auto hold = [&] {
    T kept(0);
    for (int a = 0; a < g_.size(); ++a)
      if (!std::binary_search(left_out_.begin(), left_out_.end(), a) && !(g_[a] == T(0)))
        kept = std::max(kept, T(abs(g_[a]) / size_[a]));
    return std::all_of(left_out_.begin(), left_out_.end(),
                       [&](int d) { return abs(g_[d]) <= (T(1e-9) + 100 * kept) * size_[d]; });
  };
  if (hold()) return Outcome::converged;  // by the sizes known so far, which saves most steps an evaluation
  system_.constraint_size(x.t, q_, size_);
  if (hold()) return Outcome::converged;
  return is_finite(max_norm(g_)) ? Outcome::not_redundant : Outcome::not_finite;
}

template <class T>
void LeftOut<T>::observe(const StateView<T>& x) {
  using std::abs;
  std::copy(x.q.begin(), x.q.end(), q_.begin());
  system_.constraint_jacobian(x.t, q_, g_, G_);
  system_.constraint_rate(x.t, q_, rate_);
  if (size_.size() == 0) system_.constraint_size(x.t, q_, size_ = Vec<T>(g_.size()));
  last_ = {};
  for (const int d : left_out_) {
    T rate = rate_[d];
    for_row(G_, d, [&](int j, const T& entry) { rate += entry * x.v[static_cast<std::size_t>(j)]; });
    last_.constraint = std::max(last_.constraint, std::abs(to_double(g_[d])));
    last_.hidden_constraint = std::max(last_.hidden_constraint, std::abs(to_double(rate)));
  }
  worst_.constraint = std::max(worst_.constraint, last_.constraint);
  worst_.hidden_constraint = std::max(worst_.hidden_constraint, last_.hidden_constraint);
}

template class LeftOut<double>;
template class LeftOut<long double>;
#if LIVENS_QUAD
template class LeftOut<Widest>;
#endif

LeastNormRows::LeastNormRows(const Model& model, std::vector<int> left_out, const Columns& of_run,
                             const LeftOutFigures& last)
    : all_(model, left_out), of_run_(of_run), complete_(of_run), last_(last) {
  const int constraints = model.system->constraints(), kept = constraints - static_cast<int>(left_out.size());
  for (Column& c : complete_)
    if (c.per == Per::multiplier) c.width = c.width / kept * constraints;
}

void LeastNormRows::write(std::span<const double> row) {
  row_.clear();
  double t = 0;
  Vec<double> q;
  const double* x = row.data();
  for (const Column& c : of_run_) {
    const std::span<const double> numbers(x, static_cast<std::size_t>(c.numbers()));
    x += c.numbers();
    if (c.role == Role::time) t = numbers[0];
    if (c.role == Role::position) {
      q = Vec<double>(c.width);
      std::copy(numbers.begin(), numbers.end(), q.begin());
    }
    if (c.per == Per::multiplier) {
      const Vec<double> lambda = all_.multipliers(t, q, numbers);
      row_.insert(row_.end(), lambda.begin(), lambda.end());
    } else if (c.role == Role::constraint) {
      row_.push_back(std::max(numbers[0], last_.constraint));
    } else if (c.role == Role::hidden_constraint) {
      row_.push_back(std::max(numbers[0], last_.hidden_constraint));
    } else {
      row_.insert(row_.end(), numbers.begin(), numbers.end());
    }
  }
  rows_->write(row_);
}

}  // namespace livens
