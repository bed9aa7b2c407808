// Alignments with long subjects, which are processed piece by piece.
#include <algorithm>
#include <utility>

#include "align/search/searcher_state.hpp"
#include "pairwise/device_pairs.hpp"
#include "pairwise/host_pair.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
namespace {

/// Shorter subjects are processed as a whole, which is fast enough.
constexpr std::uint64_t min_long_letters = std::uint64_t{1} << 16;

std::span<const Code> in(std::span<const Code> subject, const Piece& piece) {
  return subject.subspan(piece.begin, piece.length);
}

std::vector<std::int32_t> scores_of(const Device& device, const ScoringTable& table, std::span<const Code> query,
                                    std::span<const Code> subject, std::span<const Piece> pieces) {
  const std::vector<std::span<const Code>> queries(pieces.size(), query);
  std::vector<std::span<const Code>> subjects;
  for (const Piece& piece : pieces) subjects.push_back(in(subject, piece));
  return pairwise::score_on_device(device, table.matrix, table.gap, queries, subjects, 0);
}

/// Returns the part of an alignment within a piece, letter by letter, relative to the piece.
Alignment clipped(const Alignment& alignment, const Piece& piece) {
  Alignment inside;
  std::uint64_t i = alignment.query_begin, j = alignment.subject_begin;
  for (const EditRun& run : alignment.runs)
    for (std::uint32_t k = 0; k < run.length; ++k) {
      const bool in_query = run.operation != 'D', in_subject = run.operation != 'I';
      if (j >= piece.begin && j < piece.begin + piece.length) {
        if (inside.runs.empty()) {
          inside.query_begin = i;
          inside.subject_begin = j - piece.begin;
        }
        inside.runs.push_back({1, run.operation});
      }
      i += in_query ? 1 : 0;
      j += in_subject ? 1 : 0;
    }
  return inside;
}

struct ScoredPiece {
  Piece piece;
  std::int32_t score = 0;

  std::uint64_t end() const noexcept { return piece.begin + piece.length; }
};
using ScoredPieces = std::vector<ScoredPiece>;

void in_order(ScoredPieces& pieces) { std::ranges::sort(pieces, {}, &ScoredPiece::end); }

/// Removes pieces without any of the `most` best alignments of a pair. An alignment spans at most `overlap` letters, so
/// it covers letters of at most one of several pieces that are `overlap` letters apart. If more such pieces exist than
/// alignments were taken, the next alignment scores at least the minimum of their scores.
void leave_out_low(ScoredPieces& pieces, std::size_t most, std::uint64_t overlap) {
  std::vector<std::int32_t> apart;
  std::uint64_t from = 0;
  for (const ScoredPiece& one : pieces)
    if (one.piece.begin >= from) {
      apart.push_back(one.score);
      from = one.end() + overlap;
    }
  if (apart.size() <= most) return;
  std::ranges::nth_element(apart, apart.begin() + static_cast<std::ptrdiff_t>(most), std::ranges::greater{});
  const std::int32_t least = apart[most];
  std::erase_if(pieces, [&](const ScoredPiece& one) { return one.score < least; });
}

/// Enumerates the next best alignments of a pair from the scores of its pieces.
class NextInPieces {
 public:
  /// @param overlap Maximum subject letters that an alignment spans.
  /// @param pieces Pieces in order.
  NextInPieces(std::span<const Code> query, std::span<const Code> subject, const pairwise::HostScoring& scoring,
               const Matrix& matrix, ScoredPieces pieces, std::uint64_t overlap)
      : query_(query),
        subject_(subject),
        scoring_(scoring),
        matrix_(matrix),
        pieces_(std::move(pieces)),
        overlap_(overlap) {}

