#include "model/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/math/spectral.hpp"

namespace livens {

using formula::NodeId;
using formula::Number;

namespace {

constexpr long long fewest_points = 3, most_of_loop = 1'000'000, most_of_surface = 1000;

// A loop is closed where its ends differ by less than this part of its size: formulas may contain rounded numbers.
constexpr double closed = 1e-12;

std::string place_in_words(const std::vector<int>& points, const Number& sigma, const Number& tau) {
  const std::string at = fmt::format("tau = {:.6g}", to_double(tau));
  return points.size() == 1 ? at : fmt::format("sigma = {:.6g}, {}", to_double(sigma), at);
}

}  // namespace

SampleReader::SampleReader(Vocabulary& words)
    : words_(words), tau_(words.time_block() + 1), sigma_(words.time_block() + 2) {
  if (words_.owner_of("tau").empty()) words_.add_local("tau", tau_);
  if (words_.owner_of("sigma").empty()) words_.add_local("sigma", sigma_);
}

void SampleReader::require(const std::string& name, const Section& where) const {
  if (const std::string owner = words_.owner_of(name); !owner.empty())
    where.refuse(
        fmt::format("\"{}\" is its parameter on [0, 1], and the name is already given at {}; choose another one there",
                    name, owner));
}

std::vector<NodeId> SampleReader::read_formulas(const Section& section, const Contents& contents,
                                                const Owners& coordinates, Model::Samples& samples) {
  const Value texts = section.get("q");
  std::vector<NodeId> formulas = words_.formulas(texts, contents);
  check_count(texts, formulas.size(), "formula", coordinates);
  samples.program = std::make_shared<const formula::Program>(formula::compile(words_.graph(), formulas));
  samples.block = tau_;
  return formulas;
}

std::vector<std::vector<Number>> SampleReader::values(const Value& texts, const std::vector<NodeId>& formulas,
                                                      const Model::Samples& samples,
                                                      const std::vector<std::pair<Number, Number>>& at) {
  formula::Evaluator<Number> evaluate(samples.program);
  std::vector<const Number*> blocks(static_cast<std::size_t>(sigma_) + 1, nullptr);
  std::vector<std::vector<Number>> all;
  for (const auto& [sigma, tau] : at) {
    blocks[static_cast<std::size_t>(sigma_)] = &sigma, blocks[static_cast<std::size_t>(tau_)] = &tau;
    std::vector<Number>& q = all.emplace_back(formulas.size());
    evaluate(blocks.data(), q.data());
    const auto wrong = std::find_if(q.begin(), q.end(), [](const Number& x) { return !is_finite(to_double(x)); });
    if (wrong == q.end()) continue;
    const auto index = static_cast<std::size_t>(wrong - q.begin());
    const double s = to_double(sigma), t = to_double(tau);
    std::vector<const double*> numbers(blocks.size(), nullptr);
    numbers[static_cast<std::size_t>(sigma_)] = &s, numbers[static_cast<std::size_t>(tau_)] = &t;
    const auto fault = formula::explain(words_.graph(), std::span(&formulas[index], 1), numbers.data());
    texts.refuse(fmt::format("formula {} is not finite at {}{}; write one that is finite on all of [0, 1]", index + 1,
                             place_in_words(samples.points, sigma, tau), fault ? ": " + fault->message() : ""));
  }
  return all;
}

void SampleReader::read_loop(const Section& loop, const Owners& coordinates, Model::Samples& samples) {
  using std::abs;
  require("tau", loop);
  const Contents contents{{tau_}, "a loop may contain tau and parameters only"};
  const auto points = loop.find("points");
  samples.points = {points ? static_cast<int>(points->integer(fewest_points, most_of_loop)) : 200};
  const std::vector<NodeId> formulas = read_formulas(loop, contents, coordinates, samples);
  std::vector<std::pair<Number, Number>> at;
  for (int k = 0; k <= samples.points[0]; ++k) at.push_back({Number(0), Number(k) / Number(samples.points[0])});
  const Value texts = loop.get("q");
  const auto q = values(texts, formulas, samples, at);
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    Number size = 0;
    for (const auto& x : q) size = std::max<Number>(size, abs(x[i]));
    if (abs(q.back()[i] - q.front()[i]) > Number(closed) * size)
      texts.refuse(fmt::format(
          "the loop is not closed: formula {} is {:.10g} at tau = 0 and {:.10g} at tau = 1; write functions "
          "of period 1 such as cos(2*pi*tau)",
          i + 1, to_double(q.front()[i]), to_double(q.back()[i])));
  }
}

void SampleReader::read_surface(const Section& surface, const Owners& coordinates, Model::Samples& samples) {
  require("sigma", surface), require("tau", surface);
  const Contents contents{{sigma_, tau_}, "a surface may contain sigma, tau and parameters only"};
  samples.points = {24, 24};
  const auto count = [](const Value& value) { return static_cast<int>(value.integer(fewest_points, most_of_surface)); };
  if (const auto points = surface.find("points"); points && points->is_array()) {
    const std::vector<Value> both = points->items();
    if (both.size() != 2)
      points->refuse(fmt::format("has {} number{}; write one for both parameters, or [of sigma, of tau]", both.size(),
                                 both.size() == 1 ? "" : "s"));
    samples.points = {count(both[0]), count(both[1])};
  } else if (points) {
    samples.points.assign(2, count(*points));
  }
  const std::vector<NodeId> formulas = read_formulas(surface, contents, coordinates, samples);
  std::vector<std::pair<Number, Number>> at;
  const ChebyshevRule<Number> sigma(samples.points[0]), tau(samples.points[1]);
  for (const Number& s : sigma.nodes())
    for (const Number& t : tau.nodes()) at.push_back({s, t});
  values(surface.get("q"), formulas, samples, at);
}

}  // namespace livens
