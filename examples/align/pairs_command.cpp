// genocl-align pairs compares the sequences of two files, record by record.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <limits>
#include <optional>

#include "align/options.hpp"
#include "align/subjects.hpp"
#include "common/check_files.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {
namespace {

using genocl::Alphabet;
using genocl::InputError;
using genocl::SequenceSet;

/// Maximum letters of queries, and maximum pairs, that are compared at a time.
constexpr genocl::BatchLimits batch_limits{.residues = std::uint64_t{32} << 20, .records = std::uint64_t{1} << 17};

/// Reads the two files in batches of equal numbers of records.
class PairSource {
 public:
  PairSource(const PairsSettings& settings, Alphabet alphabet)
      : repairs_(settings.making.strict),
        queries_(settings.queries, options_of(settings, alphabet)),
        subjects_(settings.subjects, options_of(settings, alphabet)),
        query_guard_(settings.queries, settings.making.protein, "--dna, or --protein where these are amino acids"),
        subject_guard_(settings.subjects, settings.making.protein, "--dna, or --protein where these are amino acids") {}

  /// Returns false at the end of both files. Throws InputError if one has more records than the other.
  bool next(SequenceSet& a, SequenceSet& b) {
    const bool more = queries_.read(a, batch_limits);
    genocl::BatchLimits as_many;
    as_many.records = more ? a.size() : 1;
    as_many.residues = std::numeric_limits<std::uint64_t>::max();
    subjects_.read(b, as_many);
    if (a.size() != b.size()) {
      const auto& fewer = b.size() < a.size() ? subjects_ : queries_;
      throw InputError(fewer.file(), {}, std::to_string(fewer.records()) + " records",
                       "as many as in the other file, which has more");
    }
    if (!more) {
      repairs_.finish(queries_.file() + " and " + subjects_.file(), queries_.records() + subjects_.records());
      return false;
    }
    if (!checked_) {
      query_guard_.see(a);
      subject_guard_.see(b);
      query_guard_.check();
      subject_guard_.check();
      checked_ = true;
    }
    return true;
  }
  double fraction() const { return queries_.fraction(); }

 private:
  genocl::io::ReadOptions options_of(const PairsSettings& settings, Alphabet alphabet) {
    genocl::io::ReadOptions options = read_options(settings.making, alphabet, repairs_);
    options.keep_qualities = options.keep_descriptions = false;
    return options;
  }

  Repairs repairs_;
  genocl::io::SequenceReader queries_, subjects_;
  AlphabetGuard query_guard_, subject_guard_;
  bool checked_ = false;
};

class PairTable {
 public:
  explicit PairTable(const PairsSettings& settings) : settings_(settings), out_(settings.output) {
    out_.write(std::string("query\tsubject\t") + (settings.mode == "edit" ? "distance" : "score") +
               (settings.align ? "\tquery_start\tquery_end\tsubject_start\tsubject_end\tidentity\tcigar\n" : "\n"));
  }

  void add(std::string_view query, std::string_view subject, std::int64_t value) {
    text_.append(query.empty() ? "*" : query).append("\t").append(subject.empty() ? "*" : subject);
    text_.append("\t").append(std::to_string(value));
    if (!settings_.align) text_ += '\n';
  }
  /// After add(), with --align.
  void add_alignment(const align::Alignment& found) {
    if (found.runs.empty()) {
      text_ += "\t*\t*\t*\t*\t*\t*\n";
      return;
    }
    for (const std::uint64_t position :
         {found.query_begin + 1, found.query_end, found.subject_begin + 1, found.subject_end})
      text_.append("\t").append(std::to_string(position));
    char identity[16];
    std::snprintf(identity, sizeof identity, "\t%.3f\t",
                  100 * static_cast<double>(found.identities) / static_cast<double>(found.columns()));
    text_.append(identity).append(found.cigar(settings_.cigar_style == "m")).append("\n");
  }
  void flush() {
    out_.write(text_);
    text_.clear();
  }
  void finish() { out_.commit(); }

