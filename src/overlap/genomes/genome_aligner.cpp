#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/overlap/genome_alignment.hpp"
#include "genocl/overlap/match_index.hpp"
#include "overlap/genomes/anchors.hpp"
#include "overlap/genomes/assemble.hpp"
#include "overlap/genomes/chain.hpp"
#include "overlap/genomes/select.hpp"
#include "runtime/parallel.hpp"

namespace genocl::overlap {
namespace detail::genome_aligner {

/// Bases of queries whose matches are searched at a time.
constexpr std::uint64_t batch_bases = std::uint64_t{1} << 26;
/// Bases between anchors, and anchors, that are collected before a device aligns them.
constexpr std::uint64_t wanted_letters = std::uint64_t{1} << 23, wanted_anchors = std::uint64_t{1} << 20;

void check_dna(const SequenceSet& set) {
  if (set.alphabet() != Alphabet::dna)
    throw InputError("an alignment of genomes of " + std::string(to_string(set.alphabet())) + "; expected DNA");
}

void check_range(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value < least || value > most)
    throw InputError(std::string(name) + " " + std::to_string(value) + "; expected " + std::to_string(least) + " to " +
                     std::to_string(most));
}

/// Cuts the end of each anchor that overlaps the next one. A gap then lies as far left as the next anchor allows.
std::vector<Anchor> trimmed(std::span<const Anchor> anchors, const Chain& chain) {
  std::vector<Anchor> found;
  for (const std::uint32_t i : chain.anchors) {
    if (!found.empty()) {
      Anchor& last = found.back();
      last.length = std::min({last.length, anchors[i].reference - last.reference, anchors[i].query - last.query});
    }
    found.push_back(anchors[i]);
  }
  return found;
}

/// Chains of one query, as drafts of alignments.
std::vector<Draft> drafts_of(std::span<const MaximalMatch> matches, const GenomeAlignOptions& options) {
  using Key = std::tuple<std::uint64_t, bool>;
  std::map<Key, std::vector<Anchor>> groups;
  for (const MaximalMatch& match : matches)
    groups[{match.reference_record, match.reverse}].push_back(
        {match.reference_position, match.query_position, match.length});
  std::vector<Draft> drafts;
  for (auto& [key, anchors] : groups) {
    std::ranges::sort(anchors);
    const ChainOptions chain_options{.max_gap = options.max_gap, .min_letters = options.min_cluster};
    for (const Chain& chain : chains_of(anchors, chain_options))
      drafts.push_back({.record = std::get<0>(key),
                        .strand = std::get<1>(key) ? Strand::reverse : Strand::forward,
                        .anchors = trimmed(anchors, chain)});
  }
  return drafts;
}

}  // namespace detail::genome_aligner

void GenomeAlignOptions::check() const {
  using detail::genome_aligner::check_range;
  check_range("minimum length of an anchor", min_length, 1, std::numeric_limits<std::uint32_t>::max());
  check_range("minimum cluster", min_cluster, 1, std::numeric_limits<std::uint32_t>::max());
  check_range("maximum gap", max_gap, 0, std::uint64_t{1} << 20);
  if (max_drop < 0) throw InputError("maximum drop " + std::to_string(max_drop) + "; expected 0 to 1000000");
  check_range("maximum drop", static_cast<std::uint64_t>(max_drop), 0, 1'000'000);
  pairwise::Matrix::dna(scoring.match, -scoring.mismatch);
  pairwise::GapPenalty{scoring.gap_open, scoring.gap_extend}.check();
}

struct GenomeAligner::State {
  /// A query whose gaps are not aligned yet.
  struct Query {
    std::uint64_t query;
    std::span<const Code> forward;
    std::vector<Code> reverse;
    std::vector<Draft> drafts;

    std::span<const Code> letters(Strand strand) const { return strand == Strand::forward ? forward : reverse; }
  };

  State(Devices given, const SequenceSet& set, const GenomeAlignOptions& wanted)
      : devices(given.begin(), given.end()),
        reference(&set),
        options(checked(set, wanted)),
        assembler(wanted),
        index(devices, set, Letters::bases, {}, wanted.progress) {}

  static const GenomeAlignOptions& checked(const SequenceSet& set, const GenomeAlignOptions& options) {
    detail::genome_aligner::check_dna(set);
    options.check();
    return options;
  }

  /// Chains the matches of a query and collects its gaps.
  Query prepare(std::uint64_t number, std::span<const Code> letters, std::span<const MaximalMatch> matches,
                GapPairs& gaps) const {
    Query query{number, letters, {}, detail::genome_aligner::drafts_of(matches, options)};
    if (std::ranges::any_of(query.drafts, [](const Draft& draft) { return draft.strand == Strand::reverse; })) {
      query.reverse.resize(letters.size());
      dna::reverse_complement(letters, query.reverse);
    }
    for (Draft& draft : query.drafts)
      assembler.collect(draft, (*reference)[draft.record], query.letters(draft.strand), gaps);
    return query;
  }

