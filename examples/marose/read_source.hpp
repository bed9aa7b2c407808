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

/// Each gives one warning when it is first met, and a count at the end.
enum class ReadFault : std::uint8_t {
  letters,       ///< a letter that is no base, read as N
  plus_line,     ///< the '+' line names another read
  name_letters,  ///< a character that QNAME cannot have, written as '_'
  name_length,   ///< a name above 254 bytes, cut
  comment,       ///< -C: a field that is no tag, or one that the record has already; left out
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
  /// None below '@' and some above 'J'.
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

  std::string file;        ///< the reads' own
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
  /// Numbers of pairs whose second read is an empty one added here: the file has none.
  std::vector<std::uint64_t> single;

  const LongRead* long_read(std::uint64_t read) const noexcept;
  bool is_single(std::uint64_t pair) const noexcept;
};

/// Writes warnings about the reads of an input from the notes of its batches, in the input's order.
class ReadWarnings {
 public:
  /// Warns of the first fault of each kind. Calls `before_line` before it writes.
  void add(const ReadNotes& notes, std::ostream& out, const std::function<void()>& before_line);
  /// The counts, and a warning where more than one read in a hundred, and 100 at least, were repaired.
  void finish(std::uint64_t reads, std::ostream& out);

 private:
  void end_file(std::ostream& out);

  std::array<std::uint64_t, read_faults> counts_{};
  std::string file_;
  QualityRange qualities_;
};

constexpr std::uint64_t longest_read = 1000;

using genocl::marose::template_name;

/// A file of reads, and the one of their mates, if there is one.
struct ReadFiles {
  std::string reads, mates;
};

struct ReadSourceOptions {
  bool interleaved = false;  ///< in a file without a second one: mate after mate
  /// A file of SAM, BAM or CRAM without a second one: mates are those by FLAG that follow one another.
  bool by_flags = false;
  std::uint64_t batch_reads = 0;
  unsigned threads = 0;
  std::string cram_reference;               ///< of reads in CRAM
  bool comments = false;                    ///< keep them, as the descriptions: tags of SAM
  std::vector<std::string_view> used_tags;  ///< that no comment may have
  char umi_separator = 0;                   ///< the tag RX is the UMI behind it in the name; 0: no tag
  bool phred64 = false;                     ///< qualities begin with '@'
  bool strict = false;                      ///< the first fault of a read is an error
};

/// Records that are split but not parsed.
struct RawReads {
  genocl::io::RecordText ahead;  ///< of interleaved reads: one record before `reads`
  genocl::io::RecordText reads;
  genocl::io::RecordText mates;  ///< as many; of interleaved reads one record that belongs to the last of `reads`
  std::uint64_t before = 0;      ///< reads of the file, or of both, before these
  bool paired = false;           ///< a batch of pairs, and of single reads with an empty mate each

  std::uint64_t count() const noexcept { return ahead.records() + reads.records() + mates.records(); }
};

/// A batch that is still to be made.
struct ReadsToMake {
  std::uint64_t count = 0;  ///< reads at most
  std::function<void(genocl::SequenceSet&, BatchNotes&)> make;
};

/// One file, or two of mates.
class ReadFile {
 public:
  ReadFile(const ReadFiles& files, const ReadSourceOptions& options);

  /// Returns the limits of a batch: records of each file, and bytes of the first file.
  static genocl::BatchLimits limits_of(const ReadFiles& files, const ReadSourceOptions& options);

  /// False at the end. For one thread at a time.
  bool take(RawReads& raw);
  /// With mates records 2 i and 2 i + 1 of a batch are a pair. Any thread may call it.
  void make(const RawReads& raw, genocl::SequenceSet& batch, BatchNotes& notes) const;
  /// Upper bound of the reads of a batch: a record without a mate counts as two.
  std::uint64_t reads_at_most(const RawReads& raw) const noexcept {
    return raw.paired && !mates_ ? 2 * raw.count() : raw.count();
  }
  double fraction() const noexcept;
  const std::string& name() const noexcept { return reads_.file(); }
  /// Of both files of SAM, BAM or CRAM.
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
  genocl::io::RecordText ahead_;  // of interleaved reads: taken, and to be the first of the next batch
  std::uint64_t before_ = 0;      // reads in the batches before
};

/// Files one after the other; a batch is of one of them.
class ReadSource {
 public:
  /// Opens the first file, and looks at all other regular ones, so that one that is missing is not found after hours.
  ReadSource(std::vector<ReadFiles> files, ReadSourceOptions options);