 private:
  const PairsSettings& settings_;
  genocl::io::OutputFile out_;
  std::string text_;
};

/// Compares all pairs in one mode. `add` receives the results of a batch.
class PairComparer {
 public:
  PairComparer(const PairsSettings& settings, Alphabet alphabet, genocl::Progress progress) : settings_(settings) {
    const auto is_free = [&](const char* end) { return std::ranges::find(settings.free, end) != settings.free.end(); };
    if (settings.mode == "edit") {
      edit_ = {is_free("subject-begin"), is_free("subject-end"), std::move(progress)};
      return;
    }
    const Scoring scoring = pair_scoring(settings.scoring, alphabet);
    pairs_.matrix = scoring.matrix;
    pairs_.gap = scoring.gap;
    pairs_.mode = settings.mode == "local"    ? align::PairMode::local
                  : settings.mode == "global" ? align::PairMode::global
                                              : align::PairMode::semi_global;
    if (!settings.free.empty())
      pairs_.free = {is_free("query-begin"), is_free("query-end"), is_free("subject-begin"), is_free("subject-end")};
    pairs_.progress = std::move(progress);
    name_ = scoring.name + ", " + align::gap_text(scoring.gap);
  }

  void compare(const std::vector<genocl::Device>& devices, const SequenceSet& a, const SequenceSet& b,
               PairTable& table) const {
    const bool edit = settings_.mode == "edit";
    if (settings_.align) {
      const std::vector<align::Alignment> found =
          edit ? align::edit_alignments(devices, a, b, edit_) : align::align_pairs(devices, a, b, pairs_);
      for (std::size_t i = 0; i < a.size(); ++i) {
        table.add(a.name(i), b.name(i), edit ? -std::int64_t{found[i].score} : found[i].score);
        table.add_alignment(found[i]);
      }
    } else if (edit) {
      const std::vector<std::uint32_t> distances = align::edit_distances(devices, a, b, edit_);
      for (std::size_t i = 0; i < a.size(); ++i) table.add(a.name(i), b.name(i), distances[i]);
    } else {
      const std::vector<std::int32_t> scores = align::score_pairs(devices, a, b, pairs_);
      for (std::size_t i = 0; i < a.size(); ++i) table.add(a.name(i), b.name(i), scores[i]);
    }
  }
  /// Description of the scoring for the summary; empty for edit distances.
  const std::string& name() const noexcept { return name_; }

 private:
  const PairsSettings& settings_;
  align::PairOptions pairs_;
  align::EditOptions edit_;
  std::string name_;
};

}  // namespace

void compare_pairs(const PairsSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  settings.check();
  if (settings.queries == "-" && settings.subjects == "-")
    throw InputError("queries and subjects cannot both come from standard input");
  check_files({settings.queries, settings.subjects, settings.scoring.matrix}, {settings.output});
  const Alphabet alphabet = settings.text ? Alphabet::bytes : settings.making.alphabet();
  ProgressBar bar("pairs", settings.common.quiet, "G cells", 1e9);
  std::uint64_t pairs = 0, cells = 0;
  double done = 0;
  std::optional<PairSource> source;
  const PairComparer comparer(settings, alphabet, [&](const genocl::ProgressState& state) {
    bar.show(done + (source->fraction() - done) * state.fraction, cells + state.items_done);
    return true;
  });
  source.emplace(settings, alphabet);
  const std::vector<genocl::Device> devices = settings.common.open_devices();
  PairTable table(settings);
  for (SequenceSet a(alphabet), b(alphabet); source->next(a, b);) {
    comparer.compare(devices, a, b, table);
    table.flush();
    pairs += a.size();
    for (std::size_t i = 0; i < a.size(); ++i) cells += a.length(i) * b.length(i);
    done = source->fraction();
  }
  bar.clear();
  table.finish();
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
  if (settings.common.quiet) return;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!comparer.name().empty()) std::cerr << comparer.name() << '\n';
  std::cerr << pairs << " pairs, " << std::fixed << std::setprecision(2) << static_cast<double>(cells) / 1e9
            << " G cells in " << seconds.count() << " s\n";
}

}  // namespace program
