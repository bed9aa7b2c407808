// Reads FASTA and FASTQ: plain, gzip or bgzip, from a file or standard input.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/export.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence.hpp"

namespace genocl::io {

enum class SequenceFormat : std::uint8_t { fasta, fastq };

/// Returns "FASTA" or "FASTQ".
GENOCL_EXPORT std::string_view to_string(SequenceFormat format) noexcept;

using genocl::BadLetters;

/// Faults of a record that the reader repairs.
enum class RecordFault : std::uint8_t {
  letters,    ///< Letters were replaced (ReadOptions::bad_letters, ReadOptions::bases_only).
  gaps,       ///< FASTA: '-' and '.' were removed (ReadOptions::drop_gaps).
  plus_line,  ///< The '+' line names another record; it is ignored.
};

struct ReadOptions {
  Alphabet alphabet = Alphabet::dna;  ///< `bytes` keeps all letters and their case.
  BadLetters bad_letters = BadLetters::error;
  bool bases_only = false;  ///< DNA: ambiguity codes other than N are bad letters.
  bool drop_gaps = false;   ///< FASTA of DNA or proteins: removes '-' and '.' of aligned sequences.
  /// FASTQ: a '+' line that names another record, a blank line inside a record and an empty record are errors.
  bool strict = false;
  /// Called once for each repaired record and fault. `why` contains the place in the file and the first fault of its
  /// kind.
  std::function<void(RecordFault fault, const InputError& why)> repaired = {};
  /// Read SAM, BAM and CRAM as FASTQ, like `samtools fastq`: the first record of each read in the read's own direction,
  /// mates with /1 and /2. A description is FLAG as a decimal number and the tags, separated by tabs, without tags of
  /// the alignment (NM, MD, ...).
  bool alignments = false;
  /// FASTA of aligned CRAM, plain or bgzip. Its index `.fai` is created if absent. Empty: htslib looks up the bases
  /// like samtools (UR in the header, REF_PATH, REF_CACHE).
  std::string cram_reference = {};
  /// FASTQ: the character of quality 0, '!' (Phred+33) or '@' (Phred+64). A lower character is an error.
  char quality_zero = '!';
  bool keep_qualities = true;     ///< FASTQ only. Qualities are always checked.
  bool keep_descriptions = true;  ///< The header line after its first word.
  bool mask_lower_case = false;   ///< Mask letters in lower case (SequenceSet::masked()).
  bool allow_no_records = false;  ///< Accept a file without records; otherwise an error.
  /// Accept bgzip without its final empty block; otherwise an error, since the file is probably truncated.
  bool allow_missing_bgzip_end = false;
  /// Called for a record with a letter outside the alphabet or an invalid quality. The record is skipped and reading
  /// continues. Without this function such a record is an error.
  std::function<void(const InputError& why)> skip_record = {};
  /// Threads in addition to the caller's, up to 256. They decompress bgzip, or read a plain FASTA file in parallel with
  /// 64 MB more memory, or the size of the longest record if larger. Gzip is not parallel.
  unsigned threads = 0;
};

/// Complete records of a file as text. SequenceReader::take() fills it and another SequenceReader parses it.
class GENOCL_EXPORT RecordText {
 public:
  RecordText() = default;
  /// Reads the text from place `begin` to before `end` of a plain file or of bgzip (RecordPlaces). The caller
  /// guarantees the number of records in it and before it. Throws InputError for an unreadable file.
  RecordText(const std::string& path, std::uint64_t begin, std::uint64_t end, std::uint64_t records,
             std::uint64_t before);

  /// The number of records.
  std::uint64_t records() const noexcept { return records_; }
  /// The name of the last record that SequenceReader::take() returned; else empty.
  const std::string& last_name() const noexcept { return last_name_; }

