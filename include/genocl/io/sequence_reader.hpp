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

/// Gives "FASTA" or "FASTQ".
GENOCL_EXPORT std::string_view to_string(SequenceFormat format) noexcept;

using genocl::BadLetters;

/// Faults of a record that reading repairs.
enum class RecordFault : std::uint8_t {
  letters,    ///< Letters were replaced (ReadOptions::bad_letters, ReadOptions::bases_only).
  gaps,       ///< FASTA: '-' and '.' were left out (ReadOptions::drop_gaps).
  plus_line,  ///< The '+' line names another record; it is ignored.
};

struct ReadOptions {
  Alphabet alphabet = Alphabet::dna;  ///< `bytes` keeps the letters as they are, case included.
  BadLetters bad_letters = BadLetters::error;
  bool bases_only = false;  ///< DNA: ambiguity codes other than N are bad letters.
  bool drop_gaps = false;   ///< FASTA of DNA or proteins: leaves out '-' and '.', which aligned sequences have.
  /// FASTQ: a '+' line that names another record, a blank line inside a record and an empty record are errors.
  bool strict = false;
  /// Called once for each repaired record and fault. `why` holds the place in the file and the first fault of its kind.
  std::function<void(RecordFault fault, const InputError& why)> repaired = {};
  /// SAM, BAM and CRAM are read as FASTQ as `samtools fastq` writes it: the first record of each read in the read's own
  /// direction, mates with /1 and /2. A description is FLAG as a decimal number and the tags behind it, with tabs
  /// between, without the tags of an alignment (NM, MD, ...).
  bool alignments = false;
  /// The FASTA that aligned CRAM was written with, plain or bgzip. Its index `.fai` is created if absent. Empty:
  /// htslib looks for the bases as samtools does (UR in the header, REF_PATH, REF_CACHE).
  std::string cram_reference = {};
  /// FASTQ: the character of quality 0, '!' (Phred+33) or '@' (Phred+64). A lower character is an error.
  char quality_zero = '!';
  bool keep_qualities = true;     ///< FASTQ only. Those that are not kept are checked all the same.
  bool keep_descriptions = true;  ///< The header line after its first word.
  bool mask_lower_case = false;   ///< Letters in lower case are masked (SequenceSet::masked()).
  bool allow_no_records = false;  ///< A file with no record in it is an error unless this is set.
  /// Bgzip ends with an empty block, and a file without it has probably lost its end: an error unless this is set.
  bool allow_missing_bgzip_end = false;
  /// Called for a record with a letter outside the alphabet or a quality that is none: it is left out, and the reading
  /// goes on. Without it such a record is an error.
  std::function<void(const InputError& why)> skip_record = {};
  /// So many threads, up to 256, decompress bgzip besides the caller's, or share the reading of a plain file of FASTA,
  /// where it takes 64 MB more, or once more the longest record. Gzip has nothing to split.
  unsigned threads = 0;
};

/// Whole records of a file as text, which SequenceReader::take() fills and another SequenceReader reads.
class GENOCL_EXPORT RecordText {
 public:
  RecordText() = default;
  /// What stands from place `begin` to before `end` of a plain file or of bgzip (RecordPlaces). It is for the caller to
  /// know that so many records stand there, and so many before them. Throws InputError for a file that cannot be read.
  RecordText(const std::string& path, std::uint64_t begin, std::uint64_t end, std::uint64_t records,
             std::uint64_t before);

  /// How many there are.
  std::uint64_t records() const noexcept { return records_; }
  /// The name of the last record that SequenceReader::take() gave; else empty.
  const std::string& last_name() const noexcept { return last_name_; }

 private:
  friend class SequenceReader;
  std::string text_, file_, last_name_;
  std::uint64_t records_ = 0;
  std::uint64_t before_ = 0;  // records of the file before
};

