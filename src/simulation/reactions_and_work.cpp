#include "simulation/reactions_and_work.hpp"

#include <algorithm>

namespace livens {

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
    : system_(model.system->elements<T>()),
      step_(static_cast<T>(model.run.step)),
      q_(system_.coordinates()),
      v_(q_),
      force_(q_),
      work_(system_.coordinates()) {}

template <class T>
void Work<T>::observe(const StateView<T>& x) {
  std::copy(x.q.begin(), x.q.end(), q_.begin());
  std::copy(x.v.begin(), x.v.end(), v_.begin());
  const auto power = [this](const T& t, const Vec<T>& q, const Vec<T>& v) {
    system_.force(t, q, v, force_);
    return dot(force_, v);
  };
  if (started_)
    work_.add(x.t, q_, v_, power);
  else
    work_.start(x.t, step_, q_, v_, power);
  started_ = true;
}

template <class T>
void Work<T>::record(const StateView<T>&, std::vector<double>& row) {
  row.push_back(to_double(work_.value()));
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
