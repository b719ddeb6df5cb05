// Self-contained pages with tables and pictures, light and dark.
#pragma once

#include <string>
#include <string_view>

#include "report/svg.hpp"

namespace livens {

// Two notes about a figure, either of which may be empty.
std::string with_note(const std::string& note, const std::string& another);

// An HTML figure with title, names of the curves and a note.
std::string picture(const std::string& title, const std::string& note, const svg::Plot& plot);

// The page around `body`, which is HTML, in the style of all pages of Livens, with this script behind it. Its content
// security policy allows this script and this style, and nothing else: nothing is fetched when it is looked at, but by
// the page of a run that goes on from the server that it came from.
enum class Connects { nowhere, to_its_server };
std::string html_page(const std::string& title, const std::string& body, std::string_view script,
                      Connects connects = Connects::nowhere);

// The page of a study: h1, p, table and figure one after another; classes ok and wrong. The script makes plots of its
// pictures.
std::string sheet(const std::string& title, const std::string& body);

}  // namespace livens
