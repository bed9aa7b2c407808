// Reads of map: files, pairs, repairs, batches for all ranks.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/team.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/marose/mapper.hpp"
#include "genocl/marose/sam.hpp"
#include "genocl/packing.hpp"
#include "genocl/sequence.hpp"
#include "marose/options.hpp"
#include "marose/pool.hpp"

namespace program {

/// Faults of reads. The first one of each kind is a warning; a count follows at the end.
enum class ReadFault : std::uint8_t {
  letters,       ///< a letter that is not a base; read as N
  plus_line,     ///< the '+' line names another read
  name_letters,  ///< a character that QNAME cannot have, written as '_'
  name_length,   ///< a name above 254 bytes, cut
  comment,       ///< with -C: a field that is not a tag, or repeats one; removed
  no_mate,       ///< interleaved reads: a read without its mate, mapped as a single one
  too_long,      ///< unmapped
  too_short,     ///< unmapped
};
constexpr std::size_t read_faults = 8;

/// Quality characters of a file's first reads.
struct QualityRange {
  static constexpr std::uint64_t max_reads = 10'000;
  std::uint8_t min = 0xff, max = 0;  ///< Phred scores, as if their zero were '!'

  void add(std::span<const std::uint8_t> quality);
  /// True if no character is below '@' and some are above 'J'.
  bool looks_like_phred64() const noexcept { return min != 0xff && min >= '@' - '!' && max > 'J' - '!'; }
};

/// Counts of faults with the first of each kind.
class ReadNotes {
 public:
  struct Kind {
    std::uint64_t count = 0;
    std::string first;  ///< "reads.fq:record 3 (name): the fault"
  };

  /// Calls `first()` for the text of the first fault of a kind.
  template <class Text>
  void add(ReadFault fault, Text&& first) {
    Kind& kind = kinds_[static_cast<std::size_t>(fault)];
    if (kind.count++ == 0) kind.first = first();
  }
  const Kind& operator[](ReadFault fault) const noexcept { return kinds_[static_cast<std::size_t>(fault)]; }

  void pack(genocl::Packer& packed) const;
  static ReadNotes unpack(genocl::Unpacker& packed);

  std::string file;        ///< file of the reads
  QualityRange qualities;  ///< of those among its first QualityRange::max_reads

 private:
  std::array<Kind, read_faults> kinds_;
};

/// Notes about a batch of reads.
struct BatchNotes {
  /// A read too long for the mapper, which receives an empty read in its place.
  struct LongRead {
    std::uint64_t read = 0;
    std::vector<genocl::Code> codes;
    std::vector<std::uint8_t> quality;
  };

  ReadNotes notes;
  std::vector<LongRead> long_reads;  ///< by number
  /// Numbers of pairs whose second read is an empty placeholder.
  std::vector<std::uint64_t> single;

  const LongRead* long_read(std::uint64_t read) const noexcept;
  bool is_single(std::uint64_t pair) const noexcept;
};

/// Writes warnings about the reads of an input from the notes of its batches, in the input's order.
class ReadWarnings {
 public:
  /// Warns of the first fault of each kind. Calls `before_line` before it writes.
  void add(const ReadNotes& notes, std::ostream& out, const std::function<void()>& before_line);
  /// Writes the counts, and a warning if more than 1% of the reads, and at least 100, were repaired.
  void finish(std::uint64_t reads, std::ostream& out);

 private:
  void end_file(std::ostream& out);

  std::array<std::uint64_t, read_faults> counts_{};
  std::string file_;
  QualityRange qualities_;
};

constexpr std::uint64_t longest_read = 1000;

using genocl::marose::template_name;

/// A file of reads, and the file of their mates or an empty name.
struct ReadFiles {
  std::string reads, mates;
};

struct ReadSourceOptions {
  bool interleaved = false;  ///< mates alternate in one file
  /// One file of SAM, BAM or CRAM: consecutive records are mates if FLAG says so.
  bool by_flags = false;
  std::uint64_t batch_reads = 0;
  unsigned threads = 0;
  std::string cram_reference;               ///< reference of reads in CRAM
  bool comments = false;                    ///< keep the tags of SAM in the descriptions
  std::vector<std::string_view> used_tags;  ///< tags that comments must not have
  char umi_separator = 0;                   ///< the UMI of tag RX follows it in the name; 0: no tag
  bool phred64 = false;                     ///< Phred+64 qualities
  bool strict = false;                      ///< the first fault of a read is an error
};

/// Records that are split but not parsed.
struct RawReads {
  genocl::io::RecordText ahead;  ///< interleaved reads: one record that precedes `reads`
  genocl::io::RecordText reads;
  genocl::io::RecordText
      mates;  ///< the same number of records; interleaved reads: one record, the mate of the last of `reads`
  std::uint64_t before = 0;  ///< number of earlier reads of the file or of both
  bool paired = false;       ///< pairs, and single reads with an empty mate each

