// Difference covers: residues of which any difference, modulo the period, is one of two of them.
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

/// Colbourn and Ling's ("Quorums from difference covers", 2000): about sqrt(1.5 period) elements of [0, period).
struct DifferenceCover {
  unsigned period_bits = 0;
  std::vector<std::uint32_t> elements;  ///< ascending, 0 the first

  /// `period_bits`: 6 to 16.
  explicit DifferenceCover(unsigned period_bits);

  std::uint32_t period() const { return std::uint32_t{1} << period_bits; }
  /// How many of the positions [0, size) leave an element.
  std::uint64_t samples(std::uint64_t size) const;
  /// pieces.clh's `cover` for a text of `size` symbols: [0, period): for each difference an element to which it can be
  /// added; behind that, for each residue, where its class begins in the sample class by class (2^32 - 1: it is none).
  std::vector<std::uint32_t> table(std::uint64_t size) const;
};

}  // namespace genocl::overlap

namespace genocl::overlap::pieces {

class PrefixBits {
 public:
  /// No heads yet. `base`: what positions count from, other than 0 in tests alone. Waits until all is there.
  PrefixBits(std::shared_ptr<const Text::State> text, std::uint64_t base);

  // These take a device with any queue of the text's context, and wait.

  /// Takes the heads among suffixes that are neighbours in the array: the first of `positions` is in front of the
  /// others, or of no meaning where they are the array's first ones. Returns the first of the others that the text has
  /// not, or their number.
  std::uint64_t take(const Device& device, std::span<const std::uint64_t> positions, bool first);
  /// The values of the suffixes at `positions`; after see(). Value: 32 or 64 bits, unsigned.
  template <class Value>
  void look_up(const Device& device, std::span<const std::uint64_t> positions, std::span<Value> values) const;

  /// Sets the bits that are set in `words`, of heads and then ends, and what is set here in them.
  void exchange(std::vector<std::uint32_t>& words);
  void set(std::span<const std::uint32_t> words);

  /// All heads are there. Returns how many. Throws InputError where they are none of a suffix array.
  std::uint64_t see();

 private:
  runtime::Defines defines() const;
  std::uint64_t count_blocks(const Array<std::uint32_t>& bits, Array<std::uint64_t>& offsets) const;

  std::shared_ptr<const Text::State> text_;
  std::uint64_t base_, head_words_, end_words_;
  Array<std::uint32_t> heads_, ends_;
  Array<std::uint64_t> prefixes_;  ///< two for each block
};

/// Bits of `size` symbols, of heads and of ends; what they take on a device while they are made; its largest buffer;
/// and what a piece takes.
std::uint64_t prefix_words(std::uint64_t size);
std::uint64_t prefix_bytes(std::uint64_t size);
std::uint64_t largest_prefix_buffer(std::uint64_t size);
std::uint64_t prefix_piece_bytes(std::uint64_t values);

/// How positions are held.
struct Width {
  bool wide = true;        ///< 64 bits, else 32
  std::uint64_t base = 0;  ///< what they count from, a multiple of any period: other than 0 in tests alone

  std::uint64_t bytes() const { return wide ? 8 : 4; }
};

/// Ranges of the array are between splitters: suffixes with their keys.
struct Splitter {
  std::uint64_t key = 0, position = 0;
};
struct Range {
  std::optional<Splitter> from, below;  ///< nothing: from the smallest on, to the largest
  std::uint64_t count = 0;
};

/// Positions in the order of their suffixes: order[i] is the index of the i-th smallest.
struct Order {
  runtime::ScratchArray<std::uint32_t> order;
  runtime::ScratchArray<std::uint64_t> keys;  ///< ascending; only where they were asked for
  runtime::ScratchArray<std::uint32_t>
      names;               ///< of the sample: from 1, the same for suffixes that agree in period + 1
  std::uint64_t tied = 0;  ///< suffixes that their keys did not tell apart
};

class PieceText {
 public:
  /// Brings the text to the device and ranks the sample, and waits for it. Where most of the sample of `cover` shares
  /// its first symbols with others, `finer` is taken, if there is one: comparisons are shorter then.
  PieceText(const Device& device, const Text& text, const DifferenceCover& cover,
            const std::optional<DifferenceCover>& finer, const Width& width);

  std::uint64_t size() const { return text_->size; }
  const Width& width() const { return width_; }
  std::uint32_t period() const { return std::uint32_t{1} << period_bits_; }
  std::uint64_t samples() const { return ranks_.size(); }
  std::uint64_t sample_tied() const { return sample_tied_; }

  // All of these take a device with any queue of the text's context.

  /// Suffixes at these places, ascending, sorted.
  std::vector<Splitter> sort_splitters(const Device& device, std::span<const std::uint64_t> places) const;
  /// [k]: how many suffixes of places [first, first + count) have k splitters that are not larger. At most 65,535.
  std::vector<std::uint32_t> count_intervals(const Device& device, std::span<const Splitter> splitters,
                                             std::uint64_t first, std::uint64_t count) const;
  /// The range's positions in their order, into host memory of range.count * width().bytes() bytes. Returns how many
  /// their keys did not tell apart.
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
  /// Of the kernels that sort.
  runtime::Defines order_defines(Wanted wanted) const;

  std::shared_ptr<const Text::State> text_;
  Width width_;
  unsigned period_bits_ = 0;
  Array<std::uint32_t> cover_, ranks_;
  std::uint64_t sample_tied_ = 0;
};

/// What that takes on a device: ranking `samples`, and sorting `count` positions at a time; without the text and what
/// stays of the sample (4 bytes a sample).
std::uint64_t sample_bytes(const Device& device, std::uint64_t samples, const Width& width);
std::uint64_t piece_bytes(const Device& device, std::uint64_t count, const Width& width);
/// Places that are looked at in one launch, and what that takes.
constexpr std::uint64_t chunk_places = std::uint64_t{1} << 26;
std::uint64_t chunk_bytes(std::uint64_t size);

}  // namespace genocl::overlap::pieces