  /// Returns the best alignment that shares no pair of letters with those passed to take(); score 0 if none exists.
  Alignment next() {
    while (true) {
      // Among the pieces with the best score, the first one contains the alignment that ends first.
      const auto best = std::ranges::max_element(pieces_, {}, &ScoredPiece::score);
      if (best == pieces_.end() || best->score == 0) return {};
      if (overlap_ > 0 && best->piece.length > 4 * overlap_) {
        cut(static_cast<std::size_t>(best - pieces_.begin()));
        continue;
      }
      const Piece& piece = best->piece;
      pairwise::UsedPairs used;
      for (const Alignment& one : taken_)
        if (one.subject_begin < best->end() && piece.begin < one.subject_end) used.add(clipped(one, piece));
      Alignment found = pairwise::align_on_host(query_, in(subject_, piece), scoring_, matrix_, used);
      // An alignment taken in the meantime may have used some of its letters.
      if (std::exchange(best->score, found.score) != found.score) continue;
      found.subject_begin += piece.begin;
      found.subject_end += piece.begin;
      return found;
    }
  }

  void take(Alignment alignment) { taken_.push_back(std::move(alignment)); }

 private:
  /// Cuts a piece into shorter ones with the same upper bound of the score. Each alignment in a piece requires a new
  /// alignment of the whole piece, so short pieces are cheaper.
  void cut(std::size_t number) {
    const ScoredPiece whole = pieces_[number];
    ScoredPieces parts;
    for (std::uint64_t begin = whole.piece.begin; begin + overlap_ < whole.end() || parts.empty();
         begin += 2 * overlap_) {
      ScoredPiece& part = parts.emplace_back(whole);
      part.piece.begin = begin;
      part.piece.length = static_cast<std::uint32_t>(std::min(3 * overlap_, whole.end() - begin));
    }
    const auto at = pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(number));
    pieces_.insert(at, parts.begin(), parts.end());
    // The last parts may end after parts of the next piece.
    in_order(pieces_);
  }

  std::span<const Code> query_, subject_;
  const pairwise::HostScoring& scoring_;
  const Matrix& matrix_;
  ScoredPieces pieces_;  ///< with upper bounds of the scores
  std::uint64_t overlap_;
  std::vector<Alignment> taken_;
};

}  // namespace

Cut Searcher::State::cut_of_pair(std::uint64_t query_length, std::uint64_t subject_length) const {
  if (options.piece_letters == 0 && subject_length < min_long_letters) return {};
  const std::uint64_t overlap = overlap_for(query_length, options.matrix.highest());
  const Cut cut = cut_of({.count = 1, .longest = subject_length}, overlap);
  return cut;
}

std::int32_t Searcher::State::best_score(const StrandQuery& query, Hit& hit) const {
  const std::span<const Code> subject = database.sequence(hit.subject);
  const std::vector<Piece> pieces = pieces_of(subject.size(), cut_of_pair(query.codes.size(), subject.size()));
  const std::vector<std::int32_t> scores =
      with_room(devices.front(), [&] { return scores_of(devices.front(), table, query.codes, subject, pieces); });
  const auto best = std::ranges::max_element(scores);
  const Piece& piece = pieces[static_cast<std::size_t>(best - scores.begin())];
  hit.part_begin = piece.begin;
  hit.part_end = piece.begin + piece.length;
  return *best;
}

void Searcher::State::find_parts(const QueryCodes& codes, std::span<std::vector<Hit>> hits) const {
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (Hit& hit : hits[q]) {
      if (hit.part_end != 0) continue;
      const std::span<const Code> query = codes.at({q, strand_of(hit)}).codes, subject = database.sequence(hit.subject);
      hit.part_end = subject.size();
      if (codes.at({q, strand_of(hit)}).profile != nullptr) continue;
      const Cut cut = cut_of_pair(query.size(), subject.size());
      if (cut == Cut{}) continue;
      const std::vector<Piece> pieces = pieces_of(subject.size(), cut);
      const std::vector<std::int32_t> scores =
          with_room(devices.front(), [&] { return scores_of(devices.front(), table, query, subject, pieces); });
      const Piece& best = pieces[static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin())];
      hit.part_begin = best.begin;
      hit.part_end = best.begin + best.length;
    }
}

