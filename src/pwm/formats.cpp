#include "genocl/pwm/formats.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace genocl::pwm {
namespace {

/// Maximum length of a number, that of the highest score.
constexpr std::size_t max_number = 400;

char* put_count(char* at, std::uint64_t number) { return std::to_chars(at, at + max_number, number).ptr; }

/// Bounds the rounding error of the products below. Numbers this close to half a digit are rounded exactly.
constexpr double half_margin = 1e-6;

/// Nine decimals, as std::to_chars() writes them.
char* put_score(char* at, double score) {
  constexpr double units = 1e9;
  const auto exactly = [&] { return std::to_chars(at, at + max_number, score, std::chars_format::fixed, 9).ptr; };
  const double size = std::fabs(score);
  if (!(size < units)) return exactly();
  auto whole = static_cast<std::uint32_t>(size);
  const double scaled = (size - whole) * units;
  auto decimals = static_cast<std::uint32_t>(scaled);
  const double rest = scaled - decimals;
  if (std::fabs(rest - 0.5) < half_margin) return exactly();
  decimals += rest > 0.5 ? 1 : 0;
  if (decimals == 1'000'000'000) {
    decimals = 0;
    ++whole;
  }
  if (std::signbit(score)) *at++ = '-';
  at = put_count(at, whole);
  *at++ = '.';
  // Three independent groups are faster than nine digits in turn.
  for (const std::uint32_t group : {decimals / 1'000'000, decimals / 1000 % 1000, decimals % 1000}) {
    *at++ = static_cast<char>('0' + group / 100);
    *at++ = static_cast<char>('0' + group / 10 % 10);
    *at++ = static_cast<char>('0' + group % 10);
  }
  return at;
}

/// Three digits, as FIMO writes P-values, and as std::to_chars() does.
char* put_p(char* at, double p) {
  // These are exact.
  constexpr std::array<double, 23> powers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const auto exactly = [&] { return std::to_chars(at, at + max_number, p, std::chars_format::general, 3).ptr; };
  // From 1e-4 on there is no exponent.
  if (!(p >= 1e-20 && p < 9.99e-5)) return exactly();
  unsigned exponent = 5;
  while (p * powers[exponent] < 1) ++exponent;
  const double scaled = p * powers[exponent + 2];
  auto digits = static_cast<unsigned>(scaled);
  const double rest = scaled - digits;
  if (std::fabs(rest - 0.5) < half_margin) return exactly();
  digits += rest > 0.5 ? 1 : 0;
  if (digits == 1000) {
    digits = 100;
    --exponent;
  }
  *at++ = static_cast<char>('0' + digits / 100);
  if (digits % 100 != 0) {
    *at++ = '.';
    *at++ = static_cast<char>('0' + digits / 10 % 10);
    if (digits % 10 != 0) *at++ = static_cast<char>('0' + digits % 10);
  }
  for (const char letter : {'e', '-', static_cast<char>('0' + exponent / 10), static_cast<char>('0' + exponent % 10)})
    *at++ = letter;
  return at;
}

void append_count(std::string& to, std::uint64_t number) {
  std::array<char, max_number> text;
  to.append(text.data(), put_count(text.data(), number));
}
void append_score(std::string& to, double score) {
  std::array<char, max_number> text;
  to.append(text.data(), put_score(text.data(), score));
}
void append_p(std::string& to, double p) {
  std::array<char, max_number> text;
  to.append(text.data(), put_p(text.data(), p));
}

std::string_view sequence_name(const HitRow& row) { return row.sequence.empty() ? "*" : row.sequence; }

void append_tsv(const HitRow& row, std::string& to) {
  to.append(row.motif_id) += '\t';
  to.append(row.motif_alt_id) += '\t';
  to.append(sequence_name(row));
  std::array<char, 6 * max_number> text;
  char* at = text.data();
  *at++ = '\t';
  at = put_count(at, row.begin + 1);
  *at++ = '\t';
  at = put_count(at, row.begin + row.word.size());
  for (const char letter : {'\t', row.reverse ? '-' : '+', '\t'}) *at++ = letter;
  at = put_score(at, row.score);
  *at++ = '\t';
  at = put_p(at, row.p);
  *at++ = '\t';
  if (row.q >= 0) at = put_p(at, row.q);
  *at++ = '\t';
  to.append(text.data(), at).append(row.word) += '\n';
}

void append_bed(const HitRow& row, std::string& to) {
  // Genome browsers show scores from 0 to 1000.
  const double score = row.p > 0 ? std::min(1000.0, -10 * std::log10(row.p)) : 1000.0;
  to.append(sequence_name(row)).append("\t");
  append_count(to, row.begin);
  to += '\t';
  append_count(to, row.begin + row.word.size());
  to.append("\t").append(row.motif_id).append("\t");
  append_count(to, static_cast<std::uint64_t>(std::nearbyint(score)));
  to.append(row.reverse ? "\t-\n" : "\t+\n");
}

/// Appends characters with a meaning in GFF3's ninth column, and control characters, as %XX.
void append_gff3_value(std::string_view text, std::string& to) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte == 127 || c == ';' || c == '=' || c == '&' || c == ',' || c == '%')
      to.append(1, '%').append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    else
      to += c;
  }
}

