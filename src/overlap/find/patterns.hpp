// Patterns as the kernels of find read them (cl/overlap/find/find.cl).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "genocl/array.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "overlap/text/text_state.hpp"

namespace genocl::overlap {

struct Patterns::State {
  /// Of a pattern with a byte that the text has not.
  static constexpr std::uint32_t nowhere = 0xffff'ffffu;

  std::uint64_t count = 0;
  Array<std::uint64_t> words, begins;
  Array<std::uint32_t> lengths;
};

/// Throws what Patterns throws for patterns that cannot be looked for.
void check_patterns(std::span<const std::string_view> patterns);

/// Patterns as the text is packed, on a device with any queue of the text's context. Throws what check_patterns() does.
Patterns::State pack_patterns(const Device& device, const Text::State& text,
                              std::span<const std::string_view> patterns);

}  // namespace genocl::overlap