  std::uint64_t count() const noexcept { return ahead.records() + reads.records() + mates.records(); }
};

/// A batch that is not parsed yet.
struct ReadsToMake {
  std::uint64_t count = 0;  ///< upper bound of the reads
  std::function<void(genocl::SequenceSet&, BatchNotes&)> make;
};

/// A file of reads, or two files of mates.
class ReadFile {
 public:
  ReadFile(const ReadFiles& files, const ReadSourceOptions& options);

  /// Returns the limits of a batch: records of each file, and bytes of the first file.
  static genocl::BatchLimits limits_of(const ReadFiles& files, const ReadSourceOptions& options);

  /// Reads the records of the next batch. Returns false at the end. One thread at a time.
  bool take(RawReads& raw);
  /// Parses a batch. With mates, records 2 i and 2 i + 1 are a pair. Thread-safe.
  void make(const RawReads& raw, genocl::SequenceSet& batch, BatchNotes& notes) const;
  /// Upper bound of the reads of a batch: a record without a mate counts as two.
  std::uint64_t reads_at_most(const RawReads& raw) const noexcept {
    return raw.paired && !mates_ ? 2 * raw.count() : raw.count();
  }
  double fraction() const noexcept;
  const std::string& name() const noexcept { return reads_.file(); }
  /// The headers of both files of SAM, BAM or CRAM.
  std::vector<std::string> read_groups() const;

 private:
  void make_pairs(const RawReads& raw, const genocl::io::ReadOptions& reading, genocl::SequenceSet& batch) const;
  void read_interleaved(const RawReads& raw, const genocl::io::ReadOptions& reading, genocl::SequenceSet& batch) const;
  bool have_mates_name(const genocl::SequenceSet& batch, std::size_t first) const;
  void check_interleaved(const RawReads& raw, const genocl::SequenceSet& batch, std::size_t paired) const;
  void pair_by_name(const RawReads& raw, genocl::SequenceSet& batch, BatchNotes& notes) const;
  void pair_by_flags(const RawReads& raw, std::span<const unsigned> flags, genocl::SequenceSet& batch,
                     BatchNotes& notes) const;
  void note_single(const RawReads& raw, std::size_t read, std::string_view name, BatchNotes& notes) const;
  bool take_interleaved(RawReads& raw);
  void check_step(const RawReads& raw) const;
  std::string place_of(const RawReads& raw, std::size_t read, std::string_view name) const;
  void add_umis(const RawReads& raw, genocl::SequenceSet& batch, const BatchNotes& notes) const;
  void repair(const RawReads& raw, genocl::SequenceSet& batch, BatchNotes& notes) const;

  genocl::io::SequenceReader reads_;
  std::optional<genocl::io::SequenceReader> mates_;
  ReadSourceOptions options_;
  genocl::io::ReadOptions reading_;
  genocl::BatchLimits limits_;
  genocl::io::RecordText ahead_;  // interleaved reads: read already, the first of the next batch
  std::uint64_t before_ = 0;      // reads of earlier batches
};

/// Several files in sequence. A batch has reads of one file.
class ReadSource {
 public:
  /// Opens the first file and checks the other regular ones, so that a missing file is reported at the begin.
  ReadSource(std::vector<ReadFiles> files, ReadSourceOptions options);

  /// Returns the distinct @RG lines of the files.
  const std::vector<std::string>& read_groups() const noexcept { return read_groups_; }
  /// Returns the next batch; no value at the end. One thread at a time; any thread may parse the result. Both throw
  /// InputError as SequenceReader, for mates that do not belong together, and with ReadSourceOptions::strict for every
  /// ReadFault. By flags, batches of single reads end before the first batch with a mate.
  std::optional<ReadsToMake> next();
  /// By flags: continues with the first batch of pairs. Returns false if there are no pairs.
  bool begin_pairs();
  /// Number of reads before the next batch, counted as by file_of().
  std::uint64_t given() const noexcept { return given_; }
  /// Fraction of the files that has been read, 0 to 1. Thread-safe.
  double fraction() const noexcept { return fraction_; }
  /// Returns the file of a read, by its number among all reads of all files so far. Thread-safe.
  std::string file_of(std::uint64_t read) const;

 private:
  struct Begun {
    std::uint64_t first_read = 0;
    std::string name;
  };

  std::shared_ptr<ReadFile> open(const ReadFiles& files);
  void add_read_groups(const ReadFile& file);