/// What the header of SAM, BAM or CRAM says.
struct AlignmentInput {
  bool by_coordinate = false;            ///< sorted by coordinate
  std::vector<std::string> read_groups;  ///< the fields of its @RG lines, as AlignmentHeader has them
};

/// A stream of records, in the file's order. Memory: the batch, twice the longest record and some buffers, whatever the
/// size of the file.
///
/// FASTA: '>', name (the first word), description (the rest, without blanks around it); any number of lines of letters,
/// with blanks between them if need be. FASTQ: the same number of quality characters ('!' to '~') as letters, on one
/// line where the letters are on one. Which one it is shows in the first byte. Accepted: Windows line ends, lower case,
/// empty lines, empty records, any text on a '+' line, a record without a name, no newline at the end, a byte-order
/// mark, lines of any length, files one after the other in one gzip. Names are not compared with one another.
///
/// Everything else is an InputError: file() is the file (or "standard input"), where() reads like `record 3 (chr3),
/// letter 17`, both counted from 1, letters without line ends and blanks. Among them: a letter outside the alphabet;
/// text before the first record or between two; qualities of another length or with characters of no meaning; gzip or
/// bgzip that is cut off or fails its checksum; binary files; compression of another kind; a missing file, a directory;
/// a file with no record.
///
/// One thread at a time may use it; different readers are independent. While one is alive, htslib's own log, which goes
/// to standard error, is off in the whole process.
class GENOCL_EXPORT SequenceReader {
 public:
  /// "-" is standard input. Opens it and looks at its first bytes.
  explicit SequenceReader(const std::string& path, const ReadOptions& options = {});
  /// Reads what take() of another reader gave, which has to outlive this one. Messages speak of that file and its
  /// records. `options.threads` means nothing here.
  explicit SequenceReader(const RecordText& text, const ReadOptions& options = {});
  SequenceReader(SequenceReader&&) noexcept;
  SequenceReader& operator=(SequenceReader&&) noexcept;
  ~SequenceReader();

  /// Replaces what is in `batch` (its memory is used again) by the next records, as many as fit into `limits` and one
  /// at least. False, with an empty batch, at the end of the file. When it throws, the batch holds the records before
  /// the bad one; reading on is not possible, every later call throws the same error.
  bool read(SequenceSet& batch, const BatchLimits& limits = {});

  /// Does what read() does, but keeps what is in `set` and adds to it; `limits` are about what is added. Throws
  /// InputError when the set has records of another alphabet, or qualities where these have none or the other way
  /// round.
  bool append(SequenceSet& set, const BatchLimits& limits = {});

  /// Replaces `text` by the next records without looking at what is in them: several times as fast as read(), so that
  /// other threads can do that. As many as fit into `limits`, whose residues count bytes here, and one at least. False,
  /// with no records, at the end of the file. Throws InputError where records cannot be told apart, and what read()
  /// throws at the end of a file. Not after read() or append() of this reader.
  bool take(RecordText& text, const BatchLimits& limits = {});

  const std::string& file() const noexcept;
  /// Tells the format of the file; an empty one is FASTA.
  SequenceFormat format() const noexcept;
  /// Null for files that are not SAM, BAM or CRAM.
  const AlignmentInput* alignment_input() const noexcept;
  /// The 0-based number of the first record of SAM, BAM or CRAM that belongs to a pair. Known as soon as the reader has
  /// decoded it, which is some buffers before read() returns it.
  std::optional<std::uint64_t> first_mate() const noexcept;
  /// Whether the file holds no record at all.
  bool no_records() const noexcept;
  /// Counts the records of the file given out so far.
  std::uint64_t records() const noexcept;
  /// How much of the file has been read, from 0 to 1, some buffers ahead of what was given out; 0 for a pipe.
  double fraction() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The whole file. `progress` counts residues. Errors as SequenceReader, Cancelled.
GENOCL_EXPORT SequenceSet read_sequences(const std::string& path, const ReadOptions& options = {},
                                         const Progress& progress = {});

}  // namespace genocl::io