void append_gff3(const HitRow& row, std::string& to) {
  to.append(sequence_name(row)).append("\tgenocl-pwm\tnucleotide_motif\t");
  append_count(to, row.begin + 1);
  to += '\t';
  append_count(to, row.begin + row.word.size());
  to += '\t';
  append_score(to, row.score);
  to.append(row.reverse ? "\t-\t.\tName=" : "\t+\t.\tName=");
  append_gff3_value(row.motif_id, to);
  if (!row.motif_alt_id.empty()) {
    to.append(";Alias=");
    append_gff3_value(row.motif_alt_id, to);
  }
  to.append(";pvalue=");
  append_p(to, row.p);
  if (row.q >= 0) {
    to.append(";qvalue=");
    append_p(to, row.q);
  }
  to.append(";sequence=").append(row.word).append("\n");
}

}  // namespace

std::string HitFormatter::header() const {
  if (format_ == Format::bed) return {};
  if (format_ == Format::gff3) return "##gff-version 3\n";
  return "motif_id\tmotif_alt_id\tsequence_name\tstart\tstop\tstrand\tscore\tp-value\tq-value\tmatched_sequence\n";
}

void HitFormatter::append(const HitRow& row, std::string& text) const {
  switch (format_) {
    case Format::tsv:
      return append_tsv(row, text);
    case Format::bed:
      return append_bed(row, text);
    case Format::gff3:
      return append_gff3(row, text);
  }
}

void HitFormatter::append(const SequenceSet& batch, std::span<const Motif> motifs, const MotifHit& hit,
                          std::string& text, std::uint64_t first_record) const {
  const Motif& motif = motifs[hit.hit.matrix];
  const auto record = static_cast<std::size_t>(hit.hit.record - first_record);
  std::string word;
  hit_word(batch[record], hit.hit.position, motif.length(), hit.hit.reverse, word);
  append({.motif_id = motif.id,
          .motif_alt_id = motif.alt_id,
          .sequence = batch.name(record),
          .begin = hit.hit.position,
          .reverse = hit.hit.reverse,
          .score = hit.hit.score,
          .word = word,
          .p = hit.p.high},
         text);
}

void hit_word(std::span<const Code> record, std::uint64_t position, std::size_t length, bool reverse,
              std::string& letters) {
  const std::span<const Code> word = record.subspan(position, length);
  letters.resize(length);
  for (std::size_t i = 0; i < length; ++i)
    letters[i] = dna::decode(reverse ? dna::complement(word[length - 1 - i]) : word[i]);
}

}  // namespace genocl::pwm
