// Tables on a terminal: columns of equal width in the place of tabs.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "common/lists.hpp"

namespace program {

/// Lines with tabs become rows of padded columns. Consecutive lines with the same number of tabs share their widths.
inline std::string aligned(std::string_view text) {
  const std::vector<std::string_view> lines = parts_of(text, '\n');
  std::string result;
  for (std::size_t begin = 0; begin < lines.size();) {
    const auto tabs = std::ranges::count(lines[begin], '\t');
    std::size_t end = begin;
    std::vector<std::size_t> widths(static_cast<std::size_t>(tabs) + 1);
    while (end < lines.size() && std::ranges::count(lines[end], '\t') == tabs) {
      const std::vector<std::string_view> fields = parts_of(lines[end++], '\t');
      for (std::size_t i = 0; i < fields.size(); ++i) widths[i] = std::max(widths[i], fields[i].size());
    }
    for (; begin < end; ++begin) {
      const std::vector<std::string_view> fields = parts_of(lines[begin], '\t');
      for (std::size_t i = 0; i < fields.size(); ++i) {
        result += fields[i];
        if (i + 1 < fields.size()) result.append(widths[i] - fields[i].size() + 2, ' ');
      }
      if (begin + 1 < lines.size()) result += '\n';
    }
  }
  return result;
}

/// True if `stream` is a terminal. mpirun gives its processes one even where its own output goes to a file.
inline bool is_terminal(int stream) {
  for (const char* const variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (std::getenv(variable) != nullptr) return false;
  return ::isatty(stream) == 1;
}

/// Returns `text` as written to `output`: aligned for standard output on a terminal, otherwise with tabs.
inline std::string for_output(std::string text, std::string_view output) {
  return output == "-" && is_terminal(STDOUT_FILENO) ? aligned(text) : text;
}

}  // namespace program
