// Writes SAM, BAM and CRAM. Formatting and writing are apart, so that many threads can format while one writes:
//
//   AlignmentWriter writer("out.bam", header);
//   AlignmentFormatter formatter = writer.formatter();   // one for each thread
//   for (...) formatter.add(record);
//   writer.append(formatter.take());                     // in the order in which they shall be in the file
//   writer.commit();
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::io {

enum class AlignmentFormat : std::uint8_t {
  by_name,  ///< BAM for names that end in .bam, CRAM for .cram, else SAM
  sam,      ///< Compressed by bgzip where the name ends in .gz, .bgz or .bgzf.
  bam,
  cram,  ///< As htslib writes it: `=` and `X` of a CIGAR become `M`, and fields may change their order.
};

/// What stands above the records: @HD (sorted by coordinate, or unsorted, the records of a template together), @SQ,
/// @RG,
/// @PG.
struct AlignmentHeader {
  struct Reference {
    std::string name = {};  ///< as SAM allows it; each once
    std::uint64_t length = 0;
  };
  std::vector<Reference> references = {};     ///< records name them by their number
  std::vector<std::string> read_groups = {};  ///< "ID:sample1\tSM:NA12878": fields with tabs between
  std::string program = {}, program_version = {}, command_line = {};  ///< @PG; none without `program`
  std::vector<std::string> comments = {};                             ///< @CO, a line each
};

/// Throws InputError for what no header of SAM can hold: a name that SAM does not allow or that comes twice, more than
/// 2^31 - 1 letters. where() reads like `contig 2 (chr2)`.
GENOCL_EXPORT void check_references(std::span<const AlignmentHeader::Reference> references);

/// A name of a reference with '_' in place of each byte that SAM does not allow there: SAM specification, 1.2.1. Empty
/// for an empty one.
GENOCL_EXPORT std::string reference_name(std::string_view name);

/// The fault of the fields of an @RG line, as AlignmentHeader has them; empty if they are valid: each tag once, ID
/// among them, of printing ASCII characters and blanks.
GENOCL_EXPORT std::string read_group_fault(std::string_view fields);

/// This is an optional field, like `NM:i:3`, `MD:Z:40` or `EV:f:2.5e-30`.
struct AlignmentTag {
  AlignmentTag(const char (&tag)[3], std::int64_t value) : name{tag[0], tag[1]}, number(value) {}
  template <std::floating_point Real>  // so that a whole number is none
  AlignmentTag(const char (&tag)[3], Real value) : name{tag[0], tag[1]}, type('f'), real(value) {}
  AlignmentTag(const char (&tag)[3], std::string_view value) : name{tag[0], tag[1]}, type('Z'), text(value) {}

  char name[2];
  char type = 'i';          ///< as SAM names it: i, f or Z
  std::int64_t number = 0;  ///< -2^31 to 2^32 - 1
  /// Finite. BAM holds it in single precision, where what is below 1e-45 is 0; SAM has six digits of it.
  double real = 0;
  std::string_view text;
};

/// Throws InputError unless `fields` are optional fields as a line of SAM has them, with tabs between, like
/// `BC:Z:ACGT\tRX:Z:AC`; none is fine. Neither may two be of one tag, nor one be `taken`.
GENOCL_EXPORT void check_tags(std::string_view fields, std::span<const std::string_view> taken = {});

/// A run of a CIGAR as BAM holds it. `operation`: one of MIDNSHP=X.
constexpr std::uint32_t cigar_run(std::uint32_t length, char operation) {
  return length << 4 | static_cast<std::uint32_t>(std::string_view("MIDNSHP=X").find(operation));
}

/// One line of SAM. Positions count from 0 (SAM's from 1); -1: none.
struct AlignmentRecord {
  static constexpr std::uint16_t paired = 1, proper = 2, unmapped = 4, mate_unmapped = 8, reverse = 16,
                                 mate_reverse = 32, first = 64, last = 128, secondary = 256, supplementary = 2048;

  std::string_view name = {};
  std::uint16_t flag = unmapped;
  std::int32_t reference = -1;
  std::int64_t position = -1;
  std::uint8_t mapping_quality = 0;
  std::span<const std::uint32_t> cigar = {};
  std::int32_t mate_reference = -1;
  std::int64_t mate_position = -1;
  std::int64_t template_length = 0;
  /// DNA and Phred scores as they were read: with the flag `reverse` they are turned. Either may be empty: '*'.
  std::span<const Code> codes = {};
  std::span<const std::uint8_t> quality = {};
  std::span<const AlignmentTag> tags = {};
  std::string_view tag_text = {};  ///< Further optional fields, as check_tags() takes them.
};

/// Makes the bytes of records. For one thread at a time.
class GENOCL_EXPORT AlignmentFormatter {
 public:
  AlignmentFormatter(AlignmentFormatter&&) noexcept;
  AlignmentFormatter& operator=(AlignmentFormatter&&) noexcept;
  ~AlignmentFormatter();

  /// Throws InputError for a name that SAM has no place for (above 254 bytes, blanks, control bytes, a '@' in front), a
  /// CIGAR that is missing or not of the read's length, qualities of another length, a reference that is not in the
  /// header, `tag_text` that is none or has a tag of `tags`.
  void add(const AlignmentRecord& record);
  /// What was added since the last call, complete for AlignmentWriter::append; compressed here where it is to be.
  /// `reuse`: memory of a string that was taken before.
  std::string take(std::string reuse = {});

 private:
  friend class AlignmentWriter;
  struct State;
  explicit AlignmentFormatter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct AlignmentWriterOptions {
  AlignmentFormat format = AlignmentFormat::by_name;
  int level = 6;  ///< Level of compression, 0 to 9.
  /// Records are written by coordinate: in the order of the header's references, of the position, and with the same
  /// forward before reverse ones; those that have no place come last, and what is equal stays in the order in which it
  /// came. It is the order of `samtools sort`. A regular BAM file has its index beside it: `.bai` behind its name, or
  /// `.csi` where a reference is longer than 2^29 letters; CRAM has `.crai`.
  bool sort = false;
  /// To sort, so many bytes of records are held in memory. What is beyond goes to a file without a name beside the
  /// output, or for standard output and devices, in TMPDIR or /var/tmp.
  std::uint64_t sort_memory = 768'000'000;
  unsigned threads =
      0;  ///< That compress a sorted file besides the caller's, or CRAM, which has one at least; up to 256.
  /// The FASTA that CRAM needs to be written and read, plain or by bgzip, with all references of the header. Its index
  /// (`.fai`, and `.gzi`) is made beside it where there is none. Empty: CRAM holds the bases itself. It is looked at
  /// for CRAM only; nothing is ever asked of a network.
  std::string cram_reference = {};
  bool named = false;  ///< As OutputOptions::named.
};

/// Behaves as OutputFile: the file is there whole after commit(), or not at all; "-" is standard output; every error is
/// an InputError.
class GENOCL_EXPORT AlignmentWriter {
 public:
  /// Writes the header. Throws InputError for a format under the name of another (.sam, .bam, .cram), for names and
  /// lengths of references that SAM does not allow, or that come twice, and for a FASTA of CRAM that has not all of
  /// them or cannot be looked into.
  AlignmentWriter(const std::string& path, AlignmentHeader header, const AlignmentWriterOptions& options = {});
  AlignmentWriter(AlignmentWriter&&) noexcept;
  AlignmentWriter& operator=(AlignmentWriter&&) noexcept;
  ~AlignmentWriter();

  AlignmentFormat format() const noexcept;
  /// A formatter for this file's format; it may outlive the writer.
  AlignmentFormatter formatter() const;
  /// Adds what a formatter of this writer gave. After an error, of commit() too, every call throws.
  void append(std::string_view formatted);
  /// As those of OutputFile. No value for what is sorted, and for CRAM.
  std::optional<SharedOutput> share();
  void take_back(std::uint64_t end);
  /// Sorts what is to be sorted, and puts the file in its place.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::io
