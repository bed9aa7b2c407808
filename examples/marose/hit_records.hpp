// Turns the hits or alignments of a batch of reads into the bytes of the output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/io/alignment_writer.hpp"
#include "genocl/marose.hpp"
#include "marose/reads/read_notes.hpp"
#include "marose/summary.hpp"

namespace program {

/// What is to be said of each read.
struct RecordOptions {
  genocl::marose::Report report;
  bool aligned = false;  ///< batches have alignments with affine gaps
  int match_score = 0;   ///< of these
  bool paired = false, unmapped = true;
  bool secondary = true;            ///< a record for each hit that is given out; otherwise one, and XA
  std::size_t most_in_xa = 5;       ///< others than that are counted only
  bool secondary_letters = true;    ///< SEQ and QUAL in every record of a read, not in the first alone
  bool soft_supplementary = false;  ///< soft clips and all of SEQ in supplementary records, as bwa mem -Y
  bool merge_matches = true;        ///< M in the CIGAR, not = and X
  std::string read_group;           ///< the ID; empty: none
  std::uint64_t most_hits = 0;      ///< of a read, that are written
  bool heuristic = false;           ///< reads for which nothing is proved are as good as others
  bool strict = false;              ///< reads that cannot be mapped with so many errors are an error
  bool settle_ends = false;         ///< clip ends where that gives a higher score
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

  /// Adds to `notes` what it finds.
  void format(const genocl::marose::Mapper::Batch& batch, BatchNotes& notes, Formatted& output);
  void format(const genocl::marose::PairMapper::Batch& batch, BatchNotes& notes, Formatted& output);

 private:
  using Hit = genocl::marose::Hit;
  using ReadAlignment = genocl::marose::ReadAlignment;

  /// A read and what is written of it.
  struct Placed {
    std::size_t read = 0;
    std::string_view name;
    std::span<const genocl::Code> codes;  ///< those of the file; a read that is too long has none for the mapper
    std::span<const std::uint8_t> quality;
    bool too_long = false;
    genocl::marose::ReadSummary summary;
    const genocl::marose::AlignedRead* aligned = nullptr;  ///< the mapper's, or `own`
    genocl::marose::AlignedRead own;                       ///< from hits, where the mapper does not align
    bool proper = false, rescued = false;
    bool not_all = false;                            ///< more hits would be written but for their number
    std::vector<genocl::marose::MismatchTags> tags;  ///< of the primary and the supplementary alignments
    std::int64_t mate_score = 0;                     ///< ms of the mate: its base qualities from 15 on, added up

    const ReadAlignment* primary() const { return aligned->mapped() ? &aligned->alignments.front() : nullptr; }
  };

  void place(const genocl::marose::Mapper::Batch& batch, std::size_t read, Placed& placed) const;
  void place_mate(const genocl::marose::PairMapper::Batch& batch, std::size_t read, Placed& placed);
  void place_hits(const genocl::SequenceSet& reads, std::span<const Hit> hits, std::uint64_t primary,
                  std::uint8_t quality, Placed& placed);
  void choose(std::span<const Hit> hits, std::uint64_t primary, std::uint64_t best_hits, Placed& placed);
  ReadAlignment align(const genocl::SequenceSet& reads, const Placed& placed, const Hit& hit);
  void finish(const genocl::SequenceSet& reads, Placed& placed);
  void format_single(const genocl::marose::Mapper::Batch& batch, std::size_t read);
  void format_pair(const genocl::marose::PairMapper::Batch& batch, std::size_t pair);
  void take(Formatted& output);
  void add_records(const genocl::SequenceSet& reads, const Placed& placed, std::uint16_t flag, const Placed* mate);
  void add_record(const genocl::SequenceSet& reads, const Placed& placed, genocl::io::AlignmentRecord record,
                  const ReadAlignment& alignment, const genocl::marose::MismatchTags& tags, const Placed* mate,
                  std::size_t number, std::size_t records);
  /// NM and MD.
  void make_tags(const genocl::SequenceSet& reads, const Placed& placed, const ReadAlignment& alignment,
                 genocl::marose::MismatchTags& tags) const;
  void add_lines(const Placed& placed, std::span<const Hit> hits, bool is_mate);
  void name_others(const genocl::SequenceSet& reads, const Placed& placed);
  void name_parts(const Placed& placed, std::size_t except);
  void set_mate(const Placed& placed, const Placed& mate, genocl::io::AlignmentRecord& record) const;
  /// The CIGAR of a record: with = and X, or hard clips, where they are asked for.
  void make_cigar(const genocl::SequenceSet& reads, const Placed& placed, const ReadAlignment& alignment, bool hard);

  genocl::marose::Index index_;
  RecordOptions options_;
  std::optional<genocl::io::AlignmentFormatter> formatter_;
  genocl::marose::Aligner aligner_;
  Counts counts_;
  BatchNotes* notes_ = nullptr;
  Placed first_, second_;
  std::vector<std::uint64_t> written_;  ///< numbers of the hits that choose() takes, the primary one first
  std::vector<std::uint32_t> cigar_;
  std::vector<genocl::io::AlignmentTag> tags_;
  std::string others_, parts_, mate_cigar_, lines_;
  genocl::marose::MismatchTags mismatches_;
  std::vector<genocl::Code> turned_, text_;
};

}  // namespace program
