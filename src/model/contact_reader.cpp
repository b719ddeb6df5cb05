#include "model/contact_reader.hpp"

#include <fmt/format.h>

#include <set>

namespace livens {

using formula::NodeId;

namespace {

void check_restitution(const Value& where, double e) {
  if (!(e >= 0 && e <= 1))
    where.refuse(fmt::format("is {}; restitution is a number from 0 (stays) to 1 (loses nothing)", e));
}

double positive(const Value& value, Vocabulary& words) {
  const double x = to_double(words.constant(value));
  if (!(x > 0)) value.refuse(fmt::format("is {}; write a positive number", x));
  return x;
}

void read_limits(const Section& contact, Vocabulary& words, Model::Contact& to) {
  if (const auto threshold = contact.find("threshold")) to.threshold = positive(*threshold, words);
  if (const auto most = contact.find("events_per_step")) to.events_per_step = most->integer(1, 1'000'000'000);
}

}  // namespace

void read_contact(const Section& contact, Vocabulary& words, int constraints,
                  const std::vector<std::string>& coordinates, std::string_view kind, int velocities,
                  const Contents& impulse, Model& model) {
  Model::Contact& to = model.contact;
  const Value unilateral = contact.get("unilateral");
  if (constraints == 0) unilateral.refuse("there are no constraints; write system.constraints = [\"y\"]");
  std::vector<int> rows;
  if (unilateral.is_array()) {
    rows = words.chosen_numbers(unilateral, constraints);
    if (rows.empty()) unilateral.refuse("is empty; write numbers of constraints, true for all, or leave [contact] out");
  } else if (unilateral.flag()) {
    for (int a = 0; a < constraints; ++a) rows.push_back(a);
  } else {
    unilateral.refuse("is false; write true for all constraints or their numbers, or leave [contact] out");
  }
  std::vector<double> restitution(rows.size(), 0.0);
  if (const auto given = contact.find("restitution")) {
    if (given->is_array()) {
      const std::vector<Value> items = given->items();
      if (items.size() != rows.size())
        given->refuse(
            fmt::format("has {} number{}, and {} constraint{} one-sided; write one number for all, or one "
                        "for every entry of unilateral",
                        items.size(), items.size() == 1 ? "" : "s", rows.size(), rows.size() == 1 ? " is" : "s are"));
      for (std::size_t k = 0; k < items.size(); ++k)
        check_restitution(items[k], restitution[k] = to_double(words.constant(items[k])));
    } else {
      const double e = to_double(words.constant(*given));
      check_restitution(*given, e);
      restitution.assign(rows.size(), e);
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k)
    to.one_sided.push_back({rows[k], 1, restitution[k], "contact.unilateral", ""});
  read_limits(contact, words, to);

  if (const auto friction = contact.find("friction")) {
    to.friction = to_double(words.constant(*friction));
    if (!(*to.friction >= 0)) friction->refuse(fmt::format("is {}, must not be negative", *to.friction));
  }
  if (const auto exponent = contact.find("exponent")) {
    if (!to.friction)
      exponent->refuse("belongs to friction, which is not given; write friction = 0.2, or leave it out");
    to.exponent = positive(*exponent, words);
  }
  if (const auto given = contact.find("points")) {
    if (!to.friction) given->refuse("belong to friction, which is not given; write friction = 0.2, or leave them out");
    const std::vector<Value> points = given->items();
    if (points.size() != rows.size())
      given->refuse(
          fmt::format("has {} point{}, and {} constraint{} one-sided; write one for every entry of unilateral",
                      points.size(), points.size() == 1 ? "" : "s", rows.size(), rows.size() == 1 ? " is" : "s are"));
    for (std::size_t k = 0; k < points.size(); ++k) {
      to.one_sided[k].point = words.chosen(points[k], coordinates);
      if (to.one_sided[k].point.size() < 2)
        points[k].refuse("has less than two coordinates; a point slides in a plane or in space, write [\"x\", \"y\"]");
    }
  }
  if (const auto given = contact.find("impulse"); given && kind == "odae") {
    const std::vector<Value> directions = given->items();
    if (directions.size() != rows.size())
      given->refuse(fmt::format(
          "has {} direction{}, and {} constraint{} one-sided; write one for every entry of "
          "unilateral",
          directions.size(), directions.size() == 1 ? "" : "s", rows.size(), rows.size() == 1 ? " is" : "s are"));
    std::vector<NodeId> all;
    for (const Value& direction : directions) {
      const std::vector<NodeId> formulas = words.formulas(direction, impulse);
      if (formulas.size() != static_cast<std::size_t>(velocities))
        direction.refuse(fmt::format("has {} formula{}, must have {}: one for every velocity", formulas.size(),
                                     formulas.size() == 1 ? "" : "s", velocities));
      all.insert(all.end(), formulas.begin(), formulas.end());
    }
    formula::Graph graph = words.graph();
    to.impulse = std::make_shared<const formula::Program>(formula::compile(graph, all));
  }
}

void read_mechanism_contact(const Section& contact, Vocabulary& words, Model& model) {
  if (model.contact.one_sided.empty())
    contact.refuse(
        "no joint is one-sided; write unilateral = true in a [[joint]] of type distance or slider, or leave "
        "[contact] out");
  read_limits(contact, words, model.contact);
}

void read_events(const Section& top, Vocabulary& words, const Contents& contents, const Model::EventBlocks& blocks,
                 std::string_view kind, Model& model) {
  const auto tables = top.find("event");
  if (!tables) return;
  if (!tables->is_array()) tables->refuse("is not a list of tables; write [[event]]");
  std::set<std::string> names;
  std::vector<NodeId> formulas;
  for (const Value& table : tables->items()) {
    if (!table.is_section()) table.refuse("is not a table; write [[event]]");
    const Section section = table.section();
    section.refuse_unknown_keys(kind);
    Model::Event event;
    const Value name = section.get("name");
    event.name = name.text();
    if (event.name.empty()) name.refuse("is empty; write a name such as \"apex\"");
    if (!names.insert(event.name).second)
      name.refuse(fmt::format("there is another event \"{}\"; choose another name", event.name));
    const Value when = section.get("when");
    formulas.push_back(words.formula(when, contents));
    if (words.graph().variables(formulas.back()).empty())
      when.refuse("does not change: it contains no coordinate, no velocity and no t");
    if (const auto direction = section.find("direction")) event.direction = static_cast<int>(direction->integer(-1, 1));
    event.stops = section.get("action").choice(std::vector<std::string>{"stop", "record"}) == "stop";
    model.events.push_back(std::move(event));
  }
  if (formulas.empty()) return;
  if (model.is_boundary_problem())
    tables->refuse("events are for motions from a start; a boundary value problem ([final]) has none");
  formula::Graph graph = words.graph();
  model.event_program = std::make_shared<const formula::Program>(formula::compile(graph, formulas));
  model.event_blocks = blocks;
}

void add_mechanism_names(const std::vector<std::string>& coordinates, int q_block, int v_block, Vocabulary& words) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::string& full = coordinates[i];  // "crank.x" or "link[3].d1x"
    const std::size_t dot = full.rfind('.'), bracket = full.find('[');
    if (full.find('-') != full.npos) continue;
    const bool indexed = bracket != full.npos && bracket < dot;
    const std::string family = full.substr(0, indexed ? bracket : dot), part = full.substr(dot + 1),
                      index = indexed ? full.substr(bracket, dot - bracket) : "";
    for (const bool rate : {false, true}) {
      const std::string plain = family + "_" + part;
      const std::string name = plain + index + (rate ? "'" : "");
      if (words.owner_of(plain).empty() && words.owner_of(name).empty())
        words.add_local(name, formula::Slot{rate ? v_block : q_block, static_cast<int>(i)});
    }
  }
}

}  // namespace livens
