// The steps of a level of the recursion, for DC3 and the published algorithm.
#pragma once

#include <bit>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/text/text.hpp"
#include "runtime/defines.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap::dc3 {

using WordSpan = Span<std::uint32_t>;

/// Suffixes of a tile of the merge.
constexpr std::uint64_t merge_tile = 1024;
/// Levels from this size on release unused scratch memory.
constexpr std::uint64_t large = std::uint64_t{1} << 20;

inline unsigned bits_of(std::uint64_t largest) { return static_cast<unsigned>(std::bit_width(largest)); }
inline std::uint32_t word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// A level's string: the text, or names.
struct Level {
  const cl::Buffer& string;
  const cl::Buffer& separators;
  std::uint64_t size = 0;
  bool is_text = false, has_separators = false;
  unsigned symbol_bits = 0;  ///< of a symbol of dc3_symbols
  unsigned text_bits = 2;

  std::uint64_t firsts() const {
    return (size + 2) / 3;
  }  ///< of residue 0; the same number has residue 1, with the empty suffix
  std::uint64_t samples() const { return firsts() + size / 3; }
  std::uint64_t real_samples() const { return size - firsts(); }
  runtime::Defines defines() const {
    return runtime::Defines()
        .set("DC3_TEXT", is_text ? 1 : 0)
        .set("TEXT_BITS", text_bits)
        .set("TEXT_SEPARATORS", has_separators ? 1 : 0);
  }
};

/// The suffixes whose position is not a multiple of 3.
struct Sample {
  runtime::Scratch ranks;    ///< by place, then one 0; first the names
  runtime::Scratch samples;  ///< positions in order
  runtime::Scratch slots;    ///< indices of samples with a repeated name, if few
  std::uint64_t repeated = 0;
};

/// Sorts by the lowest `bits` bits of the keys, stable; values[i] goes where keys[i] goes.
using PairSort = void (*)(const Device& device, const WordSpan& keys, const WordSpan& values, unsigned bits);

/// Sorts the sample's positions into `order` by the triples of a string of names, and allocates its ranks. Result[k]:
/// k + 1 if the triple of the k-th smallest differs from the one before, else 0.
runtime::Scratch mark_triples(const Device& device, const Level& level, PairSort sort, const cl::Buffer& order,
                              Sample& sample);

/// Writes ranks and positions of the sample from the order of the suffixes of its names.
void place_ranks(const Device& device, const Level& level, const cl::Buffer& order, Sample& sample);

/// Writes the suffixes of residue 0, in order, to others[0, firsts), from the order of the sample.
void order_firsts(const Device& device, const Level& level, PairSort sort, const runtime::Scratch& samples,
                  const runtime::Scratch& others);

/// Merges both into order[0, size). `by_windows`: compares suffixes of a text by windows first.
void merge(const Device& device, const Level& level, const Sample& sample, const runtime::Scratch& others,
           bool by_windows, const cl::Buffer& order);

}  // namespace genocl::overlap::dc3

namespace genocl::overlap {

/// build_dc3() with windows of at most `window_bits` bits, up to 64, as the names of level 0. 0: the length for a
/// random text of this size.
void build_dc3_by_windows(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                          const SuffixArrayOptions& options, BuildReport& report, unsigned window_bits);

/// Fills order[0, size) with the suffix array of names[0, size), numbers in [1, largest]. Returns the levels of
/// recursion. Waits once a level.
unsigned sort_suffixes_of_names(const Device& device, const cl::Buffer& names, std::uint64_t size,
                                std::uint64_t largest, const cl::Buffer& order);

/// Bytes on the device besides names and order.
std::uint64_t names_dc3_bytes(const Device& device, std::uint64_t size);

}  // namespace genocl::overlap
