// Strings of JSON (RFC 8259).
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace genocl {

/// Returns the number of bytes of the UTF-8 character at the front of `text`, which is not empty; 0 if these bytes are
/// not UTF-8.
inline std::size_t utf8_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t size = first < 0x80                    ? 1
                           : first >= 0xc2 && first < 0xe0 ? 2
                           : first >= 0xe0 && first < 0xf0 ? 3
                           : first >= 0xf0 && first < 0xf5 ? 4
                                                           : 0;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates, and numbers above U+10FFFF.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) || (first == 0xf0 && byte(1) < 0x90) ||
      (first == 0xf4 && byte(1) > 0x8f))
    return 0;
  return size;
}

/// Returns the text in quotes, with escapes. A byte that is not UTF-8 is read as Latin-1. O(size of `text`).
inline std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (size == 0 || first < 0x20 || first == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", unsigned{first});
      result += escape;
    } else {
      if (first == '"' || first == '\\') result += '\\';
      result += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result + "\"";
}

}  // namespace genocl
