#include "io/alignment_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "io/alignment_header.hpp"
#include "io/bam_record.hpp"
#include "io/text.hpp"

namespace genocl::io {
namespace {

constexpr std::size_t longest_name = 254;
constexpr std::int64_t last_position = 0x7ffffffe;
constexpr std::string_view operations = "MIDNSHP=X";
/// Bit mask of the operations that consume read letters: M, I, S, =, X.
constexpr std::uint32_t takes_read = 0b110010011;

constexpr std::array<char, 256> complement_letters = [] {
  std::array<char, 256> table{};
  table.fill('N');
  for (std::size_t code = 0; code < dna::letters.size(); ++code)
    table[code] = dna::decode(dna::complement(static_cast<Code>(code)));
  return table;
}();

char* put(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

template <class Integer>
char* put_number(char* to, Integer number) {
  return std::to_chars(to, to + 20, number).ptr;
}

/// Rounds to BAM's precision first if the value is within its range, so that SAM and BAM agree.
char* put_real(char* to, double real) {
  const auto single = static_cast<float>(real);
  const double shown = std::isnormal(single) ? static_cast<double>(single) : real;
  return std::to_chars(to, to + 20, shown, std::chars_format::general, 6).ptr;
}

char* put_cigar(char* to, std::span<const std::uint32_t> cigar) {
  if (cigar.empty()) *to++ = '*';
  for (const std::uint32_t run : cigar) {
    to = put_number(to, run >> 4);
    *to++ = operations[run & 15];
  }
  return to;
}

}  // namespace

void check_record(const AlignmentRecord& record, std::size_t references) {
  const auto unfit = [&](const std::string& wrong, const std::string& expected = {}) {
    throw InputError({}, "record " + shown(record.name), wrong, expected);
  };
  if (record.name.size() > longest_name)
    unfit("a name of " + std::to_string(record.name.size()) + " bytes", "at most 254 in SAM");
  unsigned char most = 0;
  for (const char c : record.name) most = std::max(most, static_cast<unsigned char>(c - 0x21));
  if (most > 0x7e - 0x21 || record.name.starts_with('@'))
    unfit("a name that SAM does not allow", "printing ASCII characters, no '@' in front");
  const auto outside = [&](std::int32_t reference) {
    return reference < -1 || (reference >= 0 && static_cast<std::size_t>(reference) >= references);
  };
  if (outside(record.reference) || outside(record.mate_reference)) unfit("a contig that is not in the header");
  if (std::min(record.position, record.mate_position) < -1 ||
      std::max(record.position, record.mate_position) > last_position)
    unfit("a position that SAM has no place for");
  if (record.template_length > last_position || record.template_length < -last_position)
    unfit("a template longer than SAM has a place for");
  if (!record.quality.empty() && record.quality.size() != record.codes.size())
    unfit(std::to_string(record.quality.size()) + " qualities", std::to_string(record.codes.size()));
  std::uint64_t taken = 0;
  for (const std::uint32_t run : record.cigar) {
    if ((run & 15) >= operations.size()) unfit("a CIGAR with an operation that does not exist");
    if ((takes_read >> (run & 15) & 1) != 0) taken += run >> 4;
  }
  if (!record.cigar.empty() && !record.codes.empty() && taken != record.codes.size())
    unfit("a CIGAR of " + std::to_string(taken) + " bases", std::to_string(record.codes.size()));
  if (record.cigar.empty() && !record.codes.empty() && (record.flag & AlignmentRecord::unmapped) == 0)
    unfit("a mapped read without a CIGAR");
  for (const AlignmentTag& tag : record.tags)
    if (!std::isfinite(tag.real)) unfit("a field " + std::string(tag.name, 2) + " that is no number");
  check_tag_text(record);
  if (record.cigar.size() > 0xffff) unfit("a CIGAR of more than 65,535 runs");
}

void put_letters(const AlignmentRecord& record, char* to) {
  const std::span<const Code> codes = record.codes;
  const std::size_t size = codes.size();
  if ((record.flag & AlignmentRecord::reverse) == 0)
    for (std::size_t i = 0; i < size; ++i) to[i] = dna::decode_table[codes[i]];
  else
    for (std::size_t i = 0; i < size; ++i) to[i] = complement_letters[codes[size - 1 - i]];
}

void put_quality(const AlignmentRecord& record, char* to, char offset) {
  const std::span<const std::uint8_t> quality = record.quality;
  const std::size_t size = quality.size();
  if ((record.flag & AlignmentRecord::reverse) == 0)
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<char>(quality[i] + offset);
  else
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<char>(quality[size - 1 - i] + offset);
}

/// Returns the maximum bytes of a line.
std::size_t bytes_of_line(const AlignmentRecord& record, const AlignmentHeader& header) {
  constexpr std::size_t numbers = 9 * 21 + 17;
  std::size_t most = numbers + record.name.size() + 2 * record.codes.size() + 11 * record.cigar.size();
  for (const std::int32_t reference : {record.reference, record.mate_reference})
    if (reference >= 0) most += header.references[static_cast<std::size_t>(reference)].name.size();
  for (const AlignmentTag& tag : record.tags) most += 6 + std::max<std::size_t>(tag.text.size(), 20);
  return most + record.tag_text.size();
}

void SamLineMaker::append(const AlignmentRecord& record, std::string& lines) {
  check_record(record, header_.references.size());
  if (const std::size_t most = bytes_of_line(record, header_); line_.size() < most) line_.resize(2 * most);
  char* to = line_.data();
  const auto name_of = [&](std::int32_t reference) -> std::string_view {
    return reference < 0 ? std::string_view("*") : header_.references[static_cast<std::size_t>(reference)].name;
  };
  to = put(to, record.name.empty() ? "*" : record.name);
  *to++ = '\t';
  to = put_number(to, record.flag);
  *to++ = '\t';
  to = put(to, name_of(record.reference));
  *to++ = '\t';
  to = put_number(to, record.position + 1);
  *to++ = '\t';
  to = put_number(to, unsigned{record.mapping_quality});
  *to++ = '\t';
  to = put_cigar(to, record.cigar);
  *to++ = '\t';
  const bool same = record.mate_reference >= 0 && record.mate_reference == record.reference;
  to = put(to, same ? std::string_view("=") : name_of(record.mate_reference));
  *to++ = '\t';
  to = put_number(to, record.mate_position + 1);
  *to++ = '\t';
  to = put_number(to, record.template_length);
  *to++ = '\t';
  if (record.codes.empty()) *to++ = '*';
  put_letters(record, to);
  to += record.codes.size();
  *to++ = '\t';
  if (record.quality.empty()) *to++ = '*';
  put_quality(record, to, '!');
  to += record.quality.size();
  for (const AlignmentTag& tag : record.tags) {
    *to++ = '\t';
    *to++ = tag.name[0];
    *to++ = tag.name[1];
    *to++ = ':';
    *to++ = tag.type;
    *to++ = ':';
    to = tag.type == 'Z' ? put(to, tag.text) : tag.type == 'f' ? put_real(to, tag.real) : put_number(to, tag.number);
  }
  if (!record.tag_text.empty()) {
    *to++ = '\t';
    to = put(to, record.tag_text);
  }
  *to++ = '\n';
  lines.append(line_.data(), to);
}

namespace {

class SamFile final : public RecordFile {
 public:
  SamFile(const std::string& path, const AlignmentHeader& header, const AlignmentWriterOptions& options)
      : file_(path, {.level = options.level, .threads = options.threads}) {
    file_.write(header_text(header, options.sort));
  }
  void add(std::string_view record) override { file_.write(record); }
  void commit() override { file_.commit(); }

 private:
  OutputFile file_;
};

}  // namespace

std::unique_ptr<RecordFile> make_sam_file(const std::string& path, const AlignmentHeader& header,
                                          const AlignmentWriterOptions& options) {
  return std::make_unique<SamFile>(path, header, options);
}

}  // namespace genocl::io
