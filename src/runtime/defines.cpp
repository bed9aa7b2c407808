#include "runtime/defines.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::runtime {
namespace {

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto letter_or_digit = [&](char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), letter_or_digit);
}

}  // namespace

Defines& Defines::set(std::string_view name, std::string_view value) {
  if (!is_identifier(value))
    throw InputError("kernel define " + std::string(name) + ": '" + std::string(value) + "' is not a name");
  return set_text(name, std::string(value));
}

Defines& Defines::set_text(std::string_view name, std::string value) {
  if (!is_identifier(name)) throw InputError("kernel define '" + std::string(name) + "' is not a name");
  values_.insert_or_assign(std::string(name), std::move(value));
  return *this;
}

std::string Defines::options() const {
  std::string text;
  for (const auto& [name, value] : values_) text += " -D" + name + "=" + value;
  return text;
}

}  // namespace genocl::runtime
