// The script that the program holds is made from the sources beside it: ./dev page.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "livens/store/sha256.hpp"
#include "report/assets.hpp"
#include "store/scratch.hpp"

namespace fs = std::filesystem;

TEST_CASE("the_bundle_is_that_of_its_sources") {
  const fs::path folder = fs::path(LIVENS_SOURCE) / "src/report/page";
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string kind = entry.path().extension().string();
    if (kind == ".js" || kind == ".mjs" || kind == ".css" || entry.path().filename() == "package-lock.json")
      sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end(),
            [](const fs::path& a, const fs::path& b) { return a.filename() < b.filename(); });
  REQUIRE(sources.size() > 15);
  std::string all;
  for (const fs::path& source : sources) all += scratch::contents(source);
  const std::string sum = "sources: " + livens::sha256(all) + "\n";
  for (const std::string_view made :
       {livens::report::page_script(), livens::report::sheet_script(), livens::report::page_style()})
    CHECK_MESSAGE(made.substr(0, 300).find(sum) != made.npos,
                  "src/report/page has changed; ./dev page makes the bundle anew");
}

TEST_CASE("the_bundle_names_its_licences_and_evaluates_no_text") {
  const std::string_view script = livens::report::page_script();
  for (const char* words : {"three.js authors", "Leon Sorokin", "The MIT License"})
    CHECK(script.find(words) != script.npos);
  for (const char* words : {"eval(", "new Function(", "</script", "<!--"}) CHECK(script.find(words) == script.npos);
  CHECK(script.size() < 800'000);
  CHECK(livens::report::sheet_script().size() < 80'000);
}
