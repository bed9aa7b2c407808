// Helpers that add options to a command, and the options of every program.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/common.hpp"
#include "common/help.hpp"
#include "common/numbers.hpp"
#include "common/reading_threads.hpp"

namespace program {

template <class Value>
struct NumberIn {
  using type = Value;
};
template <class Number>
struct NumberIn<std::optional<Number>> {
  using type = Number;
};

/// Begins a group of options on the help page: it contains the options that are added after this call. Only --help-all
/// lists groups whose name begins with +.
inline void begin_group(CLI::App& command, std::string_view name) {
  command.option_defaults()->group(std::string(name));
}

/// Splits "-o,--output FILE" into the names of an option and of its value.
struct OptionNames {
  explicit OptionNames(const std::string& text)
      : names(text.substr(0, text.find(' '))),
        value(text.find(' ') < text.size() ? text.substr(text.find(' ') + 1) : "") {}
  std::string names, value;
};

/// Adds an option with a value, or a positional argument. The default in brackets ends the description.
template <class Value>
CLI::Option* add_value(CLI::App& command, const std::string& names, Value& value, const std::string& help) {
  const OptionNames parts(names);
  CLI::Option* const option = command.add_option(parts.names, value, help);
  if (!parts.value.empty()) option->type_name(parts.value);
  return option;
}

/// Adds an option that may be repeated, each time with one value.
inline CLI::Option* add_list(CLI::App& command, const std::string& names, std::vector<std::string>& values,
                             const std::string& help) {
  return add_value(command, names, values, help)->allow_extra_args(false);  // the next argument is a file
}

/// Adds an option with one of several values, which is shown with its default.
inline CLI::Option* add_choice(CLI::App& command, const std::string& names, std::string& value,
                               const std::vector<std::string>& choices, const std::string& help) {
  return add_value(command, names, value, help)->check(CLI::IsMember(choices))->capture_default_str();
}

/// Adds an option with a number, into a number or an optional one. All options with numbers use it, because CLI11's own
/// conversion wraps values that are too large or negative.
template <class Value, class Number = typename NumberIn<Value>::type>
CLI::Option* add_number(CLI::App& command, const std::string& names_and_value, Value& value, const std::string& help,
                        std::type_identity_t<Number> least = std::numeric_limits<Number>::lowest(),
                        std::type_identity_t<Number> most = std::numeric_limits<Number>::max()) {
  static_assert(std::is_arithmetic_v<Number>);
  const OptionNames parts(names_and_value);
  // The first long name. The others are aliases.
  const std::string long_names = parts.names.substr(std::min(parts.names.find("--"), parts.names.rfind(',') + 1));
  const std::string name = long_names.substr(0, long_names.find(','));
  const auto take = [&value, name, least, most](const std::string& text) {
    const std::optional<Number> number = number_of<Number>(text);
    // Each option decides whether it accepts infinity and NaN.
    if (!number || *number < least || (std::is_integral_v<Number> && *number > most))
      throw CLI::ValidationError(name, genocl::in_quotes(text) + "; expected " + number_text<Number>(least, most));
    value = *number;
  };
  CLI::Option* const option = command.add_option_function<std::string>(parts.names, take, help);
  option->type_name(parts.value.empty() ? "N" : parts.value);
  return option;
}

/// add_number() with the default value on the help page.
template <class Number>
CLI::Option* add_number_with_default(CLI::App& command, const std::string& names, Number& value,
                                     const std::string& help,
                                     std::type_identity_t<Number> least = std::numeric_limits<Number>::lowest(),
                                     std::type_identity_t<Number> most = std::numeric_limits<Number>::max()) {
  return add_number(command, names, value, help, least, most)->default_str(CLI::detail::to_string(value));
}

/// Ends the help page of a command with example commands, one a line. The tests run them, and manual pages contain
/// them.
inline void add_example(CLI::App& command, const std::string& lines) { command.footer("Examples\n" + lines); }

inline CLI::Option* add_output(CLI::App& command, std::string& output, const std::string& help = "Output file") {
  return add_value(command, "-o,--output FILE", output, help)->capture_default_str();
}

/// Adds --cigar, into "m" or "x". `usual`: the default letters.
inline CLI::Option* add_cigar(CLI::App& command, std::string& letters, const std::string& usual) {
  const std::map<std::string, std::string> names{{"M", "m"}, {"=X", "x"}, {"m", "m"}, {"x", "x"}};
  return add_value(command, "--cigar LETTERS", letters, "CIGAR letters: M, or =X to tell matches from mismatches")
      ->transform(CLI::CheckedTransformer(names).description(""))
      ->default_str(usual);
}

inline CLI::Option* add_quiet(CLI::App& command, bool& quiet) {
  return command.add_flag("--quiet", quiet, "No progress and no summary on standard error");
}

/// Adds --quiet to a command that writes neither progress nor a summary, so that every command takes it.
inline CLI::Option* add_quiet(CLI::App& command) {
  begin_group(command, "Running");
  const std::string help = "No progress and no summary on standard error";
  return command.add_flag("--quiet", help);
}

/// Adds the options of all commands that run on devices.
inline void add_common(CLI::App& command, Common& common) {
  add_list(command, "--device SPEC", common.devices, "gpu, cpu, all, an index or part of a name [best GPU, else CPU]")
      ->delimiter(',');
  add_number(command, "-t,--threads N", max_threads, "Host threads; on CPU devices also compute units [all]");
  add_quiet(command, common.quiet);
  begin_group(command, "+Running");
  command.add_flag("--kernel-times", common.profile, "Launches, seconds and GB/s of each kernel on standard error");
}

}  // namespace program
