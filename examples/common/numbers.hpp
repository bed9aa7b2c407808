// Reads numbers on the command line.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "genocl/error.hpp"

namespace program {

/// Parses all of `text` as a number. No value if it is not a number or does not fit the type; unsigned types accept no
/// minus. A leading plus is allowed.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Describes the expected value for messages: "a whole number from 1 to 10".
template <class Number>
std::string number_text(Number least, Number most) {
  if constexpr (std::is_floating_point_v<Number>)
    return "a number";
  else
    return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

/// Parses a number with a unit in either case: 4938920, 500k, 4.9M, 16G (powers of 1000). Throws InputError with the
/// option's name.
inline std::uint64_t amount_of(std::string_view option, const std::string& text) {
  constexpr std::string_view units = "kmgtKMGT";
  std::string_view digits = text;
  double unit = 1;
  if (!digits.empty())
    if (const std::size_t at = units.find(digits.back()); at != std::string_view::npos) {
      unit = std::pow(1000.0, static_cast<double>(at % 4 + 1));
      digits.remove_suffix(1);
    }
  const std::optional<double> number = number_of<double>(digits);
  if (!number || !(*number > 0) || *number * unit < 1 || *number * unit > 1e18)
    throw genocl::InputError(std::string(option), {}, genocl::in_quotes(text), "a number like 4000000, 4.9M or 16G");
  return static_cast<std::uint64_t>(std::llround(*number * unit));
}

}  // namespace program
