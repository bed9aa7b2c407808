#include "io/alignments/alignment_tags.hpp"

#include <htslib/kstring.h>

#include <algorithm>
#include <charconv>
#include <new>

#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"

namespace genocl::io {
namespace {

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
  // "inf" and "nan" are numbers to from_chars and none to SAM.
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

/// Whether it is one field, like `NM:i:3`.
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

/// Calls `look` with each field and what is before it.
template <class Look>
void for_each_field(std::string_view fields, Look&& look) {
  for (std::size_t begin = 0; begin <= fields.size() && !fields.empty();) {
    const std::size_t end = std::min(fields.find('\t', begin), fields.size());
    look(fields.substr(begin, end - begin), fields.substr(0, begin));
    begin = end + 1;
  }
}

/// Whether one of the fields is of that name.
bool has_tag(std::string_view fields, std::string_view name) {
  bool found = false;
  for_each_field(fields, [&](std::string_view field, std::string_view) { found |= field.starts_with(name); });
  return found;
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

void check_tag_text(const AlignmentRecord& record) {
  if (record.tag_text.empty()) return;
  try {
    check_tags(record.tag_text);
    for (const AlignmentTag& tag : record.tags)
      if (const std::string_view name(tag.name, 2); has_tag(record.tag_text, name))
        throw InputError({}, {}, "a tag " + std::string(name) + " that comes twice");
  } catch (const InputError& error) {
    throw InputError({}, "record " + shown(record.name), error.wrong(), error.expected());
  }
}

TagEncoder::TagEncoder() : record_(bam_init1()), header_(sam_hdr_init()) {
  if (!record_ || !header_) throw std::bad_alloc();
}

void TagEncoder::encode(std::string_view fields, std::string& bytes) {
  if (fields.empty()) return;
  line_.assign("*\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\t").append(fields);
  // It is the string's memory: the parser writes zeros into it, and takes no more of it.
  kstring_t line{.l = line_.size(), .m = line_.size() + 1, .s = line_.data()};
  if (sam_parse1(&line, header_.get(), record_.get()) < 0)
    throw InputError({}, {}, in_quotes(std::string(fields)) + " cannot be written as BAM");
  bytes.append(reinterpret_cast<const char*>(bam_get_aux(record_.get())), bam_get_l_aux(record_.get()));
}

}  // namespace genocl::io
