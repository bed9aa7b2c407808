// SAM and BAM: the subjects are the references, the queries the reads. DNA has its letters; of proteins SEQ is '*',
// since what reads SAM takes it for DNA and would turn most amino acids into N without a word.
#include <cmath>

#include "align/formats/result_writer.hpp"
#include "align/numbers.hpp"
#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

using genocl::io::AlignmentRecord;
using genocl::io::AlignmentTag;
using genocl::io::cigar_run;

constexpr std::uint8_t no_mapping_quality = 255;

genocl::io::AlignmentHeader header_of(const Context& context, std::vector<std::int32_t>& reference_of) {
  genocl::io::AlignmentHeader header;
  const align::Database& database = context.database;
  reference_of.assign(database.size(), -1);
  for (std::size_t number = 0; number < database.size(); ++number) {
    if (database.length(number) == 0) continue;  // SAM has none of them, and nothing is found in them
    reference_of[number] = static_cast<std::int32_t>(header.references.size());
    header.references.push_back({std::string(database.name(number)), database.length(number)});
  }
  header.program = "genocl-align";
  header.program_version = GENOCL_VERSION;
  header.command_line = context.settings.command_line;
  const Scoring& scoring = context.scoring;
  header.comments.push_back("scoring: " + scoring.name + "; " + scoring.gap_text());
  header.comments.push_back(scoring.statistics ? "AS: score; BS: bit score; EV: E-value"
                                               : "AS: score; no E-values are known for this scoring");
  return header;
}

class SamWriter : public ResultWriter {
 public:
  explicit SamWriter(const Context& context)
      : context_(context), writer_(make(context, reference_of_)), formatter_(writer_.formatter()) {}

  void write(const Result& result) override {
    AlignmentRecord record;
    record.name = result.name;
    if (context_.dna()) {
      record.codes = result.codes;
      record.quality = result.quality;
    }
    if (result.hits.empty()) formatter_.add(record);
    for (std::size_t i = 0; i < result.hits.size(); ++i) add(result, i, record);
    text_ = formatter_.take(std::move(text_));
    writer_.append(text_);
  }

  void finish() override { writer_.commit(); }

 private:
  static genocl::io::AlignmentWriter make(const Context& context, std::vector<std::int32_t>& reference_of) {
    const auto format = context.settings.chosen_format() == Format::bam ? genocl::io::AlignmentFormat::bam
                                                                        : genocl::io::AlignmentFormat::sam;
    try {
      return {context.settings.output, header_of(context, reference_of), {.format = format}};
    } catch (const genocl::InputError& error) {  // a name that SAM does not allow: it does not know whose
      if (!error.file().empty()) throw;
      throw genocl::InputError(context.settings.subjects.front(), error.where(), error.wrong(), error.expected());
    }
  }

  void add(const Result& result, std::size_t i, AlignmentRecord record) {
    const align::Hit& hit = result.hits[i];
    const align::Alignment& found = *hit.alignment;
    record.flag = static_cast<std::uint16_t>((hit.minus ? AlignmentRecord::reverse : 0) |
                                             (i > 0 ? AlignmentRecord::secondary : 0));
    record.reference = reference_of_[hit.subject];
    record.position = static_cast<std::int64_t>(found.subject_begin);
    record.mapping_quality = no_mapping_quality;
    set_cigar(found, result.codes.size());
    record.cigar = cigar_;
    const std::uint64_t mismatches = found.columns() - found.identities - gap_letters(found);
    tags_ = {{"AS", std::int64_t{hit.score}},
             {"NM", static_cast<std::int64_t>(mismatches + gap_letters(found))},
             {"NH", static_cast<std::int64_t>(result.hits.size())},
             {"HI", static_cast<std::int64_t>(i + 1)}};
    if (!std::isnan(hit.evalue)) {
      tags_.emplace_back("BS", hit.bits);
      tags_.emplace_back("EV", hit.evalue);
    }
    record.tags = tags_;
    formatter_.add(record);
  }

  /// Alignment and CIGAR are both of the strand that is aligned.
  void set_cigar(const align::Alignment& found, std::uint64_t query_length) {
    cigar_.clear();
    const auto clip = [&](std::uint64_t letters) {
      if (letters > 0) cigar_.push_back(cigar_run(static_cast<std::uint32_t>(letters), 'S'));
    };
    clip(found.query_begin);
    const bool as_m = context_.settings.match_as_m();
    std::uint32_t matches = 0;  // of the run of M that is not written yet
    const auto flush = [&] {
      if (matches > 0) cigar_.push_back(cigar_run(matches, 'M'));
      matches = 0;
    };
    for (const align::EditRun& run : found.runs) {
      if (as_m && (run.operation == '=' || run.operation == 'X')) {
        matches += run.length;
        continue;
      }
      flush();
      cigar_.push_back(cigar_run(run.length, run.operation));
    }
    flush();
    clip(query_length - found.query_end);
  }

  Context context_;
  std::vector<std::int32_t> reference_of_;  ///< [subject]
  genocl::io::AlignmentWriter writer_;
  genocl::io::AlignmentFormatter formatter_;
  std::vector<std::uint32_t> cigar_;
  std::vector<AlignmentTag> tags_;
  std::string text_;
};

}  // namespace

std::unique_ptr<ResultWriter> make_sam_writer(const Context& context) { return std::make_unique<SamWriter>(context); }

}  // namespace program
