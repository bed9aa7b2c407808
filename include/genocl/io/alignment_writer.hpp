// Writes SAM, BAM and CRAM. Formatting and writing are separate, so that several threads can format while one writes:
//
//   AlignmentWriter writer("out.bam", header);
//   AlignmentFormatter formatter = writer.formatter();   // one for each thread
//   for (...) formatter.add(record);
//   writer.append(formatter.take());                     // in the order of the file
//   writer.commit();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "genocl/export.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/sequence/cigar.hpp"
#include "genocl/sequence/sam.hpp"

namespace genocl::io {

enum class AlignmentFormat : std::uint8_t {
  by_name,  ///< BAM for names that end in .bam, CRAM for .cram, else SAM
  sam,      ///< Compressed with bgzip if the name ends in .gz, .bgz or .bgzf.
  bam,
  cram,  ///< Written by htslib: `=` and `X` of a CIGAR become `M`, and fields may change order.
};

// Headers and records are those of genocl/sequence/sam.hpp.
using AlignmentHeader = sam::Header;
using AlignmentRecord = sam::Record;
using AlignmentTag = sam::Tag;
using sam::check_references;
using sam::check_tags;
using sam::read_group_fault;
using sam::reference_name;

/// Returns a CIGAR run in BAM's encoding. `operation`: one of MIDNSHP=X.
constexpr std::uint32_t cigar_run(std::uint32_t length, char operation) { return CigarRun(length, operation).encoded; }

/// Formats records. Not thread-safe.
class GENOCL_EXPORT AlignmentFormatter {
 public:
  AlignmentFormatter(AlignmentFormatter&&) noexcept;
  AlignmentFormatter& operator=(AlignmentFormatter&&) noexcept;
  ~AlignmentFormatter();

  /// Throws the errors of sam::check_record().
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
