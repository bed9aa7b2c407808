// Formats blast6, blast7 and csv: BLAST's outfmt 6, 7 and 10, and their columns.

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "align/result_writer.hpp"
#include "align/subjects.hpp"
#include "common/lists.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

constexpr const char* usual = "qaccver,saccver,pident,length,mismatch,gapopen,qstart,qend,sstart,send,evalue,bitscore";

Place place_of_row(const BlastRow& row) { return blast_place_of(row.hit, row.result.codes.size()); }

/// BLAST counts equal letters as positives whatever they score.
std::uint64_t positives(const BlastRow& row) {
  const align::Alignment& found = *row.hit.alignment;
  const AlignedRows rows = rows_of(row.context, row.hit, row.result.codes);
  return found.identities + static_cast<std::uint64_t>(std::ranges::count(rows.middle, '+'));
}

/// Runs of equal letters as their number, between them the pairs that are not: "14SN6-A".
std::string traceback_operations(const BlastRow& row) {
  const AlignedRows rows = rows_of(row.context, row.hit, row.result.codes);
  std::string text;
  std::uint64_t equal = 0;
  const auto end_run = [&] {
    if (equal > 0) text += std::to_string(equal);
    equal = 0;
  };
  for (std::size_t i = 0; i < rows.query.size(); ++i) {
    if (rows.query[i] == rows.subject[i]) {
      ++equal;
      continue;
    }
    end_run();
    text += rows.query[i];
    text += rows.subject[i];
  }
  end_run();
  return text;
}

/// Of 100, rounded as BLAST does: 99 and what is above it down, so that only the whole is 100.
std::string coverage(std::uint64_t letters, std::uint64_t query_length) {
  double share = 100.0 * static_cast<double>(letters) / static_cast<double>(query_length);
  if (share < 99) share += 0.5;
  return std::to_string(static_cast<int>(share));
}

std::string coverage_of_hit(const BlastRow& row) {
  const align::Alignment& found = *row.hit.alignment;
  return coverage(found.query_end - found.query_begin, row.result.codes.size());
}

/// Letters of the query in any alignment with the subject, each once.
std::string coverage_of_subject(const BlastRow& row) {
  std::vector<Place> places;
  for (const align::Hit& hit : row.result.hits)
    if (hit.subject == row.hit.subject) places.push_back(place_of(hit, row.result.codes.size()));
  std::ranges::sort(places, {}, &Place::query_start);
  std::uint64_t letters = 0, end = 0;
  for (const Place& place : places) {
    if (place.query_end > end) letters += place.query_end - std::max(end, place.query_start - 1);
    end = std::max(end, place.query_end);
  }
  return coverage(letters, row.result.codes.size());
}

std::string query_name(const BlastRow& row) { return std::string(or_star(row.result.name)); }
std::string subject_name(const BlastRow& row) {
  return std::string(or_star(first_id(row.context.database.name(row.hit.subject))));
}
/// Titles of a subject, of which nr has several with ^A between.
std::vector<std::string> titles_of(const BlastRow& row) {
  const align::Database& database = row.context.database;
  return titles(database.name(row.hit.subject), database.description(row.hit.subject));
}
std::string subject_title(const BlastRow& row) { return titles_of(row).front(); }
std::string all_subject_titles(const BlastRow& row) {
  std::string all;
  for (const std::string& title : titles_of(row)) all.append(all.empty() ? "" : "<>").append(title);
  return all;
}
std::string all_subject_names(const BlastRow& row) {
  std::string all;
  for (const std::string& title : titles_of(row))
    all.append(all.empty() ? "" : ";").append(or_star(std::string_view(title).substr(0, title.find(' '))));
  return all;
}
std::string subject_length(const BlastRow& row) { return std::to_string(row.context.database.length(row.hit.subject)); }
std::string frame(const BlastRow& row) { return row.hit.minus ? "-1" : "1"; }
std::string strand(const BlastRow& row) { return !row.context.dna() ? "N/A" : row.hit.minus ? "minus" : "plus"; }

