// Classification of bytes, and the words of a line.
#pragma once

#include <algorithm>
#include <string_view>

namespace genocl::io {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Returns whether a header line cannot contain the byte. Byte 1 is allowed: NCBI's databases separate the headers of
/// identical proteins with it.
inline bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\1') || c == 0x7f; }

/// Returns whether the byte is a visible character.
inline bool is_printable(char c) { return c > 0x20 && c < 0x7f; }

/// Removes surrounding blanks.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

inline std::string_view first_word(std::string_view text) {
  return {text.begin(), std::ranges::find_if(text, is_blank)};
}

}  // namespace genocl::io
