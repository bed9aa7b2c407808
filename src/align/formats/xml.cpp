// Format xml: BLAST's outfmt 5, by its document type NCBI BlastOutput.
#include <algorithm>
#include <cmath>
#include <string>

#include "align/formats/format_writer.hpp"
#include "align/search/searcher_state.hpp"
#include "genocl/json.hpp"

namespace genocl::align {
namespace {

/// Text of an element. XML has no control characters: they become blanks. Bytes that are not UTF-8 are read as Latin-1.
std::string xml_escaped(std::string_view text) {
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

/// Six significant digits; "nan" if unknown.
std::string xml_number(double number) { return std::isnan(number) ? "nan" : formatted("%.6g", number); }

class XmlWriter : public HitFormatter::Writer {
 public:
  using Writer::Writer;

  void begin(const QueryHits& first, std::string& text) override {
    write_head(first);
    flush(text);
  }

  void add(const QueryHits& query, std::string& text) override {
    ++queries_;
    text_ += "<Iteration>\n";
    element(2, "Iteration_iter-num", queries_);
    element(2, "Iteration_query-ID", "Query_" + std::to_string(queries_));
    element(2, "Iteration_query-def", query_title(query));
    element(2, "Iteration_query-len", query.codes.size());
    text_ += "<Iteration_hits>\n";
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < query.hits.size();) {
      std::size_t end = i + 1;
      while (end < query.hits.size() && query.hits[end].subject == query.hits[i].subject) ++end;
      write_subject(query, query.hits.subspan(i, end - i), ++number);
      i = end;
    }
    text_ += "</Iteration_hits>\n";
    write_statistics(query);
    if (query.hits.empty()) element(2, "Iteration_message", "No hits found");
    text_ += "</Iteration>\n";
    flush(text);
  }

  void finish(std::string& text) override { text += "</BlastOutput_iterations>\n</BlastOutput>\n\n"; }

 private:
  void element(std::size_t depth, const char* name, std::string_view value) {
    text_.append(depth, ' ').append("<").append(name).append(">").append(xml_escaped(value));
    text_.append("</").append(name).append(">\n");
  }
  void element(std::size_t depth, const char* name, std::uint64_t value) {
    element(depth, name, std::to_string(value));
  }

  const char* program_name() const {
    const Translation& translation = context_.search.translation;
    if (translation.queries) return translation.database ? "tblastx" : "blastx";
    return translation.database ? "tblastn" : context_.dna() ? "blastn" : "blastp";
  }
  /// In this format, BLAST prints the positions of frames in ascending order.
  HspCoordinates xml_coordinates(const QueryHits& query, const Hit& hit) const {
    return context_.search.translation.any()
               ? context_.coordinates(query, hit)
               : blast_coordinates(hit, query.codes.size(), context_.database.length(hit.subject));
  }

  static std::string query_title(const QueryHits& query) {
    const std::string title = full_name(query.name, query.description);
    return title.empty() ? "No definition line" : title;
  }

  /// The program, the parameters, and the first query.
  void write_head(const QueryHits& first) {
    const SearchOptions& search = context_.search;
    text_ +=
        "<?xml version=\"1.0\"?>\n<!DOCTYPE BlastOutput PUBLIC \"-//NCBI//NCBI BlastOutput/EN\" "
        "\"http://www.ncbi.nlm.nih.gov/dtd/NCBI_BlastOutput.dtd\">\n<BlastOutput>\n";
    element(2, "BlastOutput_program", program_name());
    element(2, "BlastOutput_version", context_.program());
    element(2, "BlastOutput_reference", "Smith-Waterman alignments by genocl, in the format of NCBI BLAST");
    element(2, "BlastOutput_db", context_.options.database);
    element(2, "BlastOutput_query-ID", "Query_1");
    element(2, "BlastOutput_query-def", query_title(first));
    element(2, "BlastOutput_query-len", first.codes.size());
    text_ += "  <BlastOutput_param>\n    <Parameters>\n";
    const std::string& matrix = search.matrix.name();
    const bool named = scoring_name(search.matrix) == matrix;
    if (named) element(6, "Parameters_matrix", matrix);
    element(6, "Parameters_expect", search.evalues ? xml_number(search.max_evalue) : "0");
    if (!named) {
      const Code a = dna::encode('A'), c = dna::encode('C');
      element(6, "Parameters_sc-match", std::to_string(search.matrix(a, a)));
      element(6, "Parameters_sc-mismatch", std::to_string(search.matrix(a, c)));
    }
    element(6, "Parameters_gap-open", std::to_string(search.gap.open));
    element(6, "Parameters_gap-extend", std::to_string(search.gap.extend));
    element(6, "Parameters_filter",
            !context_.options.masked_queries  ? "F"
            : search.masking == Masking::hard ? "L;"
                                              : "L;m;");
    text_ += "    </Parameters>\n  </BlastOutput_param>\n<BlastOutput_iterations>\n";
  }

  /// One subject with its alignments, best first.
  void write_subject(const QueryHits& query, std::span<const Hit> hits, std::uint64_t number) {
    const Database& database = context_.database;
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
    for (std::size_t i = 0; i < hits.size(); ++i) write_alignment(query, hits[i], i + 1);
    text_ += "  </Hit_hsps>\n</Hit>\n";
  }

  void write_alignment(const QueryHits& query, const Hit& hit, std::uint64_t number) {
    const Alignment& found = *hit.alignment;
    const AlignedRows rows = context_.rows(query, hit);
    const HspCoordinates at = xml_coordinates(query, hit);
    const auto similar = static_cast<std::uint64_t>(std::ranges::count(rows.middle, '+'));
    text_ += "    <Hsp>\n";
    element(6, "Hsp_num", number);
    element(6, "Hsp_bit-score", xml_number(hit.bits));
    element(6, "Hsp_score", std::to_string(hit.score));
    element(6, "Hsp_evalue", xml_number(hit.evalue));
    element(6, "Hsp_query-from", at.query_start);
    element(6, "Hsp_query-to", at.query_end);
    element(6, "Hsp_hit-from", at.subject_start);
    element(6, "Hsp_hit-to", at.subject_end);
    element(6, "Hsp_query-frame", context_.dna() ? "1" : std::to_string(hit.query_frame));
    element(6, "Hsp_hit-frame", !context_.dna() ? std::to_string(hit.subject_frame) : hit.minus ? "-1" : "1");
    element(6, "Hsp_identity", found.identities);
    element(6, "Hsp_positive", found.identities + similar);
    element(6, "Hsp_gaps", gap_letters(found));
    element(6, "Hsp_align-len", found.columns());
    element(6, "Hsp_qseq", rows.query);
    element(6, "Hsp_hseq", rows.subject);
    element(6, "Hsp_midline", rows.middle);
    text_ += "    </Hsp>\n";
  }

  void write_statistics(const QueryHits& query) {
    const DatabaseSize size = context_.database.whole();
    text_ += "  <Iteration_stat>\n    <Statistics>\n";
    element(6, "Statistics_db-num", size.sequences);
    element(6, "Statistics_db-len", size.residues);
    const auto& statistics = context_.statistics;
    std::string length = "0", space = "0", k = "0", lambda = "0", entropy = "0";
    const std::uint64_t letters = context_.effective_query_length(query.codes.size());
    if (statistics && letters > 0) {
      const Significance significance(*statistics, letters, searched_size(context_.search, size),
                                      context_.search.edge_correction, searched_sizes(context_.search));
      length = std::to_string(significance.length_adjustment());
      space = std::to_string(std::llround(significance.search_space()));
      k = xml_number(statistics->k);
      lambda = xml_number(statistics->lambda);
      entropy = xml_number(statistics->h);
    }
    element(6, "Statistics_hsp-len", length);
    element(6, "Statistics_eff-space", space);
    element(6, "Statistics_kappa", k);
    element(6, "Statistics_lambda", lambda);
    element(6, "Statistics_entropy", entropy);
    text_ += "    </Statistics>\n  </Iteration_stat>\n";
  }

  void flush(std::string& text) {
    text += text_;
    text_.clear();
  }

  std::string text_;
  std::uint64_t queries_ = 0;
};

}  // namespace

std::unique_ptr<HitFormatter::Writer> make_xml_writer(FormatContext context) {
  return std::make_unique<XmlWriter>(std::move(context));
}

}  // namespace genocl::align
