#include "io/bam_record.hpp"

#include <htslib/kstring.h>
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>

#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "io/alignment_format.hpp"

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
  // Uses the string's memory: the parser overwrites it with zeros and does not reallocate.
  kstring_t line{.l = line_.size(), .m = line_.size() + 1, .s = line_.data()};
  if (sam_parse1(&line, header_.get(), record_.get()) < 0)
    throw InputError({}, {}, in_quotes(std::string(fields)) + " cannot be written as BAM");
  bytes.append(reinterpret_cast<const char*>(bam_get_aux(record_.get())), bam_get_l_aux(record_.get()));
}

namespace {

template <class Integer>
char* put_little_endian(char* to, Integer value) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(to, &value, sizeof value);
  } else {
    for (std::size_t i = 0; i < sizeof value; ++i)
      to[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * i & 0xff);
  }
  return to + sizeof value;
}

}  // namespace

BamRecordPointer new_bam_record() {
  BamRecordPointer record(bam_init1());
  if (!record) throw std::bad_alloc();
  return record;
}

const bam1_t& BamRecordMaker::make(const AlignmentRecord& record) {
  letters_.resize(record.codes.size());
  put_letters(record, letters_.data());
  quality_.resize(record.quality.size());
  put_quality(record, quality_.data(), 0);
  const std::string_view name = record.name.empty() ? std::string_view("*") : record.name;
  constexpr std::size_t number_tag = 7, end_of_text = 4;
  std::size_t tag_bytes = 0;
  for (const AlignmentTag& tag : record.tags) tag_bytes += tag.type == 'Z' ? tag.text.size() + end_of_text : number_tag;
  if (bam_set1(record_.get(), name.size(), name.data(), record.flag, record.reference, record.position,
               record.mapping_quality, record.cigar.size(), record.cigar.data(), record.mate_reference,
               record.mate_position, record.template_length, letters_.size(), letters_.data(),
               quality_.empty() ? nullptr : quality_.data(), tag_bytes) < 0)
    throw InputError({}, "record " + shown(name), "cannot be written as BAM");
  for (const AlignmentTag& tag : record.tags) add_tag(tag);
  if (!record.tag_text.empty()) {
    text_.clear();
    tag_text_.encode(record.tag_text, text_);
    // Appends the bytes of all fields as if they belonged to the first field.
    append({text_[0], text_[1]}, text_[2], text_.data() + 3, text_.size() - 3);
  }
  return *record_;
}

void BamRecordMaker::add_tag(const AlignmentTag& tag) {
  std::array<char, 4> number{};
  const auto append_number = [&](char type, auto value) {
    put_little_endian(number.data(), value);
    append(tag.name, type, number.data(), sizeof value);
  };
  if (tag.type == 'Z') {
    text_.assign(tag.text);
    append(tag.name, 'Z', text_.c_str(), text_.size() + 1);
  } else if (tag.type == 'f') {
    append_number('f', std::bit_cast<std::uint32_t>(static_cast<float>(tag.real)));
  } else if (tag.number >= 0 && tag.number <= 0xff) {
    append_number('C', static_cast<std::uint8_t>(tag.number));
  } else if (tag.number >= 0 && tag.number <= 0xffff) {
    append_number('S', static_cast<std::uint16_t>(tag.number));
  } else {
    append_number(tag.number < 0 ? 'i' : 'I', static_cast<std::uint32_t>(tag.number));
  }
}

void BamRecordMaker::append(const char (&name)[2], char type, const void* bytes, std::size_t size) {
  if (bam_aux_append(record_.get(), name, type, static_cast<int>(size), static_cast<const std::uint8_t*>(bytes)) < 0)
    throw std::bad_alloc();
}

void append_bam(const bam1_t& record, std::string& bytes) {
  constexpr std::size_t head_size = 36;
  const bam1_core_t& core = record.core;
  const std::size_t padding = core.l_extranul, name = core.l_qname - padding, cigar = std::size_t{core.n_cigar} * 4;
  const std::size_t rest = static_cast<std::size_t>(record.l_data) - core.l_qname - cigar;
  const std::size_t begin = bytes.size(), size = head_size + name + cigar + rest;
  bytes.resize(begin + size);
  char* to = bytes.data() + begin;
  to = put_little_endian(to, static_cast<std::uint32_t>(size - sizeof(std::uint32_t)));
  to = put_little_endian(to, core.tid);
  to = put_little_endian(to, static_cast<std::int32_t>(core.pos));
  to = put_little_endian(to, static_cast<std::uint8_t>(name));
  to = put_little_endian(to, core.qual);
  to = put_little_endian(to, core.bin);
  to = put_little_endian(to, static_cast<std::uint16_t>(core.n_cigar));
  to = put_little_endian(to, core.flag);
  to = put_little_endian(to, core.l_qseq);
  to = put_little_endian(to, core.mtid);
  to = put_little_endian(to, static_cast<std::int32_t>(core.mpos));
  to = put_little_endian(to, static_cast<std::int32_t>(core.isize));
  std::memcpy(to, record.data, name);
  to += name;
  for (std::uint32_t i = 0; i < core.n_cigar; ++i) to = put_little_endian(to, bam_get_cigar(&record)[i]);
  std::memcpy(to, record.data + core.l_qname + cigar, rest);
}

void append_native(const bam1_t& record, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&record.core), sizeof record.core);
  bytes.append(reinterpret_cast<const char*>(record.data), static_cast<std::size_t>(record.l_data));
}

void read_native(std::string_view bytes, bam1_t& record) {
  std::memcpy(&record.core, bytes.data(), sizeof record.core);
  bytes.remove_prefix(sizeof record.core);
  if (record.m_data < bytes.size()) {
    // Memory that htslib owns and frees.
    void* const data = std::realloc(record.data, bytes.size());
    if (data == nullptr) throw std::bad_alloc();
    record.data = static_cast<std::uint8_t*>(data);
    record.m_data = static_cast<std::uint32_t>(bytes.size());
  }
  std::memcpy(record.data, bytes.data(), bytes.size());
  record.l_data = static_cast<int>(bytes.size());
}

}  // namespace genocl::io
