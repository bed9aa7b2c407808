// Plain scalar oracle: stream compaction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace genocl_reference {

template <class Flag>
std::vector<std::uint64_t> set_indices(std::span<const Flag> flags) {
  std::vector<std::uint64_t> indices;
  for (std::size_t i = 0; i < flags.size(); i++)
    if (flags[i] != 0) indices.push_back(i);
  return indices;
}

}  // namespace genocl_reference
