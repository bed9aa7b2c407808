#include "align/formats/format_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "align/search/searcher_state.hpp"
#include "genocl/version.hpp"

namespace genocl::align {

FormatContext::FormatContext(const Database& subjects, const SearchOptions& search_options, FormatOptions format)
    : database(subjects), search(search_options), options(std::move(format)) {
  search.progress = {};
  search.chunk_queue = {};
  if (options.program_version.empty()) options.program_version = GENOCL_VERSION;
  statistics = search_statistics(search);
}

std::string FormatContext::correction() const {
  if (search.sizes.search_space != 0) return "search-space";
  const bool finite = statistics->finite_size && search.edge_correction == EdgeCorrection::finite_size;
  return finite ? "finite-size" : "length-adjustment";
}

bool needs_alignments(Format format) noexcept { return format != Format::tsv && format != Format::json; }

namespace {

std::unique_ptr<HitFormatter::Writer> make_format_writer(Format format, FormatContext context) {
  switch (format) {
    case Format::xml:
      return make_xml_writer(std::move(context));
    case Format::sam:
      return make_sam_writer(std::move(context));
    case Format::pairwise:
      return make_pairwise_writer(std::move(context));
    case Format::json:
      return make_json_writer(std::move(context));
    case Format::tsv:
    case Format::blast6:
    case Format::blast7:
    case Format::csv:
      break;
  }
  return make_table_writer(format, std::move(context));
}

}  // namespace

HitFormatter::HitFormatter(Format format, const Database& database, const SearchOptions& search,
                           const FormatOptions& options)
    : writer_(make_format_writer(format, FormatContext(database, search, options))) {}
HitFormatter::HitFormatter(HitFormatter&&) noexcept = default;
HitFormatter& HitFormatter::operator=(HitFormatter&&) noexcept = default;
HitFormatter::~HitFormatter() = default;

void HitFormatter::add(const QueryHits& query, std::string& text) {
  if (!std::exchange(begun_, true)) writer_->begin(query, text);
  writer_->add(query, text);
}

void HitFormatter::finish(std::string& text) {
  if (!std::exchange(begun_, true)) writer_->begin({}, text);
  writer_->finish(text);
}

std::string formatted(const char* format, double number) {
  char text[64];
  const int size = std::snprintf(text, sizeof text, format, number);
  return {text, static_cast<std::size_t>(size)};
}

namespace {

/// The numbers of BLAST except for small ones (CAlignFormatUtil::GetScoreString).
std::string large_evalue(double evalue) {
  if (evalue < 0.1) return formatted("%4.3f", evalue);
  if (evalue < 1) return formatted("%3.2f", evalue);
  return formatted(evalue < 10 ? "%2.1f" : "%2.0f", evalue);
}

std::string blast_evalue(double evalue, const char* small) {
  if (std::isnan(evalue)) return "nan";  // every parser of tables reads it
  if (evalue < 1e-180) return "0.0";
  return evalue < 0.0009 ? formatted(small, evalue) : large_evalue(evalue);
}

}  // namespace

std::string blast_table_evalue(double evalue) { return blast_evalue(evalue, "%.2e"); }
std::string blast_report_evalue(double evalue) { return blast_evalue(evalue, "%.0e"); }

std::string blast_bits(double bits) {
  if (std::isnan(bits)) return "nan";
  if (bits > 99999) return formatted("%5.3e", bits);
  if (bits > 99.9) return std::to_string(static_cast<long long>(bits));
  return formatted("%4.1f", bits);
}

std::string percent(std::uint64_t part, std::uint64_t whole, int digits) {
  const double value = whole == 0 ? 0.0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  return formatted(digits == 2 ? "%.2f" : "%.3f", value);
}

HspCoordinates hsp_coordinates(const Hit& hit, std::uint64_t query_length, std::uint64_t subject_length) noexcept {
  const Alignment& found = *hit.alignment;
  HspCoordinates at{found.query_begin + 1, found.query_end, found.subject_begin + 1, found.subject_end};
  if (hit.minus) {
    at.query_start = query_length - found.query_end + 1;
    at.query_end = query_length - found.query_begin;
  }
  if (hit.query_frame != 0) {
    const Interval range = nucleotides_of(hit.query_frame, found.query_begin, found.query_end, query_length);
    at.query_start = range.begin + 1;
    at.query_end = range.end;
  }
  if (hit.subject_frame != 0) {
    const Interval range = nucleotides_of(hit.subject_frame, found.subject_begin, found.subject_end, subject_length);
    at.subject_start = range.begin + 1;
    at.subject_end = range.end;
  }
  return at;
}

HspCoordinates blast_coordinates(const Hit& hit, std::uint64_t query_length, std::uint64_t subject_length) noexcept {
  HspCoordinates at = hsp_coordinates(hit, query_length, subject_length);
  if (hit.query_frame < 0) std::swap(at.query_start, at.query_end);
  if (hit.minus || hit.subject_frame < 0) std::swap(at.subject_start, at.subject_end);
  return at;
}

std::uint64_t gap_letters(const Alignment& alignment) noexcept {
  std::uint64_t letters = 0;
  for (const EditRun& run : alignment.runs)
    if (run.operation == 'I' || run.operation == 'D') letters += run.length;
  return letters;
}

namespace {

std::string joined_header(std::string_view name, std::string_view description) {
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
  return without_controls(joined_header(name, description));
}

std::vector<std::string> titles(std::string_view name, std::string_view description) {
  const std::string all = joined_header(name, description);
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find('\1', begin), all.size());
    parts.push_back(without_controls(all.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

namespace {

/// Letters of a sequence, or of a part of its frame, by their position in the strand or frame.
class AlignedLetters {
 public:
  AlignedLetters(std::span<const Code> letters, bool minus) : letters_(letters), minus_(minus) {}
  /// Translates amino acids [begin, end) of a frame.
  AlignedLetters(std::span<const Code> dna, Frame frame, int code, std::uint64_t begin, std::uint64_t end)
      : protein_(end - begin), first_(begin) {
    translate(dna, frame, GeneticCode(code), begin, protein_);
    letters_ = protein_;
  }
  AlignedLetters(const AlignedLetters&) = delete;
  AlignedLetters& operator=(const AlignedLetters&) = delete;

  Code operator[](std::uint64_t i) const {
    return minus_ ? dna::complement(letters_[letters_.size() - 1 - i]) : letters_[i - first_];
  }

 private:
  std::vector<Code> protein_;
  std::span<const Code> letters_;
  std::uint64_t first_ = 0;
  bool minus_ = false;
};

}  // namespace

AlignedRows aligned_rows(const Hit& hit, std::span<const Code> query, const Database& database, const Matrix& matrix,
                         const Translation& translation) {
  const Alignment& found = *hit.alignment;
  const bool is_dna = matrix.alphabet() == Alphabet::dna;
  const auto letter = [&](Code code) { return is_dna ? dna::decode(code) : protein::decode(code); };
  const AlignedLetters of_query = hit.query_frame == 0 ? AlignedLetters(query, hit.minus)
                                                       : AlignedLetters(query, hit.query_frame, translation.query_code,
                                                                        found.query_begin, found.query_end);
  const std::span<const Code> sequence = database.sequence(hit.subject);
  const AlignedLetters subject = hit.subject_frame == 0
                                     ? AlignedLetters(sequence, false)
                                     : AlignedLetters(sequence, hit.subject_frame, translation.database_code,
                                                      found.subject_begin, found.subject_end);
  AlignedRows rows;
  const std::uint64_t columns = found.columns();
  for (std::string* const row : {&rows.query, &rows.middle, &rows.subject}) row->reserve(columns);
  std::uint64_t i = found.query_begin, j = found.subject_begin;
  for (const EditRun& run : found.runs)
    for (std::uint32_t k = 0; k < run.length; ++k) {
      if (run.operation == 'I' || run.operation == 'D') {
        rows.query += run.operation == 'I' ? letter(of_query[i++]) : '-';
        rows.subject += run.operation == 'D' ? letter(subject[j++]) : '-';
        rows.middle += ' ';
        continue;
      }
      const Code a = of_query[i++], b = subject[j++];
      rows.query += letter(a);
      rows.subject += letter(b);
      if (a == b)
        rows.middle += is_dna ? '|' : letter(a);
      else
        rows.middle += !is_dna && matrix(a, b) > 0 ? '+' : ' ';
    }
  if (hit.minus) {
    const auto reverse_complement_row = [&](std::string& row) {
      std::ranges::reverse(row);
      for (char& c : row)
        if (c != '-') c = letter(dna::complement(dna::encode(c)));
    };
    reverse_complement_row(rows.query);
    reverse_complement_row(rows.subject);
    std::ranges::reverse(rows.middle);
  }
  return rows;
}

std::string scoring_name(const Matrix& matrix) {
  if (matrix.alphabet() != Alphabet::dna) return matrix.name();
  const int match = matrix(dna::encode('A'), dna::encode('A')), mismatch = matrix(dna::encode('A'), dna::encode('C'));
  if (match < 1 || mismatch > 0 || matrix != Matrix::dna(match, mismatch)) return matrix.name();
  return "match " + std::to_string(match) + ", mismatch " + std::to_string(mismatch);
}

std::string gap_text(const GapPenalty& gap) {
  const std::string extend = std::to_string(gap.extend);
  return "gap penalties " + std::to_string(gap.open) + "/" + extend + " (a gap of k letters costs " +
         std::to_string(gap.open) + " + " + extend + " k, as NCBI BLAST, SWIPE and SSEARCH name it), the same as " +
         std::to_string(gap.first()) + "/" + extend +
         " (first letter and each further one, as parasail, opal, SSW and CUDASW++ name it)";
}

}  // namespace genocl::align
