// Formats tsv, and blast6, blast7 and csv: BLAST's outfmt 6, 7 and 10 with their columns.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "align/formats/format_writer.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

constexpr std::string_view default_columns =
    "qaccver,saccver,pident,length,mismatch,gapopen,qstart,qend,sstart,send,evalue,bitscore";

/// A hit with an alignment and its query. What several columns need is computed once.
class BlastRow {
 public:
  BlastRow(const FormatContext& context, const QueryHits& query) : context_(context), query_(query) {}

  void set(const Hit& hit) {
    hit_ = &hit;
    coordinates_ = blast_coordinates(hit, query_.codes.size(), context_.database.length(hit.subject));
    rows_.reset();
  }
  const FormatContext& context() const { return context_; }
  const QueryHits& query() const { return query_; }
  const Hit& hit() const { return *hit_; }
  const Alignment& alignment() const { return *hit_->alignment; }
  const HspCoordinates& coordinates() const { return coordinates_; }
  const AlignedRows& rows() {
    if (!rows_) rows_ = context_.rows(query_, *hit_);
    return *rows_;
  }
  /// Equal letters, and pairs that score above 0. BLAST counts equal letters whatever they score.
  std::uint64_t positives() {
    return alignment().identities + static_cast<std::uint64_t>(std::ranges::count(rows().middle, '+'));
  }
  /// Titles of the subject; nr has several, separated by ^A.
  std::vector<std::string> subject_titles() const {
    return titles(context_.database.name(hit_->subject), context_.database.description(hit_->subject));
  }
  /// Letters of the query in any alignment with the subject, each counted once. O(hits) once for adjacent hits of a
  /// subject.
  std::uint64_t covered_letters();

 private:
  const FormatContext& context_;
  const QueryHits& query_;
  const Hit* hit_ = nullptr;
  HspCoordinates coordinates_;
  std::optional<AlignedRows> rows_;
  std::optional<std::uint64_t> covered_subject_;
  std::uint64_t covered_ = 0;
};

std::uint64_t BlastRow::covered_letters() {
  if (covered_subject_ == hit_->subject) return covered_;
  std::vector<HspCoordinates> all;
  for (const Hit& hit : query_.hits)
    if (hit.subject == hit_->subject) all.push_back(context_.coordinates(query_, hit));
  std::ranges::sort(all, {}, &HspCoordinates::query_start);
  std::uint64_t letters = 0, end = 0;
  for (const HspCoordinates& at : all) {
    if (at.query_end > end) letters += at.query_end - std::max(end, at.query_start - 1);
    end = std::max(end, at.query_end);
  }
  covered_subject_ = hit_->subject;
  return covered_ = letters;
}

