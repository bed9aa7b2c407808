// Alignments of hits, as SAM records contain them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "genocl/marose/clip.hpp"
#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

/// `clip`: unaligned letters at an end of the read.
enum class Operation : std::uint8_t { match, mismatch, insertion, deletion, clip };

/// Operations on the forward strand of the reference. An N is a mismatch.
struct Alignment {
  struct Run {
    Operation operation = Operation::match;
    std::uint32_t length = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  std::vector<Run> runs;
  std::uint32_t errors = 0;
  std::uint64_t position = 0;  ///< of the leftmost aligned base in the contig, 0-based
  std::uint32_t length = 0;    ///< bases of the contig from the first to the last aligned one

  /// "38=1X1I", or with `merge_matches` "39M1I".
  GENOCL_EXPORT std::string cigar(bool merge_matches) const;
};

/// Alignment of a hit, by dynamic programming between its ends. Among the alignments with the fewest errors, read
/// from the right end: a match or mismatch before a gap, a deletion before an insertion, so that gaps are
/// left-aligned. Without gaps if as many mismatches suffice, as for all hits of the Hamming model. O(length +
/// errors^2) expected, O(length * errors) worst case.
///
/// @param read  as given to the mapper
/// @throws InputError for a hit that is not of this read and index
GENOCL_EXPORT Alignment align(const Index& index, std::span<const Code> read, const Hit& hit);

/// The MD tag of SAM: "12A3^TG8".
GENOCL_EXPORT std::string mismatch_tag(const Index& index, const Alignment& alignment, const Hit& hit);

/// The same for many hits, with reused memory. Not thread-safe.
class GENOCL_EXPORT Aligner {
 public:
  explicit Aligner(const Index& index);

  /// As align(). The result is valid until the next call.
  const Alignment& align(std::span<const Code> read, const Hit& hit);
  /// Aligns the whole read for a record; the hit is of `part`, and the other letters are clipped. The alignment
  /// neither begins nor ends with an insertion: such letters are aligned with the next bases of the contig, which
  /// costs no more errors, and are clipped if the contig ends.
  ///
  /// With `bounds`, a part of the read around `part`, the ends are extended: the alignment grows without gaps inside
  /// `bounds` to its highest score, and is then cut to its highest-scoring piece, the longest of several, that shares a
  /// column with the hit. A match scores 1, each error -4, each reached end of `bounds` 5. `errors` counts those of the
  /// result. The result is valid until the next call. Errors as align().
  const Alignment& align_record(std::span<const Code> read, const Hit& hit, const ReadPart& part,
                                const std::optional<ReadPart>& bounds = std::nullopt);
  /// Appends the MD tag of the last alignment to `tag`.
  void append_mismatch_tag(std::string& tag) const;

 private:
  Index index_;
  Alignment alignment_;
  std::vector<Code> text_, turned_;
  std::uint32_t contig_ = 0;
  std::uint64_t text_begin_ = 0;  ///< contig position of text_
};

}  // namespace genocl::marose
