
#include <algorithm>
#include <exception>
#include <map>

#include "align/pipeline.hpp"
#include "align/score/score_gpu.hpp"
#include "align/search/searcher_state.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/error.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {

Searcher::Searcher(Devices devices, const Database& database, const SearchOptions& options)
    : state_(std::make_unique<State>(devices, database, options)) {}
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;
Searcher::~Searcher() = default;

SearchResult Searcher::search(const SequenceSet& queries) const {
  const State& s = *state_;
  s.check_alphabet(queries);
  return s.search_at_once(queries, {});
}

SearchResult Searcher::search(std::span<const Profile> profiles) const {
  return state_->search_at_once(state_->letters_of(profiles), profiles);
}

SearchResult Searcher::State::search_at_once(const SequenceSet& queries, std::span<const Profile> profiles) const {
  SearchTally tally;
  SearchProgress progress(options.progress, cells_with(queries), options.align);
  SearchResult result;
  result.hits.resize(queries.size());
  search(
      queries, profiles, [&](std::size_t query, std::vector<Hit>&& hits) { result.hits[query] = std::move(hits); },
      progress, tally);
  result.counts = tally.counts;
  return result;
}

SearchCounts Searcher::search(const SequenceSet& queries, const HitSink& sink) const {
  const State& s = *state_;
  s.check_alphabet(queries);
  check_queries(queries);
  return s.search_all(queries, {}, sink);
}

SearchCounts Searcher::search(std::span<const Profile> profiles, const HitSink& sink) const {
  return state_->search_all(state_->letters_of(profiles), profiles, sink);
}

SearchCounts Searcher::State::search_all(const SequenceSet& queries, std::span<const Profile> profiles,
                                         const HitSink& sink) const {
  SearchTally tally;
  SearchProgress progress(options.progress, cells_with(queries), options.align);
  for (const RecordRange& range : batches(queries)) {
    std::optional<SequenceSet> copy;  // unless the batch is the whole set
    if (range.count < queries.size()) copy = queries.slice(range.first, range.count);
    search(
        copy ? *copy : queries, profiles.empty() ? profiles : profiles.subspan(range.first, range.count),
        [&](std::size_t query, std::vector<Hit>&& hits) { sink(range.first + query, std::move(hits)); }, progress,
        tally);
  }
  return tally.counts;
}

std::vector<RecordRange> Searcher::batches(const SequenceSet& queries) const { return state_->batches(queries); }

std::vector<RecordRange> Searcher::State::batches(const SequenceSet& queries) const {
  // Batches of this size keep a device busy, and a database that is streamed is copied rarely enough.
  constexpr std::uint64_t residues = std::uint64_t{4} << 20, records = std::uint64_t{1} << 14;
  std::uint64_t of_hits = options.held_hits / max_hits_of_query();
  // Before adjustment, any subject of a query may be a hit. A hit takes 24 bytes: 400 MB for the default of held_hits.
  constexpr std::uint64_t before_adjustment = 128;
  // The same holds for soft masks.
  bool any_soft = false;
  for (std::size_t i = 0; i < queries.size() && options.masking == Masking::soft; ++i)
    any_soft = any_soft || !queries.masked(i).empty();
  if (options.filter.any()) {
    const std::uint64_t strands = options.strand_pairs(database.alphabet());
    constexpr std::uint64_t before_filter = 32;  // a hit takes 144 bytes: 600 MB
    const std::uint64_t size = std::max<std::uint64_t>(1, given.size());
    of_hits = std::min(before_filter * options.held_hits / (strands * size),
                       options.held_hits / std::min<std::uint64_t>(options.top, size));
  }
  if (adjuster || any_soft)
    of_hits = std::min(of_hits, before_adjustment * options.held_hits / std::max<std::uint64_t>(1, database.size()));
  return queries.batches({.residues = residues, .records = std::clamp<std::uint64_t>(of_hits, 1, records)});
}

void Searcher::align(const SequenceSet& queries, std::span<std::vector<Hit>> hits) const {
  if (hits.size() != queries.size()) throw InputError("hits of another number of queries");
  const StrandQueries strands = state_->strands_of(queries);
  SearchTally tally;
  if (queries.empty()) return;
  for (std::vector<Hit>& of_query : hits) state_->from_source(of_query);
  state_->add_alignments(strands.all(), hits, state_->options.progress, tally);
  for (std::vector<Hit>& of_query : hits) state_->to_source(of_query);
}

std::vector<Hit> Searcher::search(std::span<const Code> query) const {
  SequenceSet set(state_->options.translation.queries ? Alphabet::dna : state_->database.alphabet());
  set.append("query", query);
  return std::move(search(set).hits.front());
}

const Database& Searcher::database() const noexcept { return state_->given; }
std::size_t Searcher::chunks() const noexcept { return state_->chunks.size(); }
const SearchOptions& Searcher::options() const noexcept { return state_->options; }
const std::optional<KarlinAltschul>& Searcher::statistics() const noexcept { return state_->statistics; }

namespace {

/// These units need most of the kernels that the other units launch.
constexpr std::size_t first_units = 64;
constexpr std::size_t threads = 16;

/// Compiles the kernels that follow the scores, by a small run.
void select_few(const Device& device) {
  const Device own = device.with_own_queue();
  constexpr std::uint32_t count = 64;
  DeviceScores scores(own, count);
  scores.fill(0);
  const std::int32_t cutoff = 0;
  select_top(own, scores, count, {&cutoff, 1}, 1);
  (void)saturated_kernel(own);
  own.finish();
}

}  // namespace

void Searcher::State::compile_ahead(std::span<const StrandQuery> queries, std::span<const Unit> units) const noexcept {
  try {
    if ((options.kernel != Kernel::automatic && options.kernel != Kernel::gpu) || compiled.exchange(true)) return;
    std::vector<const Device*> gpus;
    for (const Device& device : devices)
      if (device.info().type == DeviceType::gpu && device.family() == KernelFamily::gpu &&
          !runtime::takes_one_launch(device))
        gpus.push_back(&device);
    if (gpus.empty()) return;
    units = units.first(std::min(units.size(), first_units));
    struct Subjects {
      std::vector<std::uint32_t> lengths;
      std::uint64_t residues = 0;
    };
    std::map<std::pair<std::size_t, std::uint64_t>, Subjects> all;  // by chunk and overlap of pieces
    for (const Unit& unit : units) {
      Subjects& subjects = all[{unit.chunk, unit.overlap}];
      if (!subjects.lengths.empty()) continue;
      for (const Piece& piece : pieces_of(database, chunks[unit.chunk], cut_of(chunks[unit.chunk], unit.overlap))) {
        subjects.lengths.push_back(piece.length);
        subjects.residues += piece.length;
      }
    }
    const std::size_t tasks = (1 + units.size()) * gpus.size();
    runtime::parallel_for(tasks, std::min(tasks, threads), [&](std::size_t i) {
      const Device& device = *gpus[i % gpus.size()];
      if (i < gpus.size()) return select_few(device);
      const Unit& unit = units[i / gpus.size() - 1];
      std::vector<Query> batch;
      for (const StrandQuery& query : queries.subspan(unit.first_query, unit.query_count))
        batch.push_back({query.codes, query.profile});
      const Subjects& subjects = all.at({unit.chunk, unit.overlap});
      compile_score_gpu(device, table, batch, subjects.lengths, subjects.residues);
    });
  } catch (const std::exception&) {  // reported at the launch
  }
}

}  // namespace genocl::align
