// Names of the values of an enumeration.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::runtime {

template <class Value, std::size_t count>
using Names = std::array<std::pair<Value, std::string_view>, count>;

/// "?" for an unnamed value.
template <class Value, std::size_t count>
std::string_view name_of(const Names<Value, count>& names, Value value) noexcept {
  for (const auto& [one, name] : names)
    if (one == value) return name;
  return "?";
}

/// The value of a name. Throws InputError that lists all names for an unknown one. `what`: the kind of value
/// ("kernel").
template <class Value, std::size_t count>
Value value_named(const Names<Value, count>& names, std::string_view what, std::string_view name) {
  std::string known;
  for (const auto& [value, one] : names) {
    if (one == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(one);
  }
  throw InputError("no " + std::string(what) + " named " + in_quotes(name) + "; expected one of " + known);
}

}  // namespace genocl::runtime
