// Shows a page to whoever sits in front of the screen.
#pragma once

#include <string>

namespace livens::cli {

// With the program that $BROWSER names, else with the desktop's own. False: there is none, or no desktop.
bool open_page(const std::string& address);

}  // namespace livens::cli