constexpr BlastColumn columns[] = {
    {"qseqid", "query id", query_name},
    {"qacc", "query acc.", query_name},
    {"qaccver", "query acc.ver", query_name},
    {"qlen", "query length", [](const BlastRow& row) { return std::to_string(row.result.codes.size()); }},
    {"sseqid", "subject id", subject_name},
    {"sallseqid", "subject ids", all_subject_names},
    {"sacc", "subject acc.", subject_name},
    {"saccver", "subject acc.ver", subject_name},
    {"sallacc", "subject accs.", all_subject_names},
    {"slen", "subject length", subject_length},
    {"qstart", "q. start", [](const BlastRow& row) { return std::to_string(place_of_row(row).query_start); }},
    {"qend", "q. end", [](const BlastRow& row) { return std::to_string(place_of_row(row).query_end); }},
    {"sstart", "s. start", [](const BlastRow& row) { return std::to_string(place_of_row(row).subject_start); }},
    {"send", "s. end", [](const BlastRow& row) { return std::to_string(place_of_row(row).subject_end); }},
    {"qseq", "query seq", [](const BlastRow& row) { return rows_of(row.context, row.hit, row.result.codes).query; }},
    {"sseq", "subject seq",
     [](const BlastRow& row) { return rows_of(row.context, row.hit, row.result.codes).subject; }},
    {"evalue", "evalue", [](const BlastRow& row) { return blast_table_evalue(row.hit.evalue); }},
    {"bitscore", "bit score", [](const BlastRow& row) { return blast_bits(row.hit.bits); }},
    {"score", "score", [](const BlastRow& row) { return std::to_string(row.hit.score); }},
    {"length", "alignment length", [](const BlastRow& row) { return std::to_string(row.hit.alignment->columns()); }},
    {"pident", "% identity",
     [](const BlastRow& row) { return percent(row.hit.alignment->identities, row.hit.alignment->columns()); }},
    {"nident", "identical", [](const BlastRow& row) { return std::to_string(row.hit.alignment->identities); }},
    {"mismatch", "mismatches",
     [](const BlastRow& row) {
       const align::Alignment& found = *row.hit.alignment;
       return std::to_string(found.columns() - found.identities - gap_letters(found));
     }},
    {"positive", "positives", [](const BlastRow& row) { return std::to_string(positives(row)); }},
    {"gapopen", "gap opens", [](const BlastRow& row) { return std::to_string(row.hit.alignment->gap_opens); }},
    {"gaps", "gaps", [](const BlastRow& row) { return std::to_string(gap_letters(*row.hit.alignment)); }},
    {"ppos", "% positives",
     [](const BlastRow& row) { return percent(positives(row), row.hit.alignment->columns(), 2); }},
    {"frames", "query/sbjct frames", [](const BlastRow& row) { return "1/" + frame(row); }},
    {"qframe", "query frame", [](const BlastRow&) { return std::string("1"); }},
    {"sframe", "sbjct frame", frame},
    {"btop", "BTOP", traceback_operations},
    {"stitle", "subject title", subject_title},
    {"salltitles", "subject titles", all_subject_titles},
    {"sstrand", "subject strand", strand},
    {"qcovs", "% query coverage per subject", coverage_of_subject},
    {"qcovhsp", "% query coverage per hsp", coverage_of_hit},
};

void add_columns(std::string_view list, std::vector<const BlastColumn*>& chosen) {
  // BLAST separates by blanks, and commas need no quotes. An empty name between two commas is an error.
  std::string names(list);
  std::ranges::replace(names, '\t', ' ');
  for (std::size_t comma = names.find(','); comma != std::string::npos; comma = names.find(',', comma + 1)) {
    while (comma > 0 && names[comma - 1] == ' ') names.erase(--comma, 1);
    while (comma + 1 < names.size() && names[comma + 1] == ' ') names.erase(comma + 1, 1);
  }
  names.erase(0, names.find_first_not_of(' '));
  names.erase(names.find_last_not_of(' ') + 1);
  names.erase(std::unique(names.begin(), names.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
              names.end());
  std::ranges::replace(names, ' ', ',');
  for (const std::string_view name : parts_of(names, ',')) {
    if (name == "std") {
      add_columns(usual, chosen);
      continue;
    }
    const auto* const found =
        std::ranges::find_if(columns, [&](const BlastColumn& column) { return name == column.name; });
    if (found == std::end(columns)) {
      std::string known = "std";
      for (const BlastColumn& column : columns) known.append(", ").append(column.name);
      throw genocl::InputError("--columns", {}, genocl::in_quotes(std::string(name)), known);
    }
    chosen.push_back(found);
  }
}

}  // namespace

std::vector<const BlastColumn*> blast_columns(const std::string& list) {
  std::vector<const BlastColumn*> chosen;
  add_columns(list.empty() ? usual : std::string_view(list), chosen);
  return chosen;
}

namespace {

enum class TableStyle : std::uint8_t { plain, comments, comma_separated };

/// A field of a file of comma-separated values: in quotes if it has a comma, a quote or a line end (RFC 4180).
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

class BlastWriter : public ResultWriter {
 public:
  BlastWriter(const Context& context, TableStyle style)
      : context_(context),
        columns_(blast_columns(context.settings.columns)),
        style_(style),
        out_(context.settings.output) {}

  void write(const Result& result) override {
    ++queries_;
    std::string text = style_ == TableStyle::comments ? head_of(result) : "";
    const char separator = style_ == TableStyle::comma_separated ? ',' : '\t';
    for (const align::Hit& hit : result.hits) {
      for (const BlastColumn* const column : columns_) {
        const std::string field = column->text({context_, result, hit});
        text += style_ == TableStyle::comma_separated ? csv_field(field) : field;
        text += column == columns_.back() ? '\n' : separator;
      }
    }
    out_.write(text);
  }

  void finish() override {
    if (style_ == TableStyle::comments) out_.write("# BLAST processed " + std::to_string(queries_) + " queries\n");
    out_.commit();
  }

 private:
  std::string head_of(const Result& result) const {
    std::string text = "# genocl-align " GENOCL_VERSION "\n# Query: " + full_name(result.name, result.description) +
                       "\n# Database: " + name_of(context_.settings.subjects) + "\n";
    if (!result.hits.empty()) {
      std::string titles;
      for (const BlastColumn* const column : columns_) titles.append(titles.empty() ? "" : ", ").append(column->title);
      text += "# Fields: " + titles + "\n";
    }
    return text + "# " + std::to_string(result.hits.size()) + " hits found\n";
  }

  Context context_;
  std::vector<const BlastColumn*> columns_;
  const TableStyle style_;
  genocl::io::OutputFile out_;
  std::uint64_t queries_ = 0;
};

}  // namespace

std::unique_ptr<ResultWriter> make_blast6_writer(const Context& context) {
  return std::make_unique<BlastWriter>(context, TableStyle::plain);
}

std::unique_ptr<ResultWriter> make_blast7_writer(const Context& context) {
  return std::make_unique<BlastWriter>(context, TableStyle::comments);
}

std::unique_ptr<ResultWriter> make_csv_writer(const Context& context) {
  return std::make_unique<BlastWriter>(context, TableStyle::comma_separated);
}

}  // namespace program
