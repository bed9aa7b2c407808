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
#include "marose/coverage.hpp"
#include "marose/options.hpp"
#include "marose/read_source.hpp"
#include "marose/unmapped_reads.hpp"

namespace program {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Counts {
  std::uint64_t reads = 0, mapped = 0, unique = 0, multiple = 0;
  std::uint64_t hits_of_multiple = 0;  ///< found, written or not
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
  double kernels = 0;    ///< of the slowest device
  double mapping = 0;    ///< from the first batch to the last
  double compiling = 0;  ///< seconds of `mapping` in which a thread compiled kernels
  double whole = 0;      ///< including the index
};

/// The effect of a wider error bound.
struct WiderBound {
  static constexpr double share = 0.10;  ///< of a read's bases
  std::uint64_t asked = 0;               ///< reads without a hit that were mapped with the wider bound
  std::uint64_t mapped = 0;              ///< those with a hit
};

/// `insert`: the range of proper pairs; empty for single reads.
void write_summary(std::ostream& out, const Counts& counts, const Seconds& seconds,
                   const std::optional<genocl::marose::InsertRange>& insert, const std::optional<WiderBound>& wider);

/// Returns warnings about reads that were mapped with restrictions, one a line.
std::string warnings(const Counts& counts);

/// Options of the records, and of inputs that are errors.
struct RecordOptions {
  genocl::marose::SamOptions sam;
  genocl::marose::Report report;
  bool paired = false;
  bool heuristic = false;  ///< also map reads without a proved plan
  bool strict = false;     ///< a read whose error bound is lowered is an error
  bool unmapped_reads = false, discordant_pairs = false, coverage = false;  ///< which of FormattedBatch to collect
};

/// Counts and text of a batch, for the summary and the additional output files.
struct FormattedBatch {
  Counts counts;
  UnmappedReads unmapped;
  std::vector<CoveredInterval> covered;
};

/// Formats batches and counts their reads. One thread at a time may use it.
class HitRecords {
 public:
  /// `map`: the options of the mapper. Without `formatter` it writes lines of tab-separated values.
  HitRecords(const genocl::marose::Index& index, const genocl::marose::MapOptions& map, const RecordOptions& options,
             std::optional<genocl::io::AlignmentFormatter> formatter);
  HitRecords(const HitRecords&) = delete;
  HitRecords& operator=(const HitRecords&) = delete;

  /// Formats the output of the batch into its text. Adds repairs of records to `notes`.
  FormattedBatch format(genocl::marose::Mapper::Batch& batch, BatchNotes& notes);
  FormattedBatch format(genocl::marose::PairMapper::Batch& batch, BatchNotes& notes);

 private:
  using Hit = genocl::marose::Hit;

  /// A read of the batch, with its alignments if the mapper does not align.
  struct MappedRead {
    genocl::marose::SamRead read;
    genocl::marose::AlignedRead own;
  };

  void place(const genocl::marose::Mapper::Batch& batch, std::size_t read, MappedRead& mapped);
  void place_mate(const genocl::marose::PairMapper::Batch& batch, std::size_t read, bool is_mate, MappedRead& mapped);
  void add_hits(const genocl::marose::Mapper::Batch& batch, std::size_t read, std::span<const Hit> hits,
                std::uint64_t primary, std::uint8_t mapq, bool is_mate, MappedRead& mapped);
  void add_lines(std::size_t read, std::string_view name, std::span<const Hit> hits,
                 std::span<const std::uint64_t> numbers, bool is_mate);
  void count(const genocl::marose::Mapper::Batch& batch, std::size_t read, const MappedRead& mapped);
  void check_bound(const genocl::marose::ReadSummary& summary, const genocl::marose::SamRead& read);
  void add_single(const genocl::marose::Mapper::Batch& batch, std::size_t read);
  void add_pair(const genocl::marose::PairMapper::Batch& batch);
  void begin(BatchNotes& notes);
  FormattedBatch take(std::string& text);

  genocl::marose::Index index_;
  RecordOptions options_;
  bool aligned_;  ///< batches have alignments with affine gaps
  std::optional<genocl::io::AlignmentFormatter> formatter_;
  genocl::marose::SamFormatter sam_;
  genocl::marose::SamFormatter::Sink sink_;
  Counts counts_;
  BatchNotes* notes_ = nullptr;
  MappedRead first_, second_;
  UnmappedReads unmapped_;
  std::vector<CoveredInterval> covered_;
  std::string lines_;
};

/// Returns the fields of @RG separated by tabs, "ID:x\tSM:y"; empty without a read group. Throws InputError for fields
/// that SAM does not allow, and for a second ID.
std::string read_group_of(const MapSettings& settings);
/// Returns the ID of a result of read_group_of().
std::string read_group_id(const std::string& read_group);

/// Throws InputError for contradictory output options.
void check_output_options(const MapSettings& settings);
/// Throws InputError if the ending of the output's name is that of another format.
void check_output_name(const MapSettings& settings);

/// Returns the output, the files of its index, and the files of --un, --un-conc and --coverage.
std::vector<std::string> outputs_of(const MapSettings& settings);

/// The output file: records or a table. The root writes it; the other members use its formatter.
class MapOutput {
 public:
  /// `fasta_agrees`: a reference of FASTA has the contigs of the index.
  MapOutput(const MapSettings& settings, const marose::Index& index, std::vector<std::string> read_groups,
            bool fasta_agrees);

  std::optional<genocl::io::AlignmentFormatter> formatter() const {
    if (!records_) return std::nullopt;
    return records_->formatter();
  }
  void append(std::string_view bytes) { records_ ? records_->append(bytes) : table_->write(bytes); }
  /// As in genocl::io::OutputFile; only the root calls them.
  std::optional<genocl::io::SharedOutput> share() { return records_ ? records_->share() : table_->share(); }
  void take_back(std::uint64_t end) { records_ ? records_->take_back(end) : table_->take_back(end); }
  void commit() { records_ ? records_->commit() : table_->commit(); }

 private:
  std::optional<genocl::io::AlignmentWriter> records_;
  std::optional<genocl::io::OutputFile> table_;
};

}  // namespace program
