// Output of map: records of hits, files, the summary.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/io/alignment_writer.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/marose.hpp"
#include "marose/options.hpp"
#include "marose/read_source.hpp"

namespace program {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Counts {
  std::uint64_t reads = 0, mapped = 0, unique = 0, multiple = 0;
  std::uint64_t hits_of_multiple = 0;  ///< that are known, written or not
  std::uint64_t not_all_written = 0;   ///< reads with hits that are not written
  std::uint64_t capped = 0;            ///< reads with too many candidate places
  std::uint64_t trimmed = 0;           ///< reads with a clipped adapter or low-quality end
  std::uint64_t in_part = 0;           ///< reads mapped by a part, since the whole has no hit
  std::uint64_t split = 0;             ///< reads with supplementary alignments
  std::uint64_t records = 0;
  std::uint64_t too_short = 0, too_long = 0, lower_bound = 0, heuristic = 0;
  std::uint64_t shortest_lower = 0, lower_errors = 0;  ///< the length and bound of one of those
  std::uint64_t pairs = 0, proper = 0, rescued = 0;

  void add(const genocl::marose::ReadSummary& read, const genocl::marose::AlignedRead& aligned, std::uint64_t length,
           bool rescued_mate, bool with_alignments);
  Counts& operator+=(const Counts& other);
};

struct Seconds {
  double kernels = 0;  ///< of the slowest device
  double mapping = 0;  ///< from the first batch to the last
  double whole = 0;    ///< with the index
};

/// What a wider bound on errors would bring.
struct WiderBound {
  static constexpr double share = 0.10;  ///< of a read's bases
  std::uint64_t asked = 0;               ///< reads without a hit that were mapped again
  std::uint64_t mapped = 0;              ///< those of them that have a hit within the wider bound
};

/// `insert`: the range of proper pairs; empty for single reads.
void write_summary(std::ostream& out, const Counts& counts, const Seconds& seconds,
                   const std::optional<genocl::marose::InsertRange>& insert, const std::optional<WiderBound>& wider);

/// Returns warnings about reads that were mapped with restrictions, one a line.
std::string warnings(const Counts& counts);

/// Contents of the records.
struct RecordOptions {
  genocl::marose::Report report;
  bool aligned = false;  ///< batches have alignments with affine gaps
  int match_score = 0;   ///< of these
  bool paired = false, unmapped = true;
  bool secondary = true;            ///< one record for each hit; otherwise one for each read, with XA
  std::size_t most_in_xa = 5;       ///< others than that are counted only
  bool secondary_letters = true;    ///< SEQ and QUAL in every record of a read, not in the first alone
  bool soft_supplementary = false;  ///< soft clips and all of SEQ in supplementary records, as bwa mem -Y
  bool merge_matches = true;        ///< M in the CIGAR, not = and X
  std::string read_group;           ///< the ID; empty: none
  std::uint64_t most_hits = 0;      ///< maximum number of hits written for a read
  bool heuristic = false;           ///< also map reads without a proved plan
  bool strict = false;              ///< a read whose error bound is lowered is an error
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

  /// Adds repairs of records to `notes`.
  void format(const genocl::marose::Mapper::Batch& batch, BatchNotes& notes, Formatted& output);
  void format(const genocl::marose::PairMapper::Batch& batch, BatchNotes& notes, Formatted& output);

 private:
  using Hit = genocl::marose::Hit;
  using ReadAlignment = genocl::marose::ReadAlignment;

  /// A read and its output.
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
    bool not_all = false;                            ///< some hits exceed the maximum number
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
  /// Makes the CIGAR of a record, with = and X or with hard clips by the options.
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

/// The fields of @RG with tabs between, "ID:x\tSM:y"; empty where there is none. Throws InputError for what SAM does
/// not allow, a second ID among them.
std::string read_group_of(const MapSettings& settings);
/// The ID of what read_group_of() gives.
std::string read_group_id(const std::string& read_group);

/// Throws InputError for options of the output that do not go together.
void check_output_options(const MapSettings& settings);
/// Throws InputError if the ending of the output's name is that of another format.
void check_output_name(const MapSettings& settings);

/// The output, and what may be its index.
std::vector<std::string> outputs_of(const MapSettings& settings);

/// The file that is written: records or a table. The root writes it; who else is in the team needs its formatter.
class MapOutput {
 public:
  /// `fasta_agrees`: a reference of FASTA has the contigs of the index.
  MapOutput(const MapSettings& settings, const marose::Index& index, std::vector<std::string> read_groups,
            bool fasta_agrees);

  bool tsv() const { return tsv_; }
  std::optional<genocl::io::AlignmentFormatter> formatter() const {
    if (!records_) return std::nullopt;
    return records_->formatter();
  }
  void append(std::string_view bytes) { records_ ? records_->append(bytes) : table_->write(bytes); }
  /// As those of genocl::io::OutputFile; the root's.
  std::optional<genocl::io::SharedOutput> share() { return records_ ? records_->share() : table_->share(); }
  void take_back(std::uint64_t end) { records_ ? records_->take_back(end) : table_->take_back(end); }
  void commit() { records_ ? records_->commit() : table_->commit(); }

 private:
  bool tsv_ = false;
  std::optional<genocl::io::AlignmentWriter> records_;
  std::optional<genocl::io::OutputFile> table_;
};

}  // namespace program
