// Turns the hits of a batch of reads into the bytes of the output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/io/alignment_writer.hpp"
#include "genocl/marose.hpp"
#include "marose/summary.hpp"

namespace program {

/// What is to be said of each read.
struct RecordOptions {
  genocl::marose::Report report;
  bool paired = false, unmapped = true;
  bool secondary = true;          ///< a record for each hit that is given out; otherwise one, and XA
  std::size_t most_in_xa = 5;     ///< others than that are counted only
  bool secondary_letters = true;  ///< SEQ and QUAL in every record of a read, not in the first alone
  bool merge_matches = true;      ///< M in the CIGAR, not = and X
  std::string read_group;         ///< the ID; empty: none
  std::uint64_t most_hits = 0;    ///< of a read, that are written
  bool heuristic = false;         ///< reads for which nothing is proved are no error
  bool settle_ends = false;       ///< clip ends where that gives a higher score
  bool tsv = false;
};

/// This is what one batch adds to the output.
struct Formatted {
  std::string bytes;
  Counts counts;
};

/// One thread at a time may use it.
class HitRecords {
 public:
  /// Without `formatter` it writes lines of tab-separated values.
  HitRecords(const genocl::marose::Index& index, const RecordOptions& options,
             std::optional<genocl::io::AlignmentFormatter> formatter);

  /// The tags that records may have besides those of a read's comment, which is the description of a read.
  static std::vector<std::string_view> tags(bool read_group);

  void format(const genocl::marose::Mapper::Batch& batch, Formatted& output);
  void format(const genocl::marose::PairMapper::Batch& batch, Formatted& output);

 private:
  using Hit = genocl::marose::Hit;
  /// A read, its hits, and those of them that are written, the primary one first.
  struct Placed {
    std::size_t read = 0;
    std::string_view name;
    std::span<const Hit> hits;
    genocl::marose::ReadSummary summary;
    std::vector<std::uint64_t> written;
    std::uint64_t best_hits = 0;  ///< with the fewest errors
    std::uint8_t quality = 0;
    bool rescued = false;
    bool not_all = false;                 ///< more hits would be written but for their number
    genocl::marose::Alignment alignment;  ///< of the primary one, and its MD tag
    std::string mismatches;

    const Hit* primary() const { return written.empty() ? nullptr : &hits[written.front()]; }
  };

  void place(const genocl::marose::Mapper::Batch& batch, std::size_t read, Placed& placed) const;
  void choose(Placed& placed, std::uint64_t primary) const;
  const genocl::marose::Alignment& align(const genocl::SequenceSet& reads, const Placed& placed, const Hit& hit);
  void align_primary(const genocl::SequenceSet& reads, Placed& placed);
  void format_single(const genocl::marose::Mapper::Batch& batch, std::size_t read);
  void format_pair(const genocl::marose::PairMapper::Batch& batch, std::size_t pair);
  void count(const Placed& placed, std::uint64_t length);
  void take(Formatted& output);
  void add_records(const genocl::SequenceSet& reads, const Placed& placed, std::uint16_t flag, const Placed* mate);
  void add_lines(const Placed& placed);
  void name_others(const genocl::SequenceSet& reads, const Placed& placed);
  void set_mate(const Placed& placed, const Placed& mate, genocl::io::AlignmentRecord& record) const;

  genocl::marose::Index index_;
  RecordOptions options_;
  std::optional<genocl::io::AlignmentFormatter> formatter_;
  genocl::marose::Aligner aligner_;
  Counts counts_;
  Placed first_, second_;
  bool proper_ = false;
  std::vector<std::uint32_t> cigar_;
  std::vector<genocl::io::AlignmentTag> tags_;
  std::string mismatches_, others_, lines_;
};

}  // namespace program
