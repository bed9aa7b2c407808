// Which bytes are text, and the words of a line.
#pragma once

#include <algorithm>
#include <string_view>

namespace genocl::io {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// What a header line cannot hold. Byte 1 it can: NCBI's databases separate the headers of identical proteins with it.
inline bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\1') || c == 0x7f; }

/// A letter, a quality or a digit: what has a shape and takes a place.
inline bool is_printable(char c) { return c > 0x20 && c < 0x7f; }

/// Without blanks around it.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

inline std::string_view first_word(std::string_view text) {
  return {text.begin(), std::ranges::find_if(text, is_blank)};
}

}  // namespace genocl::io
