#include "genocl/pwm/motif_matches.hpp"

#include <algorithm>
#include <vector>

#include "genocl/error.hpp"
#include "pwm/matches/best_tails.hpp"
#include "pwm/matches/column_scores.hpp"
#include "runtime/parallel.hpp"

namespace genocl::pwm {
namespace {

constexpr int units = 128;
/// Queries that are looked at before their matches go to the sink.
constexpr std::size_t at_once = 64;

/// The columns of all targets, of both strands: those of target t as it is, then turned round.
struct Targets {
  ColumnTable columns;
  std::vector<std::size_t> begins, lengths;
  std::size_t strands;

  Targets(std::span<const Motif> motifs, const MatchOptions& options) : strands(options.both_strands ? 2 : 1) {
    for (const Motif& motif : motifs) {
      const std::vector<Probabilities> forward = probabilities_of(motif, options.pseudocount, options.background);
      begins.push_back(columns.size());
      lengths.push_back(forward.size());
      columns.add(forward);
      if (options.both_strands) columns.add(turned(forward));
    }
  }
};

struct Best {
  int score = 0, offset = 0;
  std::size_t overlap = 0;
  bool reverse = false, any = false;

  bool before(const Best& other) const {
    if (!other.any) return true;
    if (score != other.score) return score > other.score;
    if (overlap != other.overlap) return overlap > other.overlap;
    if (reverse != other.reverse) return !reverse;
    return offset < other.offset;
  }
};

std::vector<MotifMatch> matches_of(const Motif& query, const Targets& targets, const MatchOptions& options) {
  const std::vector<Probabilities> columns = probabilities_of(query, options.pseudocount, options.background);
  const std::size_t m = columns.size();
  const ColumnScores scores(columns, targets.columns, options.score, units);
  const BestTails tails(scores, targets.lengths);
  std::vector<MotifMatch> matches;
  std::vector<int> sums;
  for (std::size_t t = 0; t < targets.begins.size(); ++t) {
    const std::size_t n = targets.lengths[t];
    Best best;
    for (std::size_t strand = 0; strand < targets.strands; ++strand) {
      // sums[k]: the query begins k - (m - 1) columns behind the target's first one.
      sums.assign(m + n - 1, 0);
      for (std::size_t i = 0; i < m; ++i) {
        const std::int16_t* const of_target =
            scores.scores.data() + i * scores.targets + targets.begins[t] + strand * n;
        for (std::size_t j = 0; j < n; ++j) sums[j + m - 1 - i] += of_target[j];
      }
      const int most = *std::ranges::max_element(sums);
      for (std::size_t k = 0; k < sums.size(); ++k) {
        if (sums[k] != most) continue;
        const int offset = static_cast<int>(k) - static_cast<int>(m) + 1;
        const std::size_t overlap = std::min({m, n, k + 1, m + n - 1 - k});
        const Best one{sums[k], offset, overlap, strand == 1, true};
        if (one.before(best)) best = one;
      }
    }
    matches.push_back({t, best.reverse, best.offset, static_cast<std::uint32_t>(best.overlap),
                       tails.p(n, best.score, static_cast<unsigned>(targets.strands))});
  }
  return matches;
}

}  // namespace

void match_motifs(std::span<const Motif> queries, std::span<const Motif> targets, const MatchOptions& options,
                  const std::function<void(std::size_t query, std::span<const MotifMatch> matches)>& sink) {
  if (options.background.order() != 0)
    throw InputError("background", {}, "order " + std::to_string(options.background.order()),
                     "order 0 to match motifs");
  if (!(options.pseudocount >= 0))
    throw InputError("pseudocount", {}, std::to_string(options.pseudocount), "0 or more");
  if (targets.empty()) throw InputError("no motif to match with");
  const Targets all(targets, options);
  for (std::size_t first = 0; first < queries.size(); first += at_once) {
    const std::size_t count = std::min(at_once, queries.size() - first);
    std::vector<std::vector<MotifMatch>> found(count);
    runtime::parallel_for(count, runtime::threads_for(count, 1, 64),
                          [&](std::size_t i) { found[i] = matches_of(queries[first + i], all, options); });
    for (std::size_t i = 0; i < count; ++i) sink(first + i, found[i]);
    const std::size_t done = first + count;
    if (options.progress &&
        !options.progress({static_cast<double>(done) / static_cast<double>(queries.size()), done, queries.size()}))
      throw Cancelled();
  }
}

}  // namespace genocl::pwm
