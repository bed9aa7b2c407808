// Comparison of motifs by their columns, as Tomtom does it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/pwm/motif_matches.hpp"
#include "runtime/parallel.hpp"

namespace genocl::pwm {
namespace {

using Probabilities = std::array<double, 4>;

/// Many columns, letter by letter.
class ColumnTable {
 public:
  void add(std::span<const Probabilities> columns);
  std::size_t size() const { return letters_[0].size(); }
  /// scores[i]: of `column` with column i.
  void score(ColumnScore kind, const Probabilities& column, std::span<float> scores) const;

 private:
  std::array<std::vector<float>, 4> letters_;
};

/// Scores of each column of a query with every column of the targets, relative to the median of all, in units of 1 /
/// `units` of the range of all of them, rounded.
struct ColumnScores {
  std::size_t targets = 0;
  std::vector<std::int16_t> scores;  ///< [query column][target column]
  /// [query column]: the distribution of its scores, from the score `least` of the column on.
  std::vector<std::vector<double>> distributions;
  std::vector<int> least;

  ColumnScores(std::span<const Probabilities> query, const ColumnTable& targets, ColumnScore kind, int units);
};

// P-value of the best of all alignments of a query with a random target.

class BestTails {
 public:
  /// For targets of these numbers of columns. O(m^3 * units^2) for m columns of a query.
  BestTails(const ColumnScores& scores, std::span<const std::size_t> target_columns);

  /// P of at least `score` for a target of `columns` columns and `strands` strands.
  double p(std::size_t columns, int score, unsigned strands) const;

 private:
  int least_ = 0;  ///< lowest score of the tables
  std::size_t size_ = 0;
  /// [columns of a target][score]: sum of log(1 - P) over all alignments of one strand.
  std::map<std::size_t, std::vector<double>> of_best_;
};

/// The columns of a motif as probabilities.
std::vector<Probabilities> probabilities_of(const Motif& motif, double pseudocount, const Background& background) {
  std::vector<Probabilities> columns;
  for (const auto& counts : motif.counts) {
    const double sum = counts[0] + counts[1] + counts[2] + counts[3];
    Probabilities column{};
    for (std::size_t letter = 0; letter < 4; ++letter)
      column[letter] = (counts[letter] + pseudocount * background.frequencies()[letter]) / (sum + pseudocount);
    columns.push_back(column);
  }
  return columns;
}

/// Column i: column n - 1 - i with the letters' complements.
std::vector<Probabilities> turned(std::span<const Probabilities> columns) {
  std::vector<Probabilities> result(columns.rbegin(), columns.rend());
  for (Probabilities& column : result) std::ranges::reverse(column);
  return result;
}

void ColumnTable::add(std::span<const Probabilities> columns) {
  for (const Probabilities& column : columns)
    for (std::size_t letter = 0; letter < 4; ++letter) letters_[letter].push_back(static_cast<float>(column[letter]));
}

void ColumnTable::score(ColumnScore kind, const Probabilities& column, std::span<float> scores) const {
  std::array<float, 4> of{};
  for (std::size_t letter = 0; letter < 4; ++letter) of[letter] = static_cast<float>(column[letter]);
  const float *const a = letters_[0].data(), *const c = letters_[1].data(), *const g = letters_[2].data(),
                     *const t = letters_[3].data();
  if (kind == ColumnScore::euclidean) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const float da = a[i] - of[0], dc = c[i] - of[1], dg = g[i] - of[2], dt = t[i] - of[3];
      scores[i] = -std::sqrt(da * da + dc * dc + dg * dg + dt * dt);
    }
    return;
  }
  // All columns have the mean 1/4.
  for (float& p : of) p -= 0.25F;
  const float square = of[0] * of[0] + of[1] * of[1] + of[2] * of[2] + of[3] * of[3];
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const float pa = a[i] - 0.25F, pc = c[i] - 0.25F, pg = g[i] - 0.25F, pt = t[i] - 0.25F;
    const float size = square * (pa * pa + pc * pc + pg * pg + pt * pt);
    scores[i] = size > 1e-12F ? (pa * of[0] + pc * of[1] + pg * of[2] + pt * of[3]) / std::sqrt(size) : 0.0F;
  }
}

/// The element of rank size / 2: by a histogram, and within its bin.
float median_of(std::span<const float> values, float least, float most, std::vector<float>& scratch) {
  constexpr std::size_t bins = 1024;
  const float scale = most > least ? (bins - 1) / (most - least) : 0.0F;
  const auto bin_of = [&](float value) { return static_cast<std::size_t>((value - least) * scale); };
  std::array<std::uint32_t, bins> counts{};
  for (const float value : values) ++counts[bin_of(value)];
  std::size_t rank = values.size() / 2, bin = 0;
  for (; rank >= counts[bin]; ++bin) rank -= counts[bin];
  scratch.clear();
  for (const float value : values)
    if (bin_of(value) == bin) scratch.push_back(value);
  const auto middle = scratch.begin() + static_cast<std::ptrdiff_t>(rank);
  std::ranges::nth_element(scratch, middle);
  return *middle;
}

