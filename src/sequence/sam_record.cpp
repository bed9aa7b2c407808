#include "sequence/sam_record.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "genocl/error.hpp"
#include "genocl/sequence/cigar.hpp"
#include "genocl/sequence/sam.hpp"

namespace genocl::sam {
namespace {

constexpr std::int64_t last_position = 0x7ffffffe;
/// Bit mask of the operations that consume read letters: M, I, S, =, X.
constexpr std::uint32_t takes_read = 0b110010011;

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
    *to++ = CigarRun::letters[run & 15];
  }
  return to;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'A' && c <= 'F'); }

bool is_whole(std::string_view text, std::int64_t least, std::int64_t most) {
  if (text.starts_with('+') && text.size() > 1 && is_digit(text[1])) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
}

bool is_real(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  // from_chars accepts "inf" and "nan", SAM does not.
  if (text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return false;
  float number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_array(std::string_view text) {
  if (text.empty()) return false;
  const char kind = text.front();
  const auto fits = [kind](std::string_view number) {
    switch (kind) {
      case 'c':
        return is_whole(number, -0x80, 0x7f);
      case 'C':
        return is_whole(number, 0, 0xff);
      case 's':
        return is_whole(number, -0x8000, 0x7fff);
      case 'S':
        return is_whole(number, 0, 0xffff);
      case 'i':
        return is_whole(number, -0x80000000LL, 0x7fffffff);
      case 'I':
        return is_whole(number, 0, 0xffffffff);
      case 'f':
        return is_real(number);
      default:
        return false;
    }
  };
  text.remove_prefix(1);
  while (text.starts_with(',')) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find(','), text.size());
    if (!fits(text.substr(0, end))) return false;
    text.remove_prefix(end);
  }
  return text.empty() && std::string_view("cCsSiIf").find(kind) != std::string_view::npos;
}

/// Returns whether the text is one optional field, for example `NM:i:3`.
bool is_tag(std::string_view field) {
  if (field.size() < 5 || !is_letter(field[0]) || !(is_letter(field[1]) || is_digit(field[1])) || field[2] != ':' ||
      field[4] != ':')
    return false;
  const std::string_view value = field.substr(5);
  switch (field[3]) {
    case 'A':
      return value.size() == 1 && value[0] > ' ' && value[0] <= '~';
    case 'i':
      return is_whole(value, -0x80000000LL, 0xffffffff);
    case 'f':
      return is_real(value);
    case 'Z':
      return std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; });
    case 'H':
      return value.size() % 2 == 0 && std::ranges::all_of(value, is_hexadecimal);
    case 'B':
      return is_array(value);
    default:
      return false;
  }
}

/// Calls `look` with each field and the text before it.
template <class Look>
void for_each_field(std::string_view fields, Look&& look) {
  for (std::size_t begin = 0; begin <= fields.size() && !fields.empty();) {
    const std::size_t end = std::min(fields.find('\t', begin), fields.size());
    look(fields.substr(begin, end - begin), fields.substr(0, begin));
    begin = end + 1;
  }
}

/// Returns whether a field has that tag.
bool has_tag(std::string_view fields, std::string_view name) {
  bool found = false;
  for_each_field(fields, [&](std::string_view field, std::string_view) { found |= field.starts_with(name); });
  return found;
}

/// As check_tags(), also against `tags`.
void check_tag_text(const Record& record) {
  if (record.tag_text.empty()) return;
  try {
    check_tags(record.tag_text);
    for (const Tag& tag : record.tags)
      if (const std::string_view name(tag.name, 2); has_tag(record.tag_text, name))
        throw InputError({}, {}, "a tag " + std::string(name) + " that comes twice");
  } catch (const InputError& error) {
    throw InputError({}, "record " + shown(record.name), error.wrong(), error.expected());
  }
}

}  // namespace

void check_tags(std::string_view fields, std::span<const std::string_view> taken) {
  for_each_field(fields, [&](std::string_view field, std::string_view before) {
    if (!is_tag(field))
      throw InputError({}, {}, in_quotes(std::string(field)) + " is no tag of SAM",
                       "like BC:Z:ACGT, with tabs between");
    const std::string_view name = field.substr(0, 2);
    if (std::ranges::find(taken, name) != taken.end())
      throw InputError({}, {}, "a tag " + std::string(name) + ", which the record has already", "another tag");
    if (has_tag(before, name)) throw InputError({}, {}, "a tag " + std::string(name) + " that comes twice");
  });
}

void check_record(const Record& record, std::size_t references) {
  const auto unfit = [&](const std::string& wrong, const std::string& expected = {}) {
    throw InputError({}, "record " + shown(record.name), wrong, expected);
  };
  if (record.name.size() > Record::max_name)
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
    if ((run & 15) >= CigarRun::letters.size()) unfit("a CIGAR with an operation that does not exist");
    if ((takes_read >> (run & 15) & 1) != 0) taken += run >> 4;
  }
  if (!record.cigar.empty() && !record.codes.empty() && taken != record.codes.size())
    unfit("a CIGAR of " + std::to_string(taken) + " bases", std::to_string(record.codes.size()));
  if (record.cigar.empty() && !record.codes.empty() && (record.flag & Record::unmapped) == 0)
    unfit("a mapped read without a CIGAR");
  for (const Tag& tag : record.tags)
    if (!std::isfinite(tag.real)) unfit("a field " + std::string(tag.name, 2) + " that is no number");
  check_tag_text(record);
  if (record.cigar.size() > 0xffff) unfit("a CIGAR of more than 65,535 runs");
}

namespace {

/// Returns the maximum bytes of a line.
std::size_t bytes_of_line(const Record& record, const Header& header) {
  constexpr std::size_t numbers = 9 * 21 + 17;
  std::size_t most = numbers + record.name.size() + 2 * record.codes.size() + 11 * record.cigar.size();
  for (const std::int32_t reference : {record.reference, record.mate_reference})
    if (reference >= 0) most += header.references[static_cast<std::size_t>(reference)].name.size();
  for (const Tag& tag : record.tags) most += 6 + std::max<std::size_t>(tag.text.size(), 20);
  return most + record.tag_text.size();
}

}  // namespace

void LineFormatter::append(const Record& record, std::string& lines) {
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
  for (const Tag& tag : record.tags) {
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

}  // namespace genocl::sam
