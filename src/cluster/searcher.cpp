#include "genocl/cluster/searcher.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cluster/pieces.hpp"
#include "cluster/shared_numbers.hpp"
#include "genocl/packing.hpp"

namespace genocl::cluster {
namespace {

using align::Hit;
using align::SearchCounts;

/// The chunks of the database, assigned to the ranks in turn. A rank takes its chunks first, then those of other ranks.
class DealtChunks {
 public:
  DealtChunks(const Communicator& ranks, std::size_t chunks)
      : ranks_(ranks), taken_(ranks, ranks.size()), chunks_(chunks), done_(static_cast<std::size_t>(ranks.size())) {}

  std::optional<std::size_t> next() {
    const auto count = done_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t owner = (static_cast<std::size_t>(ranks_.rank()) + i) % count;
      if (done_[owner]) continue;
      // The last chunks have the longest sequences and are searched first, so that the last search is short.
      const std::uint64_t place = taken_.add(static_cast<int>(owner), 1) * count + owner;
      if (place < chunks_) return chunks_ - 1 - static_cast<std::size_t>(place);
      done_[owner] = true;
    }
    return std::nullopt;
  }

 private:
  Communicator ranks_;
  SharedNumbers taken_;
  std::size_t chunks_;
  std::vector<bool> done_;
};

void add_up(const Communicator& ranks, SearchCounts& counts) {
  std::array<std::uint64_t, 2> sums = {counts.cells, counts.computed_again};
  std::array<double, 4> most = {counts.seconds, counts.kernel_seconds, counts.alignment_seconds,
                                static_cast<double>(counts.held_hits)};
  ranks.sum(sums);
  ranks.max(most);
  counts.cells = sums[0];
  counts.computed_again = sums[1];
  counts.seconds = most[0];
  counts.kernel_seconds = most[1];
  counts.alignment_seconds = most[2];
  counts.held_hits = static_cast<std::uint64_t>(most[3]);
}

}  // namespace

std::uint64_t piece_residues(std::uint64_t residues, std::uint64_t cpus, std::uint64_t gpus) {
  constexpr std::uint64_t million = 1'000'000, most = std::uint64_t{1} << 28;
  constexpr std::uint64_t max_rounds = 16;  // ranks of unequal speed must end together
  const std::uint64_t devices = std::max<std::uint64_t>(1, cpus + gpus);
  if (cpus != 0) return std::clamp(residues / (max_rounds * devices), million, most);
  const std::uint64_t rounds = std::clamp<std::uint64_t>(residues / (50 * million * devices), 1, max_rounds);
  // Sequences do not fill pieces evenly: without a margin, a few of the longest ones need a piece of their own.
  const std::uint64_t even = residues / (rounds * devices) + 1;
  return std::clamp(even + even / 64, 12 * million, most);
}

Schedule schedule_named(std::string_view name) {
  if (name == "shared") return Schedule::shared;
  if (name == "published") return Schedule::published;
  throw InputError("schedule " + in_quotes(name) + "; expected shared or published");
}

struct Searcher::State {
  Communicator ranks;
  align::SearchOptions options;
  Schedule schedule;
  std::unique_ptr<DealtChunks> dealt;               ///< of the current search
  std::optional<align::Searcher> scores, of_whole;  ///< of_whole: set if `scores` has a part of the database

  State(const Communicator& r, Devices devices, const align::Database& database, const align::SearchOptions& o,
        Schedule s)
      : ranks(r), options(o), schedule(s) {
    if (options.chunk_queue) throw InputError("a search over ranks is shared by their communicator, by nothing else");
    align::SearchOptions own = options;
    own.align = false;
    if (options.progress)
      own.progress = [this](const ProgressState& state) {
        const double fraction = stage.begin + (stage.end - stage.begin) * state.fraction;
        return options.progress({fraction, stage.before + (stage.aligns ? 0 : state.items_done), stage.total});
      };
    if (schedule == Schedule::published) {
      const auto place = static_cast<std::size_t>(ranks.rank()), count = static_cast<std::size_t>(ranks.size());
      scores.emplace(devices, database.consecutive_shard(place, count), own);
      of_whole.emplace(devices, database, own);
    } else {
      if (own.chunk_residues == 0) {
        std::array<std::uint64_t, 2> counts{};  // of all ranks: CPUs and other devices
        for (const Device& device : devices) ++counts[device.info().type == DeviceType::cpu ? 0 : 1];
        ranks.sum(counts);
        own.chunk_residues = piece_residues(database.residues(), counts[0], counts[1]);
      }
      own.chunk_queue = [this](std::size_t chunks) -> align::ChunkQueue {
        dealt = std::make_unique<DealtChunks>(ranks, chunks);
        return [this] { return dealt->next(); };
      };
      scores.emplace(devices, database, own);
    }
  }

