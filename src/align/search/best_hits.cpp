// The best hits of a batch, selected on the device, with pieces and with whole sequences.

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

#include "align/pipeline.hpp"
#include "align/search/hits.hpp"
#include "align/search/searcher_state.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/scan.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {
namespace {

using Selected = std::vector<std::vector<FoundHit>>;

/// Selects hits from the scores of a unit, for each of its queries. best[q] provides the current cutoffs.
Selected select_hits(const Device& device, const DeviceChunk& chunk, const DeviceScores& scores,
                     const Database& database, std::span<const StrandQuery> queries,
                     std::span<const BestHits* const> best, std::size_t top) {
  Selected selected(queries.size());
  const ChunkRange& range = chunk.range;
  std::optional<BestPieces> of_pieces;
  if (!chunk.pieces.empty()) of_pieces = best_of_pieces(device, chunk, scores, queries.size());
  const DeviceScores& of_sequences = of_pieces ? of_pieces->scores : scores;
  const auto count = static_cast<std::uint32_t>(range.count);
  const auto collect = [&](std::span<const std::int32_t> cutoffs, std::size_t of_each) {
    const auto candidates = select_top(device, of_sequences, count, cutoffs, of_each);
    std::vector<std::uint64_t> places;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (candidates[q].empty()) continue;
      selected[q].clear();
      for (const Candidate& candidate : candidates[q]) {
        const std::size_t rank = range.first + candidate.subject;
        const std::uint64_t length = database.length_at(rank);
        selected[q].push_back({.subject = database.number(rank),
                               .score = candidate.score,
                               .minus = queries[q].minus,
                               .evalue = best[q]->evalue(candidate.score, length),
                               .part_end = length});
        places.push_back(std::uint64_t{q} * count + candidate.subject);
      }
    }
    if (!of_pieces) return;
    const std::vector<Piece> pieces = pieces_at(device, chunk, *of_pieces, places);
    auto piece = pieces.begin();
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (candidates[q].empty()) continue;
      for (FoundHit& hit : selected[q]) {
        hit.part_begin = piece->begin;
        hit.part_end = piece->begin + piece->length;
        hit.goes_on =
            (piece->subject == 0 && range.before != 0) || (piece->subject + 1 == range.count && range.behind != 0);
        ++piece;
      }
    }
  };
  std::vector<std::int32_t> cutoffs;
  for (const BestHits* const one : best) cutoffs.push_back(one->cutoff());
  collect(cutoffs, top);
  // A shorter subject with a lower score than the top-th hit can have a lower E-value. In this case the selection is
  // repeated with the lower cutoff.
  bool again = false;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::int32_t wanted = std::numeric_limits<std::int32_t>::max();
    if (selected[q].size() >= top) {
      std::ranges::nth_element(selected[q], selected[q].begin() + static_cast<std::ptrdiff_t>(top - 1),
                               better<FoundHit>);
      const std::int32_t least = std::ranges::min_element(selected[q], {}, &FoundHit::score)->score;
      const std::int32_t beside = std::max(cutoffs[q], best[q]->cutoff_beside(selected[q][top - 1]));
      if (beside < least) wanted = beside;
    }
    cutoffs[q] = wanted;
    again = again || wanted != std::numeric_limits<std::int32_t>::max();
  }
  if (again) collect(cutoffs, count);
  return selected;
}

/// Returns hits without alignments.
std::vector<Hit> plain_hits(const StrandQuery& query, std::span<const FoundHit> found, const BestHits& best) {
  std::vector<Hit> hits;
  for (const FoundHit& one : found)
    hits.push_back({.subject = one.subject,
                    .score = one.score,
                    .minus = one.minus,
                    .bits = best.bits(one.score),
                    .evalue = one.evalue,
                    .alignment = {},
                    .part_begin = one.part_begin,
                    .part_end = one.part_end,
                    .query_frame = query.frame});
  return hits;
}

}  // namespace

