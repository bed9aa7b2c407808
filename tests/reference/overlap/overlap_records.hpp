// Records as the oracles of overlap compare them: letter by letter, what matches nothing differing from all else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference {

/// Letters as numbers; what matches nothing is negative.
using Record = std::vector<int>;
using Records = std::vector<Record>;

/// How many letters a from i and b from j on begin with in common.
inline std::size_t common_from(const Record& a, std::size_t i, const Record& b, std::size_t j) {
  std::size_t length = 0;
  while (i + length < a.size() && j + length < b.size() && a[i + length] >= 0 && a[i + length] == b[j + length])
    ++length;
  return length;
}

}  // namespace reference
