#include "genocl/pwm/formats.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace genocl::pwm {
namespace {

void append_count(std::string& to, std::uint64_t number) {
  char text[24];
  to.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

void append_score(std::string& to, double score) {
  char text[400];
  to.append(text, std::to_chars(text, text + sizeof text, score, std::chars_format::fixed, 9).ptr);
}

/// Three digits, as FIMO writes P-values.
void append_p(std::string& to, double p) {
  char text[32];
  to.append(text, std::to_chars(text, text + sizeof text, p, std::chars_format::general, 3).ptr);
}

std::string_view sequence_name(const HitRow& row) { return row.sequence.empty() ? "*" : row.sequence; }

void append_tsv(const HitRow& row, std::string& to) {
  to.append(row.motif_id).append("\t").append(row.motif_alt_id).append("\t").append(sequence_name(row)).append("\t");
  append_count(to, row.begin + 1);
  to += '\t';
  append_count(to, row.begin + row.word.size());
  to.append(row.reverse ? "\t-\t" : "\t+\t");
  append_score(to, row.score);
  to += '\t';
  append_p(to, row.p);
  to += '\t';
  if (row.q >= 0) append_p(to, row.q);
  to.append("\t").append(row.word).append("\n");
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
