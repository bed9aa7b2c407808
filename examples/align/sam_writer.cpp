// SAM and BAM: the subjects are the references, the queries the reads. DNA has its letters; of proteins SEQ is '*',
// since what reads SAM takes it for DNA and would turn most amino acids into N without a word.
#include <cmath>
#include <unordered_set>

#include "align/result_writer.hpp"
#include "align/subjects.hpp"
#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

using genocl::io::AlignmentRecord;
using genocl::io::AlignmentTag;
using genocl::io::cigar_run;

constexpr std::uint8_t no_mapping_quality = 255;

constexpr std::size_t longest_name = 254;

/// A subject's name in SAM: its first word, at most 254 bytes, without the bytes that SAM does not allow.
std::string reference_name(std::string_view name) {
  const std::string legal = genocl::io::reference_name(first_id(name).substr(0, longest_name));
  return legal.empty() ? "_" : legal;
}

/// A query's name in SAM.
std::string query_name(std::string_view name) {
  std::string legal(name.substr(0, longest_name));
  for (char& c : legal)
    if (c <= ' ' || c >= 0x7f || c == '@') c = '_';
  return legal;
}

/// Gives each name once: the second of a name gets "_2".
class ReferenceNames {
 public:
  ReferenceNames(std::string file, Repairs& repairs) : file_(std::move(file)), repairs_(repairs) {}

  std::string add(std::string_view name, std::size_t number) {
    std::string unique = reference_name(name);
    for (std::size_t copy = 2; !names_.insert(unique).second; ++copy) {
      const std::string suffix = "_" + std::to_string(copy);
      unique = reference_name(name).substr(0, longest_name - suffix.size()) + suffix;
    }
    if (unique != first_id(name))
      repairs_.add("names were changed for SAM of",
                   genocl::InputError(file_, "sequence " + std::to_string(number + 1),
                                      "the name " + genocl::in_quotes(std::string(name)) + " is " +
                                          genocl::in_quotes(unique) + " in SAM"));
    return unique;
  }

 private:
  std::string file_;
  Repairs& repairs_;
  std::unordered_set<std::string> names_;
};

genocl::io::AlignmentHeader header_of(const Context& context, std::vector<std::int32_t>& reference_of) {
  genocl::io::AlignmentHeader header;
  const align::Database& database = context.database;
  const std::string file = name_of(context.settings.subjects);
  Repairs repairs(context.settings.making.strict);
  ReferenceNames names(file, repairs);
  reference_of.assign(database.size(), -1);
  for (std::size_t number = 0; number < database.size(); ++number) {
    if (database.length(number) == 0) continue;  // SAM has none of them, and nothing is found in them
    reference_of[number] = static_cast<std::int32_t>(header.references.size());
    header.references.push_back({names.add(database.name(number), number), database.length(number)});
  }
  repairs.finish(file, database.size());
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
  SamWriter(const Context& context, genocl::io::AlignmentFormat format)
      : context_(context),
        repairs_(context.settings.making.strict),
        writer_(make(context, format, reference_of_)),
        formatter_(writer_.formatter()) {}

  void write(const Result& result) override {
    AlignmentRecord record;
    const std::string name = query_name(result.name);
    ++queries_;
    if (name != result.name)
      repairs_.add("names were changed for SAM of",
                   genocl::InputError(context_.settings.queries, "record " + std::to_string(queries_),
                                      "the name " + genocl::in_quotes(std::string(result.name)) + " is " +
                                          genocl::in_quotes(name) + " in SAM"));
    record.name = name;
    if (context_.dna()) {
      record.codes = result.codes;
      record.quality = result.quality;
    }
    if (result.hits.empty()) formatter_.add(record);
    for (std::size_t i = 0; i < result.hits.size(); ++i) add(result, i, record);
    text_ = formatter_.take(std::move(text_));
    writer_.append(text_);
  }

  void finish() override {
    writer_.commit();
    repairs_.finish(context_.settings.queries, queries_);
  }

 private:
  static genocl::io::AlignmentWriter make(const Context& context, genocl::io::AlignmentFormat format,
                                          std::vector<std::int32_t>& reference_of) {
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
    const std::uint64_t unknown = set_cigar(hit, result.codes);
    record.cigar = cigar_;
    const std::uint64_t mismatches = found.columns() - found.identities - gap_letters(found) + unknown;
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

  /// Alignment and CIGAR are both of the strand that is aligned. N over N is a mismatch, as samtools calmd has it;
  /// returns their number.
  std::uint64_t set_cigar(const align::Hit& hit, std::span<const genocl::Code> query) {
    const align::Alignment& found = *hit.alignment;
    cigar_.clear();
    const auto add = [&](std::uint64_t letters, char operation) {
      if (letters == 0) return;
      if (context_.settings.match_as_m() && (operation == '=' || operation == 'X')) operation = 'M';
      if (!cigar_.empty() && last_ == operation) {
        letters += run_;
        cigar_.pop_back();
      }
      cigar_.push_back(cigar_run(static_cast<std::uint32_t>(letters), operation));
      last_ = operation;
      run_ = letters;
    };
    const std::span<const genocl::Code> subject = context_.database.sequence(hit.subject);
    const auto is_unknown = [&](std::uint64_t i, std::uint64_t j) {
      return subject[j] == genocl::dna::unknown && query[hit.minus ? query.size() - 1 - i : i] == genocl::dna::unknown;
    };
    std::uint64_t i = found.query_begin, j = found.subject_begin, unknown = 0;
    add(i, 'S');
    for (const align::EditRun& run : found.runs) {
      if (run.operation == '=' && context_.dna()) {
        for (std::uint32_t k = 0; k < run.length; ++k) {
          const bool one = is_unknown(i + k, j + k);
          unknown += one ? 1 : 0;
          add(1, one ? 'X' : '=');
        }
      } else {
        add(run.length, run.operation);
      }
      i += run.operation == 'D' ? 0 : run.length;
      j += run.operation == 'I' ? 0 : run.length;
    }
    add(query.size() - found.query_end, 'S');
    return unknown;
  }

  Context context_;
  Repairs repairs_;
  std::uint64_t queries_ = 0;
  std::vector<std::int32_t> reference_of_;  ///< [subject]
  genocl::io::AlignmentWriter writer_;
  genocl::io::AlignmentFormatter formatter_;
  std::vector<std::uint32_t> cigar_;
  char last_ = 0;          ///< operation of its last run
  std::uint64_t run_ = 0;  ///< and length
  std::vector<AlignmentTag> tags_;
  std::string text_;
};

}  // namespace

std::unique_ptr<ResultWriter> make_sam_writer(const Context& context) {
  return std::make_unique<SamWriter>(context, genocl::io::AlignmentFormat::sam);
}

std::unique_ptr<ResultWriter> make_bam_writer(const Context& context) {
  return std::make_unique<SamWriter>(context, genocl::io::AlignmentFormat::bam);
}

}  // namespace program