/// Runs of equal letters as their number, and between them the pairs of different letters: "14SN6-A".
std::string traceback_operations(BlastRow& row) {
  const AlignedRows& rows = row.rows();
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

/// A percentage, rounded as BLAST does: from 99 down, so that only the whole query is 100.
std::string coverage(std::uint64_t letters, std::uint64_t query_length) {
  double covered = 100.0 * static_cast<double>(letters) / static_cast<double>(query_length);
  if (covered < 99) covered += 0.5;
  return std::to_string(static_cast<int>(covered));
}

std::string query_name(BlastRow& row) { return std::string(or_star(row.query().name)); }
std::string subject_name(BlastRow& row) {
  return std::string(or_star(first_id(row.context().database.name(row.hit().subject))));
}
std::string all_subject_titles(BlastRow& row) {
  std::string all;
  for (const std::string& title : row.subject_titles()) all.append(all.empty() ? "" : "<>").append(title);
  return all;
}
std::string all_subject_names(BlastRow& row) {
  std::string all;
  for (const std::string& title : row.subject_titles())
    all.append(all.empty() ? "" : ";").append(or_star(std::string_view(title).substr(0, title.find(' '))));
  return all;
}
/// BLAST's text for a value that is not known.
constexpr const char* not_available = "N/A";

/// One value for each taxon, joined by ';'. `of` returns the value of a taxon. BLAST prints `none` without any.
template <class Of>
std::string all_taxa(BlastRow& row, Of&& of, const char* none) {
  const auto& map = row.context().options.taxonomy;
  std::string all;
  if (map)
    for (const Taxon& taxon : map->taxa(row.context().database.name(row.hit().subject),
                                        row.context().database.description(row.hit().subject)))
      all.append(all.empty() ? "" : ";").append(of(taxon));
  return all.empty() ? none : all;
}
Taxon first_taxon(BlastRow& row) {
  const auto& map = row.context().options.taxonomy;
  return map ? map->first_taxon(row.context().database.name(row.hit().subject)) : Taxon{};
}
std::string taxon_id(const Taxon& taxon) { return taxon.id == 0 ? not_available : std::to_string(taxon.id); }
std::string taxon_name(const Taxon& taxon) { return taxon.name.empty() ? not_available : taxon.name; }
/// Frames as in BLAST: 0 for the protein of a translated search, 1 or -1 for strands, 1 for both of two proteins.
std::string query_frame(BlastRow& row) {
  return row.context().search.translation.any() ? std::to_string(row.hit().query_frame) : "1";
}
std::string subject_frame(BlastRow& row) {
  if (row.context().search.translation.any()) return std::to_string(row.hit().subject_frame);
  return row.hit().minus ? "-1" : "1";
}
std::string subject_strand(BlastRow& row) { return !row.context().dna() ? "N/A" : row.hit().minus ? "minus" : "plus"; }

/// A column under BLAST's name for it, and under its title in the header of outfmt 7.
struct BlastColumn {
  const char* name;
  const char* title;
  std::string (*text)(BlastRow& row);
};

constexpr BlastColumn all_columns[] = {
    {"qseqid", "query id", query_name},
    {"qacc", "query acc.", query_name},
    {"qaccver", "query acc.ver", query_name},
    {"qlen", "query length", [](BlastRow& row) { return std::to_string(row.query().codes.size()); }},
    {"sseqid", "subject id", subject_name},
    {"sallseqid", "subject ids", all_subject_names},
    {"sacc", "subject acc.", subject_name},
    {"saccver", "subject acc.ver", subject_name},
    {"sallacc", "subject accs.", all_subject_names},
    {"slen", "subject length",
     [](BlastRow& row) { return std::to_string(row.context().database.length(row.hit().subject)); }},
    {"qstart", "q. start", [](BlastRow& row) { return std::to_string(row.coordinates().query_start); }},
    {"qend", "q. end", [](BlastRow& row) { return std::to_string(row.coordinates().query_end); }},
    {"sstart", "s. start", [](BlastRow& row) { return std::to_string(row.coordinates().subject_start); }},
    {"send", "s. end", [](BlastRow& row) { return std::to_string(row.coordinates().subject_end); }},
    {"qseq", "query seq", [](BlastRow& row) { return row.rows().query; }},
    {"sseq", "subject seq", [](BlastRow& row) { return row.rows().subject; }},
    {"evalue", "evalue", [](BlastRow& row) { return blast_table_evalue(row.hit().evalue); }},
    {"bitscore", "bit score", [](BlastRow& row) { return blast_bits(row.hit().bits); }},
    {"score", "score", [](BlastRow& row) { return std::to_string(row.hit().score); }},
    {"length", "alignment length", [](BlastRow& row) { return std::to_string(row.alignment().columns()); }},
    {"pident", "% identity",
     [](BlastRow& row) { return percent(row.alignment().identities, row.alignment().columns()); }},
    {"nident", "identical", [](BlastRow& row) { return std::to_string(row.alignment().identities); }},
    {"mismatch", "mismatches",
     [](BlastRow& row) {
       const Alignment& found = row.alignment();
       return std::to_string(found.columns() - found.identities - gap_letters(found));
     }},
    {"positive", "positives", [](BlastRow& row) { return std::to_string(row.positives()); }},
    {"gapopen", "gap opens", [](BlastRow& row) { return std::to_string(row.alignment().gap_opens); }},
    {"gaps", "gaps", [](BlastRow& row) { return std::to_string(gap_letters(row.alignment())); }},
    {"ppos", "% positives", [](BlastRow& row) { return percent(row.positives(), row.alignment().columns(), 2); }},
    {"frames", "query/sbjct frames", [](BlastRow& row) { return query_frame(row) + "/" + subject_frame(row); }},
    {"qframe", "query frame", query_frame},
    {"sframe", "sbjct frame", subject_frame},
    {"btop", "BTOP", traceback_operations},
    {"stitle", "subject title", [](BlastRow& row) { return row.subject_titles().front(); }},
    {"salltitles", "subject titles", all_subject_titles},
    {"staxid", "subject tax id", [](BlastRow& row) { return taxon_id(first_taxon(row)); }},
    {"ssciname", "subject sci name", [](BlastRow& row) { return taxon_name(first_taxon(row)); }},
    {"staxids", "subject tax ids", [](BlastRow& row) { return all_taxa(row, taxon_id, "0"); }},
    {"sscinames", "subject sci names", [](BlastRow& row) { return all_taxa(row, taxon_name, not_available); }},
    {"sstrand", "subject strand", subject_strand},
    {"qcovs", "% query coverage per subject",
     [](BlastRow& row) { return coverage(row.covered_letters(), row.query().codes.size()); }},
    {"qcovhsp", "% query coverage per hsp",
     [](BlastRow& row) {
       const Alignment& found = row.alignment();
       return coverage(found.query_end - found.query_begin, row.query().codes.size());
     }},
};

/// Splits a list. BLAST separates names by blanks; commas need no quotes. A name between two commas may not be empty.
std::vector<std::string> column_names(std::string_view list) {
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
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    parts.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

void add_columns(std::string_view list, std::vector<const BlastColumn*>& chosen) {
  for (const std::string& name : column_names(list)) {
    if (name == "std") {
      add_columns(default_columns, chosen);
      continue;
    }
    const auto* const found =
        std::ranges::find_if(all_columns, [&](const BlastColumn& column) { return name == column.name; });
    if (found == std::end(all_columns)) {
      std::string known = "std";
      for (const BlastColumn& column : all_columns) known.append(", ").append(column.name);
      throw InputError("columns", {}, in_quotes(name), known);
    }
    chosen.push_back(found);
  }
}

std::vector<const BlastColumn*> columns_of(std::string_view list) {
  std::vector<const BlastColumn*> chosen;
  add_columns(list.empty() ? default_columns : list, chosen);
  return chosen;
}

/// A field of a file of comma-separated values: in quotes if it has a comma, a quote or a line end (RFC 4180).
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

class BlastTable : public HitFormatter::Writer {
 public:
  BlastTable(Format format, FormatContext context)
      : Writer(std::move(context)), format_(format), columns_(columns_of(context_.options.columns)) {}

  void begin(const QueryHits& /*first*/, std::string& /*text*/) override {}

  void add(const QueryHits& query, std::string& text) override {
    ++queries_;
    if (format_ == Format::blast7) add_comments(query, text);
    const bool csv = format_ == Format::csv;
    BlastRow row(context_, query);
    for (const Hit& hit : query.hits) {
      row.set(hit);
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (i > 0) text += csv ? ',' : '\t';
        const std::string field = columns_[i]->text(row);
        text += csv ? csv_field(field) : field;
      }
      text += '\n';
    }
  }

  void finish(std::string& text) override {
    if (format_ == Format::blast7) text += "# BLAST processed " + std::to_string(queries_) + " queries\n";
  }

 private:
  void add_comments(const QueryHits& query, std::string& text) const {
    text += "# " + context_.program() + "\n# Query: " + full_name(query.name, query.description) +
            "\n# Database: " + context_.options.database + "\n";
    if (!query.hits.empty()) {
      text += "# Fields: ";
      for (std::size_t i = 0; i < columns_.size(); ++i) text.append(i > 0 ? ", " : "").append(columns_[i]->title);
      text += '\n';
    }
    text += "# " + std::to_string(query.hits.size()) + " hits found\n";
  }

  Format format_;
  std::vector<const BlastColumn*> columns_;
  std::uint64_t queries_ = 0;
};

class TsvTable : public HitFormatter::Writer {
 public:
  using Writer::Writer;

  void begin(const QueryHits& /*first*/, std::string& text) override {
    text += "query\tsubject\tscore\tbits\tevalue\tquery_length\tsubject_length";
    if (context_.dna()) text += "\tstrand";
    if (context_.search.translation.queries) text += "\tquery_frame";
    if (context_.search.translation.database) text += "\tsubject_frame";
    if (context_.search.align) text += "\tquery_start\tquery_end\tsubject_start\tsubject_end\tidentity\tcigar";
    text += '\n';
  }

  void add(const QueryHits& query, std::string& text) override {
    const Database& database = context_.database;
    const std::string query_length = std::to_string(query.codes.size());
    for (const Hit& hit : query.hits) {
      text.append(or_star(query.name)).append("\t").append(or_star(database.name(hit.subject)));
      text.append("\t").append(std::to_string(hit.score));
      text.append("\t").append(std::isnan(hit.bits) ? "nan" : formatted("%.1f", hit.bits));
      text.append("\t").append(std::isnan(hit.evalue) ? "nan" : formatted("%.3g", hit.evalue));
      text.append("\t").append(query_length).append("\t").append(std::to_string(database.length(hit.subject)));
      if (context_.dna()) text.append(hit.minus ? "\t-" : "\t+");
      if (context_.search.translation.queries) text.append("\t").append(std::to_string(hit.query_frame));
      if (context_.search.translation.database) text.append("\t").append(std::to_string(hit.subject_frame));
      if (context_.search.align) add_alignment(query, hit, text);
      text += '\n';
    }
  }

  void finish(std::string& /*text*/) override {}

 private:
  void add_alignment(const QueryHits& query, const Hit& hit, std::string& text) const {
    const HspCoordinates at = context_.coordinates(query, hit);
    for (const std::uint64_t position : {at.query_start, at.query_end, at.subject_start, at.subject_end})
      text.append("\t").append(std::to_string(position));
    text.append("\t").append(percent(hit.alignment->identities, hit.alignment->columns()));
    text.append("\t").append(hit.alignment->cigar(context_.options.match_as_m));
  }
};

}  // namespace

std::vector<std::string> blast_columns(std::string_view list) {
  std::vector<std::string> names;
  for (const BlastColumn* const column : columns_of(list)) names.emplace_back(column->name);
  return names;
}

std::unique_ptr<HitFormatter::Writer> make_table_writer(Format format, FormatContext context) {
  if (format == Format::tsv) return std::make_unique<TsvTable>(std::move(context));
  return std::make_unique<BlastTable>(format, std::move(context));
}

}  // namespace genocl::align
