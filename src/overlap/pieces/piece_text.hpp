// A text whose suffixes are sorted in pieces: difference cover, sample, and the LCP values as bits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "overlap/text/text.hpp"
#include "runtime/defines.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {

/// A set of residues whose differences are all residues modulo the period (Colbourn and Ling, "Quorums from difference
/// covers", 2000): about sqrt(1.5 period) elements of [0, period).
struct DifferenceCover {
  unsigned period_bits = 0;
  std::vector<std::uint32_t> elements;  ///< ascending, from 0

  /// `period_bits`: 6 to 16.
  explicit DifferenceCover(unsigned period_bits);

  std::uint32_t period() const { return std::uint32_t{1} << period_bits; }
  /// The number of positions in [0, size) whose residue is an element.
  std::uint64_t samples(std::uint64_t size) const;
  /// `cover` of pieces.clh for a text of `size` symbols. [0, period): for each difference an element to which it can be
  /// added. Then for each residue the first index of its class in the sample, or 2^32 - 1 if it is no element.
  std::vector<std::uint32_t> table(std::uint64_t size) const;
};

}  // namespace genocl::overlap

namespace genocl::overlap::pieces {

class PrefixBits {
 public:
  /// Without heads. `base` is added to all positions, not 0 in tests only. Waits.
  PrefixBits(std::shared_ptr<const Text::State> text, std::uint64_t base);

  // These accept a device with any queue of the text's context, and wait.

  /// Finds the heads among consecutive suffixes of the array. The first of `positions` precedes the others; with
  /// `first` it has no meaning. Returns the index, among the others, of the first invalid position, or their number.
  std::uint64_t take(const Device& device, std::span<const std::uint64_t> positions, bool first);
  /// The values of the suffixes at `positions`, after see(). Value: unsigned, 32 or 64 bits.
  template <class Value>
  void look_up(const Device& device, std::span<const std::uint64_t> positions, std::span<Value> values) const;

  /// exchange() sets the bits of this object, of heads and then ends, in `words`; set() replaces them by `words`.
  void exchange(std::vector<std::uint32_t>& words);
  void set(std::span<const std::uint32_t> words);

  /// Completes the heads. Returns their number. Throws InputError if they are not those of a suffix array.
  std::uint64_t see();

 private:
  runtime::Defines defines() const;
  std::uint64_t count_blocks(const Array<std::uint32_t>& bits, Array<std::uint64_t>& offsets) const;

  std::shared_ptr<const Text::State> text_;
  std::uint64_t base_, head_words_, end_words_;
  Array<std::uint32_t> heads_, ends_;
  Array<std::uint64_t> prefixes_;  ///< two per block
};

/// For `size` symbols: words of heads and ends; peak bytes on a device; its largest buffer; and bytes of a piece.
std::uint64_t prefix_words(std::uint64_t size);
std::uint64_t prefix_bytes(std::uint64_t size);
std::uint64_t largest_prefix_buffer(std::uint64_t size);
std::uint64_t prefix_piece_bytes(std::uint64_t values);

/// The type of positions.
struct Width {
  bool wide = true;        ///< 64 bits, else 32
  std::uint64_t base = 0;  ///< added to all positions, a multiple of the period; not 0 in tests only

  std::uint64_t bytes() const { return wide ? 8 : 4; }
};

/// A suffix with its key, at which the array is cut.
struct Splitter {
  std::uint64_t key = 0, position = 0;
};
struct Range {
  std::optional<Splitter> from, below;  ///< nullopt: unbounded
  std::uint64_t count = 0;
};

/// The order of suffixes: order[i] is the index of the i-th smallest.
struct Order {
  runtime::ScratchArray<std::uint32_t> order;
  runtime::ScratchArray<std::uint64_t> keys;   ///< ascending; empty unless requested
  runtime::ScratchArray<std::uint32_t> names;  ///< of samples: from 1, equal for suffixes that share period + 1 symbols
  std::uint64_t tied = 0;                      ///< suffixes with equal keys
};

class PieceText {
 public:
  /// Copies the text to the device and ranks the sample. Waits. If most samples of `cover` share their first symbols
  /// with others, uses `finer`, if given, for shorter comparisons.
  PieceText(const Device& device, const Text& text, const DifferenceCover& cover,
            const std::optional<DifferenceCover>& finer, const Width& width);

  std::uint64_t size() const { return text_->size; }
  const Width& width() const { return width_; }
  std::uint32_t period() const { return std::uint32_t{1} << period_bits_; }
  std::uint64_t samples() const { return ranks_.size(); }
  std::uint64_t sample_tied() const { return sample_tied_; }

  // All of these accept a device with any queue of the text's context.

  /// The suffixes at `places`, which ascend, in order.
  std::vector<Splitter> sort_splitters(const Device& device, std::span<const std::uint64_t> places) const;
  /// [k]: the number of suffixes at [first, first + count) that are not below exactly k of the splitters, at most
  /// 65,535.
  std::vector<std::uint32_t> count_intervals(const Device& device, std::span<const Splitter> splitters,
                                             std::uint64_t first, std::uint64_t count) const;
  /// Writes the range's positions in order to host memory of range.count * width().bytes() bytes. Returns the number of
  /// suffixes with equal keys.
  std::uint64_t sort_range(const Device& device, const Range& range, void* sorted) const;

 private:
  struct Kernels;

  void take_cover(const DifferenceCover& cover);
  runtime::Scratch sample_of(const DifferenceCover& cover, std::uint64_t count) const;
  bool mostly_tied(const DifferenceCover& cover) const;
  void rank_sample(const DifferenceCover& cover);
  runtime::Scratch collect(const Device& device, const Range& range) const;
  enum class Wanted { order, keys, names };
  runtime::ScratchArray<std::uint64_t> sort_by_keys(const Device& device, const runtime::Scratch& positions,
                                                    runtime::ScratchArray<std::uint32_t>& order, Wanted wanted) const;
  Order sort(const Device& device, const runtime::Scratch& positions, std::uint64_t count, Wanted wanted) const;
  void sort_ties(const Device& device, const runtime::Scratch& positions, const Array<std::uint64_t>& keys,
                 const Array<std::uint32_t>& slots, Order& order, Wanted wanted) const;
  runtime::Defines defines() const;
  /// The defines of the sorting kernels.
  runtime::Defines order_defines(Wanted wanted) const;

  std::shared_ptr<const Text::State> text_;
  Width width_;
  unsigned period_bits_ = 0;
  Array<std::uint32_t> cover_, ranks_;
  std::uint64_t sample_tied_ = 0;
};

/// Bytes on a device to rank `samples`, and to sort `count` positions; without the text and the ranks of the sample (4
/// bytes each).
std::uint64_t sample_bytes(const Device& device, std::uint64_t samples, const Width& width);
std::uint64_t piece_bytes(const Device& device, std::uint64_t count, const Width& width);
/// Positions of one launch, and its bytes.
constexpr std::uint64_t chunk_places = std::uint64_t{1} << 26;
std::uint64_t chunk_bytes(std::uint64_t size);

}  // namespace genocl::overlap::pieces
