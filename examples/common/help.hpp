// Help pages of the programs.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "common/help_text.hpp"
#include "common/program.hpp"

namespace program {

/// Options of a group whose name begins with + are listed by --help-all only, below the others of that group.
inline std::string group_of(const CLI::Option& option) {
  const std::string& group = option.get_group();
  return group.starts_with('+') ? group.substr(1) : group;
}

inline bool is_shown(const CLI::Option& option, bool all) {
  const std::string& group = option.get_group();
  return option.nonpositional() && !group.empty() && (all || !group.starts_with('+'));
}

/// The description of an option, with its default value in brackets.
inline std::string description_of(const CLI::Option& option) {
  std::string text = option.get_description();
  const std::string& usual = option.get_default_str();
  if (!usual.empty() && !text.ends_with(']')) text += " [" + (usual == "-" ? "stdout" : usual) + "]";
  return text;
}

/// The names of an option, with the name of its value: "-o, --output FILE". A missing short name is left blank, so that
/// long names are aligned.
inline std::string names_of(const CLI::Option& option) {
  std::string names;
  if (!option.get_snames().empty()) names = "-" + option.get_snames().front();
  if (!option.get_lnames().empty()) names += (names.empty() ? "    --" : ", --") + option.get_lnames().front();
  const std::string value = option.get_type_name();
  return option.get_items_expected_max() == 0 ? names : names + " " + value.substr(0, value.find(":{"));
}

inline std::string positional_of(const CLI::Option& option) {
  std::string name = option.get_name(true);
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return name;
}

/// How a command is called through `genocl`: `genocl map`, `genocl jacobi`, but `genocl overlap index`.
inline std::string command_name(const CLI::App& command) {
  const std::string program = std::string(program_name).substr(std::string_view("genocl-").size());
  if (command.get_parent() == nullptr) return "genocl " + program;
  const bool is_second = program == "overlap" && command.get_name() == "index";
  return "genocl " + (is_second ? program + " " : "") + command.get_name();
}

inline std::string usage_of(const CLI::App& command) {
  std::string usage = command_name(command);
  if (!command.get_subcommands([](const CLI::App*) { return true; }).empty()) return usage + " COMMAND [OPTIONS]";
  usage += " [OPTIONS]";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = positional_of(*option) + (option->get_items_expected_max() > 1 ? "..." : "");
    usage += option->get_required() ? " " + name : " [" + name + "]";
  }
  return usage;
}

/// The first sentence of a description.
inline std::string title_of(const CLI::App& command) {
  const std::string text = command.get_description();
  return text.substr(0, std::min(text.find(".\n"), text.find_last_not_of(".\n") + 1));
}

/// The group in which CLI11 puts --help and similar options. They come last, without a heading.
inline constexpr const char* own_group = "Options";

/// The help page of a program or of a command; `all`: with all groups.
inline std::string help_page(const CLI::App& command, bool all) {
  std::string text = command.get_description();
  while (text.ends_with('\n')) text.pop_back();
  text += "\n\nUsage: " + usage_of(command) + "\n";
  const auto commands = command.get_subcommands([](const CLI::App*) { return true; });
  if (!commands.empty()) text += "\nCommands\n";
  for (const CLI::App* one : commands) append_entry(text, one->get_name(), title_of(*one));
  std::string positionals, help_options;
  std::vector<std::string> groups;
  bool hides = false;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) append_entry(positionals, positional_of(*option), description_of(*option));
    hides = hides || (is_shown(*option, true) && !is_shown(*option, false));
    if (is_shown(*option, all) && std::ranges::find(groups, group_of(*option)) == groups.end())
      groups.push_back(group_of(*option));
  }
  for (const CLI::Option* option : command.get_options())
    if (option->nonpositional() && group_of(*option) == own_group && (hides || !option->check_lname("help-all")))
      append_entry(help_options, names_of(*option), description_of(*option));
  if (!positionals.empty()) text += "\n" + positionals;
  for (const std::string& group : groups) {
    if (group == own_group) continue;
    text += "\n" + group + "\n";
    for (const bool expert : {false, true})
      for (const CLI::Option* option : command.get_options())
        if (is_shown(*option, all) && group_of(*option) == group && option->get_group().starts_with('+') == expert)
          append_entry(text, names_of(*option), description_of(*option));
  }
  text += "\n" + help_options;
  if (!command.get_footer().empty()) text += "\n" + command.get_footer();
  return text;
}

/// Rows "program, command, kind, names, value, description" of a program, with tabs between, for manual pages and
/// completions. `kind`: text, usage, positional, option, subcommand or example (a line of these).
inline void append_table(std::string& table, const CLI::App& command) {
  const auto row = [&](const std::string& kind, const std::string& names, const std::string& value,
                       const std::string& description) {
    table += std::string(program_name) + "\t" + (command.get_parent() == nullptr ? "" : command.get_name());
    for (const std::string& cell : {kind, names, value, description}) table += "\t" + cell;
    table += '\n';
  };
  const auto lines = [&](const std::string& kind, std::string_view text) {
    while (!text.empty()) {
      row(kind, "", "", std::string(text.substr(0, text.find('\n'))));
      text.remove_prefix(std::min(text.size(), text.substr(0, text.find('\n')).size() + 1));
    }
  };
  lines("text", command.get_description());
  row("usage", "", "", usage_of(command));
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) row("positional", positional_of(*option), "", description_of(*option));
    if (!is_shown(*option, true)) continue;
    std::string names = names_of(*option);
    names.erase(0, names.find('-'));
    const std::size_t end = option->get_items_expected_max() == 0 ? names.size() : names.rfind(' ');
    // Choices follow the name of the value.
    const std::string type = option->get_type_name();
    const std::size_t choices = type.find(":{");
    const std::string value = end == names.size() ? "" : names.substr(end + 1);
    names.resize(end);
    std::erase(names, ' ');
    row("option", names, choices == std::string::npos ? value : value + " " + type.substr(choices + 1),
        description_of(*option));
  }
  const auto commands = command.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* one : commands) row("subcommand", one->get_name(), "", title_of(*one));
  const std::string footer = command.get_footer();
  lines("example", std::string_view(footer).substr(std::min(footer.size(), footer.find('\n') + 1)));
  for (const CLI::App* one : commands) append_table(table, *one);
}

}  // namespace program
