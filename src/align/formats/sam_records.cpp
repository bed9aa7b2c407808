// Format sam, and records for BAM: the subjects are the references, the queries the reads.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "align/formats/format_writer.hpp"
#include "genocl/error.hpp"
#include "genocl/sequence/cigar.hpp"

namespace genocl::align {
namespace {

constexpr std::uint8_t unknown_mapping_quality = 255;

/// A subject's name in SAM: its first word, at most 254 bytes, without the bytes that SAM does not allow.
std::string sam_reference_name(std::string_view name) {
  const std::string legal = sam::reference_name(first_id(name).substr(0, sam::Record::max_name));
  return legal.empty() ? "_" : legal;
}

/// A query's name in SAM.
std::string sam_query_name(std::string_view name) {
  std::string legal(name.substr(0, sam::Record::max_name));
  for (char& c : legal)
    if (c <= ' ' || c >= 0x7f || c == '@') c = '_';
  return legal;
}

}  // namespace

struct SamRecords::State {
  explicit State(FormatContext format) : context(std::move(format)) { make_header(); }

  void make_header();
  void report_renamed(const std::string& file, const std::string& where, std::string_view name,
                      std::string_view changed) const {
    if (context.options.renamed && name != changed)
      context.options.renamed(InputError(
          file, where,
          "the name " + in_quotes(std::string(name)) + " is " + in_quotes(std::string(changed)) + " in SAM"));
  }
  void set_alignment(const QueryHits& query, std::size_t i, sam::Record& record);
  std::uint64_t set_cigar(const Hit& hit, std::span<const Code> query);

