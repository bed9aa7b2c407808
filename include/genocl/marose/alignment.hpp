// Turns a hit into what a SAM record says of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

enum class Operation : std::uint8_t { match, mismatch, insertion, deletion };

/// Operations on the forward strand of the reference. An N is a mismatch.
struct Alignment {
  struct Run {
    Operation operation = Operation::match;
    std::uint32_t length = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  std::vector<Run> runs;
  std::uint32_t errors = 0;

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
  /// Appends the tag of the last alignment to `tag`.
  void append_mismatch_tag(std::string& tag) const;

 private:
  Index index_;
  Alignment alignment_;
  std::vector<Code> text_, turned_;
};

}  // namespace genocl::marose
