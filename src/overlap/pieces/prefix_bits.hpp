// Longest common prefixes of all suffixes on a device, by position, in bits (cl/overlap/pieces/prefix_bits.clh).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "overlap/text/text_state.hpp"
#include "runtime/defines.hpp"

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

}  // namespace genocl::overlap::pieces
