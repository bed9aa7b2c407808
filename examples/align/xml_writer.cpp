// Format xml: BLAST's outfmt 5, by its document type NCBI BlastOutput.
#include <algorithm>
#include <cmath>
#include <string>

#include "align/result_writer.hpp"
#include "align/subjects.hpp"
#include "genocl/json.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

/// Text of an element. XML has no control characters: they become blanks. Bytes that are not UTF-8 are read as Latin-1.
std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (size == 0)
      result += "&#" + std::to_string(unsigned{first}) + ";";
    else if (first < 0x20 || first == 0x7f)
      result += ' ';
    else if (first == '&')
      result += "&amp;";
    else if (first == '<')
      result += "&lt;";
    else if (first == '>')
      result += "&gt;";
    else if (first == '"')
      result += "&quot;";
    else
      result += text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

class XmlWriter : public ResultWriter {
 public:
  explicit XmlWriter(const Context& context) : context_(context), out_(context.settings.output) {}

  void write(const Result& result) override {
    if (queries_++ == 0) write_head(result);
    text_ += "<Iteration>\n";
    element(2, "Iteration_iter-num", queries_);
    element(2, "Iteration_query-ID", "Query_" + std::to_string(queries_));
    element(2, "Iteration_query-def", query_title(result));
    element(2, "Iteration_query-len", result.codes.size());
    text_ += "<Iteration_hits>\n";
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < result.hits.size();) {
      std::size_t end = i + 1;
      while (end < result.hits.size() && result.hits[end].subject == result.hits[i].subject) ++end;
      write_subject(result, result.hits.subspan(i, end - i), ++number);
      i = end;
    }
    text_ += "</Iteration_hits>\n";
    write_statistics(result);
    if (result.hits.empty()) element(2, "Iteration_message", "No hits found");
    text_ += "</Iteration>\n";
    flush();
  }

  void finish() override {
    if (queries_ == 0) write_head({});
    text_ += "</BlastOutput_iterations>\n</BlastOutput>\n\n";
    flush();
    out_.commit();
  }

 private:
  void element(std::size_t depth, const char* name, std::string_view value) {
    text_.append(depth, ' ').append("<").append(name).append(">").append(escaped(value));
    text_.append("</").append(name).append(">\n");
  }
  void element(std::size_t depth, const char* name, std::uint64_t value) {
    element(depth, name, std::to_string(value));
  }

  static std::string query_title(const Result& result) {
    const std::string title = full_name(result.name, result.description);
    return title.empty() ? "No definition line" : title;
  }

  /// The program, the parameters, and the first query.
  void write_head(const Result& first) {
    const SearchSettings& settings = context_.settings;
    const Scoring& scoring = context_.scoring;
    text_ +=
        "<?xml version=\"1.0\"?>\n<!DOCTYPE BlastOutput PUBLIC \"-//NCBI//NCBI BlastOutput/EN\" "
        "\"http://www.ncbi.nlm.nih.gov/dtd/NCBI_BlastOutput.dtd\">\n<BlastOutput>\n";
    element(2, "BlastOutput_program", context_.dna() ? "blastn" : "blastp");
    element(2, "BlastOutput_version", "genocl-align " GENOCL_VERSION);
    element(2, "BlastOutput_reference", "Smith-Waterman alignments by genocl, in the format of NCBI BLAST");
    element(2, "BlastOutput_db", name_of(settings.subjects));
    element(2, "BlastOutput_query-ID", "Query_1");
    element(2, "BlastOutput_query-def", query_title(first));
    element(2, "BlastOutput_query-len", first.codes.size());
    text_ += "  <BlastOutput_param>\n    <Parameters>\n";
    const bool named = !context_.dna() || !settings.scoring.matrix.empty();
    if (named) element(6, "Parameters_matrix", scoring.name);
    element(6, "Parameters_expect", settings.no_evalue ? "0" : blast_xml_number(settings.evalue.value_or(10)));
    if (!named) {
      element(6, "Parameters_sc-match", std::to_string(settings.scoring.match.value_or(2)));
      element(6, "Parameters_sc-mismatch", std::to_string(settings.scoring.mismatch.value_or(-3)));
    }
    element(6, "Parameters_gap-open", std::to_string(scoring.gap.open));
    element(6, "Parameters_gap-extend", std::to_string(scoring.gap.extend));
    element(6, "Parameters_filter", settings.mask == "none" ? "F" : settings.mask_hard ? "L;" : "L;m;");
    text_ += "    </Parameters>\n  </BlastOutput_param>\n<BlastOutput_iterations>\n";
  }

  /// One subject with its alignments, best first.
  void write_subject(const Result& result, std::span<const align::Hit> hits, std::uint64_t number) {
    const align::Database& database = context_.database;
    const std::uint64_t subject = hits.front().subject;
    // The first title without its name, as with identifiers that BLAST has parsed.
    const std::string id(or_star(first_id(database.name(subject))));
    std::string title;
    for (const std::string& one : titles(database.name(subject), database.description(subject)))
      title.append(title.empty() ? "" : " >").append(one);
    if (title.starts_with(id)) title.erase(0, std::min(title.size(), id.size() + 1));
    text_ += "<Hit>\n";
    element(2, "Hit_num", number);
    element(2, "Hit_id", id);
    element(2, "Hit_def", title.empty() ? "No definition line" : title);
    element(2, "Hit_accession", id);
    element(2, "Hit_len", database.length(subject));
    text_ += "  <Hit_hsps>\n";
    for (std::size_t i = 0; i < hits.size(); ++i) write_alignment(result, hits[i], i + 1);
    text_ += "  </Hit_hsps>\n</Hit>\n";
  }

  void write_alignment(const Result& result, const align::Hit& hit, std::uint64_t number) {
    const align::Alignment& found = *hit.alignment;
    const AlignedRows rows = rows_of(context_, hit, result.codes);
    const Place place = blast_place_of(hit, result.codes.size());
    const auto similar = static_cast<std::uint64_t>(std::ranges::count(rows.middle, '+'));
    text_ += "    <Hsp>\n";
    element(6, "Hsp_num", number);
    element(6, "Hsp_bit-score", blast_xml_number(hit.bits));
    element(6, "Hsp_score", std::to_string(hit.score));
    element(6, "Hsp_evalue", blast_xml_number(hit.evalue));
    element(6, "Hsp_query-from", place.query_start);
    element(6, "Hsp_query-to", place.query_end);
    element(6, "Hsp_hit-from", place.subject_start);
    element(6, "Hsp_hit-to", place.subject_end);
    element(6, "Hsp_query-frame", context_.dna() ? "1" : "0");
    element(6, "Hsp_hit-frame", !context_.dna() ? "0" : hit.minus ? "-1" : "1");
    element(6, "Hsp_identity", found.identities);
    element(6, "Hsp_positive", found.identities + similar);
    element(6, "Hsp_gaps", gap_letters(found));
    element(6, "Hsp_align-len", found.columns());
    element(6, "Hsp_qseq", rows.query);
    element(6, "Hsp_hseq", rows.subject);
    element(6, "Hsp_midline", rows.middle);
    text_ += "    </Hsp>\n";
  }

  void write_statistics(const Result& result) {
    const align::DatabaseSize size = context_.database.whole();
    text_ += "  <Iteration_stat>\n    <Statistics>\n";
    element(6, "Statistics_db-num", size.sequences);
    element(6, "Statistics_db-len", size.residues);
    const auto& statistics = context_.scoring.statistics;
    std::string length = "0", space = "0", k = "0", lambda = "0", entropy = "0";
    if (statistics && !result.codes.empty()) {
      const align::Significance significance(*statistics, result.codes.size(), size, context_.scoring.edge_correction);
      length = std::to_string(significance.length_adjustment());
      space = std::to_string(std::llround(significance.search_space()));
      k = blast_xml_number(statistics->k);
      lambda = blast_xml_number(statistics->lambda);
      entropy = blast_xml_number(statistics->h);
    }
    element(6, "Statistics_hsp-len", length);
    element(6, "Statistics_eff-space", space);
    element(6, "Statistics_kappa", k);
    element(6, "Statistics_lambda", lambda);
    element(6, "Statistics_entropy", entropy);
    text_ += "    </Statistics>\n  </Iteration_stat>\n";
  }

  void flush() {
    out_.write(text_);
    text_.clear();
  }

  Context context_;
  genocl::io::OutputFile out_;
  std::string text_;
  std::uint64_t queries_ = 0;
};

}  // namespace

std::unique_ptr<ResultWriter> make_xml_writer(const Context& context) { return std::make_unique<XmlWriter>(context); }

}  // namespace program
