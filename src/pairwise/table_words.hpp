// Splits lines of text tables of scores into words.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace genocl::pairwise {

/// Returns the words of a line, which blanks separate.
inline std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\v\f";
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

}  // namespace genocl::pairwise
