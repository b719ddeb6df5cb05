// Manual pages and completion, made from the table of commands and options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace livens::cli {

// "livens", "study", "order": the page livens-study-order(1), in the language of man(7).
std::string manual_page(const CLI::App& command, const std::vector<std::string>& path);

// The script that teaches bash or zsh the commands and options of this program.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace livens::cli
