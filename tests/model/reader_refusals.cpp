#include <doctest/doctest.h>

#include <string>

#include "model/models.hpp"
#include "model/refusals.hpp"

using models::cubic, models::pendulum, models::refusal, models::vortices, models::with;

TEST_CASE("what_is_wrong_is_named_with_its_line_its_key_and_the_remedy") {
  for (const models::Refusal& row : models::refusals) {
    CAPTURE(row.piece);
    CAPTURE(row.instead);
    REQUIRE(row.model.find(row.piece) != std::string::npos);
    const std::string message = refusal(with(row.model, row.piece, row.instead));
    CHECK(message.substr(0, 6 + row.message.size()) == "m.toml" + std::string(row.message));
  }
}

TEST_CASE("keys_nested_without_end_are_refused_before_they_overflow_the_stack") {
  std::string key = "a";
  for (int k = 0; k < 200'000; ++k) key += k % 2 == 0 ? ". a" : ".\"b.c\"";
  CHECK(refusal(key + " = 1").find("more than 16 parts") != std::string::npos);
  CHECK(refusal("[" + key + "]").find("more than 16 parts") != std::string::npos);
  CHECK(refusal("title = {" + key + " = 1}").find("more than 16 parts") != std::string::npos);
  CHECK(refusal("title = " + std::string(100'000, '[')).find("m.toml:1:") != std::string::npos);
  CHECK(refusal("", {{key, "1"}}) != "");
  CHECK(refusal("", {{"title", "{" + key + " = 1}"}}) != "");
}

TEST_CASE("dots_in_texts_and_comments_are_no_keys") {
  const std::string dots = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z";
  CHECK(refusal(with(pendulum, "Planar", dots)) == "");
  CHECK(refusal(with(pendulum, "Planar", "\\\"" + dots)) == "");
  CHECK(refusal(with(pendulum, "\"Planar pendulum\"", "'\\'  # " + dots)) == "");
  CHECK(refusal(with(pendulum, "\"Planar pendulum\"", "\"\"\"\"Planar\"\n" + dots + "\"\"\"")) == "");
}

TEST_CASE("any_beginning_of_a_model_is_read_or_refused") {
  for (const std::string& model : {pendulum, vortices, cubic})
    for (std::size_t size = 0; size < model.size(); ++size) {
      const std::string message = refusal(model.substr(0, size));
      CHECK((message.empty() || message.starts_with("m.toml:")));
    }
}

#if !LIVENS_QUAD
TEST_CASE("quad_precision_is_refused_where_the_build_lacks_it") {
  CHECK(refusal(with(pendulum, "\"extended\"", "\"quad\"")) ==
        "m.toml:38: run.precision: \"quad\" is not possible, this build has no binary128; write \"extended\"");
}
#endif
