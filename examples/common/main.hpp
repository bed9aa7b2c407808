// What every program does around its work: it reads the command line, and run_program.hpp.
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

#include "common/run_program.hpp"
#include "common/suggestion.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"

namespace program {

/// What is wrong with the command line, in better words than CLI11's where a name is mistyped.
inline std::string usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
  const std::string_view first = argc > 1 ? argv[1] : "";
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

/// The name that a program was called by, without what tells that it is for a team: both write the same.
inline std::string own_name(std::string name) {
  if (name.ends_with("-mpi")) name.resize(name.size() - 4);
  return name;
}

/// Reads the command line; CLI11 calls what belongs to a subcommand. False where --help or --version was all that was
/// asked for, which is answered. Throws InputError.
inline bool parse(CLI::App& app, int argc, char** argv) {
  const auto answer = [](const std::string& text) {
    if (!team().is_root()) return false;
    genocl::files::AtomicFile out("-");  // which says so when it cannot be written
    out.write(text);
    out.commit();
    return false;
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return answer(app.help());
  } catch (const CLI::CallForAllHelp&) {
    return answer(app.help("", CLI::AppFormatMode::All));
  } catch (const CLI::CallForVersion& version) {
    return answer(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    throw genocl::InputError(usage_error(app, error, argc, argv));
  }
  return true;
}

}  // namespace program
