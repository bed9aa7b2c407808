// Patterns as the kernels of find read them (cl/overlap/find/find.cl).
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/overlap/suffix_index.hpp"

namespace genocl::overlap {

struct Patterns::State {
  /// Of a pattern with a byte that the text has not.
  static constexpr std::uint32_t nowhere = 0xffff'ffffu;

  std::uint64_t count = 0;
  Array<std::uint64_t> words, begins;
  Array<std::uint32_t> lengths;
};

}  // namespace genocl::overlap
