// Overlaps of reads in a sorted text (cl/overlap/matches/suffix_prefix.cl).
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/overlap/rmq.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "genocl/overlap/suffix_prefix.hpp"
#include "overlap/rmq/enhanced_suffix_array.hpp"

namespace genocl::overlap {

/// A symbol takes so many bytes on the device, suffix array, LCPs and range minima included.
constexpr unsigned bytes_of_overlapping = 52;
/// An overlap of a piece takes so many, those of a pair that are not the longest included.
constexpr unsigned bytes_of_overlap = 32;

/// The longest overlap of records a and b.
struct RecordOverlap {
  std::uint32_t a = 0, b = 0, length = 0;
  friend bool operator==(const RecordOverlap&, const RecordOverlap&) = default;
};

/// How much is worked on at once.
struct OverlapPieces {
  std::uint64_t ranks = std::uint64_t{1} << 24;
  /// Overlaps; a read with more is a piece of its own.
  std::uint64_t overlaps = std::uint64_t{1} << 25;
};

/// The reads' overlaps: where each suffix has its first successor, and how many it has.
class ReadOverlaps {
 public:
  /// `array` must outlive it. `mates`: records 2r and 2r + 1 are of one read, and have no overlap.
  ReadOverlaps(EnhancedSuffixArray& array, std::uint32_t min_length, bool mates = false,
               const OverlapPieces& pieces = {});

  /// Gives the longest of each pair whose first read is in [first_read, end_read), by a, then b.
  std::vector<RecordOverlap> all(const Stages& stages, std::uint64_t first_read = 0,
                                 std::uint64_t end_read = ~std::uint64_t{0}) const;
  /// Gives each read's longest, to the first such read.
  std::vector<RecordOverlap> best() const;

 private:
  void find_starts(const Rmq& minima, const Array<std::uint8_t>& kinds, Array<std::uint8_t>& kind_of_rank,
                   Array<std::uint32_t>& starts_before);
  /// Those of reads [first, end), appended.
  void append(std::uint64_t first_read, std::uint64_t end_read, std::uint64_t overlaps,
              const Array<std::uint64_t>& offsets, std::vector<RecordOverlap>& result) const;

  template <class... Arguments>
  void launch(const char* name, std::uint64_t items, std::uint64_t bytes, const Arguments&... arguments) const;

  const EnhancedSuffixArray& array_;
  bool mates_;
  OverlapPieces pieces_;
  Array<std::uint32_t> begins_;
  /// Of the starts, at most one for each record: their ranks, positions and reads, the chain, and their number.
  runtime::ScratchArray<std::uint32_t> start_ranks_, starts_, start_reads_, chain_;
  runtime::ScratchArray<std::uint64_t> start_count_;
  runtime::ScratchArray<std::uint32_t> firsts_, counts_;
  std::uint64_t longest_ = 0;
};

struct ErrorOverlap : RecordOverlap {
  std::uint32_t errors = 0;
};

struct ErrorOverlapOptions {
  std::uint32_t min_length = 20, errors = 1;
  bool mates = false;  ///< as ReadOverlaps takes it
  /// Candidates that are compared at a time, 20 bytes each; a read with more is a piece of its own.
  std::uint64_t candidates = std::uint64_t{1} << 24;
};

/// The longest of each pair whose first record is in [first, end), by a, then b.
std::vector<ErrorOverlap> error_overlaps(const SuffixIndex& index, const ErrorOverlapOptions& options,
                                         std::uint64_t first, std::uint64_t end, const Stages& stages);

}  // namespace genocl::overlap