/// In independent accumulators, which do not wait for one another.
std::pair<float, float> extremes_of(std::span<const float> values) {
  constexpr std::size_t strands = 16;
  std::array<float, strands> least, most;
  least.fill(values[0]);
  most.fill(values[0]);
  std::size_t i = 0;
  for (; i + strands <= values.size(); i += strands)
    for (std::size_t s = 0; s < strands; ++s) {
      least[s] = values[i + s] < least[s] ? values[i + s] : least[s];
      most[s] = values[i + s] > most[s] ? values[i + s] : most[s];
    }
  for (; i < values.size(); ++i) {
    least[0] = std::min(least[0], values[i]);
    most[0] = std::max(most[0], values[i]);
  }
  return {std::ranges::min(least), std::ranges::max(most)};
}

ColumnScores::ColumnScores(std::span<const Probabilities> query, const ColumnTable& all, ColumnScore kind, int units)
    : targets(all.size()), scores(query.size() * all.size()) {
  std::vector<float> raw(query.size() * targets), scratch, medians;
  float lowest = 0, highest = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const std::span<float> of_column(raw.data() + i * targets, targets);
    all.score(kind, query[i], of_column);
    const auto [bottom, top] = extremes_of(of_column);
    medians.push_back(median_of(of_column, bottom, top, scratch));
    lowest = std::min(lowest, bottom - medians.back());
    highest = std::max(highest, top - medians.back());
  }
  const float scale = highest > lowest ? static_cast<float>(units) / (highest - lowest) : 0.0F;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const float* const of_column = raw.data() + i * targets;
    std::int16_t* const rounded = scores.data() + i * targets;
    const float median = medians[i];
    for (std::size_t t = 0; t < targets; ++t) {
      const float above = (of_column[t] - median) * scale;
      rounded[t] = static_cast<std::int16_t>(static_cast<std::int32_t>(above + (above < 0 ? -0.5F : 0.5F)));
    }
    std::vector<std::uint64_t> counts(2 * static_cast<std::size_t>(units) + 3);
    for (std::size_t t = 0; t < targets; ++t) ++counts[static_cast<std::size_t>(rounded[t] + units + 1)];
    const auto seen = [](std::uint64_t count) { return count != 0; };
    const auto first = std::ranges::find_if(counts, seen);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), seen).base();
    least.push_back(static_cast<int>(first - counts.begin()) - units - 1);
    std::vector<double>& distribution = distributions.emplace_back();
    for (auto count = first; count != last; ++count)
      distribution.push_back(static_cast<double>(*count) / static_cast<double>(targets));
  }
}

/// The distribution of the sum of two scores.
std::vector<double> sum_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1, 0.0);
  for (std::size_t j = 0; j < b.size(); ++j)
    if (b[j] != 0)
      for (std::size_t i = 0; i < a.size(); ++i) sum[i + j] += a[i] * b[j];
  return sum;
}

/// Number of alignments of a query of m columns with a target of n in which the query's columns [begin, end) have
/// partners.
std::size_t alignments(std::size_t m, std::size_t n, std::size_t begin, std::size_t end) {
  const std::size_t shared = end - begin;
  if (shared == m) return n >= m ? n - m + 1 : 0;
  if (begin == 0 || end == m) return n >= shared ? 1 : 0;
  return n == shared ? 1 : 0;
}

BestTails::BestTails(const ColumnScores& scores, std::span<const std::size_t> target_columns) {
  const std::size_t m = scores.least.size();
  int most = 0;
  for (std::size_t i = 0; i < m; ++i) {
    least_ += std::min(0, scores.least[i]);
    most += std::max(0, scores.least[i] + static_cast<int>(scores.distributions[i].size()) - 1);
  }
  size_ = static_cast<std::size_t>(most - least_) + 1;
  for (const std::size_t columns : target_columns) of_best_[columns].assign(size_, 0.0);
  std::vector<double> logs(size_);
  for (std::size_t begin = 0; begin < m; ++begin) {
    std::vector<double> distribution = {1.0};
    int least = 0;
    for (std::size_t end = begin + 1; end <= m; ++end) {
      distribution = sum_of(distribution, scores.distributions[end - 1]);
      least += scores.least[end - 1];
      if (std::ranges::none_of(of_best_, [&](const auto& one) { return alignments(m, one.first, begin, end) > 0; }))
        continue;
      const auto first = static_cast<std::size_t>(least - least_);
      std::ranges::fill(logs, 0.0);
      double tail = 0;
      for (std::size_t i = distribution.size(); i-- > 0;) {
        tail += distribution[i];
        logs[first + i] = tail < 1 ? std::log1p(-tail) : -INFINITY;
      }
      std::fill_n(logs.begin(), first, -INFINITY);
      for (auto& [columns, sums] : of_best_) {
        const auto times = static_cast<double>(alignments(m, columns, begin, end));
        if (times > 0)
          for (std::size_t i = 0; i < size_; ++i) sums[i] += times * logs[i];
      }
    }
  }
}

double BestTails::p(std::size_t columns, int score, unsigned strands) const {
  const int at = std::clamp(score - least_, 0, static_cast<int>(size_) - 1);
  return std::min(1.0, -std::expm1(strands * of_best_.at(columns)[static_cast<std::size_t>(at)]));
}

constexpr int units = 128;
/// Number of queries that are processed before their matches go to the sink.
constexpr std::size_t at_once = 64;

/// The columns of all targets, of both strands: those of target t, then its reverse complement.
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
      // sums[k]: the query begins k - (m - 1) columns after the first one of the target.
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
