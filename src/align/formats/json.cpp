// Format json.

#include <cmath>
#include <string>

#include "align/formats/format_writer.hpp"
#include "genocl/json.hpp"

namespace genocl::align {
namespace {

std::string json_number(double value) { return std::isfinite(value) ? formatted("%.6g", value) : "null"; }

/// The members of an object, in order.
class JsonObject {
 public:
  JsonObject& add(std::string_view name, const std::string& json) {
    text_.append(text_.empty() ? "{" : ",").append("\"").append(name).append("\":").append(json);
    return *this;
  }
  JsonObject& add(std::string_view name, std::uint64_t value) { return add(name, std::to_string(value)); }
  std::string text() const { return text_ + "}"; }

 private:
  std::string text_;
};

class JsonWriter : public HitFormatter::Writer {
 public:
  using Writer::Writer;

  void begin(const QueryHits& /*first*/, std::string& text) override {
    const DatabaseSize size = context_.database.whole();
    const GapPenalty& penalty = context_.search.gap;
    JsonObject database, gap, gap_first, statistics;
    database.add("name", json_string(context_.options.database))
        .add("alphabet", json_string(to_string(context_.database.alphabet())))
        .add("sequences", size.sequences)
        .add("residues", size.residues);
    gap.add("open", static_cast<std::uint64_t>(penalty.open)).add("extend", static_cast<std::uint64_t>(penalty.extend));
    gap_first.add("first", static_cast<std::uint64_t>(penalty.first()))
        .add("further", static_cast<std::uint64_t>(penalty.extend));
    if (const auto& known = context_.statistics)
      statistics.add("lambda", json_number(known->lambda))
          .add("k", json_number(known->k))
          .add("h", json_number(known->h))
          .add("correction", json_string(context_.correction()));
    text += "{\"program\":" + json_string(context_.options.program) +
            ",\"version\":" + json_string(context_.options.program_version) + ",\"database\":" + database.text() +
            ",\"scoring\":" + json_string(scoring_name(context_.search.matrix)) +
            ",\"gap_penalties\":{\"ncbi\":" + gap.text() + ",\"first\":" + gap_first.text() +
            "},\"statistics\":" + (context_.statistics ? statistics.text() : "null") + ",\"queries\":[";
  }

  void add(const QueryHits& query, std::string& text) override {
    std::string hits;
    for (const Hit& hit : query.hits) hits.append(hits.empty() ? "" : ",").append(hit_text(query, hit));
    JsonObject object;
    object.add("name", json_string(query.name))
        .add("description", json_string(query.description))
        .add("length", query.codes.size())
        .add("hits", "[" + hits + "]");
    text.append(first_ ? "\n" : ",\n").append(object.text());
    first_ = false;
  }

  void finish(std::string& text) override { text += "\n]}\n"; }

 private:
  std::string hit_text(const QueryHits& query, const Hit& hit) const {
    const Database& database = context_.database;
    JsonObject object;
    object.add("subject", json_string(database.name(hit.subject)))
        .add("description", json_string(database.description(hit.subject)))
        .add("number", hit.subject + 1)
        .add("length", database.length(hit.subject))
        .add("score", static_cast<std::uint64_t>(hit.score))
        .add("bits", json_number(hit.bits))
        .add("evalue", json_number(hit.evalue));
    if (context_.dna()) object.add("strand", hit.minus ? "\"-\"" : "\"+\"");
    if (hit.query_frame != 0) object.add("query_frame", std::to_string(hit.query_frame));
    if (hit.subject_frame != 0) object.add("subject_frame", std::to_string(hit.subject_frame));
    if (!hit.alignment) return object.text();
    const Alignment& found = *hit.alignment;
    const HspCoordinates at = context_.coordinates(query, hit);
    JsonObject alignment;
    alignment.add("hsp", hit.hsp + 1)
        .add("query_start", at.query_start)
        .add("query_end", at.query_end)
        .add("subject_start", at.subject_start)
        .add("subject_end", at.subject_end)
        .add("columns", found.columns())
        .add("identities", found.identities)
        .add("positives", found.positives)
        .add("gap_opens", found.gap_opens)
        .add("gap_letters", gap_letters(found))
        .add("cigar", json_string(found.cigar(context_.options.match_as_m)));
    return object.add("alignment", alignment.text()).text();
  }

  bool first_ = true;
};

}  // namespace

std::unique_ptr<HitFormatter::Writer> make_json_writer(FormatContext context) {
  return std::make_unique<JsonWriter>(std::move(context));
}

}  // namespace genocl::align
