// Depth of alignments on a reference, as bedGraph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "genocl/io/output_file.hpp"
#include "genocl/marose.hpp"

namespace program {

/// An interval of a contig that an alignment covers without a gap. Deletions are not covered, as in `bedtools
/// genomecov`.
struct CoveredInterval {
  std::uint64_t begin = 0;   ///< 0-based
  std::uint32_t length = 0;  ///< in bases of the reference
  std::uint32_t contig = 0;  ///< index into the contigs of the index
};

/// Appends the intervals of the primary and the supplementary alignments of a read.
void append_covered(const genocl::marose::AlignedRead& read, std::vector<CoveredInterval>& covered);

/// Depth of every base of a reference. It takes one byte for each base of a contig with alignments, and 64 bytes for
/// each base where more than 127 alignments begin or end. One thread at a time.
class Coverage {
 public:
  explicit Coverage(const genocl::marose::Index& index);

  /// O(intervals). The order of the intervals does not matter.
  void add(std::span<const CoveredInterval> intervals);
  /// Appends `contig begin end depth` lines, 0-based and half-open, that cover all contigs in the order of the index. A
  /// line is the longest interval of one depth. O(bases).
  void write(genocl::io::OutputFile& file) const;

 private:
  /// Difference of the depth of each base to that of the base before.
  struct Contig {
    std::string name;
    std::uint64_t length = 0;
    std::vector<std::int8_t> steps;              ///< empty: no alignments
    std::map<std::uint64_t, std::int64_t> rest;  ///< parts of differences that exceed 8 bits

    void change(std::uint64_t position, std::int8_t by);
    std::uint64_t next_step(std::uint64_t from) const;
  };

  std::vector<Contig> contigs_;
};

}  // namespace program
