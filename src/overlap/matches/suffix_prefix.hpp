// Overlaps of reads from an enhanced suffix array (cl/overlap/matches/suffix_prefix.cl).
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/overlap/rmq.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "genocl/overlap/suffix_prefix.hpp"
#include "overlap/rmq/enhanced_suffix_array.hpp"

namespace genocl::overlap {

/// Bytes per symbol on the device, suffix array, LCP values and range minima included.
constexpr unsigned bytes_of_overlapping = 52;
/// Bytes per overlap of a part, shorter overlaps of the same pair included.
constexpr unsigned bytes_of_overlap = 32;

/// The longest overlap of records a and b.
struct RecordOverlap {
  std::uint32_t a = 0, b = 0, length = 0;
  friend bool operator==(const RecordOverlap&, const RecordOverlap&) = default;
};

/// The size of the parts that are computed at a time.
struct OverlapPieces {
  std::uint64_t ranks = std::uint64_t{1} << 24;
  /// Overlaps; a read with more is a separate part.
  std::uint64_t overlaps = std::uint64_t{1} << 25;
};

/// The overlaps of reads: for each suffix the first successor and the number of successors.
class ReadOverlaps {
 public:
  /// `array` must outlive it. `mates`: records 2r and 2r + 1 are of one read, and have no overlap.
  ReadOverlaps(EnhancedSuffixArray& array, std::uint32_t min_length, bool mates = false,
               const OverlapPieces& pieces = {});

  /// The longest overlap of each pair whose first read is in [first_read, end_read), by a, then b.
  std::vector<RecordOverlap> all(const Stages& stages, std::uint64_t first_read = 0,
                                 std::uint64_t end_read = ~std::uint64_t{0}) const;
  /// The longest overlap of each read, with the first such read.
  std::vector<RecordOverlap> best() const;

 private:
  void find_starts(const Rmq& minima, const Array<std::uint8_t>& kinds, Array<std::uint8_t>& kind_of_rank,
                   Array<std::uint32_t>& starts_before);
  /// Appends the overlaps of reads [first_read, end_read).
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
  bool mates = false;  ///< as in ReadOverlaps
  /// Candidates that are compared at a time, 20 bytes each; a read with more is a separate part.
  std::uint64_t candidates = std::uint64_t{1} << 24;
};

/// The longest overlap of each pair whose first record is in [first, end), by a, then b.
std::vector<ErrorOverlap> error_overlaps(const SuffixIndex& index, const ErrorOverlapOptions& options,
                                         std::uint64_t first, std::uint64_t end, const Stages& stages);

}  // namespace genocl::overlap
