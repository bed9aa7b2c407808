// Command search.

#include "align/search_command.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <iostream>
#include <memory>

#include "align/options.hpp"
#include "align/result_writer.hpp"
#include "align/subjects.hpp"
#include "common/check_files.hpp"
#include "common/format_name.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/io/text_file.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::SequenceSet;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

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
  std::optional<genocl::io::OutputFile> out_;  // of the root
  std::string text_;
};

void search_all(const Context& context, const std::vector<genocl::Device>& devices, Counts& counts) {
  const SearchSettings& settings = context.settings;
  QuerySource queries(settings, context.query_alphabet());
  ProgressBar bar("search", settings.common.quiet, "G cells", 1e9);
  double done = 0;  // fraction of the query file in earlier batches
  align::SearchOptions options = search_options(settings, context.scoring);
  options.progress = [&](const genocl::ProgressState& state) {
    bar.show(done + (queries.fraction() - done) * state.fraction, counts.cells + state.items_done);
    return true;
  };
  const std::unique_ptr<SearchEngine> engine = make_engine(devices, context.searched, options, settings.schedule);
  // Open the output before the search, so that a file that cannot be written is reported at once.
  std::optional<ResultWriter> writer;
  std::optional<ScoreTable> table;
  if (settings.all_scores)
    table.emplace(context);
  else if (team().is_root())
    writer.emplace(context);
  SequenceSet batch(context.query_alphabet());
  while (queries.next(batch)) {
    std::vector<std::size_t> numbers;
    SequenceSet copy;
    const SequenceSet& some = searchable(batch, numbers, copy);
    if (table && !some.empty()) counts.add(table->write(*engine, some));
    if (!table) {
      std::optional<BatchWriter> out;
      if (writer) out.emplace(*writer, batch, numbers);
      if (!some.empty())
        counts.add(engine->search(some, [&](std::size_t, std::vector<align::Hit>&& hits) { out->write(hits); }));
      if (out) counts.hits += out->finish();
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
  inputs.insert(inputs.end(), {settings.queries, settings.scoring.matrix});
  inputs.insert(inputs.end(), {settings.include, settings.exclude, settings.taxid_map});
  inputs.insert(inputs.end(), settings.parts.begin(), settings.parts.end());
  inputs.insert(inputs.end(), settings.pssm.begin(), settings.pssm.end());
  inputs.insert(inputs.end(), settings.msa.begin(), settings.msa.end());
  check_files(inputs, {settings.output, settings.ascii_output, settings.asn1_output});
  std::vector<std::string_view> formats;
  for (const OutputFormat& one : output_formats()) formats.emplace_back(one.name);
  check_format_name(settings.output, settings.output_format().name, formats);
  if (std::ranges::find(inputs, "-") != inputs.end()) team().share_standard_input();
  // Check as much as possible before large files are read.
  const bool fasta = std::ranges::none_of(settings.subjects, is_database_file);
  if (fasta) scoring_of(settings, settings.scored_alphabet(settings.making.alphabet()));
  // A database is checked while drivers start. FASTA, which may take long, is read after that.
  std::future<align::Database> opened =
      std::async(fasta ? std::launch::deferred : std::launch::async | std::launch::deferred,
                 [&settings] { return open_subjects(settings); });
  const std::vector<genocl::Device> devices = settings.common.open_devices();
  const align::Database database = opened.get();
  const Scoring scoring = scoring_of(settings, settings.scored_alphabet(database.alphabet()));
  const align::Database searched = selected_subjects(database, settings);
  const Context context{settings, database, searched, scoring};

  Counts counts;
  const auto search_begin = Clock::now();
  if (!settings.parts.empty())
    merge_shards(context, devices, counts);
  else if (settings.has_profiles())
    search_profiles(context, devices, counts);
  else if (!settings.shard.empty())
    search_shard(context, devices, counts);
  else if (settings.iterations)
    search_iterated(context, devices, counts);
  else if (settings.resume)
    search_resumable(context, devices, inputs, counts);
  else
    search_all(context, devices, counts);
  counts.search_seconds = since(search_begin);
  counts.whole_seconds = since(begin);
  counts.kernel_seconds = kernel_seconds(devices);
  if (!team().is_root()) return;
  if (!settings.common.quiet) write_summary(std::cerr, context, counts);
  if (settings.stats) write_stats(std::cerr, counts);
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

void search_profiles(const Context& context, std::span<const genocl::Device> devices, Counts& counts) {
  const SearchSettings& settings = context.settings;
  const char* const option = settings.msa.empty() ? "--pssm" : "--msa";
  if (context.dna()) throw genocl::InputError(std::string(option) + " with a database of DNA; expected proteins");
  std::vector<align::Profile> profiles;
  for (const std::string& file : settings.pssm) {
    const std::string name = file == "-" ? "standard_input" : std::filesystem::path(file).stem().string();
    profiles.push_back(align::Profile::parse(genocl::io::read_text_file(file), file, name, context.scoring.matrix));
  }
  for (const std::string& file : settings.msa)
    profiles.push_back(profile_of_alignment(file, context.scoring.matrix, context.scoring.gap).profile);
  ProgressBar bar("search", settings.common.quiet, "G cells", 1e9);
  align::SearchOptions options = search_options(settings, context.scoring);
  options.progress = bar.progress();
  const align::Searcher searcher(devices, context.searched, options);
  ResultWriter writer(context);
  counts.add(
      searcher.search(std::span<const align::Profile>(profiles), [&](std::size_t i, std::vector<align::Hit>&& hits) {
        align::QueryHits query;
        query.name = profiles[i].name();
        query.codes = profiles[i].letters();
        query.hits = hits;
        writer.write(query);
        counts.hits += hits.size();
      }));
  for (const align::Profile& profile : profiles) counts.residues += profile.size();
  counts.queries += profiles.size();
  bar.clear();
  writer.finish();
}

}  // namespace program
