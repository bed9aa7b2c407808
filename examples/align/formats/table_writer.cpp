// Tables: our own, and BLAST's outfmt 6.
#include "align/formats/result_writer.hpp"
#include "align/numbers.hpp"
#include "genocl/io/output_file.hpp"

namespace program {
namespace {

/// Puts fields into lines, with tabs between.
class Lines {
 public:
  void field(std::string_view text) {
    if (!first_) text_ += '\t';
    first_ = false;
    text_ += text;
  }
  void field(std::uint64_t number) { field(std::to_string(number)); }
  void end() {
    text_ += '\n';
    first_ = true;
  }
  const std::string& text() const noexcept { return text_; }
  void clear() noexcept { text_.clear(); }

 private:
  std::string text_;
  bool first_ = true;
};

/// The first word of a header line may be missing.
std::string_view or_star(std::string_view name) { return name.empty() ? "*" : name; }

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

/// qseqid sseqid pident length mismatch gapopen qstart qend sstart send evalue bitscore
class Blast6Writer : public ResultWriter {
 public:
  explicit Blast6Writer(const Context& context) : context_(context), out_(context.settings.output) {}

  void write(const Result& result) override {
    for (const align::Hit& hit : result.hits) {
      const align::Alignment& found = *hit.alignment;
      const Place place = place_of(hit, result.codes.size());
      lines_.field(or_star(result.name));
      lines_.field(or_star(context_.database.name(hit.subject)));
      lines_.field(percent(found.identities, found.columns()));
      lines_.field(found.columns());
      lines_.field(found.columns() - found.identities - gap_letters(found));
      lines_.field(found.gap_opens);
      lines_.field(place.query_start);
      lines_.field(place.query_end);
      // It is the subject that BLAST turns.
      lines_.field(hit.minus ? place.subject_end : place.subject_start);
      lines_.field(hit.minus ? place.subject_start : place.subject_end);
      lines_.field(blast_table_evalue(hit.evalue));
      lines_.field(blast_bits(hit.bits));
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
std::unique_ptr<ResultWriter> make_blast6_writer(const Context& context) {
  return std::make_unique<Blast6Writer>(context);
}

std::unique_ptr<ResultWriter> make_writer(const Context& context) {
  switch (context.settings.chosen_format()) {
    case Format::tsv:
      return make_table_writer(context);
    case Format::blast6:
      return make_blast6_writer(context);
    case Format::sam:
    case Format::bam:
      return make_sam_writer(context);
    case Format::pairwise:
      return make_pairwise_writer(context);
    case Format::json:
      break;
  }
  return make_json_writer(context);
}

}  // namespace program