  /// Returns the hits of all ranks on rank 0. Adds the counts of this rank to `counts`.
  std::vector<std::vector<Hit>> search(const SequenceSet& queries, SearchCounts& counts);
  void align_all(const SequenceSet& queries, std::vector<std::vector<Hit>>& hits) const;
  std::uint64_t cells_with(const SequenceSet& queries) const {
    const bool both = queries.alphabet() == Alphabet::dna && options.strands == Strands::both;
    return queries.residues() * (both ? 2 : 1) * scores->database().residues();
  }

  /// The part of the search that a stage of a batch is, so that the reported progress never decreases.
  struct Stage {
    double begin = 0, end = 1;
    std::uint64_t before = 0, total = 0;  ///< cells
    bool aligns = false;
  } stage;
};

namespace {

void add(SearchCounts& counts, const SearchCounts& more) {
  counts.cells += more.cells;
  counts.computed_again += more.computed_again;
  counts.seconds += more.seconds;
  counts.kernel_seconds += more.kernel_seconds;
  counts.alignment_seconds += more.alignment_seconds;
  counts.held_hits = std::max(counts.held_hits, more.held_hits);
}

}  // namespace

void Searcher::State::align_all(const SequenceSet& queries, std::vector<std::vector<Hit>>& hits) const {
  std::vector<std::byte> message;
  if (ranks.is_root()) {
    const std::string packed = align::pack_hits(hits);
    message.assign(as_bytes(packed).begin(), as_bytes(packed).end());
  }
  ranks.broadcast(message);
  std::vector<std::vector<Hit>> mine = align::unpack_hits(as_text(message));
  if (options.by_subject) {  // hits of a query's strands belong together
    const auto size = static_cast<std::size_t>(ranks.size()), rank = static_cast<std::size_t>(ranks.rank());
    for (std::size_t q = 0; q < mine.size(); ++q)
      if (q % size != rank) mine[q].clear();
    (of_whole ? *of_whole : *scores).align(queries, mine);
    const std::vector<std::vector<std::byte>> all = ranks.gather(as_bytes(align::pack_hits(mine)));
    if (!ranks.is_root()) return;
    for (std::size_t from = 0; from < size; ++from) {
      std::vector<std::vector<Hit>> part = align::unpack_hits(as_text(all[from]));
      for (std::size_t q = from; q < hits.size(); q += size) hits[q] = std::move(part[q]);
    }
    return;
  }
  // Hits are assigned to the ranks one by one, since similar queries have similar hits.
  const auto of_me = [&](std::size_t number, int rank) {
    return number % static_cast<std::size_t>(ranks.size()) == static_cast<std::size_t>(rank);
  };
  std::size_t number = 0;
  for (std::vector<Hit>& of_query : mine)
    std::erase_if(of_query, [&](const Hit&) { return !of_me(number++, ranks.rank()); });
  (of_whole ? *of_whole : *scores).align(queries, mine);
  const std::vector<std::vector<std::byte>> all = ranks.gather(as_bytes(align::pack_hits(mine)));
  if (!ranks.is_root()) return;
  std::vector<std::vector<std::vector<Hit>>> grown(hits.size());  // [query][hit]: the hit and its further alignments
  for (std::size_t q = 0; q < hits.size(); ++q) grown[q].resize(hits[q].size());
  for (int rank = 0; rank < ranks.size(); ++rank) {
    std::vector<std::vector<Hit>> part = align::unpack_hits(as_text(all[static_cast<std::size_t>(rank)]));
    number = 0;
    for (std::size_t q = 0; q < hits.size(); ++q) {
      std::size_t next = 0;
      for (std::vector<Hit>& one : grown[q]) {
        if (!of_me(number++, rank)) continue;
        do one.push_back(std::move(part[q][next++]));
        while (next < part[q].size() && part[q][next].hsp > 0);
      }
    }
  }
  for (std::size_t q = 0; q < hits.size(); ++q) {
    hits[q].clear();
    for (std::vector<Hit>& one : grown[q]) std::ranges::move(one, std::back_inserter(hits[q]));
  }
}

