// Alignments to be read, as BLAST's reports show them.
#include <algorithm>
#include <string>
#include <utility>

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

/// "+2", "-3", and "+2/-3" if both sequences are translated.
std::string frames_text(const Hit& hit) {
  std::string text;
  for (const Frame frame : {hit.query_frame, hit.subject_frame})
    if (frame != 0) text.append(text.empty() ? "" : "/").append(frame > 0 ? "+" : "").append(std::to_string(frame));
  return text;
}

/// Positions of the letters of a row.
struct RowPositions {
  std::uint64_t next = 0;  ///< of the next letter, from 1
  bool descending = false;
  std::uint64_t step = 1;  ///< positions of a letter

  /// Returns the first and last position of `letters` and advances. A row of gaps alone has the position before it.
  std::pair<std::uint64_t, std::uint64_t> take(std::uint64_t letters) {
    const std::uint64_t span = step * letters, first = next;
    next = descending ? next - span : next + span;
    const std::uint64_t last = descending ? next + 1 : next - 1;
    return {letters == 0 ? last : first, last};
  }
};

/// Writes rows in blocks of 60 columns, with the positions of their first and last letters. `longest`: the maximum
/// position.
void write_rows(std::string& text, const AlignedRows& rows, RowPositions query, RowPositions subject,
                std::uint64_t longest) {
  const std::size_t digits = std::to_string(longest).size();
  for (std::size_t begin = 0; begin < rows.query.size(); begin += row_width) {
    const auto line = [&](const char* name, RowPositions& positions, std::string_view all) {
      const std::string_view row = all.substr(begin, row_width);
      const auto gaps = static_cast<std::size_t>(std::ranges::count(row, '-'));
      const auto [first, last] = positions.take(row.size() - gaps);
      text.append(name).append(padded(std::to_string(first), digits)).append("  ").append(row).append("  ");
      text.append(std::to_string(last)).append("\n");
    };
    line("Query  ", query, rows.query);
    text.append(9 + digits, ' ').append(std::string_view(rows.middle).substr(begin, row_width)).append("\n");
    line("Sbjct  ", subject, rows.subject);
    text += '\n';
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
    if (context_.search.translation.any()) text += " Frame = " + frames_text(hit) + "\n";
    text += '\n';
    const HspCoordinates at = blast_coordinates(hit, query.codes.size(), database.length(hit.subject));
    AlignedRows rows = context_.rows(query, hit);
    show_masked(rows.query, at.query_start - 1, query.masked);
    write_rows(text, rows, {at.query_start, hit.query_frame < 0, hit.query_frame != 0 ? 3u : 1u},
               {at.subject_start, hit.minus || hit.subject_frame < 0, hit.subject_frame != 0 ? 3u : 1u},
               std::max({at.query_start, at.query_end, at.subject_start, at.subject_end}));
  }
};

}  // namespace

std::unique_ptr<HitFormatter::Writer> make_pairwise_writer(FormatContext context) {
  return std::make_unique<PairwiseWriter>(std::move(context));
}

}  // namespace genocl::align