  /// The @RG fields of these files, each once.
  const std::vector<std::string>& read_groups() const noexcept { return read_groups_; }
  /// No value at the end. For one thread at a time; the result may go to any thread. Both throw InputError as
  /// SequenceReader, for mates that do not belong together, and with ReadSourceOptions::strict for every ReadFault.
  /// By flags, batches of single reads end before the first batch that has a mate.
  std::optional<ReadsToMake> next();
  /// By flags: continues with that batch, the first of pairs. False if there are no pairs.
  bool begin_pairs();
  /// The number of reads before the next batch, as file_of() counts them.
  std::uint64_t given() const noexcept { return given_; }
  /// How much of the files has been read, 0 to 1; any thread may ask.
  double fraction() const noexcept { return fraction_; }
  /// The file that has the read of that number, counted over all files, of the batches so far; any thread may ask.
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
  std::shared_ptr<RawReads> first_pairs_;  // by flags: taken, and not given
  bool pairs_begun_ = false;
  std::size_t begun_count_ = 0;
  std::shared_ptr<ReadFile> current_;
  std::uint64_t given_ = 0;
  std::atomic<double> fraction_ = 0;
  mutable std::mutex mutex_;  // guards the members below
  std::vector<Begun> begun_;
  std::shared_ptr<Pool<RawReads>> texts_ = std::make_shared<Pool<RawReads>>();
};

/// The files with pairs, mate after mate or in two files each, and those with single reads; either may be none.
struct ReadFileLists {
  std::vector<ReadFiles> pairs, singles;

  /// All names, for check_files().
  std::vector<std::string> names() const;
};

/// Throws InputError where no reads are named, or in two ways at once, for lists of mates of unequal length, and for
/// standard input that is named twice.
ReadFileLists read_files_of(const MapSettings& settings);

/// Blocks of records in a file.
struct BlockPlaces {
  std::uint64_t records = 0;
  std::vector<std::uint64_t> begins;  ///< [block]: its place, as genocl::io::RecordPlaces has it; then the file's end
  std::uint64_t longest = 0;          ///< bytes of a block's text
};

/// The team finds them together, each member in its parts of the file. No value on any member unless the file is
/// regular, plain or bgzip, and FASTQ of four lines a record throughout. Everybody has to call it.
std::optional<BlockPlaces> find_places(const std::string& path, std::uint64_t records_of_block);

/// Batches of the reads of some files, by number.
class PlacedReads {
 public:
  /// No value where not all files have places, or mates are not as many, or reads are interleaved: which records are
  /// mates shows in their names alone. Everybody has to call it.
  static std::optional<PlacedReads> find(const std::vector<ReadFiles>& files, const ReadSourceOptions& options);

  std::uint64_t blocks() const { return files_.empty() ? 0 : files_.back().first_block + files_.back().blocks; }
  /// O(log files); the bytes are read where the reads are made.
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

/// Everybody takes the batches that come to it: by their places where those are known, or else it tells the reads of
/// the whole input apart.
class TeamReads {
 public:
  using MapperReads = genocl::marose::Mapper::ReadsToMake;

  /// A batch that was read before it is mapped.
  struct Ahead {
    std::uint64_t count = 0;  ///< ReadsToMake::count
    genocl::SequenceSet reads;
    BatchNotes notes;
  };

  /// `ahead`: the first batches, which `source` has given already.
  TeamReads(ReadSource& source, std::vector<std::shared_ptr<Ahead>> ahead, Blocks& blocks,
            std::optional<PlacedReads> placed)
      : source_(source), ahead_(std::move(ahead)), blocks_(blocks), placed_(std::move(placed)) {
    reads_seen_ = source.given();
    for (const std::shared_ptr<Ahead>& batch : ahead_) reads_seen_ -= batch->count;
  }

  /// The next batch of this member; no value at the end. For one thread at a time.
  std::optional<MapperReads> next();
  /// The number among all batches of the own one whose first read has this number among the own ones. Any thread may
  /// ask, as below.
  std::uint64_t block_of(std::uint64_t first_read) const { return batch_of(first_read).block; }
  /// The notes of the batch, whose reads have been made.
  BatchNotes& notes_of(std::uint64_t first_read) const { return *batch_of(first_read).notes; }
  /// The file that this batch comes from.
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