Searcher::Searcher(const Communicator& ranks, Devices devices, const align::Database& database,
                   const align::SearchOptions& options, Schedule schedule)
    : state_(std::make_unique<State>(ranks, devices, database, options, schedule)) {}
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;
Searcher::~Searcher() = default;

std::vector<std::vector<Hit>> Searcher::State::search(const SequenceSet& queries, SearchCounts& counts) {
  const std::uint64_t cells = cells_with(queries), all_cells = std::max<std::uint64_t>(stage.total, 1);
  const auto share = [&](double of_batch) {
    return (static_cast<double>(stage.before) + of_batch * static_cast<double>(cells)) / static_cast<double>(all_cells);
  };
  stage.begin = share(0);
  stage.end = share(options.align ? 0.9 : 1);
  stage.aligns = false;
  align::SearchResult result = scores->search(queries);
  dealt.reset();
  add(counts, result.counts);
  const std::vector<std::vector<std::byte>> all = ranks.gather(as_bytes(align::pack_hits(result.hits)));
  for (std::vector<Hit>& of_query : result.hits) of_query.clear();
  if (ranks.is_root()) {
    std::vector<std::vector<std::vector<Hit>>> parts;
    parts.reserve(all.size());
    for (const std::vector<std::byte>& message : all) parts.push_back(align::unpack_hits(as_text(message)));
    std::vector<std::vector<Hit>> of_ranks(parts.size());
    for (std::size_t q = 0; q < queries.size(); ++q) {
      for (std::size_t rank = 0; rank < parts.size(); ++rank) of_ranks[rank] = std::move(parts[rank][q]);
      result.hits[q] = align::merge_hits(of_ranks, options.top_before_alignment(queries.alphabet()));
    }
  }
  stage.before += cells;
  if (options.align) {
    stage.begin = std::exchange(stage.end, static_cast<double>(stage.before) / static_cast<double>(all_cells));
    stage.aligns = true;
    align_all(queries, result.hits);
  }
  return std::move(result.hits);
}

align::SearchResult Searcher::search(const SequenceSet& queries) const {
  State& s = *state_;
  s.stage = {.total = s.cells_with(queries)};
  align::SearchResult result;
  result.hits = s.search(queries, result.counts);
  add_up(s.ranks, result.counts);
  return result;
}

align::SearchCounts Searcher::search(const SequenceSet& queries, const align::Searcher::HitSink& sink) const {
  State& s = *state_;
  s.stage = {.total = s.cells_with(queries)};
  align::SearchCounts counts;
  for (const RecordRange& range : (s.of_whole ? *s.of_whole : *s.scores).batches(queries)) {
    std::vector<std::vector<Hit>> hits = s.search(queries.slice(range.first, range.count), counts);
    if (!s.ranks.is_root()) continue;
    for (std::size_t q = 0; q < hits.size(); ++q) sink(range.first + q, std::exchange(hits[q], {}));
  }
  add_up(s.ranks, counts);
  return counts;
}

align::SearchCounts Searcher::all_scores(const SequenceSet& queries, const align::Searcher::ScoreSink& sink) const {
  State& s = *state_;
  s.stage = {.total = s.cells_with(queries)};
  if (s.schedule == Schedule::published && s.ranks.size() > 1)
    throw InputError("all scores in database order go with the schedule shared");
  std::vector<std::int32_t> best;
  SearchCounts counts =
      s.scores->all_scores(queries, [&](std::size_t query, std::uint64_t first, std::span<const std::int32_t> scores) {
        best.assign(scores.begin(), scores.end());
        // Scores of other ranks are 0 here.
        for (std::size_t done = 0; done < best.size(); done += message_bytes) {
          MPI_Request request = MPI_REQUEST_NULL;
          const int count = static_cast<int>(std::min(message_bytes, best.size() - done));
          GENOCL_MPI(MPI_Ireduce, s.ranks.is_root() ? MPI_IN_PLACE : best.data() + done,
                     s.ranks.is_root() ? best.data() + done : nullptr, count, MPI_INT32_T, MPI_MAX, 0, s.ranks.get(),
                     &request);
          wait_for(request);
        }
        if (s.ranks.is_root()) sink(query, first, best);
      });
  state_->dealt.reset();
  add_up(s.ranks, counts);
  return counts;
}

}  // namespace genocl::cluster
