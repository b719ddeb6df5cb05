#include "livens/study/study_json.hpp"

#include <fmt/format.h>

#include "livens/methods/methods.hpp"

namespace livens {

namespace {

using Maybe = PerQuantity<std::optional<double>>;

Json json_of(const std::optional<double>& x) {
  return x ? Json(*x) : Json(nullptr);
}

Json json_of(const Maybe& x, bool constrained) {
  Json out = {{"q", json_of(x.q)}, {"p", json_of(x.p)}};
  if (constrained) out["lambda"] = json_of(x.lambda);
  return out;
}

}  // namespace

Json method_json(const Model& model) {
  const MethodEntry& method = choose_method(model);
  Json out = {{"name", method.name}};
  const Options options = read_options(model, method);
  for (const auto& option : options.values())
    std::visit([&](const auto& value) { out[option.first] = value; }, option.second);
  return out;
}

namespace {

// The model with that method. What is wrong with the method is told of --methods, where it was written. A model is read
// from its file once, which may be a pipe.
Model with_method(const Model& given, const MethodChoice& method) {
  Overrides set = given.set;
  set.insert(set.end(), method.set.begin(), method.set.end());
  try {
    Model model = read_model(given.source, given.text, set);
    read_options(model, choose_method(model));
    return model;
  } catch (const MisfitError&) {
    throw;
  } catch (const InputError& e) {
    const std::string words = e.what(), set_by_us = "--set ";
    throw InputError(fmt::format("--methods: \"{}\": {}", method.text,
                                 words.starts_with(set_by_us) ? words.substr(set_by_us.size()) : words));
  }
}

}  // namespace

MethodModels with_methods(const Model& given, const std::vector<MethodChoice>& asked) {
  MethodModels compared;
  for (const MethodChoice& method : asked) {
    try {
      compared.models.push_back(with_method(given, method));
      compared.methods.push_back(method);
    } catch (const MisfitError& e) {
      if (compared.misfits.size() + 1 == asked.size())
        throw InputError(fmt::format("--methods: none fits; {}", e.what()));
      compared.misfits.push_back({method, e.reason});
    }
  }
  return compared;
}

Json order_json(const Model& model, const OrderStudy& study) {
  Json rows = Json::array();
  for (const OrderRow& row : study.rows)
    rows.push_back({{"step", row.step},
                    {"error", json_of(row.error, study.constrained)},
                    {"order", json_of(row.order, study.constrained)}});
  return {{"study", "order"},
          {"method", method_json(model)},
          {"reference", study.reference},
          {"reference_description", study.reference_description},
          {"rows", rows}};
}

Json efficiency_json(const MethodModels& compared, const EfficiencyStudy& study) {
  Json rows = Json::array();
  for (const EfficiencyRow& row : study.rows) {
    Json cost = {
        {"newton_iterations", nullptr}, {"jacobians", nullptr}, {"evaluations", nullptr}, {"seconds", nullptr}};
    if (row.seconds)
      cost = {{"newton_iterations", row.cost.newton_iterations},
              {"jacobians", row.cost.jacobians},
              {"evaluations", row.cost.evaluations},
              {"seconds", *row.seconds}};
    rows.push_back({{"method", method_json(compared.models[row.method])},
                    {"step", row.step},
                    {"error", json_of(row.error, study.constrained)},
                    {"cost", cost}});
  }
  for (const Misfit& misfit : compared.misfits)
    rows.push_back({{"method", Json{{"name", misfit.method.set.front().second}}},
                    {"step", nullptr},
                    {"error", nullptr},
                    {"cost", nullptr},
                    {"does_not_fit", misfit.reason}});
  return {{"study", "efficiency"},
          {"reference", study.reference},
          {"reference_description", study.reference_description},
          {"rows", rows}};
}

Json symplecticity_json(const Symplecticity& study) {
  Json out = {{"study", "symplecticity"}, {"defect", nullptr}, {"scale", nullptr}};
  if (!study.failure) out["defect"] = study.defect, out["scale"] = study.scale;
  return out;
}

Json reversibility_json(const Reversibility& study) {
  Json distance = {{"q", nullptr}, {"p", nullptr}};
  if (!study.failure) distance = {{"q", study.q}, {"p", study.p}};
  return {{"study", "reversibility"}, {"distance", distance}};
}

void for_each_form(const Invariant& invariant,
                   const std::function<void(const char* name, const InvariantCourse& course)>& visit) {
  visit("noncanonical", invariant.noncanonical);
  if (invariant.canonical) visit("canonical", *invariant.canonical);
  if (invariant.corrected) visit("corrected", *invariant.corrected);
}

void for_each_invariant(const InvariantsStudy& study,
                        const std::function<void(const char* name, const Invariant& invariant)>& visit) {
  if (study.first) visit("first", *study.first);
  if (study.second) visit("second", *study.second);
}

Json invariants_json(const InvariantsStudy& study) {
  Json out = {{"study", "invariants"}, {"t", Json::array()}}, changes, resolved;
  std::vector<double> t;  // of the one that went on for longer
  for_each_invariant(study, [&](const char*, const Invariant& invariant) {
    if (invariant.t.size() > t.size()) t = invariant.t;
  });
  for_each_invariant(study, [&](const char* name, const Invariant& invariant) {
    Json forms, largest;
    for_each_form(invariant, [&](const char* form, const InvariantCourse& course) {
      Json values = course.value;
      while (values.size() < t.size()) values.push_back(nullptr);  // after a failure
      forms[form] = values, largest[form] = course.largest_change();
    });
    out[name] = forms, changes[name] = largest;
    resolved[name] = invariant.resolved() == 0 ? Json(nullptr) : Json(invariant.t[invariant.resolved() - 1]);
  });
  out["t"] = t, out["largest_change"] = changes, out["resolved_until"] = resolved;
  out["failure"] = study.failures.empty() ? Json(nullptr) : Json(fmt::format("{}", fmt::join(study.failures, "; ")));
  return out;
}

namespace {

Json json_of_pilot(const PilotRow& row) {
  Json method = {{"name", row.options.name}};
  for (const auto& [key, value] : row.options.options)
    std::visit([&, &name = key](const auto& x) { method[name] = x; }, value);
  return {{"method", method},
          {"step", row.step},
          {"error", *row.error},
          {"seconds", row.seconds},
          {"evaluations", row.cost.evaluations}};
}

}  // namespace

Json advice_json(const Advice& advice) {
  Json rows = Json::array();
  for (const PilotRow& row : advice.rows) rows.push_back(json_of_pilot(row));
  return {{"rows", rows}, {"recommended", advice.recommended}, {"accuracy", advice.accuracy}};
}

}  // namespace livens
