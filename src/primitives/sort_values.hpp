// Words that move with the keys of a sort and represent values of other sizes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {

/// Values of at most `word_bytes` bytes are widened to words. Larger values are represented by their numbers,
/// and gathered at the end.
struct ValueWords {
  std::uint64_t count = 0;
  std::size_t value_bytes = 0, word_bytes = 4;  ///< of a word: 4 or 8

  bool are_numbers() const noexcept { return value_bytes > word_bytes; }
  std::uint64_t array_bytes() const noexcept { return count * word_bytes; }

  /// Enqueues the words of `values`.
  void make(const Device& device, const cl::Buffer& values, const cl::Buffer& words) const;
  /// Enqueues the values of sorted words: from `values` to `to`. If the words are numbers, these are two buffers.
  void take(const Device& device, const cl::Buffer& words, const cl::Buffer& values, const cl::Buffer& to) const;

  /// Scratch memory of sort_in_place().
  void add_scratch(runtime::ScratchSize& size) const {
    size.add(array_bytes());
    if (are_numbers()) size.add(count * value_bytes);
  }
  /// `sort`: sorts keys and the words in the buffer that it takes.
  template <class Sort>
  void sort_in_place(const Device& device, const cl::Buffer& values, const Sort& sort) const {
    const runtime::Scratch words(device, array_bytes());
    make(device, values, words.buffer());
    sort(words.buffer());
    if (!are_numbers()) return take(device, words.buffer(), values, values);
    const runtime::Scratch sorted(device, count * value_bytes);
    take(device, words.buffer(), values, sorted.buffer());
    runtime::copy(device, sorted.buffer(), 0, values, 0, count * value_bytes);
  }
};

/// Words of 4 bytes for values of up to 4 bytes, of 8 bytes for values of up to 8. Larger values have numbers, of 4
/// bytes for up to 2^32 values, else of 8.
inline ValueWords words_of(std::uint64_t count, std::size_t value_bytes) {
  const bool wide = value_bytes > 8 ? count > std::uint64_t{1} << 32 : value_bytes > 4;
  return {count, value_bytes, wide ? std::size_t{8} : std::size_t{4}};
}

}  // namespace genocl::primitives
