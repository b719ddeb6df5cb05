#include "simulation/reactions_and_work.hpp"

#include <algorithm>

#include "livens/math/compensated.hpp"
#include "livens/math/lagrange.hpp"
#include "livens/math/quadrature.hpp"

namespace livens {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

template <class T>
Reactions<T>::Reactions(const Model& model)
    : system_(model.system->elements<T>()),
      G_(system_.jacobian()),
      g_(system_.constraints()),
      lambda_(g_),
      q_(system_.coordinates()),
      force_(q_) {}

template <class T>
void Reactions<T>::record(const StateView<T>& x, std::vector<double>& row) {
  std::copy(x.q.begin(), x.q.end(), q_.begin());
  std::copy(x.lambda.begin(), x.lambda.end(), lambda_.begin());
  system_.constraint_jacobian(x.t, q_, g_, G_);
  multiply_transposed(G_, lambda_, force_);
  for (const T& force : force_) row.push_back(-to_double(force));
}

template <class T>
Work<T>::Work(const Model& model)
    : system_(model.system->elements<T>()), q_(system_.coordinates()), v_(q_), force_(q_) {
  const auto step = static_cast<T>(model.run.step);
  for (int last = 1; last < points; ++last) from_start_[at(last)] = weights(last, 0, step);
  last_step_ = weights(points - 1, points - 2, step);
}

template <class T>
void Work<T>::observe(const StateView<T>& x) {
  std::copy(x.q.begin(), x.q.end(), q_.begin());
  std::copy(x.v.begin(), x.v.end(), v_.begin());
  system_.force(x.t, q_, v_, force_);
  const bool from_start = known_ < points;
  if (from_start)
    ++known_;
  else
    std::rotate(power_.begin(), power_.begin() + 1, power_.end());
  power_[at(known_ - 1)] = dot(force_, v_);
  const Weights& weight = from_start ? from_start_[at(known_ - 1)] : last_step_;
  T sum(0);
  for (int i = 0; i < known_; ++i) sum += weight[at(i)] * power_[at(i)];
  if (from_start)
    work_ = sum;
  else
    add_compensated(work_, remainder_, sum);
}

template <class T>
void Work<T>::record(const StateView<T>&, std::vector<double>& row) {
  row.push_back(to_double(work_));
}

// Integrals over steps `from` .. `last` of the Lagrange polynomials of nodes 0 .. last.
template <class T>
typename Work<T>::Weights Work<T>::weights(int last, int from, const T& step) {
  std::vector<T> nodes;
  for (int i = 0; i <= last; ++i) nodes.push_back(T(i));
  const LagrangeBasis<T> basis(nodes);
  const Quadrature<T> rule = gauss<T>(points / 2);
  const T length(last - from);
  Weights w{};
  for (int i = 0; i <= last; ++i)
    for (std::size_t k = 0; k < rule.nodes.size(); ++k)
      w[at(i)] += step * length * rule.weights[k] * basis.value(i, T(from) + length * rule.nodes[k]);
  return w;
}

template class Reactions<double>;
template class Reactions<long double>;
template class Work<double>;
template class Work<long double>;
#if LIVENS_QUAD
template class Reactions<Widest>;
template class Work<Widest>;
#endif

}  // namespace livens
