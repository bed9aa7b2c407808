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

namespace program {

constexpr std::uint64_t longest_read = 1000;

/// The name of a template: a read's without /1 or /2.
std::string_view template_name(std::string_view read_name);

/// A file of reads, and the one of their mates, if there is one.
struct ReadFiles {
  std::string reads, mates;
};

struct ReadSourceOptions {
  bool interleaved = false;  ///< in a file without a second one: mate after mate
  std::uint64_t batch_reads = 0;
  unsigned threads = 0;
  bool comments = false;                    ///< keep them, as the descriptions; they have to be tags of SAM
  std::vector<std::string_view> used_tags;  ///< that no comment may have
};

/// Records that are told apart, but not looked at.
struct RawReads {
  genocl::io::RecordText reads;
  genocl::io::RecordText mates;  ///< as many; of mate after mate in one file what `reads` lacks of the last pair
  std::uint64_t before = 0;      ///< reads of the file, or of both, before these

  std::uint64_t count() const noexcept { return reads.records() + mates.records(); }
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
  void make(const RawReads& raw, genocl::SequenceSet& batch) const;
  double fraction() const noexcept;
  const std::string& name() const noexcept { return reads_.file(); }

 private:
  void make_pairs(const RawReads& raw, genocl::SequenceSet& batch) const;
  void make_interleaved(const RawReads& raw, genocl::SequenceSet& batch) const;
  void check(const RawReads& raw, const genocl::SequenceSet& batch) const;
  [[noreturn]] void no_mate(const genocl::io::SequenceReader& ended, const genocl::io::RecordText& other_text,
                            std::uint64_t record, const genocl::io::SequenceReader& other) const;

  genocl::io::SequenceReader reads_;
  std::optional<genocl::io::SequenceReader> mates_;
  ReadSourceOptions options_;
  genocl::io::ReadOptions reading_;
  genocl::BatchLimits limits_;
  std::uint64_t before_ = 0;  // reads in the batches before
};

/// Files one after the other; a batch is of one of them.
class ReadSource {
 public:
  /// Looks at all regular files, so that one that is missing is not found after hours.
  ReadSource(std::vector<ReadFiles> files, ReadSourceOptions options);

  /// No value at the end. For one thread at a time; what it gives is for any thread. Both throw InputError as
  /// SequenceReader; for a read that is too long, for mates that do not belong together, and for comments that are no
  /// tags.
  std::optional<genocl::marose::Mapper::ReadsToMake> next();
  /// How much of the files has been read, 0 to 1; any thread may ask.
  double fraction() const noexcept { return fraction_; }
  /// The file that has the read of that number, counted over all files, of the batches so far; any thread may ask.
  std::string file_of(std::uint64_t read) const;

 private:
  struct Begun {
    std::uint64_t first_read = 0;
    std::string name;
  };

  std::vector<ReadFiles> files_;
  ReadSourceOptions options_;
  std::size_t begun_count_ = 0;
  std::shared_ptr<ReadFile> current_;
  std::uint64_t given_ = 0;
  std::atomic<double> fraction_ = 0;
  mutable std::mutex mutex_;  // of what follows
  std::vector<Begun> begun_;
  std::shared_ptr<Pool<RawReads>> texts_ = std::make_shared<Pool<RawReads>>();
};

}  // namespace program
