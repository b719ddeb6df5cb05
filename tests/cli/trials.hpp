// Trials that every kind of model goes through: wrong models with the words of their refusal, runs that are killed.
#pragma once

#include "cli/program.hpp"

namespace program {

// A piece of a model, what stands there instead, and what is then said after the name of the file.
struct Wrong {
  std::string piece, instead, words;
};

inline std::string replaced(std::string text, const std::string& piece, const std::string& instead) {
  const std::size_t at = text.find(piece);
  REQUIRE_MESSAGE(at != text.npos, piece);
  return text.replace(at, piece.size(), instead);
}

// Each is refused with status 2 and its words, and nothing is left behind.
inline void check_refusals(const std::string& model, const std::vector<Wrong>& wrong_models) {
  for (const Wrong& wrong : wrong_models) {
    const Place place;
    put(place / "m.toml", replaced(model, wrong.piece, wrong.instead));
    const Reply reply = place.livens("run m.toml --json --out new/r");
    CAPTURE(wrong.instead);
    CAPTURE(reply.err);
    CHECK(reply.status == 2);
    CHECK(reply.out == "");
    CHECK(scratch::entries(place / "") == 1);
    CHECK(reply.err.starts_with("livens: m.toml" + wrong.words));
  }
}

// What a run computed: its rows, its end, its audit, its events.
inline std::string rows_and_end(const Place& place, const std::string& directory) {
  const Json summary = Json::parse(contents(place / (directory + "/summary.json")));
  return contents(place / (directory + "/trajectory.h5")) + summary["final"].dump() + summary["raw"].dump() +
         summary["audit"].dump() + summary.value("events", Json()).dump();
}

// `livens run JOB` of so many steps, and the same stopped early, taken up, killed and taken up again: the same bits.
inline void check_resumed(const Place& place, const std::string& job, int early, int steps) {
  const std::string run = "run " + job + " --quiet --set run.steps=",
                    resume = "resume short --quiet --steps " + std::to_string(steps);
  REQUIRE(place.livens(run + std::to_string(steps) + " --out long").status == 0);
  REQUIRE(place.livens(run + std::to_string(early) + " --out short").status == 0);
  Process running = place.start(Place::split(resume));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  running.signal(SIGKILL);
  running.wait();
  REQUIRE(place.livens(resume).status == 0);
  CHECK(rows_and_end(place, "long") == rows_and_end(place, "short"));
}

}  // namespace program
