// DNA packed with two bits per base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl {

/// `length` consecutive positions with the same code other than A, C, G, T. OpenCL layout: struct { ulong; uint; uint;
/// }.
struct AmbiguousRun {
  std::uint64_t position = 0;
  std::uint32_t length = 0;
  std::uint32_t code = 0;

  friend bool operator==(const AmbiguousRun&, const AmbiguousRun&) = default;
};

/// Codes of the DNA alphabet, 32 bases per 64-bit word, and a list of runs of ambiguous bases.
///
/// Base i is in words()[i / 32]; the first base of a word is in its highest two bits. Therefore the integer order of
/// words is the order of their text, as suffix arrays need, and 32 bases from any position take two shifts and an OR
/// (see window()). The XOR of two words has two 0 bits exactly where the bases are equal. An ambiguous position is
/// stored as A (00) and belongs to one run; comparisons must check the runs or the mask.
/// Const members may be called concurrently.
class GENOCL_EXPORT PackedDna {
 public:
  static constexpr std::uint64_t bases_per_word = 32;

  PackedDna();
  /// Packs one record. Throws InputError for a code outside the DNA alphabet. O(n).
  explicit PackedDna(std::span<const Code> codes);
  /// Packs all records and keeps their boundaries. Throws InputError unless the alphabet is DNA.
  explicit PackedDna(const SequenceSet& set);

  PackedDna(const PackedDna&) = default;
  PackedDna& operator=(const PackedDna&) = default;
  ~PackedDna() = default;
  /// A moved-from text is empty.
  PackedDna(PackedDna&& other) noexcept;
  PackedDna& operator=(PackedDna&& other) noexcept;

  /// Number of bases, including ambiguous ones.
  std::uint64_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  /// ceil(size() / 32) + 1 words. Bits after the last base are 0, and so is the additional word, so a kernel may load
  /// the word after the current one.
  std::span<const std::uint64_t> words() const noexcept {
    if (words_.empty()) return {nothing, 1};
    return {words_.data(), words_.size()};
  }
  /// Ambiguous runs in order of position, disjoint, each within one record. Adjacent runs of one code are merged up to
  /// a length of 2^32 - 1.
  std::span<const AmbiguousRun> runs() const noexcept { return {runs_.data(), runs_.size()}; }
  /// Record i is [offsets()[i], offsets()[i + 1]).
  std::span<const std::uint64_t> offsets() const noexcept {
    if (offsets_.empty()) return {nothing, 1};
    return {offsets_.data(), offsets_.size()};
  }

  /// The two bits of a base, 0 if ambiguous. O(1). Precondition: i < size().
  Code base(std::uint64_t i) const {
    return static_cast<Code>(words_[i / bases_per_word] >> (62 - 2 * (i % bases_per_word)) & 3);
  }
  /// The original code. O(log runs). Precondition: i < size().
  Code operator[](std::uint64_t i) const;
  /// 32 bases from position i, the first in the highest bits; A after the end. Precondition: i <= size().
  std::uint64_t window(std::uint64_t i) const {
    const std::uint64_t shift = 2 * (i % bases_per_word);
    const std::uint64_t* word = words().data() + i / bases_per_word;
    return shift == 0 ? word[0] : word[0] << shift | word[1] >> (64 - shift);
  }

  /// The original codes [first, first + codes.size()). Throws InputError beyond the end.
  void unpack(std::uint64_t first, std::span<Code> codes) const;
  std::vector<Code> unpack() const;

  /// One bit per position, 1 if ambiguous: position i is bit 63 - i % 64 of word i / 64. Returns ceil(size() / 64) + 1
  /// words, the last 0. Computed on each call: O(size() / 64 + runs).
  std::vector<std::uint64_t> ambiguity_mask() const;
  /// True if [first, first + length) contains an ambiguous position. O(log runs).
  bool is_ambiguous(std::uint64_t first, std::uint64_t length) const;

  /// The reverse complement of the whole text, so records are in reverse order. O(size() / 32 + runs + records).
  PackedDna reverse_complement() const;

  GENOCL_EXPORT friend bool operator==(const PackedDna& a, const PackedDna& b) noexcept;

 private:
  static constexpr std::uint64_t nothing[1] = {0};  // words and offsets of a moved-from text

  void pack(std::span<const Code> codes, std::uint64_t first);

  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<AmbiguousRun> runs_;
  std::vector<std::uint64_t> offsets_;
};

/// The reverse complement of the 32 bases of a word.
constexpr std::uint64_t reverse_complement(std::uint64_t word) noexcept {
  word = ~word;
  word = (word >> 2 & 0x3333333333333333u) | (word & 0x3333333333333333u) << 2;
  word = (word >> 4 & 0x0f0f0f0f0f0f0f0fu) | (word & 0x0f0f0f0f0f0f0f0fu) << 4;
  word = (word >> 8 & 0x00ff00ff00ff00ffu) | (word & 0x00ff00ff00ff00ffu) << 8;
  word = (word >> 16 & 0x0000ffff0000ffffu) | (word & 0x0000ffff0000ffffu) << 16;
  return word >> 32 | word << 32;
}

}  // namespace genocl
