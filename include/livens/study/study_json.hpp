// Studies as `--json` prints them and as Python gets them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "livens/store/json.hpp"
#include "livens/study/step_search.hpp"
#include "livens/study/studies.hpp"

namespace livens {

// A method that is not for this system, and why.
struct Misfit {
  MethodChoice method;
  std::string reason;
};

// One model with several methods.
struct MethodModels {
  std::vector<MethodChoice> methods;
  std::vector<Model> models;  // one for each of those
  std::vector<Misfit> misfits;
};

// Throws InputError, also where no method fits.
MethodModels with_methods(const Model& given, const std::vector<MethodChoice>& asked);

// As in summary.json: the name and all options.
Json method_json(const Model& model);

Json order_json(const Model& model, const OrderStudy& study);
Json efficiency_json(const MethodModels& compared, const EfficiencyStudy& study);
Json symplecticity_json(const Symplecticity& study);
Json reversibility_json(const Reversibility& study);
Json invariants_json(const InvariantsStudy& study);
Json advice_json(const Advice& advice);

// visit(name, course) for the forms that there are.
void for_each_form(const Invariant& invariant,
                   const std::function<void(const char* name, const InvariantCourse& course)>& visit);
// visit(name, invariant) for the first and the second, where they are.
void for_each_invariant(const InvariantsStudy& study,
                        const std::function<void(const char* name, const Invariant& invariant)>& visit);

}  // namespace livens
