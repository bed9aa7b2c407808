// Lines of tables.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace program {

/// What stands between separators, empty fields included.
inline std::vector<std::string> split(std::string_view line, std::string_view separators) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    fields.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

}  // namespace program
