// Command search with --iterations.
#include <iostream>

#include "align/options.hpp"
#include "align/result_writer.hpp"
#include "align/search_command.hpp"
#include "align/subjects.hpp"
#include "common/program.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::SequenceSet;

/// Writes a line for a query to standard error.
std::string report_of(std::string_view name, const align::IteratedProfile& query) {
  std::string text = std::string(name.empty() ? "*" : name) + ": " + std::to_string(query.iterations) +
                     (query.iterations == 1 ? " iteration" : " iterations");
  if (query.converged) text += ", converged";
  text += "; subjects in profiles (new ones):";
  for (const align::IterationCounts& search : query.searches)
    text += " " + std::to_string(search.included) + " (" + std::to_string(search.added) + ")";
  if (query.searches.empty()) text += " none";
  if (!query.stopped.empty()) text += "; stopped: " + query.stopped;
  return text;
}

class IteratedSearch {
 public:
  IteratedSearch(const Context& context, std::span<const genocl::Device> devices, Counts& counts)
      : context_(context),
        settings_(context.settings),
        devices_(devices),
        counts_(counts),
        bar_("search", context.settings.common.quiet, "G cells", 1e9),
        options_(options_of(context)),
        searcher_(devices, context.searched, options_),
        writer_(context) {}

  void run() {
    QuerySource queries(settings_, genocl::Alphabet::protein);
    SequenceSet batch(genocl::Alphabet::protein);
    while (queries.next(batch)) {
      if (writes_profile() && counts_.queries + batch.size() > 1)
        throw InputError(std::string(settings_.asn1_output.empty() ? "--out-ascii-pssm" : "--out-pssm") +
                         " with several queries; expected one");
      search(batch);
      counts_.queries += batch.size();
      counts_.residues += batch.residues();
    }
    bar_.clear();
    writer_.finish();
  }

 private:
  align::SearchOptions options_of(const Context& context) {
    align::SearchOptions options = search_options(context.settings, context.scoring);
    options.progress = bar_.progress();
    return options;
  }

  void search(const SequenceSet& batch) {
    std::vector<std::size_t> numbers;
    SequenceSet copy;
    const SequenceSet& some = searchable(batch, numbers, copy);
    BatchWriter out(writer_, batch, numbers);
    if (!some.empty()) out.write_all(hits_of(some, iterated(some)));
    counts_.hits += out.finish();
  }

  std::vector<align::IteratedProfile> iterated(const SequenceSet& queries) {
    constexpr std::size_t usual_subjects = 500;  // as psiblast -max_target_seqs
    const align::IterationOptions options{
        .iterations = *settings_.iterations,
        .inclusion_evalue = settings_.inclusion_evalue.value_or(align::IterationOptions().inclusion_evalue),
        .max_subjects = std::max<std::size_t>(usual_subjects, options_.top)};
    std::vector<align::IteratedProfile> found =
        align::iterate_profiles(devices_, context_.searched, queries, options_, options);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!settings_.common.quiet) {
        bar_.clear();
        std::cerr << report_of(queries.name(i), found[i]) << '\n';
      } else if (!found[i].stopped.empty()) {
        std::cerr << called_name() << ": warning: " << report_of(queries.name(i), found[i]) << '\n';
      }
    }
    if (writes_profile()) write_profile_of(queries, found.front());
    return found;
  }

  bool writes_profile() const { return !settings_.ascii_output.empty() || !settings_.asn1_output.empty(); }

  /// The profile of the last search, or that of the query alone.
  void write_profile_of(const SequenceSet& queries, const align::IteratedProfile& one) const {
    const align::MadeProfile made =
        one.profile ? *one.profile
                    : align::make_profile(std::string(queries.name(0)), queries[0], {}, context_.searched,
                                          context_.scoring.matrix, context_.scoring.gap);
    const auto write = [](const std::string& file, const std::string& text) {
      genocl::io::OutputFile out(file);
      out.write(text);
      out.commit();
    };
    if (!settings_.ascii_output.empty()) write(settings_.ascii_output, made.ascii());
    if (!settings_.asn1_output.empty()) write(settings_.asn1_output, made.asn1());
  }

  /// [query]: hits of the last search, by its profile or by its letters.
  HitLists hits_of(const SequenceSet& queries, const std::vector<align::IteratedProfile>& iterated) {
    HitLists lists(queries.size());
    std::vector<std::size_t> by_profile, by_letters;
    std::vector<align::Profile> profiles;
    SequenceSet plain(queries.alphabet());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (iterated[i].profile) {
        by_profile.push_back(i);
        profiles.push_back(iterated[i].profile->profile);
      } else {
        by_letters.push_back(i);
        plain.append(queries.name(i), queries[i]);
      }
    }
    const auto into = [&lists](const std::vector<std::size_t>& numbers) {
      return [&](std::size_t i, std::vector<align::Hit>&& hits) { lists[numbers[i]] = std::move(hits); };
    };
    if (!plain.empty()) counts_.add(searcher_.search(plain, into(by_letters)));
    if (!profiles.empty()) counts_.add(searcher_.search(std::span<const align::Profile>(profiles), into(by_profile)));
    return lists;
  }

  const Context& context_;
  const SearchSettings& settings_;
  std::span<const genocl::Device> devices_;
  Counts& counts_;
  ProgressBar bar_;
  const align::SearchOptions options_;
  const align::Searcher searcher_;
  ResultWriter writer_;
};

}  // namespace

void search_iterated(const Context& context, std::span<const genocl::Device> devices, Counts& counts) {
  if (context.dna()) throw InputError("--iterations with a database of DNA; expected proteins");
  IteratedSearch(context, devices, counts).run();
}

}  // namespace program
