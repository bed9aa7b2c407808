// SAM: headers, records and their text. genocl::io writes the same records as BAM and CRAM.
//
// Source: Sequence Alignment/Map Format Specification, version 1.6, and the document of its optional fields.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::sam {

/// The header: @HD (sorted by coordinate, or unsorted and grouped by template), @SQ, @RG, @PG, @CO.
struct Header {
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
GENOCL_EXPORT void check_references(std::span<const Header::Reference> references);

/// Returns the name with each byte that SAM does not allow replaced by '_' (SAM specification, 1.2.1). An empty name
/// stays empty.
GENOCL_EXPORT std::string reference_name(std::string_view name);

/// Returns the error in the fields of an @RG line (see Header), or an empty string. Valid fields are printing ASCII
/// characters and blanks, with each tag once and an ID.
GENOCL_EXPORT std::string read_group_fault(std::string_view fields);

/// Throws InputError for what check_references() and read_group_fault() reject, and for a duplicate read group.
GENOCL_EXPORT void check_header(const Header& header);

/// Returns the lines of a valid header. `by_coordinate`: records are sorted.
GENOCL_EXPORT std::string header_text(const Header& header, bool by_coordinate = false);

/// An optional field, for example `NM:i:3`, `MD:Z:40` or `EV:f:2.5e-30`.
struct Tag {
  Tag(const char (&tag)[3], std::int64_t value) : name{tag[0], tag[1]}, number(value) {}
  template <std::floating_point Real>  // excludes integers
  Tag(const char (&tag)[3], Real value) : name{tag[0], tag[1]}, type('f'), real(value) {}
  Tag(const char (&tag)[3], std::string_view value) : name{tag[0], tag[1]}, type('Z'), text(value) {}

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

/// One line of SAM. Positions count from 0 (SAM's from 1); -1: none. The views must outlive the record.
struct Record {
  static constexpr std::uint16_t paired = 1, proper = 2, unmapped = 4, mate_unmapped = 8, reverse = 16,
                                 mate_reverse = 32, first = 64, last = 128, secondary = 256, supplementary = 2048;
  static constexpr std::size_t max_name = 254;  ///< bytes

  std::string_view name = {};
  std::uint16_t flag = unmapped;
  std::int32_t reference = -1;
  std::int64_t position = -1;
  std::uint8_t mapping_quality = 0;
  std::span<const std::uint32_t> cigar = {};  ///< runs as CigarRun::encoded has them
  std::int32_t mate_reference = -1;
  std::int64_t mate_position = -1;
  std::int64_t template_length = 0;
  /// DNA and Phred scores in the direction of the read; the flag `reverse` reverses them in the output. Either may be
  /// empty: '*'.
  std::span<const Code> codes = {};
  std::span<const std::uint8_t> quality = {};
  std::span<const Tag> tags = {};
  std::string_view tag_text = {};  ///< Further optional fields, see check_tags().
};

/// Throws InputError for a record that neither SAM nor BAM can represent: an invalid name (more than 254 bytes, blanks,
/// control bytes, a leading '@'), a missing CIGAR or one of another length than the read, qualities of another length,
/// a reference that is not among `references`, a position or template length beyond 2^31 - 2, a tag that is not
/// finite, and `tag_text` that is invalid or repeats a tag of `tags`. O(read length).
GENOCL_EXPORT void check_record(const Record& record, std::size_t references);

/// Formats records as lines. Not thread-safe: one thread at a time.
class GENOCL_EXPORT LineFormatter {
 public:
  /// The header must outlive the formatter.
  explicit LineFormatter(const Header& header) : header_(header) {}

  /// Appends the line with its line end. Throws the errors of check_record(); `lines` is then unchanged. O(length of
  /// the line).
  void append(const Record& record, std::string& lines);

 private:
  const Header& header_;
  std::vector<char> line_;
};

}  // namespace genocl::sam
