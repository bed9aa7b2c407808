// genocl-align search searches a database with queries.
#include <algorithm>
#include <chrono>
#include <iostream>

#include "align/commands.hpp"
#include "align/result_writer.hpp"
#include "align/search_engine.hpp"
#include "align/subjects.hpp"
#include "align/summary.hpp"
#include "common/check_files.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::SequenceSet;
using Clock = std::chrono::steady_clock;

/// Residues and queries that are searched at a time: a database that does not stay on the devices passes once for each
/// batch.
constexpr std::uint64_t batch_residues = std::uint64_t{4} << 20, usual_batch_queries = std::uint64_t{1} << 14;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Reads queries, batch by batch.
class QuerySource {
 public:
  QuerySource(const SearchSettings& settings, genocl::Alphabet alphabet)
      : reader_(settings.queries,
                {.alphabet = alphabet, .bad_letters = genocl::bad_letters(settings.making.replace_letters)}),
        limits_{.residues = batch_residues, .records = settings.batch_queries.value_or(usual_batch_queries)} {}

  /// Throws InputError for a query that is too long, too. An empty one is told of: nothing is found for it.
  bool next(SequenceSet& batch) {
    if (!reader_.read(batch, limits_)) return false;
    for (std::size_t i = 0; i < batch.size(); ++i) check(batch, i);
    return true;
  }
  double fraction() const noexcept { return reader_.fraction(); }

 private:
  void check(const SequenceSet& batch, std::size_t i) const {
    const std::uint64_t length = batch.length(i);
    if (length > 0 && length <= align::Database::longest_sequence) return;
    const std::string where = "record " + std::to_string(reader_.records() - batch.size() + i + 1) + " (" +
                              genocl::shown(batch.name(i)) + ")";
    if (length > 0)
      throw InputError(reader_.file(), where, "a query of " + std::to_string(length) + " letters",
                       std::to_string(align::Database::longest_sequence) + " letters at most");
    if (team().is_root())
      std::cerr << "genocl-align: warning: " << reader_.file() << ":" << where
                << ": an empty query, for which nothing is searched\n";
  }

  genocl::io::SequenceReader reader_;
  genocl::BatchLimits limits_;
};

double kernel_seconds(const std::vector<genocl::Device>& devices) {
  double most = 0;
  for (const genocl::Device& device : devices) {
    double sum = 0;
    for (const genocl::KernelProfile& kernel : device.profile()) sum += kernel.seconds;
    most = std::max(most, sum);
  }
  return most;
}

/// Writes query, subject and score of every pair.
class ScoreTable {
 public:
  explicit ScoreTable(const Context& context) : database_(context.database) {
    if (!team().is_root()) return;
    out_.emplace(context.settings.output);
    out_->write("query\tsubject\tscore\n");
  }

  align::SearchCounts write(const SearchEngine& engine, const SequenceSet& batch) {
    return engine.all_scores(batch, [&](std::size_t query, std::uint64_t first, std::span<const std::int32_t> scores) {
      const auto or_star = [](std::string_view name) { return name.empty() ? std::string_view("*") : name; };
      for (std::size_t i = 0; i < scores.size(); ++i) {
        text_.append(or_star(batch.name(query))).append("\t").append(or_star(database_.name(first + i)));
        text_.append("\t").append(std::to_string(scores[i])).append("\n");
      }
      out_->write(text_);
      text_.clear();
    });
  }
  void finish() {
    if (out_) out_->commit();
  }

 private:
  const align::Database& database_;
  std::optional<genocl::io::OutputFile> out_;  // the root's
  std::string text_;
};

std::uint64_t write_hits(ResultWriter& writer, const SequenceSet& batch,
                         const std::vector<std::vector<align::Hit>>& hits) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    writer.write({.name = batch.name(i),
                  .description = batch.description(i),
                  .codes = batch[i],
                  .quality = batch.quality(i),
                  .hits = hits[i]});
    count += hits[i].size();
  }
  return count;
}