  FormatContext context;
  sam::Header header;
  std::vector<std::int32_t> reference_of;  ///< [subject]
  std::uint64_t queries = 0;
  Cigar cigar;
  std::vector<std::uint32_t> encoded_cigar;
  std::vector<sam::Tag> tags;
};

void SamRecords::State::make_header() {
  if (context.search.translation.any())
    throw InputError("SAM for a translated search", {}, "has no records of amino acids", "another format");
  const Database& database = context.database;
  const std::string& file = context.options.database;
  const std::size_t size = database.whole().sequences;
  std::unordered_set<std::string> names;
  reference_of.assign(size, -1);
  for (std::size_t number = 0; number < size; ++number) {
    if (database.length(number) == 0) continue;  // not allowed in SAM, and without hits
    std::string name = sam_reference_name(database.name(number));
    for (std::size_t copy = 2; !names.insert(name).second; ++copy) {
      const std::string suffix = "_" + std::to_string(copy);
      name = sam_reference_name(database.name(number)).substr(0, sam::Record::max_name - suffix.size()) + suffix;
    }
    if (name != first_id(database.name(number)))
      report_renamed(file, "sequence " + std::to_string(number + 1), database.name(number), name);
    reference_of[number] = static_cast<std::int32_t>(header.references.size());
    header.references.push_back({std::move(name), database.length(number)});
  }
  header.program = context.options.program;
  header.program_version = context.options.program_version;
  header.command_line = context.options.command_line;
  header.comments.push_back("scoring: " + scoring_name(context.search.matrix) + "; " + gap_text(context.search.gap));
  header.comments.push_back(context.statistics ? "AS: score; BS: bit score; EV: E-value"
                                               : "AS: score; no E-values are known for this scoring");
}

void SamRecords::State::set_alignment(const QueryHits& query, std::size_t i, sam::Record& record) {
  const Hit& hit = query.hits[i];
  const Alignment& found = *hit.alignment;
  record.flag =
      static_cast<std::uint16_t>((hit.minus ? sam::Record::reverse : 0) | (i > 0 ? sam::Record::secondary : 0));
  record.reference = reference_of[hit.subject];
  record.position = static_cast<std::int64_t>(found.subject_begin);
  record.mapping_quality = unknown_mapping_quality;
  const std::uint64_t unknown = set_cigar(hit, query.codes);
  encoded_cigar.clear();
  for (const CigarRun& run : cigar.runs()) encoded_cigar.push_back(run.encoded);
  record.cigar = encoded_cigar;
  tags = {{"AS", std::int64_t{hit.score}},
          {"NM", static_cast<std::int64_t>(found.columns() - found.identities + unknown)},
          {"NH", static_cast<std::int64_t>(query.hits.size())},
          {"HI", static_cast<std::int64_t>(i + 1)}};
  if (!std::isnan(hit.evalue)) {
    tags.emplace_back("BS", hit.bits);
    tags.emplace_back("EV", hit.evalue);
  }
  record.tags = tags;
}

/// Alignment and CIGAR are of the strand that is aligned. Returns the number of columns of N with N, which are
/// mismatches.
std::uint64_t SamRecords::State::set_cigar(const Hit& hit, std::span<const Code> query) {
  const Alignment& found = *hit.alignment;
  const bool merge = context.options.match_as_m;
  cigar.clear();
  const auto add = [&](std::uint64_t letters, char operation) {
    const bool pair = operation == '=' || operation == 'X';
    cigar.append(static_cast<std::uint32_t>(letters), merge && pair ? 'M' : operation);
  };
  const std::span<const Code> subject = context.database.sequence(hit.subject);
  std::uint64_t i = found.query_begin, j = found.subject_begin, unknown = 0;
  add(i, 'S');
  for (const EditRun& run : found.runs) {
    if (run.operation == '=' && context.dna()) {
      for (std::uint32_t k = 0; k < run.length; ++k) {
        // Equal codes: one of them decides.
        const bool is_unknown = subject[j + k] == dna::unknown;
        unknown += is_unknown ? 1 : 0;
        add(1, is_unknown ? 'X' : '=');
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

SamRecords::SamRecords(const Database& database, const SearchOptions& search, const FormatOptions& options)
    : state_(std::make_unique<State>(FormatContext(database, search, options))) {}
SamRecords::SamRecords(SamRecords&&) noexcept = default;
SamRecords& SamRecords::operator=(SamRecords&&) noexcept = default;
SamRecords::~SamRecords() = default;

const sam::Header& SamRecords::header() const noexcept { return state_->header; }

void SamRecords::add(const QueryHits& query, const std::function<void(const sam::Record&)>& sink) {
  State& state = *state_;
  ++state.queries;
  const std::string name = sam_query_name(query.name);
  state.report_renamed(state.context.options.queries, "record " + std::to_string(state.queries), query.name, name);
  sam::Record read;
  read.name = name;
  if (state.context.dna()) {
    read.codes = query.codes;
    read.quality = query.quality;
  }
  if (query.hits.empty()) sink(read);
  for (std::size_t i = 0; i < query.hits.size(); ++i) {
    sam::Record record = read;
    state.set_alignment(query, i, record);
    sink(record);
  }
}

namespace {

class SamText : public HitFormatter::Writer {
 public:
  explicit SamText(const FormatContext& context)
      : Writer(context), records_(context.database, context.search, context.options), lines_(records_.header()) {
    try {
      sam::check_header(records_.header());
    } catch (const InputError& error) {
      throw InputError(context.options.database, error.where(), error.wrong(), error.expected());
    }
  }

  void begin(const QueryHits& /*first*/, std::string& text) override { text += sam::header_text(records_.header()); }
  void add(const QueryHits& query, std::string& text) override {
    records_.add(query, [&](const sam::Record& record) { lines_.append(record, text); });
  }
  void finish(std::string& /*text*/) override {}

 private:
  SamRecords records_;
  sam::LineFormatter lines_;
};

}  // namespace

std::unique_ptr<HitFormatter::Writer> make_sam_writer(FormatContext context) {
  return std::make_unique<SamText>(context);
}

}  // namespace genocl::align
