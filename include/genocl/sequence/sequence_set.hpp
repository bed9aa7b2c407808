// Sequences in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/interval.hpp"

namespace genocl {

/// Consecutive records of a SequenceSet: [first, first + count).
struct RecordRange {
  std::size_t first = 0;
  std::size_t count = 0;
  std::uint64_t residues = 0;  ///< total length of the records

  friend bool operator==(const RecordRange&, const RecordRange&) = default;
};

using LetterRange [[deprecated("use Interval")]] = Interval;  ///< the name of 0.1

/// Limits of a batch. A record longer than `residues` is a batch by itself. 0 means 1.
struct BatchLimits {
  std::uint64_t residues = std::uint64_t{256} << 20;
  std::uint64_t records = std::numeric_limits<std::uint64_t>::max();
};

/// Sequences stored consecutively in one array of codes, without separators. Records and positions count from 0.
///
/// An append takes amortised O(its size) time and allocates only when capacity is exhausted. Appended data may be part
/// of the set itself. Views and spans stay valid until the set changes. A moved-from set is empty and usable. Record
/// numbers are not checked: i < size() is a precondition.
///
/// Const members may be called concurrently.
class GENOCL_EXPORT SequenceSet {
 public:
  /// With qualities, every record has one score per residue; without, none has.
  explicit SequenceSet(Alphabet alphabet = Alphabet::dna, bool with_qualities = false);

  Alphabet alphabet() const noexcept { return alphabet_; }
  bool has_qualities() const noexcept { return with_qualities_; }
  std::size_t size() const noexcept { return name_lengths_.size(); }
  bool empty() const noexcept { return size() == 0; }
  /// Total length of all records.
  std::uint64_t residues() const noexcept { return codes_.size(); }
  std::uint64_t length(std::size_t i) const { return offsets_[i + 1] - offsets_[i]; }
  /// Length of the longest record; 0 without records. O(size()).
  std::uint64_t longest() const noexcept;

  /// The codes of record i, of a range of records, of all records.
  std::span<const Code> operator[](std::size_t i) const { return {codes_.data() + offsets_[i], length(i)}; }
  std::span<const Code> codes(const RecordRange& range) const {
    const std::uint64_t* const begin = offsets().data() + range.first;
    return {codes_.data() + *begin, std::size_t{begin[range.count] - *begin}};
  }
  std::span<const Code> codes() const noexcept { return {codes_.data(), codes_.size()}; }
  /// size() + 1 offsets: record i is codes()[offsets()[i] .. offsets()[i + 1] - 1].
  std::span<const std::uint64_t> offsets() const noexcept { return or_zero(offsets_); }

  /// The first word of the record's header line, and the remainder. Either may be empty.
  std::string_view name(std::size_t i) const { return {headers_.data() + header_offsets_[i], name_lengths_[i]}; }
  std::string_view description(std::size_t i) const {
    const std::uint64_t begin = header_offsets_[i] + name_lengths_[i];
    return {headers_.data() + begin, header_offsets_[i + 1] - begin};
  }
  /// Phred scores, 0 to 93 (FASTQ character - 33), one per residue; empty without qualities.
  std::span<const std::uint8_t> quality(std::size_t i) const {
    return with_qualities_ ? std::span<const std::uint8_t>(qualities_.data() + offsets_[i], length(i))
                           : std::span<const std::uint8_t>();
  }
  std::span<const std::uint8_t> qualities() const noexcept { return {qualities_.data(), qualities_.size()}; }
  /// The masked ranges of record i, sorted and disjoint. Codes are unchanged; the consumer decides whether to skip
  /// masked letters.
  std::span<const Interval> masked(std::size_t i) const {
    if (i >= masks_.size()) return {};
    return {masks_[i].data(), masks_[i].size()};
  }
  /// Adds masked ranges to record i; overlapping and adjacent ranges are merged. Throws InputError for a range beyond
  /// the record or with end < begin.
  void mask(std::size_t i, std::span<const Interval> ranges);
  /// Record i as upper-case letters.
  std::string letters(std::size_t i) const { return decode(alphabet_, (*this)[i]); }

  /// Appends a record. Throws InputError for a code outside the alphabet, a score above 93, or a number of scores other
  /// than the number of codes (with qualities) or 0 (without). The set is unchanged after an error.
  void append(std::string_view name, std::span<const Code> codes, std::string_view description = {},
              std::span<const std::uint8_t> quality = {});
  /// Appends a record of letters.
  void append_letters(std::string_view name, std::string_view letters, std::string_view description = {},
                      std::span<const std::uint8_t> quality = {});

  /// A new last record for the caller to fill, initially zeros.
  struct Extension {
    std::span<Code> codes;
    std::span<std::uint8_t> quality;  ///< empty without qualities
  };
  Extension extend(std::string_view name, std::string_view description, std::uint64_t length);
  /// Removes the last record. Throws InputError if the set is empty.
  void pop_back();

  /// Reserves memory for additional records. `header_bytes`: total length of their names and descriptions.
  void reserve(std::size_t records, std::uint64_t residues, std::uint64_t header_bytes = 0);
  /// Removes all records and keeps the memory.
  void clear() noexcept;
  /// Removes all records and sets the alphabet; keeps the memory.
  void reset(Alphabet alphabet, bool with_qualities) noexcept;

  /// The longest range of records from `first` within `limits`, at least one record; empty if `first` is size().
  /// O(number of records).
  RecordRange batch(std::size_t first, const BatchLimits& limits) const;
  /// Divides the records into consecutive ranges within `limits`, each as long as possible. O(size()).
  std::vector<RecordRange> batches(const BatchLimits& limits) const;
  /// Copies a range of records. Throws InputError beyond the end.
  SequenceSet slice(std::size_t first, std::size_t count) const;
  /// Reverse-complements every record, with qualities and masks. Throws InputError unless the alphabet is DNA.
  SequenceSet reverse_complement() const;

  /// The record and position of an index into codes(). Throws InputError for an index >= residues(). O(log size()).
  struct Location {
    std::size_t record = 0;
    std::uint64_t position = 0;

    friend bool operator==(const Location&, const Location&) = default;
  };
  Location locate(std::uint64_t position) const;

  /// The number of occurrences of each code of the alphabet, indexed by code. O(residues()).
  std::vector<std::uint64_t> letter_counts() const;
  /// letter_counts() divided by their sum; all 0 without residues.
  std::vector<double> letter_frequencies() const;

  /// True if alphabet, codes, record boundaries, names, descriptions, qualities and masks are equal.
  GENOCL_EXPORT friend bool operator==(const SequenceSet& a, const SequenceSet& b) noexcept;

 private:
  static constexpr std::uint64_t zero[1] = {0};
  // A moved-from vector is empty.
  static std::span<const std::uint64_t> or_zero(const std::vector<std::uint64_t>& offsets) noexcept {
    if (offsets.empty()) return {zero, 1};
    return {offsets.data(), offsets.size()};
  }

  Alphabet alphabet_;
  bool with_qualities_;
  std::vector<Code> codes_;
  std::vector<std::uint8_t> qualities_;
  std::vector<std::uint64_t> offsets_;
  std::string headers_;  // names and descriptions, concatenated
  std::vector<std::uint64_t> header_offsets_;
  std::vector<std::uint32_t> name_lengths_;
  std::vector<std::vector<Interval>> masks_;  // up to the last masked record
};

}  // namespace genocl
