// A place at which a read may lie, before and after it is aligned there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/marose/clip.hpp"
#include "genocl/marose/mapper.hpp"
#include "genocl/sequence/cigar.hpp"
#include "marose/align/packed_bases.hpp"

namespace genocl::marose {

/// The query is what adapters and low quality leave of a read, turned to the forward strand of the contig.
struct Candidate {
  std::uint32_t contig = 0;
  Strand strand = Strand::forward;
  bool rescued = false;
  bool duplicated = false;    ///< most of an end to be joined matches nearby
  bool joined = false;        ///< its clipped ends were looked for nearby
  std::int64_t diagonal = 0;  ///< contig position - query position at the query's begin; may be negative
  std::int32_t spread = 0;    ///< how much further right the diagonal at the query's end lies
  /// Query bases [first, last) alone are aligned; last 0: all.
  std::uint32_t first = 0, last = 0;
  bool join_begin = false, join_end = false;  ///< that end of the query is reached whatever the gap on the way costs

  bool remainder() const noexcept { return last != 0; }
  bool joins() const noexcept { return join_begin || join_end; }

  // Once it is aligned: query bases [query_begin, query_end) with contig bases [position, end).
  std::int32_t score = 0;  ///< without end bonuses; 0: no alignment
  std::int32_t total = 0;  ///< with them
  std::uint32_t query_begin = 0, query_end = 0;
  std::uint64_t position = 0, end = 0;
  Cigar cigar;  ///< of M, I and D
};

/// Whether two alignments share half of the bases of the shorter one; `length`: the query's.
inline bool overlap_in_query(const Candidate& a, const Candidate& b, std::uint32_t length) {
  const auto in_read = [length](const Candidate& c) {
    return c.strand == Strand::forward ? std::pair(c.query_begin, c.query_end)
                                       : std::pair(length - c.query_end, length - c.query_begin);
  };
  const auto [a_begin, a_end] = in_read(a);
  const auto [b_begin, b_end] = in_read(b);
  const std::uint32_t begin = std::max(a_begin, b_begin), end = std::min(a_end, b_end);
  return begin < end && 2 * (end - begin) >= std::min(a_end - a_begin, b_end - b_begin);
}

/// A query on both strands, turned and packed when that is first asked for.
class Query {
 public:
  void set(std::span<const Code> codes) {
    forward_ = codes;
    is_turned_ = is_packed_[0] = is_packed_[1] = false;
  }
  std::uint32_t length() const { return static_cast<std::uint32_t>(forward_.size()); }
  std::span<const Code> on(Strand strand) {
    if (strand == Strand::forward) return forward_;
    if (!is_turned_) {
      turned_.resize(forward_.size());
      dna::reverse_complement(forward_, turned_);
      is_turned_ = true;
    }
    return turned_;
  }
  const PackedBases& packed(Strand strand) {
    const std::size_t i = strand == Strand::forward ? 0 : 1;
    if (!is_packed_[i]) {
      if (i == 0)
        packed_[0].set(forward_);
      else
        packed_[1].set_reverse_complement(packed(Strand::forward));
      is_packed_[i] = true;
    }
    return packed_[i];
  }

 private:
  std::span<const Code> forward_;
  std::vector<Code> turned_;
  PackedBases packed_[2];  ///< [strand]
  bool is_turned_ = false, is_packed_[2] = {};
};

}  // namespace genocl::marose
