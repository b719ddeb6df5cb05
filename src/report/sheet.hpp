// Self-contained pages with tables and pictures, light and dark.
#pragma once

#include <string>

#include "report/svg.hpp"

namespace livens {

// Two notes about a figure, either of which may be empty.
std::string with_note(const std::string& note, const std::string& another);

// An HTML figure with title, names of the curves and a note.
std::string picture(const std::string& title, const std::string& note, const svg::Plot& plot);

// The page around `body`, which is HTML, in the style of all pages of Livens.
std::string html_page(const std::string& title, const std::string& body);

// Such a page of h1, p, table and figure one after another; classes ok and wrong.
std::string sheet(const std::string& title, const std::string& body);

}  // namespace livens
