// The frame of every program: command line, help, version, errors.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/help.hpp"
#include "common/run_program.hpp"
#include "common/suggestion.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"

namespace program {

/// Returns the error message for a wrong command line. For a mistyped name it suggests the right one.
inline std::string usage_error(const CLI::App& app, const CLI::ParseError& error, std::string_view first) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
  if (!commands.empty() && !first.empty() && !first.starts_with('-') &&
      std::ranges::find(commands, first) == commands.end()) {
    std::string known;
    for (const std::string& command : commands) known += (known.empty() ? "" : ", ") + command;
    const std::string nearest = suggestion(first, commands);
    return "no subcommand " + genocl::in_quotes(first) + (nearest.empty() ? "; expected one of " + known : nearest);
  }
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  for (const std::string& left : app.remaining(true)) {
    if (!left.starts_with("--") || left.size() < 3) continue;
    const CLI::App& command = chosen.empty() ? app : *chosen.front();
    const std::string name = left.substr(2, left.find('=') - 2);
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
      for (const std::string& one : option->get_lnames()) names.push_back(one);
    if (std::ranges::find(names, name) != names.end()) continue;
    std::string nearest = suggestion(name, names);
    if (const std::size_t at = nearest.rfind(' '); at != std::string::npos) nearest.insert(at + 1, "--");
    return "no option --" + genocl::shown(name) + nearest;
  }
  std::string text = error.what();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

inline bool is_command(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::ranges::any_of(commands, [&](const CLI::App* command) { return command->get_name() == name; });
}

/// The called name for the help page: "genocl map", "genocl-marose map".
inline std::string called_for_help(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const std::string called = called_name();
  return chosen.empty() || called != program_name ? called : called + " " + chosen.front()->get_name();
}

/// The program's name without the suffix -mpi. Both programs write the same output.
inline std::string own_name(std::string name) {
  if (name.ends_with("-mpi")) name.resize(name.size() - 4);
  return name;
}

/// A name or spelling of an option before version 0.2.
struct FormerName {
  std::string_view former, now;
};
inline constexpr FormerName former_names[] = {{"--profile", "--kernel-times"}};

/// Returns the arguments with former names of options replaced by current ones. Warns of each former name. `former`:
/// those of this program.
inline std::vector<std::string> arguments_of(int argc, char** argv, std::vector<FormerName> former = {}) {
  former.insert(former.end(), std::begin(former_names), std::end(former_names));
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::string& argument : arguments)
    for (const FormerName& name : former) {
      if (!argument.starts_with(name.former)) continue;
      if (argument.size() > name.former.size() && argument[name.former.size()] != '=') continue;
      if (team().is_root())
        std::cerr << called_name() << ": warning: " << name.former << " is now " << name.now << "\n";
      argument.replace(0, name.former.size(), name.now);
      break;
    }
  return arguments;
}

/// Parses the result of arguments_of(). CLI11 calls the function of the command. Returns false after a help page or the
/// version. Throws InputError.
inline bool parse(CLI::App& app, std::vector<std::string> arguments) {
  const auto answer = [](const std::string& text) {
    if (!team().is_root()) return false;
    genocl::files::AtomicFile out("-");  // reports write errors
    out.write(text);
    out.commit();
    return false;
  };
  const auto chosen = [&]() -> const CLI::App& {
    const std::vector<CLI::App*> commands = app.get_subcommands();
    return commands.empty() ? app : *commands.front();
  };
  if (arguments == std::vector<std::string>{"--help-table"}) {
    std::string table;
    append_table(table, app);
    return answer(table);
  }
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (arguments.size() == 2 && arguments.back() == "--version" && is_command(app, first))
    return answer(app.version() + "\n");
  std::ranges::reverse(arguments);  // CLI11 takes a list in reverse order
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return answer(help_page(chosen(), false));
  } catch (const CLI::CallForAllHelp&) {
    return answer(help_page(chosen(), true));
  } catch (const CLI::CallForVersion& version) {
    return answer(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    throw genocl::InputError(usage_error(app, error, first) + "; see " + called_for_help(app) + " --help");
  }
  return true;
}

/// Adds the options that every program has. To be called before commands are added.
inline void add_program_options(CLI::App& app, const std::string& version) {
  app.set_help_flag("-h,--help", "Print this page");
  app.set_help_all_flag("--help-all", "Also list options for experts and of published methods");
  app.set_version_flag("--version", std::string(program_name) + " " + version, "Print the version");
}

}  // namespace program
