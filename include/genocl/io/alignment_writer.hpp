// Writes SAM, BAM and CRAM. Formatting and writing are separate, so that several threads can format while one writes:
//
//   AlignmentWriter writer("out.bam", header);
//   AlignmentFormatter formatter = writer.formatter();   // one for each thread
//   for (...) formatter.add(record);
//   writer.append(formatter.take());                     // in the order of the file
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
  sam,      ///< Compressed with bgzip if the name ends in .gz, .bgz or .bgzf.
  bam,
  cram,  ///< Written by htslib: `=` and `X` of a CIGAR become `M`, and fields may change order.
};

/// The header: @HD (sorted by coordinate, or unsorted and grouped by template), @SQ, @RG, @PG.
struct AlignmentHeader {
  struct Reference {
    std::string name = {};  ///< valid in SAM, unique
    std::uint64_t length = 0;
  };
  std::vector<Reference> references = {};     ///< records refer to them by index
  std::vector<std::string> read_groups = {};  ///< fields separated by tabs: "ID:sample1\tSM:NA12878"
  std::string program = {}, program_version = {}, command_line = {};  ///< @PG; omitted if `program` is empty
  std::vector<std::string> comments = {};                             ///< @CO, one line each
};

/// Throws InputError for a name that SAM does not allow, a duplicate name, and more than 2^31 - 1 letters. where() has
/// the form `contig 2 (chr2)`.
GENOCL_EXPORT void check_references(std::span<const AlignmentHeader::Reference> references);

/// Returns the name with each byte that SAM does not allow replaced by '_' (SAM specification, 1.2.1). An empty name
/// stays empty.
GENOCL_EXPORT std::string reference_name(std::string_view name);

/// Returns the error in the fields of an @RG line (see AlignmentHeader), or an empty string. Valid fields are printing
/// ASCII characters and blanks, with each tag once and an ID.
GENOCL_EXPORT std::string read_group_fault(std::string_view fields);

/// An optional field, for example `NM:i:3`, `MD:Z:40` or `EV:f:2.5e-30`.
struct AlignmentTag {
  AlignmentTag(const char (&tag)[3], std::int64_t value) : name{tag[0], tag[1]}, number(value) {}
  template <std::floating_point Real>  // excludes integers
  AlignmentTag(const char (&tag)[3], Real value) : name{tag[0], tag[1]}, type('f'), real(value) {}
  AlignmentTag(const char (&tag)[3], std::string_view value) : name{tag[0], tag[1]}, type('Z'), text(value) {}

  char name[2];
  char type = 'i';          ///< SAM type: i, f or Z
  std::int64_t number = 0;  ///< -2^31 to 2^32 - 1
  /// Finite. BAM stores single precision, where values below 1e-45 are 0. SAM has six digits of that value.
  double real = 0;
  std::string_view text;
};

/// Throws InputError unless `fields` are valid optional fields of SAM, separated by tabs, for example
/// `BC:Z:ACGT\tRX:Z:AC`. An empty string is valid. Tags must be unique and not in `taken`.
GENOCL_EXPORT void check_tags(std::string_view fields, std::span<const std::string_view> taken = {});

/// Returns a CIGAR run in BAM's encoding. `operation`: one of MIDNSHP=X.
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
  /// DNA and Phred scores in the direction of the read; the flag `reverse` reverses them in the output. Either may be
  /// empty: '*'.
  std::span<const Code> codes = {};
  std::span<const std::uint8_t> quality = {};
  std::span<const AlignmentTag> tags = {};
  std::string_view tag_text = {};  ///< Further optional fields, see check_tags().
};

/// Formats records. Not thread-safe.
class GENOCL_EXPORT AlignmentFormatter {
 public:
  AlignmentFormatter(AlignmentFormatter&&) noexcept;
  AlignmentFormatter& operator=(AlignmentFormatter&&) noexcept;
  ~AlignmentFormatter();

  /// Throws InputError for an invalid name (more than 254 bytes, blanks, control bytes, a leading '@'), a missing CIGAR
  /// or one of another length than the read, qualities of another length, a reference that is not in the header, and
  /// for `tag_text` that is invalid or repeats a tag of `tags`.
  void add(const AlignmentRecord& record);
  /// Returns the bytes added since the last call, for AlignmentWriter::append(); compressed if the format is. `reuse`:
  /// a string whose memory is reused.
  std::string take(std::string reuse = {});

 private:
  friend class AlignmentWriter;
  struct State;
  explicit AlignmentFormatter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct AlignmentWriterOptions {
  AlignmentFormat format = AlignmentFormat::by_name;
  int level = 6;  ///< Compression level, 0 to 9.
  /// Sort records by coordinate, in the order of `samtools sort`: by the header's reference order, position, and
  /// forward before reverse strand. Unplaced records are last, and equal records keep their order. A regular BAM file
  /// gets an index: `.bai` appended to its name, or `.csi` if a reference is longer than 2^29 letters. A CRAM file gets
  /// `.crai`.
  bool sort = false;
  /// Bytes of records that sorting holds in memory. The remainder is written to an unnamed file in the folder of the
  /// output; for standard output and devices, in TMPDIR or /var/tmp.
  std::uint64_t sort_memory = 768'000'000;
  unsigned threads =
      0;  ///< Compression threads in addition to the caller's, for sorted files and CRAM (at least one); up to 256.
  /// FASTA for writing and reading CRAM, plain or bgzip, with all references of the header. Its index (`.fai`, and
  /// `.gzi`) is created if absent. Empty: CRAM contains the bases. Other formats ignore it. No network access.
  std::string cram_reference = {};
  bool named = false;  ///< See OutputOptions::named.
};

/// Like OutputFile, the file appears completely after commit() or not at all. "-" is standard output. Every error is an
/// InputError.
class GENOCL_EXPORT AlignmentWriter {
 public:
  /// Writes the header. Throws InputError if the name has the extension of another format (.sam, .bam, .cram), for
  /// invalid or duplicate names and invalid lengths of references, and for a CRAM FASTA that is unreadable or lacks a
  /// reference.
  AlignmentWriter(const std::string& path, AlignmentHeader header, const AlignmentWriterOptions& options = {});
  AlignmentWriter(AlignmentWriter&&) noexcept;
  AlignmentWriter& operator=(AlignmentWriter&&) noexcept;
  ~AlignmentWriter();

  AlignmentFormat format() const noexcept;
  /// Returns a formatter for this file's format; it may outlive the writer.
  AlignmentFormatter formatter() const;
  /// Appends the output of a formatter of this writer. After an error, also of commit(), every call throws.
  void append(std::string_view formatted);
  /// See OutputFile. No value for sorted output and for CRAM.
  std::optional<SharedOutput> share();
  void take_back(std::uint64_t end);
  /// Sorts the records if requested, and renames the file to its final name.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::io
