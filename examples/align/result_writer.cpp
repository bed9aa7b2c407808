
#include "align/result_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <ostream>

#include "align/subjects.hpp"

namespace program {

std::span<const OutputFormat> output_formats() {
  // name, writer, needs alignments, has CIGARs, has columns
  static constexpr OutputFormat formats[] = {
      {"tsv", make_table_writer, false, true, false},    {"blast6", make_blast6_writer, true, false, true},
      {"blast7", make_blast7_writer, true, false, true}, {"csv", make_csv_writer, true, false, true},
      {"xml", make_xml_writer, true, false, false},      {"sam", make_sam_writer, true, true, false},
      {"bam", make_bam_writer, true, true, false},       {"pairwise", make_pairwise_writer, true, false, false},
      {"json", make_json_writer, false, true, false},
  };
  return formats;
}

std::unique_ptr<ResultWriter> make_writer(const Context& context) {
  return context.settings.output_format().make(context);
}

namespace {

template <class Number>
std::string formatted(const char* format, Number number) {
  char text[64];
  const int size = std::snprintf(text, sizeof text, format, number);
  return {text, static_cast<std::size_t>(size)};
}

/// A number that every parser of tables reads.
std::string unknown() { return "nan"; }

/// What BLAST writes for all but the small ones (CAlignFormatUtil::GetScoreString).
std::string large_evalue(double evalue) {
  if (evalue < 0.1) return formatted("%4.3f", evalue);
  if (evalue < 1) return formatted("%3.2f", evalue);
  return formatted(evalue < 10 ? "%2.1f" : "%2.0f", evalue);
}

}  // namespace

std::string evalue_text(double evalue) { return std::isnan(evalue) ? unknown() : formatted("%.3g", evalue); }

std::string bits_text(double bits) { return std::isnan(bits) ? unknown() : formatted("%.1f", bits); }

std::string blast_table_evalue(double evalue) {
  if (std::isnan(evalue)) return unknown();
  if (evalue < 1e-180) return "0.0";
  return evalue < 0.0009 ? formatted("%.2e", evalue) : large_evalue(evalue);
}

std::string blast_report_evalue(double evalue) {
  if (std::isnan(evalue)) return unknown();
  if (evalue < 1e-180) return "0.0";
  return evalue < 0.0009 ? formatted("%.0e", evalue) : large_evalue(evalue);
}

std::string blast_bits(double bits) {
  if (std::isnan(bits)) return unknown();
  if (bits > 99999) return formatted("%5.3e", bits);
  if (bits > 99.9) return std::to_string(static_cast<long long>(bits));
  return formatted("%4.1f", bits);
}

std::string blast_xml_number(double number) { return std::isnan(number) ? unknown() : formatted("%.6g", number); }

std::string percent(std::uint64_t part, std::uint64_t whole, int digits) {
  const double share = whole == 0 ? 0.0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  return formatted(("%." + std::to_string(digits) + "f").c_str(), share);
}

Place place_of(const genocl::align::Hit& hit, std::uint64_t query_length) {
  const genocl::align::Alignment& found = *hit.alignment;
  Place place{found.query_begin + 1, found.query_end, found.subject_begin + 1, found.subject_end};
  if (hit.minus) {
    place.query_start = query_length - found.query_end + 1;
    place.query_end = query_length - found.query_begin;
  }
  return place;
}

Place blast_place_of(const genocl::align::Hit& hit, std::uint64_t query_length) {
  Place place = place_of(hit, query_length);
  if (hit.minus) std::swap(place.subject_start, place.subject_end);
  return place;
}

std::uint64_t gap_letters(const genocl::align::Alignment& alignment) {
  std::uint64_t letters = 0;
  for (const genocl::align::EditRun& run : alignment.runs)
    if (run.operation == 'I' || run.operation == 'D') letters += run.length;
  return letters;
}

namespace {

std::string joined(std::string_view name, std::string_view description) {
  std::string text(name);
  if (!description.empty()) text.append(text.empty() ? "" : " ").append(description);
  return text;
}

std::string without_controls(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  return text;
}

}  // namespace

std::string full_name(std::string_view name, std::string_view description) {
  return without_controls(joined(name, description));
}

std::vector<std::string> titles(std::string_view name, std::string_view description) {
  const std::string all = joined(name, description);
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find('\1', begin), all.size());
    parts.push_back(without_controls(all.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

AlignedRows rows_of(const Context& context, const align::Hit& hit, std::span<const genocl::Code> query) {
  const align::Alignment& found = *hit.alignment;
  const genocl::Alphabet alphabet = context.alphabet();
  const std::span<const genocl::Code> subject = context.database.sequence(hit.subject);
  const auto letter = [&](genocl::Code code) {
    return alphabet == genocl::Alphabet::dna ? genocl::dna::decode(code) : genocl::protein::decode(code);
  };
  // The strand that was aligned.
  const auto query_code = [&](std::uint64_t i) {
    return hit.minus ? genocl::dna::complement(query[query.size() - 1 - i]) : query[i];
  };
  AlignedRows rows;
  std::uint64_t i = found.query_begin, j = found.subject_begin;
  for (const align::EditRun& run : found.runs)
    for (std::uint32_t k = 0; k < run.length; ++k) {
      if (run.operation == 'I' || run.operation == 'D') {
        rows.query += run.operation == 'I' ? letter(query_code(i++)) : '-';
        rows.subject += run.operation == 'D' ? letter(subject[j++]) : '-';
        rows.middle += ' ';
        continue;
      }
      const genocl::Code a = query_code(i++), b = subject[j++];
      rows.query += letter(a);
      rows.subject += letter(b);
      if (a == b)
        rows.middle += alphabet == genocl::Alphabet::dna ? '|' : letter(a);
      else
        rows.middle += alphabet != genocl::Alphabet::dna && context.scoring.matrix(a, b) > 0 ? '+' : ' ';
    }
  if (hit.minus) {  // the query as it was given, and the subject turned
    const auto turn = [&](std::string& row) {
      std::ranges::reverse(row);
      for (char& c : row)
        if (c != '-') c = letter(genocl::dna::complement(genocl::dna::encode(c)));
    };
    turn(rows.query);
    turn(rows.subject);
    std::ranges::reverse(rows.middle);
  }
  return rows;
}

namespace {

double gcups(std::uint64_t cells, double seconds) {
  return seconds > 0 ? static_cast<double>(cells) / seconds / 1e9 : 0;
}

}  // namespace

void Counts::add(const align::SearchCounts& one) {
  cells += one.cells;
  computed_again += one.computed_again;
  score_seconds += one.seconds;
  alignment_seconds += one.alignment_seconds;
}

void write_summary(std::ostream& out, const Context& context, const Counts& counts) {
  const align::DatabaseSize size = context.database.whole();
  const Scoring& scoring = context.scoring;
  out << name_of(context.settings.subjects) << ": " << size.sequences << " sequences, " << size.residues
      << " residues\n"
      << scoring.name << ", " << scoring.gap_text() << '\n';
  if (scoring.statistics)
    out << std::setprecision(4) << "lambda " << scoring.statistics->lambda << ", K " << scoring.statistics->k
        << ", E-values by " << scoring.correction_name() << '\n';
  else
    out << "no bit scores and E-values: none are known for these penalties; known are "
        << align::KarlinAltschul::known_gaps(scoring.matrix) << '\n';
  out << counts.queries << " queries, " << counts.residues << " residues";
  if (!context.settings.all_scores) out << ", " << counts.hits << " hits";
  out << std::fixed << std::setprecision(2) << "; " << gcups(counts.cells, counts.search_seconds)
      << " GCUPS with reading and writing\n";
  out.unsetf(std::ios::floatfield);
}

void write_stats(std::ostream& out, const Counts& counts) {
  const auto line = [&](const char* what, double seconds, bool rate) {
    out << what << '\t' << std::fixed << std::setprecision(6) << seconds;
    if (rate) out << '\t' << std::setprecision(3) << gcups(counts.cells, seconds);
    out << '\n';
  };
  out << "cells\t" << counts.cells << "\ncomputed_again\t" << counts.computed_again << "\nstage\tseconds\tGCUPS\n";
  line("kernels", counts.kernel_seconds, true);
  line("scores", counts.score_seconds, true);
  line("alignments", counts.alignment_seconds, false);
  line("search_with_files", counts.search_seconds, true);
  line("end_to_end", counts.whole_seconds, true);
  out.unsetf(std::ios::floatfield);
}

}  // namespace program