std::vector<std::vector<Hit>> Searcher::State::best_hits(const SequenceSet& queries,
                                                         std::span<const StrandQuery> strands, const Progress& progress,
                                                         SearchTally& tally) const {
  // Adjusted scores change the order of hits. All subjects are examined, so that shards give the same results.
  const std::size_t all_subjects = std::max<std::size_t>(1, database.size());
  const std::size_t top = adjuster ? all_subjects : options.top_before_alignment(database.alphabet());
  // Scores with all letters also change the order after those of masked letters.
  const bool any_soft = std::ranges::any_of(strands, [&](const StrandQuery& query) { return is_soft(query); });
  const std::size_t soft_top = statistics && !options.filter.any() ? all_subjects : top;
  const HspLimits of_anchors = limits_of_anchors();
  const std::int32_t min_score = adjuster ? 1 : options.min_score;
  const bool stretches = adjuster && !strands.empty() && strands.front().profile == nullptr;
  const double max_evalue = options.max_evalue * (stretches ? evalue_stretch(options.composition) : 1);
  // The maximum score of a profile may be higher, so that shorter subjects can reach a score.
  const LengthBounds* length_bounds = bounds.get();
  std::optional<LengthBounds> profile_bounds;
  int highest = options.matrix.highest();
  for (const StrandQuery& query : strands)
    if (query.profile != nullptr) highest = std::max(highest, query.profile->highest());
  if (length_bounds != nullptr && highest > options.matrix.highest())
    length_bounds = &profile_bounds.emplace(*statistics, database.length_at(0), database.longest(), highest);
  std::vector<std::unique_ptr<BestHits>> best;
  const std::size_t strand_count = queries.empty() ? 1 : strands.size() / queries.size();
  // Frames of a query differ in their length, and thus in their E-values.
  const std::size_t lists = options.translation.queries ? strand_count : 1;  // of a query
  const auto list_of = [&](const StrandQuery& query) { return query.query * lists + query.frame_number; };
  for (std::size_t list = 0; list < queries.size() * lists; ++list) {
    const StrandQuery& query = strands[list * strand_count / lists];
    std::optional<ScoreCutoffs> cutoffs;
    if (statistics) cutoffs.emplace(significance_of(query), length_bounds);
    if (is_soft(query))
      best.push_back(
          std::make_unique<BestHits>(soft_top, of_anchors.min_score, of_anchors.max_evalue, std::move(cutoffs)));
    else
      best.push_back(std::make_unique<BestHits>(top, min_score, max_evalue, std::move(cutoffs)));
  }
  const std::vector<StrandQuery> sorted = sorted_by_length(strands);

  const auto take = [&](const Device& device, const Unit& unit, const DeviceChunk& chunk, const DeviceScores& scores) {
    const auto of_unit = std::span(sorted).subspan(unit.first_query, unit.query_count);
    std::vector<const BestHits*> best_of;
    for (const StrandQuery& query : of_unit) best_of.push_back(best[list_of(query)].get());
    return select_hits(device, chunk, scores, database, of_unit, best_of, any_soft ? std::max(top, soft_top) : top);
  };
  const auto sink = [&](const Unit& unit, Selected&& selected) {
    for (std::size_t q = 0; q < unit.query_count; ++q)
      best[list_of(sorted[unit.first_query + q])]->add(std::move(selected[q]));
  };
  const std::uint64_t cells = cells_of(strands);
  // With few hits the devices dominate the time, with many hits the host does.
  const bool scores_again = adjuster || any_soft;
  run<Selected>(sorted, take, sink, scores_again ? part_of(progress, 0, 0.5, cells) : progress, tally);

  const double begin = now();
  QueryCodes codes;
  for (const StrandQuery& query : strands) codes[{query.query, query.strand()}] = query;
  std::vector<std::vector<Hit>> hits(queries.size());
  for (std::size_t list = 0; list < best.size(); ++list) {
    const StrandQuery& query = strands[list * strand_count / lists];
    const double step = 0.5 / static_cast<double>(best.size()), share = 0.5 + step * static_cast<double>(list);
    const Progress of_list = part_of(progress, share, share + step, cells);
    const std::vector<FoundHit> found = best[list]->take();
    std::vector<Hit> some = adjuster && options.translation.any()
                                ? adjusted_frame_hits(codes, query, plain_hits(query, found, *best[list]), of_list)
                            : is_soft(query) ? soft_hits(codes, query.query, found, of_list)
                            : adjuster       ? adjusted(query, found, best[list]->significance(), of_list)
                                             : plain_hits(query, found, *best[list]);
    std::vector<Hit>& of_query = hits[query.query];
    std::ranges::move(some, std::back_inserter(of_query));
    if (lists == 1 || list % lists + 1 < lists) continue;
    std::ranges::sort(of_query, better<Hit>);
    const std::size_t most = options.top_before_alignment(database.alphabet());
    if (of_query.size() > most) of_query.resize(most);
  }
  if (scores_again) {
    tell(progress, {1, cells, cells});
    tally.counts.seconds += now() - begin;
  }
  return hits;
}

