// A text as the kernels of overlap read it (cl/overlap/text/text.clh).
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/overlap/text.hpp"
#include "runtime/defines.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {

/// Symbol i is bits [i * bits, i * bits + bits) of the words, counted from the highest bit of the first word; a break
/// holds code 0.
struct Text::State {
  /// Words behind the last one with a symbol, all 0: a kernel may read windows up to 128 symbols behind the end.
  static constexpr std::uint64_t margin_words = 20;

  Device device;
  std::uint64_t size = 0;
  unsigned bits = 2;
  bool has_breaks = false;
  runtime::ScratchArray<std::uint64_t> words;
  /// Position i is bit 31 - i % 32 of word i / 32; size / 32 + 6 words, 0 behind the end. One word without breaks.
  runtime::ScratchArray<std::uint32_t> breaks;
  std::vector<std::uint8_t> alphabet;
  std::vector<std::uint64_t> begins;

  /// Sets TEXT_BITS and TEXT_BREAKS.
  runtime::Defines defines() const {
    return runtime::Defines().set("TEXT_BITS", bits).set("TEXT_BREAKS", has_breaks ? 1 : 0);
  }
  unsigned symbols_per_word() const { return 64 / bits; }
  std::uint64_t bytes() const { return words.bytes() + breaks.bytes(); }
};

}  // namespace genocl::overlap
