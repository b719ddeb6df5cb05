// The script and the style of pages, as ./dev page makes them from src/report/page.
#pragma once

#include <string_view>

namespace livens::report {

std::string_view page_script();   // of runs
std::string_view sheet_script();  // of studies
std::string_view page_style();

}  // namespace livens::report
