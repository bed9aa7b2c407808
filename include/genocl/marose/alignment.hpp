// Turns a hit into what a SAM record says of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "genocl/marose/clip.hpp"
#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

/// `clip`: letters at an end of the read that are not aligned.
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
  std::uint64_t position = 0;  ///< of the leftmost aligned base in the contig, from 0
  std::uint32_t length = 0;    ///< bases of the contig from the first to the last that is aligned

  /// Gives "38=1X1I", or with `merge_matches` "39M1I".
  GENOCL_EXPORT std::string cigar(bool merge_matches) const;
};

/// The operations of a hit, by dynamic programming between its two ends. Among the alignments
/// with fewest errors: read from the right end, a match or mismatch before a gap, a deletion before an insertion, so
/// that gaps lie as far left as they can. Without gaps wherever as many mismatches do, as all hits of the Hamming
/// model. O(length + errors^2) expected, O(length * errors) at most. `read` as it was given to the mapper. Throws
/// InputError for a hit that is not of this read and index.
GENOCL_EXPORT Alignment align(const Index& index, std::span<const Code> read, const Hit& hit);

/// Gives the MD tag of SAM: "12A3^TG8".
GENOCL_EXPORT std::string mismatch_tag(const Index& index, const Alignment& alignment, const Hit& hit);

/// The same for many hits, one after the other, in memory that is used again. For one thread at a time.
class GENOCL_EXPORT Aligner {
 public:
  explicit Aligner(const Index& index) : index_(index) {}

  /// Does what align() does. The result is valid until the next call.
  const Alignment& align(std::span<const Code> read, const Hit& hit);
  /// Aligns as a record shows it: the whole read, of which the hit is of `part`; the letters beside are clipped. It
  /// neither begins nor ends with an insertion: letters that would be one stand against the next bases of the contig,
  /// which costs no more errors, and are clipped where it has none.
  /// With `room`, a part of the read around `part`, the ends settle: the alignment is lengthened without gaps inside
  /// `room`, to where its score is highest, and then the piece of it with the highest score is kept, the longest of
  /// several that share a column with the hit. A match counts 1 there, each error -4, each end of `room` that is
  /// reached 5. `errors` counts those of what is kept. The result is valid until the next call. Errors as align().
  const Alignment& align_record(std::span<const Code> read, const Hit& hit, const ReadPart& part,
                                const std::optional<ReadPart>& room = std::nullopt);
  /// Appends the tag of the last alignment to `tag`.
  void append_mismatch_tag(std::string& tag) const;

 private:
  Index index_;
  Alignment alignment_;
  std::vector<Code> text_, turned_;
  std::uint32_t contig_ = 0;
  std::uint64_t text_begin_ = 0;  ///< where text_ lies in the contig
};

}  // namespace genocl::marose