/// Those that have letters; `numbers`: which of `batch` they are.
SequenceSet with_letters(const SequenceSet& batch, std::vector<std::size_t>& numbers) {
  SequenceSet some(batch.alphabet());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) == 0) continue;
    some.append(batch.name(i), batch[i]);
    numbers.push_back(i);
  }
  return some;
}

/// An empty query has no hits, and does not keep the others from theirs.
std::vector<std::vector<align::Hit>> hits_of_all(std::size_t queries, const std::vector<std::size_t>& numbers,
                                                 std::vector<std::vector<align::Hit>> found) {
  if (numbers.size() == queries) return found;
  std::vector<std::vector<align::Hit>> hits(queries);
  for (std::size_t k = 0; k < numbers.size(); ++k) hits[numbers[k]] = std::move(found[k]);
  return hits;
}

void search_all(const Context& context, QuerySource& queries, const std::vector<genocl::Device>& devices,
                Counts& counts) {
  const SearchSettings& settings = context.settings;
  ProgressBar bar("search", settings.common.quiet, "G cells", 1e9);
  double done = 0;  // of the file of queries, in the batches before
  align::SearchOptions options = search_options(settings, context.scoring);
  options.progress = [&](const genocl::ProgressState& state) {
    bar.show(done + (queries.fraction() - done) * state.fraction, counts.cells + state.items_done);
    return true;
  };
  const std::unique_ptr<SearchEngine> engine = make_engine(devices, context.database, options, settings.schedule);
  // Before anything is searched: what cannot be written is known at once.
  std::unique_ptr<ResultWriter> writer;
  std::optional<ScoreTable> table;
  if (settings.all_scores)
    table.emplace(context);
  else if (team().is_root())
    writer = make_writer(context);
  SequenceSet batch(context.alphabet());
  while (queries.next(batch)) {
    std::vector<std::size_t> numbers;
    const SequenceSet some = with_letters(batch, numbers);
    if (table && !some.empty()) counts.add(table->write(*engine, some));
    if (!table) {
      align::SearchResult found;
      if (!some.empty()) found = engine->search(some);
      if (writer) counts.hits += write_hits(*writer, batch, hits_of_all(batch.size(), numbers, std::move(found.hits)));
      counts.add(found.counts);
    }
    counts.queries += batch.size();
    counts.residues += batch.residues();
    done = queries.fraction();
  }
  if (table) table->finish();
  if (writer) writer->finish();
}

}  // namespace

void search_database(const SearchSettings& settings) {
  const auto begin = Clock::now();
  settings.check();
  if (settings.queries == "-" && std::ranges::find(settings.subjects, "-") != settings.subjects.end())
    throw InputError("queries and subjects cannot both come from standard input");
  std::vector<std::string> inputs = settings.subjects;
  inputs.insert(inputs.end(), {settings.queries, settings.matrix});
  check_files(inputs, {settings.output});
  if (std::ranges::find(inputs, "-") != inputs.end()) team().share_standard_input();
  // What is wrong is to be said before much is read, as far as it can be.
  const bool fasta = std::ranges::none_of(settings.subjects, is_database_file);
  if (fasta) scoring_of(settings, settings.making.alphabet());
  const std::vector<genocl::Device> devices = settings.common.open_devices();
  const align::Database database = open_subjects(settings);
  const Scoring scoring = scoring_of(settings, database.alphabet());
  QuerySource queries(settings, database.alphabet());
  const Context context{settings, database, scoring};

  Counts counts;
  const auto search_begin = Clock::now();
  search_all(context, queries, devices, counts);
  counts.search_seconds = since(search_begin);
  counts.whole_seconds = since(begin);
  counts.kernel_seconds = kernel_seconds(devices);
  if (!team().is_root()) return;
  if (!settings.common.quiet) write_summary(std::cerr, context, counts);
  if (settings.stats) write_stats(std::cerr, counts);
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

}  // namespace program
