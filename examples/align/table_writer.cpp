// Formats tsv and json.

#include <cmath>
#include <cstdio>

#include "align/result_writer.hpp"
#include "align/subjects.hpp"
#include "genocl/json.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

class TableWriter : public ResultWriter {
 public:
  explicit TableWriter(const Context& context) : context_(context), out_(context.settings.output) {
    std::string header = "query\tsubject\tscore\tbits\tevalue\tquery_length\tsubject_length";
    if (context.dna()) header += "\tstrand";
    if (context.settings.align) header += "\tquery_start\tquery_end\tsubject_start\tsubject_end\tidentity\tcigar";
    out_.write(header + "\n");
  }

  void write(const Result& result) override {
    const align::Database& database = context_.database;
    for (const align::Hit& hit : result.hits) {
      lines_.field(or_star(result.name));
      lines_.field(or_star(database.name(hit.subject)));
      lines_.field(static_cast<std::uint64_t>(hit.score));
      lines_.field(bits_text(hit.bits));
      lines_.field(evalue_text(hit.evalue));
      lines_.field(result.codes.size());
      lines_.field(database.length(hit.subject));
      if (context_.dna()) lines_.field(hit.minus ? "-" : "+");
      if (context_.settings.align) {
        const Place place = place_of(hit, result.codes.size());
        for (const std::uint64_t position :
             {place.query_start, place.query_end, place.subject_start, place.subject_end})
          lines_.field(position);
        lines_.field(percent(hit.alignment->identities, hit.alignment->columns()));
        lines_.field(hit.alignment->cigar(context_.settings.match_as_m()));
      }
      lines_.end();
    }
    out_.write(lines_.text());
    lines_.clear();
  }

  void finish() override { out_.commit(); }

 private:
  Context context_;
  genocl::io::OutputFile out_;
  Lines lines_;
};

}  // namespace

std::unique_ptr<ResultWriter> make_table_writer(const Context& context) {
  return std::make_unique<TableWriter>(context);
}

namespace {

std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// The members of an object, in order.
class Object {
 public:
  Object& add(std::string_view name, const std::string& json) {
    text_.append(text_.empty() ? "{" : ",").append("\"").append(name).append("\":").append(json);
    return *this;
  }
  Object& add(std::string_view name, std::uint64_t value) { return add(name, std::to_string(value)); }
  std::string text() const { return text_ + "}"; }

 private:
  std::string text_;
};

class JsonWriter : public ResultWriter {
 public:
  explicit JsonWriter(const Context& context) : context_(context), out_(context.settings.output) {
    const Scoring& scoring = context.scoring;
    const align::DatabaseSize size = context.database.whole();
    Object database, gap, gap_first, statistics;
    database.add("name", json_string(name_of(context.settings.subjects)))
        .add("alphabet", json_string(to_string(context.alphabet())))
        .add("sequences", size.sequences)
        .add("residues", size.residues);
    gap.add("open", static_cast<std::uint64_t>(scoring.gap.open))
        .add("extend", static_cast<std::uint64_t>(scoring.gap.extend));
    gap_first.add("first", static_cast<std::uint64_t>(scoring.gap.first()))
        .add("further", static_cast<std::uint64_t>(scoring.gap.extend));
    if (scoring.statistics)
      statistics.add("lambda", number(scoring.statistics->lambda))
          .add("k", number(scoring.statistics->k))
          .add("h", number(scoring.statistics->h))
          .add("correction", json_string(scoring.correction_name()));
    out_.write("{\"program\":\"genocl-align\",\"version\":" + json_string(GENOCL_VERSION) +
               ",\"database\":" + database.text() + ",\"scoring\":" + json_string(scoring.name) +
               ",\"gap_penalties\":{\"ncbi\":" + gap.text() + ",\"first\":" + gap_first.text() +
               "},\"statistics\":" + (scoring.statistics ? statistics.text() : "null") + ",\"queries\":[");
  }

  void write(const Result& result) override {
    std::string hits;
    for (const align::Hit& hit : result.hits) hits.append(hits.empty() ? "" : ",").append(hit_text(result, hit));
    Object query;
    query.add("name", json_string(result.name))
        .add("description", json_string(result.description))
        .add("length", result.codes.size())
        .add("hits", "[" + hits + "]");
    out_.write((first_ ? "\n" : ",\n") + query.text());
    first_ = false;
  }

  void finish() override {
    out_.write("\n]}\n");
    out_.commit();
  }

 private:
  std::string hit_text(const Result& result, const align::Hit& hit) const {
    const align::Database& database = context_.database;
    Object object;
    object.add("subject", json_string(database.name(hit.subject)))
        .add("description", json_string(database.description(hit.subject)))
        .add("number", hit.subject + 1)
        .add("length", database.length(hit.subject))
        .add("score", static_cast<std::uint64_t>(hit.score))
        .add("bits", number(hit.bits))
        .add("evalue", number(hit.evalue));
    if (context_.dna()) object.add("strand", hit.minus ? "\"-\"" : "\"+\"");
    if (!hit.alignment) return object.text();
    const align::Alignment& found = *hit.alignment;
    const Place place = place_of(hit, result.codes.size());
    Object alignment;
    alignment.add("hsp", hit.hsp + 1)
        .add("query_start", place.query_start)
        .add("query_end", place.query_end)
        .add("subject_start", place.subject_start)
        .add("subject_end", place.subject_end)
        .add("columns", found.columns())
        .add("identities", found.identities)
        .add("positives", found.positives)
        .add("gap_opens", found.gap_opens)
        .add("gap_letters", gap_letters(found))
        .add("cigar", json_string(found.cigar(context_.settings.match_as_m())));
    return object.add("alignment", alignment.text()).text();
  }

  Context context_;
  genocl::io::OutputFile out_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<ResultWriter> make_json_writer(const Context& context) { return std::make_unique<JsonWriter>(context); }

}  // namespace program
