// Alignments to be read, as BLAST's reports show them.
#include <algorithm>

#include "align/result_writer.hpp"
#include "align/subjects.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

constexpr std::size_t width = 60;
constexpr std::size_t name_width = 66;

std::string padded(std::string text, std::size_t size) {
  text.resize(std::max(size, text.size()), ' ');
  return text;
}

/// "144/146 (98%)"
std::string share(std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t hundredths = whole == 0 ? 0 : (200 * part + whole) / (2 * whole);
  // Neither all nor none unless it is.
  const std::uint64_t shown = part < whole ? std::min<std::uint64_t>(hundredths, 99) : hundredths;
  return std::to_string(part) + "/" + std::to_string(whole) + " (" + std::to_string(shown) + "%)";
}

/// Writes rows in blocks of 60 columns, with the positions of their first and last letters.
void write_rows(std::string& text, const AlignedRows& rows, const Place& place, bool minus) {
  std::uint64_t query = place.query_start, subject = minus ? place.subject_end : place.subject_start;
  const std::size_t digits = std::to_string(std::max(place.query_end, place.subject_end)).size();
  const auto letters = [](std::string_view row) {
    return row.size() - static_cast<std::size_t>(std::ranges::count(row, '-'));
  };
  for (std::size_t begin = 0; begin < rows.query.size(); begin += width) {
    const std::string_view query_row = std::string_view(rows.query).substr(begin, width);
    const std::string_view subject_row = std::string_view(rows.subject).substr(begin, width);
    const std::uint64_t query_letters = letters(query_row), subject_letters = letters(subject_row);
    // A row of gaps alone is numbered as the letter before.
    const auto line = [&](const char* name, std::uint64_t first, std::uint64_t last, std::string_view row) {
      text.append(name).append(padded(std::to_string(first), digits)).append("  ").append(row).append("  ");
      text.append(std::to_string(last)).append("\n");
    };
    const std::uint64_t query_last = query + query_letters - 1;
    line("Query  ", query_letters == 0 ? query_last : query, query_last, query_row);
    text.append(9 + digits, ' ').append(std::string_view(rows.middle).substr(begin, width)).append("\n");
    const std::uint64_t subject_last = minus ? subject - subject_letters + 1 : subject + subject_letters - 1;
    line("Sbjct  ", subject_letters == 0 ? subject_last : subject, subject_last, subject_row);
    text += '\n';
    query += query_letters;
    subject = minus ? subject - subject_letters : subject + subject_letters;
  }
}

/// Letters that are masked, in lower case; `first`: the row's first letter in the query.
void show_masked(std::string& row, std::uint64_t first, std::span<const genocl::LetterRange> masked) {
  std::uint64_t position = first;
  auto range = masked.begin();
  for (char& c : row) {
    if (c == '-') continue;
    while (range != masked.end() && range->end <= position) ++range;
    if (range != masked.end() && range->begin <= position) c = static_cast<char>(c - 'A' + 'a');
    ++position;
  }
}

class PairwiseWriter : public ResultWriter {
 public:
  explicit PairwiseWriter(const Context& context) : context_(context), out_(context.settings.output) {
    const align::DatabaseSize size = context.database.whole();
    text_ = "genocl-align " GENOCL_VERSION "\n\nDatabase: " + name_of(context.settings.subjects) + "\n           " +
            std::to_string(size.sequences) + " sequences; " + std::to_string(size.residues) + " total letters\n" +
            "Scoring: " + context.scoring.name + "\n" + context.scoring.gap_text() + "\n";
    if (!context.scoring.statistics) text_ += "No statistics are known for this scoring: no bit scores, no E-values\n";
    flush();
  }

  void write(const Result& result) override {
    text_ += "\n\nQuery= " + full_name(result.name, result.description) +
             "\n\nLength=" + std::to_string(result.codes.size()) + "\n";
    if (result.hits.empty()) {
      text_ += "\n***** No hits found *****\n";
    } else {
      text_ += padded("", 70) + "Score     E\n" + padded("Sequences producing significant alignments:", 69) +
               "(Bits)  Value\n\n";
      for (const align::Hit& hit : result.hits) {
        if (hit.hsp > 0) continue;
        const align::Database& database = context_.database;
        std::string name = full_name(database.name(hit.subject), database.description(hit.subject));
        if (name.size() > name_width) name = name.substr(0, name_width - 3) + "...";
        text_ += padded(name, name_width + 3) + " " + padded(blast_bits(hit.bits), 7) + " " +
                 blast_report_evalue(hit.evalue) + "\n";
      }
      for (const align::Hit& hit : result.hits) write_hit(result, hit);
    }
    flush();
  }

  void finish() override { out_.commit(); }

 private:
  void write_hit(const Result& result, const align::Hit& hit) {
    const align::Database& database = context_.database;
    const align::Alignment& found = *hit.alignment;
    if (hit.hsp == 0)
      text_ += "\n\n>" + full_name(database.name(hit.subject), database.description(hit.subject)) +
               "\nLength=" + std::to_string(database.length(hit.subject)) + "\n";
    text_ += "\n Score = " + blast_bits(hit.bits) + " bits (" + std::to_string(hit.score) +
             "),  Expect = " + blast_report_evalue(hit.evalue) +
             "\n Identities = " + share(found.identities, found.columns());
    if (!context_.dna()) text_ += ", Positives = " + share(found.positives, found.columns());
    text_ += ", Gaps = " + share(gap_letters(found), found.columns()) + "\n";
    if (context_.dna()) text_ += hit.minus ? " Strand=Plus/Minus\n" : " Strand=Plus/Plus\n";
    text_ += '\n';
    const Place place = place_of(hit, result.codes.size());
    AlignedRows rows = rows_of(context_, hit, result.codes);
    show_masked(rows.query, place.query_start - 1, result.masked);
    write_rows(text_, rows, place, hit.minus);
  }

  void flush() {
    out_.write(text_);
    text_.clear();
  }

  Context context_;
  genocl::io::OutputFile out_;
  std::string text_;
};

}  // namespace

std::unique_ptr<ResultWriter> make_pairwise_writer(const Context& context) {
  return std::make_unique<PairwiseWriter>(context);
}

}  // namespace program