  std::vector<ReadFiles> files_;
  ReadSourceOptions options_;
  std::vector<std::string> read_groups_;
  std::shared_ptr<RawReads> first_pairs_;  // by flags: read, not yet returned
  bool pairs_begun_ = false;
  std::size_t begun_count_ = 0;
  std::shared_ptr<ReadFile> current_;
  std::uint64_t given_ = 0;
  std::atomic<double> fraction_ = 0;
  mutable std::mutex mutex_;  // guards the members below
  std::vector<Begun> begun_;
  std::shared_ptr<Pool<RawReads>> texts_ = std::make_shared<Pool<RawReads>>();
};

/// The files of pairs, interleaved or in two files, and the files of single reads. Either may be empty.
struct ReadFileLists {
  std::vector<ReadFiles> pairs, singles;

  /// Returns all names, for check_files().
  std::vector<std::string> names() const;
};

/// Throws InputError without files of reads, for reads given in two ways, for lists of mates of unequal length, and for
/// repeated standard input.
ReadFileLists read_files_of(const MapSettings& settings);

/// Blocks of consecutive records of a file.
struct BlockPlaces {
  std::uint64_t records = 0;
  std::vector<std::uint64_t> begins;  ///< [block]: offset as in genocl::io::RecordPlaces; then the end of the file
  std::uint64_t longest = 0;          ///< bytes of a block's text
};

/// Finds the blocks of a file; each member scans its parts. All members call it. No value on any member unless the file
/// is regular, plain or bgzip, and FASTQ with four lines for each record.
std::optional<BlockPlaces> find_places(const std::string& path, std::uint64_t records_of_block);

/// Random access to the batches of several files.
class PlacedReads {
 public:
  /// No value if a file has no blocks, if mates differ in number, or for interleaved reads, whose mates are known by
  /// name only. All members call it.
  static std::optional<PlacedReads> find(const std::vector<ReadFiles>& files, const ReadSourceOptions& options);

  std::uint64_t blocks() const { return files_.empty() ? 0 : files_.back().first_block + files_.back().blocks; }
  /// Returns a batch. O(log files). The bytes are read when the batch is parsed.
  ReadsToMake block(std::uint64_t number) const;
  const std::string& file_of(std::uint64_t number) const { return at(number).file->name(); }

 private:
  struct File {
    std::shared_ptr<ReadFile> file;
    ReadFiles names;
    BlockPlaces reads;
    std::optional<BlockPlaces> mates;
    std::uint64_t first_block = 0, blocks = 0, records_of_block = 0;
  };
  const File& at(std::uint64_t number) const;

  std::vector<File> files_;
};

/// The batches of one member. It reads them at their offsets in the files if these are known; otherwise it splits the
/// whole input into records.
class TeamReads {
 public:
  using MapperReads = genocl::marose::Mapper::ReadsToMake;

  /// A batch that is read, but not mapped.
  struct Ahead {
    std::uint64_t count = 0;  ///< ReadsToMake::count
    genocl::SequenceSet reads;
    BatchNotes notes;
  };

  /// `ahead`: the first batches, already taken from `source`.
  TeamReads(ReadSource& source, std::vector<std::shared_ptr<Ahead>> ahead, Blocks& blocks,
            std::optional<PlacedReads> placed)
      : source_(source), ahead_(std::move(ahead)), blocks_(blocks), placed_(std::move(placed)) {
    reads_seen_ = source.given();
    for (const std::shared_ptr<Ahead>& batch : ahead_) reads_seen_ -= batch->count;
  }

  /// Returns the next batch of this member; no value at the end. One thread at a time.
  std::optional<MapperReads> next();
  /// Returns the number among all batches of the batch of this member that begins with this read, counted among the
  /// reads of this member. Thread-safe, as the functions below.
  std::uint64_t block_of(std::uint64_t first_read) const { return batch_of(first_read).block; }
  /// Returns the notes of a parsed batch.
  BatchNotes& notes_of(std::uint64_t first_read) const { return *batch_of(first_read).notes; }
  /// Returns the file of a batch.
  std::string file_of(std::uint64_t first_read) const {
    const OwnBatch batch = batch_of(first_read);
    return placed_ ? placed_->file_of(batch.block) : source_.file_of(batch.first_of_input);
  }
  /// Fraction of the input that is distributed, 0 to 1, as known to this process.
  double fraction() const noexcept { return placed_ ? placed_fraction_.load() : source_.fraction(); }

 private:
  struct OwnBatch {
    std::uint64_t block = 0, first_of_input = 0;
    std::shared_ptr<BatchNotes> notes;
  };
  MapperReads own(std::uint64_t block, std::uint64_t first_of_input, const ReadsToMake& reads);
  OwnBatch batch_of(std::uint64_t first_read) const;

  ReadSource& source_;
  std::vector<std::shared_ptr<Ahead>> ahead_;
  Blocks& blocks_;
  std::optional<PlacedReads> placed_;
  std::atomic<double> placed_fraction_ = 0;
  std::uint64_t seen_ = 0, reads_seen_ = 0, own_reads_ = 0;
  mutable std::mutex mutex_;  // guards the members below
  std::map<std::uint64_t, OwnBatch> own_;
};

}  // namespace program