namespace {

using runtime::ceil_div;

/// Members that one work-item processes. Several items share a long sequence.
constexpr std::uint32_t run_members = 256;

/// The pieces of each sequence in order, divided into runs.
struct Runs {
  std::vector<std::uint32_t> order;        ///< piece indices
  std::vector<std::uint32_t> first_piece;  ///< [run] index in `order`; one more: the end
  std::vector<std::uint32_t> first_run;    ///< [sequence]; one more: the end

  Runs(const DeviceChunk& chunk) : order(chunk.pieces.size()) {
    const std::vector<Piece>& pieces = chunk.pieces;
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(
        order, {}, [&](std::uint32_t i) { return std::pair(pieces[i].subject, pieces[i].begin + pieces[i].length); });
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      const bool next_sequence = k == 0 || pieces[order[k]].subject != pieces[order[k - 1]].subject;
      if (next_sequence) first_run.push_back(static_cast<std::uint32_t>(first_piece.size()));
      if (next_sequence || k - first_piece.back() == run_members) first_piece.push_back(k);
    }
    first_run.push_back(static_cast<std::uint32_t>(first_piece.size()));
    first_piece.push_back(static_cast<std::uint32_t>(order.size()));
  }
};

struct Level {
  DeviceScores scores;
  Array<std::uint32_t> places;
};

Level best_of_runs(const Device& device, const DeviceScores& scores, const Array<std::uint32_t>* places,
                   const Array<std::uint32_t>& order, std::span<const std::uint32_t> first, std::uint64_t count,
                   std::uint64_t queries) {
  const std::uint64_t runs = first.size() - 1, items = runs * queries;
  Level level{DeviceScores(device, items), Array<std::uint32_t>(device, items)};
  const Array<std::uint32_t> begins(device, first);
  runtime::Defines defines;
  defines.set("OF_PIECES", places == nullptr ? 1 : 0);
  runtime::launch_items(device, "align/search/pieces.cl", "best_of_runs", defines,
                        {.items = items, .bytes = scores.bytes(), .least = 16}, scores,
                        places != nullptr ? *places : order, order, begins, static_cast<std::uint32_t>(count),
                        static_cast<std::uint32_t>(runs), items, level.scores, level.places);
  return level;
}

}  // namespace

BestPieces best_of_pieces(const Device& device, const DeviceChunk& chunk, const DeviceScores& scores,
                          std::size_t queries) {
  const Runs runs(chunk);
  const Array<std::uint32_t> order(device, std::span<const std::uint32_t>(runs.order));
  Level level = best_of_runs(device, scores, nullptr, order, runs.first_piece, chunk.count(), queries);
  if (runs.first_run.size() < runs.first_piece.size())
    level =
        best_of_runs(device, level.scores, &level.places, order, runs.first_run, runs.first_piece.size() - 1, queries);
  return {std::move(level.scores), std::move(level.places)};
}

std::vector<Piece> pieces_at(const Device& device, const DeviceChunk& chunk, const BestPieces& best,
                             std::span<const std::uint64_t> indices) {
  if (indices.empty()) return {};
  const Array<std::uint64_t> wanted(device, indices);
  Array<std::uint32_t> found(device, indices.size());
  primitives::gather(device, best.places, wanted, found);
  std::vector<Piece> pieces;
  for (const std::uint32_t place : found.download()) pieces.push_back(chunk.pieces[place]);
  return pieces;
}

namespace {

using runtime::ceil_div;

// Values of a digit of eight bits, scores that a job counts at a time, and scores of a work-item in the compaction.
constexpr std::uint64_t digits = 256, job_scores = 16'384, item_scores = 64;

class Selection {
 public:
  Selection(const Device& device, const DeviceScores& scores, std::uint32_t count, std::uint32_t queries)
      : device_(device), scores_(scores), count_(count), queries_(queries), prefix_(device, queries) {
    prefix_.fill(0);
    defines_.set("DIGITS", digits).set("JOB_SCORES", job_scores).set("ITEM_SCORES", item_scores);
    if (runtime::uses_cpu_kernels(device)) {
      defines_.set("ONLY_CPU", 1);
    } else {
      size_ = runtime::group_size(device);
      defines_.set("ONLY_GPU", 1).set("GROUP_SIZE", size_);
    }
  }