 private:
  friend class SequenceReader;
  std::string text_, file_, last_name_;
  std::uint64_t records_ = 0;
  std::uint64_t before_ = 0;  // records of the file before this text
};

/// Information from the header of SAM, BAM or CRAM.
struct AlignmentInput {
  bool by_coordinate = false;            ///< sorted by coordinate
  std::vector<std::string> read_groups;  ///< fields of the @RG lines, see AlignmentHeader
};

/// A stream of records, in the file's order. Memory: the batch, twice the longest record and some buffers, independent
/// of the file size.
///
/// FASTA: '>', name (the first word), description (the remainder, without surrounding blanks); any number of lines of
/// letters, which may contain blanks. FASTQ: as many quality characters ('!' to '~') as letters, on one line if the
/// letters are on one line. The first byte determines the format. Accepted: Windows line ends, lower case, empty lines,
/// empty records, any text on a '+' line, a record without a name, no newline at the end, a byte-order mark, lines of
/// any length, concatenated gzip files. Names need not be unique.
///
/// All other input throws InputError. file() is the file (or "standard input"). where() has the form `record 3 (chr3),
/// letter 17`; both count from 1, letters without line ends and blanks. Errors include: a letter outside the alphabet;
/// text before the first record or between two; qualities of another length or with invalid characters; gzip or bgzip
/// that is truncated or fails its checksum; binary files; other compression; a missing file, a directory; a file
/// without records.
///
/// Not thread-safe; different readers are independent. During the lifetime of a reader, htslib's log on standard error
/// is off in the whole process.
class GENOCL_EXPORT SequenceReader {
 public:
  /// Opens the file and reads its first bytes. "-" is standard input.
  explicit SequenceReader(const std::string& path, const ReadOptions& options = {});
  /// Parses the result of take() of another reader. `text` must outlive this reader. Messages refer to the original
  /// file and its record numbers. Ignores `options.threads`.
  explicit SequenceReader(const RecordText& text, const ReadOptions& options = {});
  SequenceReader(SequenceReader&&) noexcept;
  SequenceReader& operator=(SequenceReader&&) noexcept;
  ~SequenceReader();

  /// Replaces the content of `batch` by the next records, up to `limits` but at least one. Reuses its memory. Returns
  /// false, with an empty batch, at the end of the file. On an exception, the batch contains the records before the bad
  /// one, and every later call throws the same error.
  bool read(SequenceSet& batch, const BatchLimits& limits = {});

  /// Like read(), but appends to `set`; `limits` apply to the appended records. Throws InputError if the set has
  /// another alphabet, or if only one of the set and the file has qualities.
  bool append(SequenceSet& set, const BatchLimits& limits = {});

  /// Replaces `text` by the next records without parsing their content, up to `limits` but at least one. The residues
  /// of `limits` count bytes here. Several times as fast as read(), so that other threads can parse. Returns false,
  /// without records, at the end of the file. Throws InputError if record boundaries are unclear, and the errors of
  /// read() at the end of a file. Precondition: no earlier read() or append() of this reader.
  bool take(RecordText& text, const BatchLimits& limits = {});

  const std::string& file() const noexcept;
  /// The format of the file; FASTA if it is empty.
  SequenceFormat format() const noexcept;
  /// Null for files other than SAM, BAM and CRAM.
  const AlignmentInput* alignment_input() const noexcept;
  /// The 0-based number of the first record of SAM, BAM or CRAM that belongs to a pair. Available when the reader has
  /// decoded it, which is some buffers before read() returns it.
  std::optional<std::uint64_t> first_mate() const noexcept;
  /// Returns whether the file contains no records.
  bool no_records() const noexcept;
  /// The number of records returned so far.
  std::uint64_t records() const noexcept;
  /// The fraction of the file that has been read, 0 to 1. It is some buffers ahead of the returned records; 0 for a
  /// pipe.
  double fraction() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a whole file. `progress` counts residues. Throws the errors of SequenceReader, and Cancelled.
GENOCL_EXPORT SequenceSet read_sequences(const std::string& path, const ReadOptions& options = {},
                                         const Progress& progress = {});

}  // namespace genocl::io
