// Reads, one by one or mate after mate, in batches.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/io/sequence_reader.hpp"
#include "genocl/marose/mapper.hpp"
#include "genocl/sequence.hpp"
#include "marose/pool.hpp"
#include "marose/reads/read_notes.hpp"

namespace program {

constexpr std::uint64_t longest_read = 1000;

/// The name of a template as bwa has it: a read's without '/' and a digit at its end.
std::string_view template_name(std::string_view read_name);
/// The name of the template that two mates belong to, which may end in .1 and .2 or _1 and _2, too. No value where they
/// are no mates.
std::optional<std::string_view> template_name(std::string_view first, std::string_view second);

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
  bool phred64 = false;                     ///< qualities begin with '@'
  bool strict = false;                      ///< the first fault of a read is an error
};

/// Records that are told apart, but not looked at.
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

  /// So many records of each file are a batch, or as many as have so many bytes in the first, with all that stands
  /// there.
  static genocl::BatchLimits limits_of(const ReadFiles& files, const ReadSourceOptions& options);

  /// False at the end. For one thread at a time.
  bool take(RawReads& raw);
  /// With mates records 2 i and 2 i + 1 of a batch are a pair. Any thread may call it.
  void make(const RawReads& raw, genocl::SequenceSet& batch, BatchNotes& notes) const;
  /// Of a batch of so many records: a record without a mate takes the place of two.
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
  /// No value at the end. For one thread at a time; what it gives is for any thread. Both throw InputError as
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
  mutable std::mutex mutex_;  // of what follows
  std::vector<Begun> begun_;
  std::shared_ptr<Pool<RawReads>> texts_ = std::make_shared<Pool<RawReads>>();
};

}  // namespace program
