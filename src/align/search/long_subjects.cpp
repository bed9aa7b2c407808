// Alignments with subjects that are so long that they are looked at piece by piece.
#include <algorithm>
#include <utility>

#include "align/pairs/host_pair.hpp"
#include "align/search/searcher_run.hpp"

namespace genocl::align {
namespace {

/// A shorter subject is looked at as a whole: that is fast enough.
constexpr std::uint64_t least_long = std::uint64_t{1} << 16;

std::span<const Code> in(std::span<const Code> subject, const Piece& piece) {
  return subject.subspan(piece.begin, piece.length);
}

std::vector<std::int32_t> scores_of(const Device& device, const ScoringTable& table, std::span<const Code> query,
                                    std::span<const Code> subject, std::span<const Piece> pieces) {
  const std::vector<std::span<const Code>> queries(pieces.size(), query);
  std::vector<std::span<const Code>> subjects;
  for (const Piece& piece : pieces) subjects.push_back(in(subject, piece));
  return score_on_device(device, table, queries, subjects, 0);
}

/// What of an alignment lies in a piece, counted in it, letter by letter.
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

/// The next best alignments of a pair, of which the pieces' scores are known.
class NextInPieces {
 public:
  NextInPieces(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring,
               const Matrix& matrix, std::span<const Piece> pieces, std::vector<std::int32_t> scores)
      : query_(query),
        subject_(subject),
        scoring_(scoring),
        matrix_(matrix),
        pieces_(pieces),
        scores_(std::move(scores)) {}

  /// The best of those that share no pair of letters with what take() was given; score 0 without one.
  Alignment next() {
    while (true) {
      // The first of the best pieces has the one that ends first.
      const auto best = static_cast<std::size_t>(std::ranges::max_element(scores_) - scores_.begin());
      if (scores_[best] == 0) return {};
      const Piece& piece = pieces_[best];
      UsedPairs used;
      for (const Alignment& one : taken_) used.add(clipped(one, piece));
      Alignment found = align_on_host(query_, in(subject_, piece), scoring_, matrix_, used);
      // Some of its letters may have been taken since.
      if (std::exchange(scores_[best], found.score) != found.score) continue;
      found.subject_begin += piece.begin;
      found.subject_end += piece.begin;
      return found;
    }
  }

  void take(Alignment alignment) { taken_.push_back(std::move(alignment)); }

 private:
  std::span<const Code> query_, subject_;
  const HostScoring& scoring_;
  const Matrix& matrix_;
  std::span<const Piece> pieces_;
  std::vector<std::int32_t> scores_;  ///< of a piece: what it has at most
  std::vector<Alignment> taken_;
};

}  // namespace

Cut Searcher::State::cut_of_pair(std::uint64_t query_length, std::uint64_t subject_length) const {
  if (options.piece_letters == 0 && subject_length < least_long) return {};
  const std::uint64_t overlap = overlap_for(query_length);
  const Cut cut = cut_of({.count = 1, .longest = subject_length}, overlap);
  return cut;
}

void Searcher::State::find_parts(const QueryCodes& codes, std::span<std::vector<Hit>> hits) const {
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (Hit& hit : hits[q]) {
      if (hit.part_end != 0) continue;
      const std::span<const Code> query = codes.at({q, hit.minus}).codes, subject = database.sequence(hit.subject);
      hit.part_end = subject.size();
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
                                                          const HostScoring& scoring, const Progress& progress) const {
  struct Pair {
    std::span<const Code> query, subject;
    const Hit* hit;
    Cut cut;
    std::uint64_t cells() const { return query.size() * subject.size(); }
  };
  std::vector<Pair> pairs;
  runtime::ChunkOptions chunk_options{.workers_per_device = 1, .progress = progress};
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (const Hit& hit : hits[q]) {
      const std::span<const Code> query = codes.at({q, hit.minus}).codes, subject = database.sequence(hit.subject);
      const Cut cut = cut_of_pair(query.size(), subject.size());
      if (cut == Cut{}) continue;
      pairs.push_back({query, subject, &hit, cut});
      chunk_options.items_total += pairs.back().cells();
    }
  NextOfLong all;
  if (pairs.empty()) return all;
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<const Pair*> {
    if (next == pairs.size()) return std::nullopt;
    return &pairs[next++];
  };
  using Found = std::pair<const Pair*, std::vector<Alignment>>;
  const auto work = [&](const Device& device, const Pair*&& pair) {
    const std::vector<Piece> pieces = pieces_of(pair->subject.size(), pair->cut);
    NextInPieces in_pieces(pair->query, pair->subject, scoring, options.matrix, pieces, with_room(device, [&] {
                             return scores_of(device, table, pair->query, pair->subject, pieces);
                           }));
    Found found{pair, {}};
    in_pieces.take(*pair->hit->alignment);
    while (found.second.size() + 1 < options.max_hsps) {
      Alignment one = in_pieces.next();
      if (one.score < std::max(1, options.min_score)) break;
      in_pieces.take(one);
      found.second.push_back(std::move(one));
    }
    return found;
  };
  runtime::for_each_chunk(
      std::span<const Device>(devices), source, work,
      [&](Found&& found) {
        all[found.first->hit] = std::move(found.second);
        return found.first->cells();
      },
      chunk_options);
  return all;
}

}  // namespace genocl::align