  /// Aligns the gaps of the queries on the devices, and passes the alignments to the sink.
  void finish(std::vector<Query>& queries, GapPairs& gaps, const Sink& sink) const {
    const GapAlignments aligned = assembler.align(devices, gaps);
    struct Task {
      const Query* query;
      const Draft* draft;
      std::vector<GenomeAlignment> found = {};
    };
    std::vector<Task> tasks;
    for (const Query& query : queries)
      for (const Draft& draft : query.drafts) tasks.push_back({&query, &draft});
    runtime::parallel_for(tasks.size(), runtime::threads_for(tasks.size(), 1, 64), [&](std::size_t i) {
      Task& task = tasks[i];
      task.found = assembler.assemble(*task.draft, (*reference)[task.draft->record],
                                      task.query->letters(task.draft->strand), task.query->query, aligned);
    });
    std::size_t task = 0;
    for (const Query& query : queries) {
      std::vector<GenomeAlignment> all;
      for (; task < tasks.size() && tasks[task].query == &query; ++task)
        std::ranges::move(tasks[task].found, std::back_inserter(all));
      // An extension takes long in comparison, and alignments of repeats are many.
      select_alignments(all);
      runtime::parallel_for(all.size(), runtime::threads_for(all.size(), 1, 64), [&](std::size_t i) {
        if (all[i].primary)
          assembler.extend(all[i], (*reference)[all[i].reference.sequence], query.letters(all[i].strand));
      });
      select_alignments(all);
      sink(query.query, all);
    }
    queries.clear();
    gaps.clear();
  }

  std::vector<Device> devices;
  const SequenceSet* reference;
  GenomeAlignOptions options;
  GenomeAssembler assembler;
  MatchIndex index;
};

GenomeAligner::GenomeAligner(Devices devices, const SequenceSet& reference, const GenomeAlignOptions& options)
    : state_(std::make_unique<State>(devices, reference, options)) {}
GenomeAligner::GenomeAligner(GenomeAligner&&) noexcept = default;
GenomeAligner& GenomeAligner::operator=(GenomeAligner&&) noexcept = default;
GenomeAligner::~GenomeAligner() = default;

const GenomeAlignOptions& GenomeAligner::options() const noexcept { return state_->options; }

void GenomeAligner::align(const SequenceSet& queries, const Sink& sink) const {
  using namespace detail::genome_aligner;
  check_dna(queries);
  const GenomeAlignOptions& options = state_->options;
  const MatchOptions match_options{.min_length = options.min_length,
                                   .kind = options.anchors,
                                   .both_strands = options.strands != Strands::forward,
                                   .progress = options.progress};
  std::vector<State::Query> waiting;
  GapPairs gaps;
  std::uint64_t anchors = 0;
  const AnchorSearch search(state_->index, queries, match_options);
  for (const RecordRange& range : queries.batches({.residues = batch_bases}))
    search.find(queries.slice(range.first, range.count), [&](std::uint64_t query, std::vector<MaximalMatch>& matches) {
      if (options.strands == Strands::reverse) std::erase_if(matches, [](const auto& match) { return !match.reverse; });
      const std::uint64_t number = range.first + query;
      waiting.push_back(state_->prepare(number, queries[number], matches, gaps));
      anchors += matches.size();
      if (anchors < wanted_anchors && gaps.letters() < wanted_letters) return;
      state_->finish(waiting, gaps, sink);
      anchors = 0;
    });
  state_->finish(waiting, gaps, sink);
}

std::int64_t score_of(const GenomeAlignment& alignment, std::span<const Code> reference, std::span<const Code> query,
                      const GenomeScoring& scoring) {
  const pairwise::Matrix matrix = pairwise::Matrix::dna(scoring.match, -scoring.mismatch);
  std::vector<Code> letters(query.begin(), query.end());
  Interval place{alignment.query.begin, alignment.query.end};
  if (alignment.strand == Strand::reverse) {
    dna::reverse_complement(query, letters);
    place = place.reversed(query.size());
  }
  pairwise::Alignment runs;
  runs.query_begin = place.begin;
  runs.query_end = place.end;
  runs.subject_begin = alignment.reference.begin;
  runs.subject_end = alignment.reference.end;
  for (const CigarRun& run : alignment.cigar.runs()) runs.runs.push_back({run.length(), run.letter()});
  return pairwise::score_of(runs, letters, reference, matrix, {scoring.gap_open, scoring.gap_extend});
}

}  // namespace genocl::overlap
