// Lists on the command line.
#pragma once

#include <string_view>
#include <vector>

namespace program {

/// What stands before, between and behind the separators; one part where there is none.
inline std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace program
