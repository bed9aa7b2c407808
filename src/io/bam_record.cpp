#include "io/bam_record.hpp"

#include <htslib/kstring.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "sequence/sam_record.hpp"

namespace genocl::io {

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

std::string bam_header(const AlignmentHeader& header, bool sorted) {
  const std::string text = sam::header_text(header, sorted);
  if (text.size() > 0x7fffffff) throw InputError("a header above 2 GiB, which BAM cannot hold");
  std::string bytes("BAM\1", 4);
  const auto append_number = [&bytes](std::uint32_t number) {
    char four[sizeof number];
    put_little_endian(four, number);
    bytes.append(four, sizeof four);
  };
  append_number(static_cast<std::uint32_t>(text.size()));
  bytes += text;
  append_number(static_cast<std::uint32_t>(header.references.size()));
  for (const auto& [name, length] : header.references) {
    append_number(static_cast<std::uint32_t>(name.size() + 1));
    bytes.append(name).push_back('\0');
    append_number(static_cast<std::uint32_t>(length));
  }
  return bytes;
}

BamRecordPointer new_bam_record() {
  BamRecordPointer record(bam_init1());
  if (!record) throw std::bad_alloc();
  return record;
}

const bam1_t& BamRecordMaker::make(const AlignmentRecord& record) {
  letters_.resize(record.codes.size());
  sam::put_letters(record, letters_.data());
  quality_.resize(record.quality.size());
  sam::put_quality(record, quality_.data(), 0);
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
