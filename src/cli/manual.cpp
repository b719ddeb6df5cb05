#include "cli/manual.hpp"

#include <fmt/format.h>

namespace livens::cli {

namespace {

// In the language of man(7) a hyphen is typographic unless it is escaped, and a dot at the begin of a line a request.
std::string for_man(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins = out.empty() || out.back() == '\n';
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

std::string entry(const std::string& name, const std::string& words) {
  return fmt::format(".TP\n.B {}\n{}\n", for_man(name), for_man(words));
}

std::string options_of(const CLI::App& command) {
  std::string arguments, options;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional())
      arguments += entry(option->get_name(true), option->get_description());
    else
      options +=
          entry(option->get_name(false, true) + (takes_value(*option) ? " VALUE" : ""), option->get_description());
  }
  return (arguments.empty() ? "" : ".SH ARGUMENTS\n" + arguments) + ".SH OPTIONS\n" + options;
}

}  // namespace

std::string manual_page(const CLI::App& command, const std::vector<std::string>& path) {
  const std::string name = fmt::format("{}", fmt::join(path, "-")), spoken = fmt::format("{}", fmt::join(path, " "));
  std::string title = name;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto below = command.get_subcommands([](const CLI::App*) { return true; });
  std::string usage = below.empty() ? " [OPTIONS]" : " COMMAND [OPTIONS]";
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional())
      usage += option->get_required() ? " " + option->get_name(true) : " [" + option->get_name(true) + "]";

  std::string page = fmt::format(".TH {} 1 \"\" \"Livens\" \"Livens\"\n", for_man(title));
  page += fmt::format(".SH NAME\n{} \\- {}\n", for_man(name), for_man(command.get_description()));
  page += fmt::format(".SH SYNOPSIS\n.B {}\n{}\n", for_man(spoken), for_man(usage.substr(1)));
  if (!below.empty()) {
    page += ".SH COMMANDS\n";
    for (const CLI::App* each : below) page += entry(each->get_name(), each->get_description());
  }
  page += options_of(command);
  if (const std::string examples = command.get_footer(); !examples.empty())
    page += ".SH EXAMPLES\n.nf\n" + for_man(examples.substr(examples.find('\n') + 1)) + "\n.fi\n";
  page +=
      ".SH EXIT STATUS\n0: done. 1: the run stopped early, or a row of a study is not ok. 2: the input is wrong, "
      "nothing "
      "was run. 3: results could not be written.\n";
  if (path.size() > 1) page += ".SH SEE ALSO\n.BR livens (1)\n";
  return page;
}

}  // namespace livens::cli