  /// Computes the prefix: the highest score that at least `top` scores reach (ties).
  void find_top(std::uint32_t top) {
    Array<std::uint32_t> histogram(device_, queries_ * digits), wanted(device_, queries_);
    histogram.fill(0);
    wanted.fill(top);
    const auto jobs_of_query = static_cast<std::uint32_t>(ceil_div(count_, job_scores));
    const std::uint64_t jobs = std::uint64_t{jobs_of_query} * queries_;
    for (std::uint32_t shift = 32; shift > 0;) {
      shift -= 8;
      if (size_ == 1) {
        const runtime::Shares shares = runtime::share_out(device_, {}, jobs, 1, 1);
        kernel("count_digits_cpu")
            .args(scores_, prefix_, count_, jobs_of_query, jobs, shift, histogram, shares.share)
            .run(shares.workers, 1, scores_.bytes());
      } else {
        kernel("count_digits_gpu")
            .args(scores_, prefix_, count_, jobs_of_query, shift, histogram)
            .run(static_cast<std::size_t>(jobs), size_, scores_.bytes());
      }
      run_items("pick_digit", queries_, 1, histogram, prefix_, wanted, queries_);
    }
  }

  std::vector<std::vector<Candidate>> collect(std::span<const std::int32_t> cutoffs) {
    const Array<std::int32_t> cutoff(device_, cutoffs);
    const auto items_of_query = static_cast<std::uint32_t>(ceil_div(count_, item_scores));
    const std::uint64_t items = std::uint64_t{items_of_query} * queries_;
    Array<std::uint32_t> chosen(device_, items);
    Array<std::uint64_t> offset(device_, items + 1), begin(device_, queries_);
    run_items("count_chosen", items, 256, scores_, prefix_, cutoff, count_, items_of_query, items, chosen);
    primitives::exclusive_scan(device_, chosen, offset);
    std::uint64_t total = 0;
    offset.download({&total, 1}, static_cast<std::size_t>(items));

    std::vector<std::vector<Candidate>> found(queries_);
    if (total == 0) return found;
    Array<Candidate> candidates(device_, static_cast<std::size_t>(total));
    run_items("write_chosen", items, 256, scores_, prefix_, cutoff, count_, items_of_query, items, offset, candidates,
              begin);
    const std::vector<std::uint64_t> first = begin.download();
    const std::vector<Candidate> all = candidates.download();
    for (std::uint32_t query = 0; query < queries_; ++query) {
      const auto last = static_cast<std::ptrdiff_t>(query + 1 < queries_ ? first[query + 1] : total);
      found[query].assign(all.begin() + static_cast<std::ptrdiff_t>(first[query]), all.begin() + last);
    }
    return found;
  }

 private:
  runtime::Kernel kernel(std::string_view name) const { return {device_, "align/search/select.cl", name, defines_}; }

  /// Launches an ITEM_KERNEL whose last arguments are its work share. `least`: minimum items per worker.
  template <class... Arguments>
  void run_items(std::string_view name, std::uint64_t items, std::uint64_t least, const Arguments&... arguments) {
    if (size_ == 1) {
      const runtime::Shares shares = runtime::share_out(device_, {}, items, 1, least);
      kernel(name).args(arguments..., shares.share).run(shares.workers, 1, scores_.bytes());
    } else {
      const auto groups = static_cast<std::size_t>(std::min<std::uint64_t>(ceil_div(items, size_), 1 << 20));
      kernel(name).args(arguments..., std::uint64_t{groups} * size_).run(groups, size_, scores_.bytes());
    }
  }

  const Device& device_;
  const DeviceScores& scores_;
  std::uint32_t count_, queries_;
  Array<std::uint32_t> prefix_;  ///< [query] known leading bits of the wanted score
  runtime::Defines defines_;
  unsigned size_ = 1;  ///< of a group
};

}  // namespace

std::vector<std::vector<Candidate>> select_top(const Device& device, const DeviceScores& scores, std::uint32_t count,
                                               std::span<const std::int32_t> cutoffs, std::size_t top) {
  static_assert(sizeof(Candidate) == 8);
  if (cutoffs.empty() || count == 0 || top == 0) return std::vector<std::vector<Candidate>>(cutoffs.size());
  if (scores.size() / count < cutoffs.size()) throw InputError("select_top: fewer scores than pairs");
  Selection selection(device, scores, count, static_cast<std::uint32_t>(cutoffs.size()));
  if (top < count) selection.find_top(static_cast<std::uint32_t>(top));
  return selection.collect(cutoffs);
}

}  // namespace genocl::align
