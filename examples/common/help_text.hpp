// Text of help pages in columns.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace program {

/// Appends words to lines of at most 100 columns; `indent`: columns of further lines.
inline void append_wrapped(std::string& text, std::string_view words, std::size_t indent) {
  constexpr std::size_t width = 100;
  std::size_t column = text.size() - (text.rfind('\n') + 1);
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (column > indent && column + 1 + word.size() > width) {
      text += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  text += '\n';
}

/// Appends a name and its description, in columns.
inline void append_entry(std::string& text, const std::string& name, const std::string& description) {
  constexpr std::size_t indent = 29;
  text += "  " + name;
  text += name.size() + 4 <= indent ? std::string(indent - name.size() - 2, ' ') : "\n" + std::string(indent, ' ');
  append_wrapped(text, description, indent);
}

}  // namespace program
