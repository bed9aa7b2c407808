// Holds DNA at two bits a base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl {

/// `length` consecutive positions with the same code other than A, C, G, T. Laid out for OpenCL: struct { ulong; uint;
/// uint; }.
struct AmbiguousRun {
  std::uint64_t position = 0;
  std::uint32_t length = 0;
  std::uint32_t code = 0;

  friend bool operator==(const AmbiguousRun&, const AmbiguousRun&) = default;
};

/// Codes of the DNA alphabet, 32 bases to a 64-bit word, and a list of what is not a base.
///
/// Base i is in words()[i / 32], the first base of a word in its highest two bits. So, as integers, words compare as
/// their text does (the order suffix arrays need), and 32 bases from any position on are two shifts and an OR
/// (window(); in a kernel the same on the words). Two words XORed leave two bits per base that are 0 exactly where the
/// bases are equal. An ambiguous position holds A (00) there and is covered by one run: whoever compares words asks the
/// runs or the mask.
class GENOCL_EXPORT PackedDna {
 public:
  static constexpr std::uint64_t bases_per_word = 32;

  PackedDna() : PackedDna(std::span<const Code>()) {}
  /// One record. Throws InputError for a code that is not of the DNA alphabet. O(n).
  explicit PackedDna(std::span<const Code> codes);
  /// Keeps the record boundaries. Throws InputError unless the alphabet is DNA.
  explicit PackedDna(const SequenceSet& set);

  PackedDna(const PackedDna&) = default;
  PackedDna& operator=(const PackedDna&) = default;
  ~PackedDna() = default;
  /// A text that was moved from is empty.
  PackedDna(PackedDna&& other) noexcept { *this = std::move(other); }
  PackedDna& operator=(PackedDna&& other) noexcept;

  /// Counts the bases, ambiguous ones included.
  std::uint64_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  /// ceil(size() / 32) + 1 of them: bits past the last base are 0, and so is one more word, so that a kernel may load
  /// the word after the one it is in.
  std::span<const std::uint64_t> words() const noexcept {
    return words_.empty() ? std::span<const std::uint64_t>(nothing) : words_;
  }
  /// The runs by position, apart from one another, each within one record; adjacent ones of the same code within a
  /// record are one (but for one longer than 2^32 - 1, which is several).
  std::span<const AmbiguousRun> runs() const noexcept { return runs_; }
  /// Record i is [offsets()[i], offsets()[i + 1]).
  std::span<const std::uint64_t> offsets() const noexcept {
    return offsets_.empty() ? std::span<const std::uint64_t>(nothing) : offsets_;
  }

  /// The two bits of a base, 0 where it is ambiguous. O(1); i < size() is the caller's to see to, as for operator[].
  Code base(std::uint64_t i) const {
    return static_cast<Code>(words_[i / bases_per_word] >> (62 - 2 * (i % bases_per_word)) & 3);
  }
  /// The code as it was packed. O(log runs).
  Code operator[](std::uint64_t i) const;
  /// 32 bases from i on, the first in the highest bits, A after the end. i <= size().
  std::uint64_t window(std::uint64_t i) const {
    const std::uint64_t shift = 2 * (i % bases_per_word);
    const std::uint64_t* word = words().data() + i / bases_per_word;
    return shift == 0 ? word[0] : word[0] << shift | word[1] >> (64 - shift);
  }

  /// The codes [first, first + codes.size()), exactly as packed. Throws InputError past the end.
  void unpack(std::uint64_t first, std::span<Code> codes) const;
  std::vector<Code> unpack() const;

  /// One bit per position, 1 where it is ambiguous: position i is bit 63 - i % 64 of word i / 64. ceil(size() / 64) + 1
  /// words, the last 0. What it costs is made on each call: O(size() / 64 + runs).
  std::vector<std::uint64_t> ambiguity_mask() const;
  /// Whether [first, first + length) has an ambiguous position. O(log runs).
  bool is_ambiguous(std::uint64_t first, std::uint64_t length) const;

  /// The text read from its end on the other strand; so the records come in reverse order too. O(size() / 32 + runs +
  /// records).
  PackedDna reverse_complement() const;

  GENOCL_EXPORT friend bool operator==(const PackedDna& a, const PackedDna& b) noexcept;

 private:
  static constexpr std::uint64_t nothing[1] = {0};  // the words, and the offsets, of a text that was moved from

  void pack(std::span<const Code> codes, std::uint64_t first);

  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<AmbiguousRun> runs_;
  std::vector<std::uint64_t> offsets_;
};

/// Gives the reverse complement of the 32 bases of a word.
constexpr std::uint64_t reverse_complement(std::uint64_t word) noexcept {
  word = ~word;
  word = (word >> 2 & 0x3333333333333333u) | (word & 0x3333333333333333u) << 2;
  word = (word >> 4 & 0x0f0f0f0f0f0f0f0fu) | (word & 0x0f0f0f0f0f0f0f0fu) << 4;
  word = (word >> 8 & 0x00ff00ff00ff00ffu) | (word & 0x00ff00ff00ff00ffu) << 8;
  word = (word >> 16 & 0x0000ffff0000ffffu) | (word & 0x0000ffff0000ffffu) << 16;
  return word >> 32 | word << 32;
}

}  // namespace genocl
