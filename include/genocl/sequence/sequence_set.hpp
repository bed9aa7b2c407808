// Holds sequences in host memory.
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

namespace genocl {

/// Consecutive records of a SequenceSet: [first, first + count).
struct RecordRange {
  std::size_t first = 0;
  std::size_t count = 0;
  std::uint64_t residues = 0;  ///< The residues of all records together.

  friend bool operator==(const RecordRange&, const RecordRange&) = default;
};

/// Letters [begin, end) of a record.
struct LetterRange {
  std::uint64_t begin = 0, end = 0;

  friend bool operator==(const LetterRange&, const LetterRange&) = default;
};

/// How much a batch may hold. A record longer than `residues` is a batch of its own; 0 means 1.
struct BatchLimits {
  std::uint64_t residues = std::uint64_t{256} << 20;
  std::uint64_t records = std::numeric_limits<std::uint64_t>::max();
};

/// Any number of sequences, one after the other in one array of codes, with nothing between them. Records and positions
/// count from 0. An append costs O(its size) amortised and makes no allocation of its own; what is appended may lie in
/// the set itself, and is then copied first. Views and spans stay valid until the set next changes. A set that was
/// moved from is empty and may be used on. Where an argument is a record number i, i < size() is the caller's to see
/// to.
class GENOCL_EXPORT SequenceSet {
 public:
  /// With qualities every record has one score per residue, without none has.
  explicit SequenceSet(Alphabet alphabet = Alphabet::dna, bool with_qualities = false)
      : alphabet_(alphabet), with_qualities_(with_qualities) {}

  Alphabet alphabet() const noexcept { return alphabet_; }
  bool has_qualities() const noexcept { return with_qualities_; }
  std::size_t size() const noexcept { return name_lengths_.size(); }
  bool empty() const noexcept { return size() == 0; }
  /// Counts the residues of all records together.
  std::uint64_t residues() const noexcept { return codes_.size(); }
  std::uint64_t length(std::size_t i) const { return offsets_[i + 1] - offsets_[i]; }
  /// Tells the length of the longest record; 0 without records. It takes O(size()).
  std::uint64_t longest() const noexcept;

  /// Gives the codes of record i, of a range of records, of all.
  std::span<const Code> operator[](std::size_t i) const { return {codes_.data() + offsets_[i], length(i)}; }
  std::span<const Code> codes(const RecordRange& range) const {
    return codes().subspan(offsets()[range.first], offsets()[range.first + range.count] - offsets()[range.first]);
  }
  std::span<const Code> codes() const noexcept { return codes_; }
  /// size() + 1 of them: record i is codes()[offsets()[i] .. offsets()[i + 1] - 1].
  std::span<const std::uint64_t> offsets() const noexcept { return or_zero(offsets_); }

  /// The first word of the record's header line, and the rest of it (either may be empty).
  std::string_view name(std::size_t i) const { return {headers_.data() + header_offsets_[i], name_lengths_[i]}; }
  std::string_view description(std::size_t i) const {
    const std::uint64_t begin = header_offsets_[i] + name_lengths_[i];
    return {headers_.data() + begin, header_offsets_[i + 1] - begin};
  }
  /// Phred scores, 0 to 93 (a FASTQ character less 33), one per residue; empty without qualities.
  std::span<const std::uint8_t> quality(std::size_t i) const {
    return with_qualities_ ? std::span<const std::uint8_t>(qualities_.data() + offsets_[i], length(i))
                           : std::span<const std::uint8_t>();
  }
  std::span<const std::uint8_t> qualities() const noexcept { return qualities_; }
  /// Letters of record i that were masked: they keep their codes, and it is for who uses them to leave them out. In
  /// order, none in another.
  std::span<const LetterRange> masked(std::size_t i) const {
    return i < masks_.size() ? std::span<const LetterRange>(masks_[i]) : std::span<const LetterRange>();
  }
  /// Masks these letters of record i too; those that overlap or meet become one range. Throws InputError for a range
  /// that ends past the record or before it begins.
  void mask(std::size_t i, std::span<const LetterRange> ranges);
  /// Gives record i as upper-case letters.
  std::string letters(std::size_t i) const { return decode(alphabet_, (*this)[i]); }

  /// Throws InputError for a code outside the alphabet, for a score above 93, and unless there is one score per code
  /// with qualities and none without. The set is then as before.
  void append(std::string_view name, std::span<const Code> codes, std::string_view description = {},
              std::span<const std::uint8_t> quality = {});
  /// The same with letters, which are encoded.
  void append_letters(std::string_view name, std::string_view letters, std::string_view description = {},
                      std::span<const std::uint8_t> quality = {});

  /// Room for a new last record, for the caller to fill: zeros until then.
  struct Extension {
    std::span<Code> codes;
    std::span<std::uint8_t> quality;  ///< Empty without qualities.
  };
  Extension extend(std::string_view name, std::string_view description, std::uint64_t length);
  /// Takes the last record away. Throws InputError when there is none.
  void pop_back();

  /// Room for that many more, so that appends do not move what is there. `header_bytes`: of names and descriptions.
  void reserve(std::size_t records, std::uint64_t residues, std::uint64_t header_bytes = 0);
  /// Leaves no records, and keeps the memory.
  void clear() noexcept;
  /// Does the same, as if the set were constructed anew.
  void reset(Alphabet alphabet, bool with_qualities) noexcept;

  /// The records from `first` on that fit into `limits`, one at least; none where `first` is size(). O(their number).
  RecordRange batch(std::size_t first, const BatchLimits& limits) const;
  /// Cuts the records into consecutive ranges within `limits`, as many in each as fit. O(size()).
  std::vector<RecordRange> batches(const BatchLimits& limits) const;
  /// A copy of those records. Throws InputError when the range goes past the end.
  SequenceSet slice(std::size_t first, std::size_t count) const;
  /// Every record reverse-complemented in its place, qualities and masks reversed. Throws InputError unless the
  /// alphabet is DNA.
  SequenceSet reverse_complement() const;

  /// Where a position of codes() is. Throws InputError from residues() on. O(log size()).
  struct Location {
    std::size_t record = 0;
    std::uint64_t position = 0;

    friend bool operator==(const Location&, const Location&) = default;
  };
  Location locate(std::uint64_t position) const;

  /// How often each code occurs; codes of the alphabet only are counted, [code] up to alphabet_size() - 1.
  /// O(residues()).
  std::vector<std::uint64_t> letter_counts() const;
  /// The counts divided by their sum; all 0 without residues.
  std::vector<double> letter_frequencies() const;

  /// Same alphabet, codes, record boundaries, names, descriptions, qualities and masks.
  GENOCL_EXPORT friend bool operator==(const SequenceSet& a, const SequenceSet& b) noexcept;

 private:
  static constexpr std::uint64_t zero[1] = {0};
  // A vector that was moved from is empty.
  static std::span<const std::uint64_t> or_zero(const std::vector<std::uint64_t>& offsets) noexcept {
    return offsets.empty() ? std::span<const std::uint64_t>(zero) : offsets;
  }

  Alphabet alphabet_;
  bool with_qualities_;
  std::vector<Code> codes_;
  std::vector<std::uint8_t> qualities_;
  std::vector<std::uint64_t> offsets_ = {0};
  std::string headers_;  // name and description of each record, with nothing between
  std::vector<std::uint64_t> header_offsets_ = {0};
  std::vector<std::uint32_t> name_lengths_;
  std::vector<std::vector<LetterRange>> masks_;  // of the records up to the last one that has any
};

}  // namespace genocl