Searcher::State::NextOfLong Searcher::State::next_of_long(const QueryCodes& codes,
                                                          std::span<const std::vector<Hit>> hits,
                                                          const pairwise::HostScoring& scoring, const HspLimits& limits,
                                                          const Progress& progress) const {
  // Sorted by query and strand, as run() requires.
  std::vector<StrandQuery> queries;
  std::map<std::pair<std::size_t, int>, std::vector<const Hit*>> of_query;
  std::vector<std::pair<const Hit*, std::span<const Code>>> pairs;
  std::map<const Hit*, const StrandQuery*> query_of;
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (const Hit& hit : hits[q]) {
      const StrandQuery& query = codes.at({q, strand_of(hit)});
      // The host handles profiles and whole subjects.
      if (query.profile != nullptr) continue;
      if (cut_of_pair(query.codes.size(), database.length(hit.subject)) == Cut{}) continue;
      std::vector<const Hit*>& same = of_query[{query.query, query.strand()}];
      if (same.empty()) queries.push_back(query);
      same.push_back(&hit);
      pairs.emplace_back(&hit, query.codes);
      query_of[&hit] = &query;
    }
  if (pairs.empty()) return {};
  const std::vector<StrandQuery> sorted = sorted_by_length(queries);

  using Found = std::vector<std::pair<const Hit*, ScoredPieces>>;
  const auto take = [&](const Device&, const Unit& unit, const DeviceChunk& chunk, const DeviceScores& scores) {
    std::vector<std::vector<std::uint32_t>> pieces_of_subject(chunk.range.count);
    for (std::uint32_t i = 0; i < chunk.pieces.size(); ++i) pieces_of_subject[chunk.pieces[i].subject].push_back(i);
    const std::vector<std::int32_t> all = scores.download();
    Found found;
    for (std::size_t k = 0; k < unit.query_count; ++k) {
      const StrandQuery& query = sorted[unit.first_query + k];
      for (const Hit* const hit : of_query.at({query.query, query.strand()})) {
        const std::size_t subject = database.rank(hit->subject) - chunk.range.first;  // wraps around
        if (subject >= chunk.range.count) continue;
        const std::span<const std::int32_t> own = std::span(all).subspan(k * chunk.count(), chunk.count());
        ScoredPieces pieces;
        for (const std::uint32_t i : pieces_of_subject[subject]) pieces.push_back({chunk.pieces[i], own[i]});
        if (chunk.pieces.empty()) pieces.push_back({{0, chunk.lengths[subject], 0}, own[subject]});
        in_order(pieces);
        leave_out_low(pieces, limits.max_hsps, unit.overlap);
        found.emplace_back(hit, std::move(pieces));
      }
    }
    return found;
  };
  std::map<const Hit*, ScoredPieces> pieces;
  const auto sink = [&](const Unit&, Found&& found) {
    for (auto& [hit, some] : found) pieces[hit].insert(pieces[hit].end(), some.begin(), some.end());
  };
  SearchTally tally;  // not part of the search's counts
  run<Found>(sorted, take, sink, part_of(progress, 0, 0.9, 0), tally, false);

  std::vector<std::vector<Alignment>> next(pairs.size());
  runtime::parallel_for(pairs.size(), runtime::threads_for(pairs.size(), 1, 64), [&](std::size_t i) {
    const auto& [hit, query] = pairs[i];
    ScoredPieces& own = pieces.at(hit);
    in_order(own);
    NextInPieces in_pieces(query, database.sequence(hit->subject), scoring, options.matrix, std::move(own),
                           overlap_for(query.size(), options.matrix.highest()));
    in_pieces.take(*hit->alignment);
    const std::int32_t least = min_score(*query_of.at(hit), database.length(hit->subject), limits);
    while (next[i].size() + 1 < limits.max_hsps) {
      Alignment one = in_pieces.next();
      if (one.score < least) break;
      in_pieces.take(one);
      next[i].push_back(std::move(one));
    }
  });
  tell(progress, {1, 0, 0});
  NextOfLong all;
  for (std::size_t i = 0; i < pairs.size(); ++i) all[pairs[i].first] = std::move(next[i]);
  return all;
}

}  // namespace genocl::align
