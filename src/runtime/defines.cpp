#include "runtime/defines.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
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

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) noexcept {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash = (seed ^ 0xcbf29ce484222325) * prime + text.size();
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(text.size(), 8))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min<std::size_t>(text.size(), 8));
    hash = (hash ^ word) * prime;
    hash ^= hash >> 29;
  }
  return hash;
}

Defines::Value& Defines::place_of(std::string_view name) {
  const auto place = std::lower_bound(values_.begin(), values_.end(), name,
                                      [](const Value& value, std::string_view wanted) { return value.name < wanted; });
  if (place != values_.end() && place->name == name) return *place;
  if (!is_identifier(name)) throw InputError("kernel define '" + std::string(name) + "' is not a name");
  if (values_.empty()) {
    values_.reserve(16);
    return values_.emplace_back(Value{std::string(name), {}, 0, false});
  }
  return *values_.insert(place, Value{std::string(name), {}, 0, false});
}

Defines& Defines::set(std::string_view name, std::string_view value) {
  if (!is_identifier(value))
    throw InputError("kernel define " + std::string(name) + ": '" + std::string(value) + "' is not a name");
  Value& place = place_of(name);
  place.text = value;
  place.number = 0;
  place.is_unsigned = false;
  return *this;
}

Defines& Defines::set_number(std::string_view name, std::uint64_t number, bool is_unsigned) {
  Value& place = place_of(name);
  place.text.clear();
  place.number = number;
  place.is_unsigned = is_unsigned;
  return *this;
}

std::string Defines::options() const {
  std::string options;
  for (const Value& value : values_) {
    options += " -D" + value.name + "=";
    if (!value.text.empty())
      options += value.text;
    else if (!value.is_unsigned)
      options += std::to_string(static_cast<std::int64_t>(value.number));
    else
      options +=
          std::to_string(value.number) + (value.number > 0x7fffffffu ? (value.number > 0xffffffffu ? "UL" : "U") : "");
  }
  return options;
}

std::uint64_t Defines::hash(std::uint64_t seed) const noexcept {
  std::uint64_t hash = seed ^ registers_;
  for (const Value& value : values_)
    hash = hash_text(value.text, hash_text(value.name, hash)) ^ (value.number * 0x9e3779b97f4a7c15 + value.is_unsigned);
  return front_.empty() ? hash : hash_text(front_, hash);
}

}  // namespace genocl::runtime
