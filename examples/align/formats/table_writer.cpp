// Our own table.
#include "align/formats/lines.hpp"
#include "align/formats/result_writer.hpp"
#include "align/numbers.hpp"
#include "genocl/io/output_file.hpp"

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

}  // namespace program
