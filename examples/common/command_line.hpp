// Options on the command line, and those that every program has.
#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <string>
#include <type_traits>

#include "common/common.hpp"
#include "common/numbers.hpp"

namespace program {

template <class Value>
struct NumberIn {
  using type = Value;
};
template <class Number>
struct NumberIn<std::optional<Number>> {
  using type = Number;
};

/// An option with a number, into a number or an optional one. All options with numbers are made here: CLI11's own
/// conversion lets what is too large or negative wrap around.
template <class Value, class Number = typename NumberIn<Value>::type>
CLI::Option* add_number(CLI::App& command, const std::string& names, Value& value, const std::string& help,
                        std::type_identity_t<Number> least = std::numeric_limits<Number>::lowest(),
                        std::type_identity_t<Number> most = std::numeric_limits<Number>::max()) {
  static_assert(std::is_arithmetic_v<Number>);
  const std::string name = names.substr(names.rfind(',') + 1);
  const auto take = [&value, name, least, most](const std::string& text) {
    const std::optional<Number> number = number_of<Number>(text);
    // Whether a real number may be infinite or none is for its option to say.
    if (!number || *number < least || (std::is_integral_v<Number> && *number > most))
      throw CLI::ValidationError(name, genocl::in_quotes(text) + "; expected " + number_text<Number>(least, most));
    value = *number;
  };
  CLI::Option* const option = command.add_option_function<std::string>(names, take, help);
  option->type_name(std::is_floating_point_v<Number> ? "FLOAT" : std::is_unsigned_v<Number> ? "UINT" : "INT");
  return option;
}

/// Does what add_number does, and shows the default value in the help.
template <class Number>
CLI::Option* add_number_with_default(CLI::App& command, const std::string& names, Number& value,
                                     const std::string& help,
                                     std::type_identity_t<Number> least = std::numeric_limits<Number>::lowest(),
                                     std::type_identity_t<Number> most = std::numeric_limits<Number>::max()) {
  return add_number(command, names, value, help, least, most)->default_str(CLI::detail::to_string(value));
}

/// Ends the help of a command with commands that work: a line for each, after "Example:". The tests run them, and
/// manual pages have them.
inline void add_example(CLI::App& command, const std::string& lines) { command.footer("Example:\n" + lines); }

inline void add_common(CLI::App& command, Common& common) {
  command
      .add_option(
          "--device", common.devices,
          "Run on these devices: all, gpu, cpu, an index, platform:device, or part of a name (repeatable, comma lists)")
      ->delimiter(',')
      ->allow_extra_args(false);  // what follows is a file
  command.add_flag("--quiet", common.quiet, "Show neither progress nor a summary");
  command.add_flag("--profile", common.profile,
                   "Print the launches, seconds and GB/s of each kernel on standard error");
}

}  // namespace program
