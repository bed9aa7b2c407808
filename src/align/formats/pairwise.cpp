// Alignments to be read, as BLAST's reports show them.
#include <algorithm>

#include <string>

#include "align/formats/format_writer.hpp"

namespace genocl::align {
namespace {

constexpr std::size_t row_width = 60;
constexpr std::size_t name_width = 66;

std::string padded(std::string text, std::size_t size) {
  text.resize(std::max(size, text.size()), ' ');
  return text;
}

/// "144/146 (98%)"
std::string part_of(std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t hundredths = whole == 0 ? 0 : (200 * part + whole) / (2 * whole);
  // Neither all nor none unless it is.
  const std::uint64_t shown = part < whole ? std::min<std::uint64_t>(hundredths, 99) : hundredths;
  return std::to_string(part) + "/" + std::to_string(whole) + " (" + std::to_string(shown) + "%)";
}

/// Writes rows in blocks of 60 columns, with the positions of their first and last letters.
void write_rows(std::string& text, const AlignedRows& rows, const HspCoordinates& at, bool minus) {
  std::uint64_t query = at.query_start, subject = minus ? at.subject_end : at.subject_start;
  const std::size_t digits = std::to_string(std::max(at.query_end, at.subject_end)).size();
  const auto letters = [](std::string_view row) {
    return row.size() - static_cast<std::size_t>(std::ranges::count(row, '-'));
  };
  for (std::size_t begin = 0; begin < rows.query.size(); begin += row_width) {
    const std::string_view query_row = std::string_view(rows.query).substr(begin, row_width);
    const std::string_view subject_row = std::string_view(rows.subject).substr(begin, row_width);
    const std::uint64_t query_letters = letters(query_row), subject_letters = letters(subject_row);
    // A row of gaps alone is numbered as the letter before.
    const auto line = [&](const char* name, std::uint64_t first, std::uint64_t last, std::string_view row) {
      text.append(name).append(padded(std::to_string(first), digits)).append("  ").append(row).append("  ");
      text.append(std::to_string(last)).append("\n");
    };
    const std::uint64_t query_last = query + query_letters - 1;
    line("Query  ", query_letters == 0 ? query_last : query, query_last, query_row);
    text.append(9 + digits, ' ').append(std::string_view(rows.middle).substr(begin, row_width)).append("\n");
    const std::uint64_t subject_last = minus ? subject - subject_letters + 1 : subject + subject_letters - 1;
    line("Sbjct  ", subject_letters == 0 ? subject_last : subject, subject_last, subject_row);
    text += '\n';
    query += query_letters;
    subject = minus ? subject - subject_letters : subject + subject_letters;
  }
}

/// Letters that are masked, in lower case; `first`: the row's first letter in the query.
void show_masked(std::string& row, std::uint64_t first, std::span<const Interval> masked) {
  std::uint64_t position = first;
  auto range = masked.begin();
  for (char& c : row) {
    if (c == '-') continue;
    while (range != masked.end() && range->end <= position) ++range;
    if (range != masked.end() && range->begin <= position) c = static_cast<char>(c - 'A' + 'a');
    ++position;
  }
}

class PairwiseWriter : public HitFormatter::Writer {
 public:
  using Writer::Writer;

  void begin(const QueryHits& /*first*/, std::string& text) override {
    const DatabaseSize size = context_.database.whole();
    text += context_.program() + "\n\nDatabase: " + context_.options.database + "\n           " +
            std::to_string(size.sequences) + " sequences; " + std::to_string(size.residues) + " total letters\n" +
            "Scoring: " + scoring_name(context_.search.matrix) + "\n" + gap_text(context_.search.gap) + "\n";
    if (!context_.statistics) text += "No statistics are known for this scoring: no bit scores, no E-values\n";
  }

  void add(const QueryHits& query, std::string& text) override {
    text += "\n\nQuery= " + full_name(query.name, query.description) +
            "\n\nLength=" + std::to_string(query.codes.size()) + "\n";
    if (query.hits.empty()) {
      text += "\n***** No hits found *****\n";
      return;
    }
    text += padded("", 70) + "Score     E\n" + padded("Sequences producing significant alignments:", 69) +
            "(Bits)  Value\n\n";
    for (const Hit& hit : query.hits) {
      if (hit.hsp > 0) continue;
      const Database& database = context_.database;
      std::string name = full_name(database.name(hit.subject), database.description(hit.subject));
      if (name.size() > name_width) name = name.substr(0, name_width - 3) + "...";
      text += padded(name, name_width + 3) + " " + padded(blast_bits(hit.bits), 7) + " " +
              blast_report_evalue(hit.evalue) + "\n";
    }
    for (const Hit& hit : query.hits) add_hit(query, hit, text);
  }

  void finish(std::string& /*text*/) override {}

 private:
  void add_hit(const QueryHits& query, const Hit& hit, std::string& text) const {
    const Database& database = context_.database;
    const Alignment& found = *hit.alignment;
    if (hit.hsp == 0)
      text += "\n\n>" + full_name(database.name(hit.subject), database.description(hit.subject)) +
              "\nLength=" + std::to_string(database.length(hit.subject)) + "\n";
    text += "\n Score = " + blast_bits(hit.bits) + " bits (" + std::to_string(hit.score) +
            "),  Expect = " + blast_report_evalue(hit.evalue) +
            "\n Identities = " + part_of(found.identities, found.columns());
    if (!context_.dna()) text += ", Positives = " + part_of(found.positives, found.columns());
    text += ", Gaps = " + part_of(gap_letters(found), found.columns()) + "\n";
    if (context_.dna()) text += hit.minus ? " Strand=Plus/Minus\n" : " Strand=Plus/Plus\n";
    text += '\n';
    const HspCoordinates at = hsp_coordinates(hit, query.codes.size());
    AlignedRows rows = aligned_rows(hit, query.codes, database, context_.search.matrix);
    show_masked(rows.query, at.query_start - 1, query.masked);
    write_rows(text, rows, at, hit.minus);
  }
};

}  // namespace

std::unique_ptr<HitFormatter::Writer> make_pairwise_writer(FormatContext context) {
  return std::make_unique<PairwiseWriter>(std::move(context));
}

}  // namespace genocl::align
