// Enrichment of motifs: statistics, and best scores of sequences.
#include "genocl/pwm/enrichment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/pwm/p_value.hpp"
#include "pwm/motif_file.hpp"

namespace genocl::pwm {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// log(n!) minus Stirling's formula for it, n log(n) - n + log(2 pi n) / 2.
double stirling_error(double n) {
  constexpr unsigned exact = 16;
  if (n < exact) {
    static const std::array<double, exact> table = [] {
      std::array<double, exact> errors{};
      double factorial = 1;
      for (unsigned i = 1; i < exact; ++i) {
        const double x = i;
        factorial *= x;
        errors[i] = std::log(factorial) - (x * std::log(x) - x + std::log(2 * std::numbers::pi * x) / 2);
      }
      return errors;
    }();
    return table[static_cast<unsigned>(n)];
  }
  const double square = n * n;
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / square) / square) / square) / square) / n;
}

/// The deviance x log(x / mean) + mean - x, without cancellation where x is near the mean.
double deviance(double x, double mean) {
  const double difference = x - mean, sum = x + mean;
  if (std::abs(difference) >= 0.1 * sum) return x * std::log(x / mean) + mean - x;
  // x log(x / mean) = 2 x atanh(v)
  const double v = difference / sum;
  double result = difference * v, term = 2 * x * v;
  for (int i = 3;; i += 2) {
    term *= v * v;
    const double next = result + term / i;
    if (next == result) return result;
    result = next;
  }
}

/// log of the binomial probability of x among n (Loader 2000). Precondition: p + q = 1, both above 0.
double log_binomial(std::uint64_t x, std::uint64_t n, double p, double q) {
  const double a = static_cast<double>(x), b = static_cast<double>(n - x), all = static_cast<double>(n);
  if (x == 0) return all * (p < 0.1 ? std::log1p(-p) : std::log(q));
  if (x == n) return all * (q < 0.1 ? std::log1p(-q) : std::log(p));
  return stirling_error(all) - stirling_error(a) - stirling_error(b) - deviance(a, all * p) - deviance(b, all * q) +
         std::log(all / (2 * std::numbers::pi * a) / b) / 2;
}

/// log of the probability of x hits among n of n + m sequences, if `hits` of all have one.
double log_hypergeometric(std::uint64_t x, std::uint64_t n, std::uint64_t m, std::uint64_t hits) {
  if (hits == 0 || hits == n + m) return 0;
  const double all = static_cast<double>(n + m);
  const double p = static_cast<double>(hits) / all, q = static_cast<double>(n + m - hits) / all;
  return log_binomial(x, n, p, q) + log_binomial(hits - x, m, p, q) - log_binomial(hits, n + m, p, q);
}

/// log of the upper tail of the normal distribution.
double log_normal_tail(double z) {
  if (z < 35) return std::log(std::erfc(z / std::numbers::sqrt2) / 2);
  const double square = z * z;
  const double series = 1 - (1 - (3 - (15 - 105 / square) / square) / square) / square;
  return -square / 2 - std::log(z * std::sqrt(2 * std::numbers::pi)) + std::log(series);
}

}  // namespace

double log_fisher_exact(std::uint64_t true_positives, std::uint64_t sequences, std::uint64_t false_positives,
                        std::uint64_t controls) {
  if (true_positives > sequences || false_positives > controls)
    throw InputError("more sequences with a hit than sequences");
  const std::uint64_t hits = true_positives + false_positives;
  const std::uint64_t lowest = hits > controls ? hits - controls : 0, highest = std::min(hits, sequences);
  if (true_positives == lowest) return 0;
  const double n = static_cast<double>(sequences), m = static_cast<double>(controls), k = static_cast<double>(hits);
  // Probability of x + 1 over that of x.
  const auto ratio = [&](double x) { return (n - x) / (x + 1) * ((k - x) / (m - k + x + 1)); };
  const double mean = n * k / (n + m);
  constexpr double negligible = 1e-17;
  double sum = 1, term = 1;
  if (static_cast<double>(true_positives) > mean) {
    for (std::uint64_t x = true_positives; x < highest && term > negligible * sum; ++x)
      sum += term *= ratio(static_cast<double>(x));
    return std::min(0.0, log_hypergeometric(true_positives, sequences, controls, hits) + std::log(sum));
  }
  // The other tail, which is the smaller one.
  for (std::uint64_t x = true_positives - 1; x > lowest && term > negligible * sum; --x)
    sum += term /= ratio(static_cast<double>(x - 1));
  const double lower = std::exp(log_hypergeometric(true_positives - 1, sequences, controls, hits)) * sum;
  return std::log1p(-std::min(lower, 1.0));
}

double log_rank_sum(std::span<const double> sequences, std::span<const double> controls) {
  if (sequences.empty() || controls.empty()) return 0;
  std::vector<std::pair<double, bool>> all;  // of the sequences: true
  all.reserve(sequences.size() + controls.size());
  for (const double score : sequences) all.emplace_back(score, true);
  for (const double score : controls) all.emplace_back(score, false);
  for (const auto& [score, unused] : all)
    if (std::isnan(score)) throw InputError("a score that is no number");
  std::ranges::sort(all, {}, &std::pair<double, bool>::first);
  double ranks = 0, ties = 0;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    std::size_t of_sequences = 0;
    for (; end < all.size() && all[end].first == all[begin].first; ++end) of_sequences += all[end].second ? 1 : 0;
    const double count = static_cast<double>(end - begin);
    ranks += static_cast<double>(of_sequences) * (static_cast<double>(begin + end + 1) / 2);
    ties += count * (count * count - 1);
  }
  const double n = static_cast<double>(sequences.size()), m = static_cast<double>(controls.size());
  const double u = ranks - n * (n + 1) / 2;
  const double variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)));
  if (!(variance > 0)) return 0;
  return log_normal_tail((u - n * m / 2 - 0.5) / std::sqrt(variance));
}

std::vector<double> benjamini_hochberg(std::span<const double> log_p) {
  std::vector<std::size_t> order(log_p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return log_p[i]; });
  std::vector<double> log_q(log_p.size());
  double least = 0;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const double share = static_cast<double>(log_p.size()) / static_cast<double>(rank);
    least = std::min(least, log_p[order[rank - 1]] + std::log(share));
    log_q[order[rank - 1]] = least;
  }
  return log_q;
}

std::string consensus(const Motif& motif) {
  std::string word;
  for (const std::array<double, 4>& counts : motif.counts) {
    const double highest = *std::ranges::max_element(counts);
    unsigned bases = 0;
    for (std::size_t base = 0; base < 4; ++base)
      if (counts[base] >= highest / 2) bases |= 1U << base;
    word += letter_of_bases(bases);
  }
  return word;
}

namespace {

/// The best score of a motif in a sequence, as far as it is known.
struct SequenceScore {
  std::uint32_t matrix = 0;
  std::uint64_t record = 0;  ///< of the batch; later of the set
  double score = 0;
};

/// The best hits of each matrix and record of a piece, as bytes.
std::string best_of_piece(std::span<const Hit> hits) {
  std::vector<SequenceScore> best;
  for (const Hit& hit : hits) {  // by matrix, then record
    if (!best.empty() && best.back().matrix == hit.matrix && best.back().record == hit.record)
      best.back().score = std::max(best.back().score, hit.score);
    else
      best.push_back({hit.matrix, hit.record, hit.score});
  }
  std::string bytes(best.size() * sizeof(SequenceScore), '\0');
  if (!best.empty()) std::memcpy(bytes.data(), best.data(), bytes.size());
  return bytes;
}

using ScoreSink = std::function<void(const SequenceScore&)>;

/// Calls `sink` for each matrix and sequence with a hit: for each matrix in the order of the sequences, for a long
/// sequence possibly several times.
void scan_sequences(const Scanner& scanner, const SequenceSet& sequences, const ScoreSink& sink) {
  constexpr std::uint64_t batch_letters = std::uint64_t{16} << 20;
  const std::vector<RecordRange> batches = sequences.batches({.residues = batch_letters});
  std::size_t read = 0, done = 0;
  scanner.scan(
      [&](SequenceSet& batch) {
        if (read == batches.size()) return false;
        batch = sequences.slice(batches[read].first, batches[read].count);
        ++read;
        return true;
      },
      [](const SequenceSet&, std::span<const Hit> hits) { return best_of_piece(hits); },
      [&](std::string&& bytes, bool last) {
        for (std::size_t at = 0; at < bytes.size(); at += sizeof(SequenceScore)) {
          SequenceScore one;
          std::memcpy(&one, bytes.data() + at, sizeof one);
          one.record += batches[done].first;
          sink(one);
        }
        if (last) ++done;
      });
}

/// One test of motifs: their score matrices and their rows of the result.
class EnrichmentRun {
 public:
  EnrichmentRun(Devices devices, std::span<const Motif> motifs, const SequenceSet& sequences,
                const SequenceSet& controls, const EnrichmentOptions& options);
  std::vector<MotifEnrichment> rows();

 private:
  void make_thresholds();
  void scan_motifs(std::size_t first, std::size_t count);
  void scan_set(const Scanner& scanner, const SequenceSet& set, std::size_t first, bool of_controls,
                std::vector<std::vector<double>>* scores);
  Scanner scanner_of(std::size_t first, std::size_t count);
  std::size_t motifs_of_pass() const;

  Devices devices_;
  const SequenceSet &sequences_, &controls_;
  const EnrichmentOptions& options_;
  std::vector<ScoreMatrix> matrices_;
  std::vector<MotifEnrichment> rows_;
  std::uint64_t letters_done_ = 0, letters_total_ = 0;
};

EnrichmentRun::EnrichmentRun(Devices devices, std::span<const Motif> motifs, const SequenceSet& sequences,
                             const SequenceSet& controls, const EnrichmentOptions& options)
    : devices_(devices), sequences_(sequences), controls_(controls), options_(options) {
  if (motifs.empty()) throw InputError("no motif");
  if (sequences.empty() || controls.empty()) throw InputError("no sequences, or no controls");
  if (sequences.alphabet() != Alphabet::dna || controls.alphabet() != Alphabet::dna)
    throw InputError("motifs are scanned for in DNA only");
  if (!(options.p_value > 0 && options.p_value <= 1))
    throw InputError("p_value", {}, std::to_string(options.p_value), "a probability above 0, up to 1");
  const std::uint64_t longest = controls.longest();
  for (const Motif& motif : motifs) {
    if (motif.length() > longest)
      throw InputError("the controls have " + std::to_string(longest) + " letters at most, motif " + shown(motif.id) +
                       " " + std::to_string(motif.length()) + " columns; expected longer controls");
    matrices_.push_back(log_odds(motif, options.scores));
  }
}

void EnrichmentRun::make_thresholds() {
  PValueOptions options;
  options.background = options_.scores.background;
  options.strands = options_.strands;
  const auto found = thresholds(devices_, matrices_, std::span(&options_.p_value, 1), options);
  for (std::size_t i = 0; i < matrices_.size(); ++i)
    rows_.push_back({.motif = i, .threshold = found[i].front().score, .best_word = found[i].front().none});
}

/// Motifs that are scanned together: a limit for the hits of a piece, and for the scores of a rank-sum test.
std::size_t EnrichmentRun::motifs_of_pass() const {
  const double for_hits = 128 / options_.p_value;
  constexpr double score_bytes = 256 << 20;
  const double for_scores =
      options_.test == EnrichmentTest::fisher
          ? for_hits
          : score_bytes / sizeof(double) / static_cast<double>(sequences_.size() + controls_.size());
  return static_cast<std::size_t>(
      std::clamp(std::min(for_hits, for_scores), 1.0, static_cast<double>(matrices_.size())));
}

Scanner EnrichmentRun::scanner_of(std::size_t first, std::size_t count) {
  ScanOptions options;
  options.strands = options_.strands;
  options.method = options_.method;
  // At most some 2^21 hits in a piece, 2^22 for very large P-values.
  constexpr double hits = 1 << 21, least = 1 << 14, most = 1 << 23;
  options.chunk_residues =
      static_cast<std::uint64_t>(std::clamp(hits / (2 * options_.p_value * static_cast<double>(count)), least, most));
  if (options_.progress)
    options.progress = [this](const ProgressState& state) {
      const std::uint64_t done = letters_done_ + state.items_done;
      return options_.progress({static_cast<double>(done) / static_cast<double>(letters_total_), done, letters_total_});
    };
  std::vector<double> thresholds;
  for (std::size_t i = first; i < first + count; ++i) thresholds.push_back(rows_[i].threshold);
  return Scanner(devices_, std::span(matrices_).subspan(first, count), thresholds, options);
}

/// Counts the sequences with a hit. `scores`, if given: [motif][sequence], the best ones.
void EnrichmentRun::scan_set(const Scanner& scanner, const SequenceSet& set, std::size_t first, bool of_controls,
                             std::vector<std::vector<double>>* scores) {
  std::vector<std::uint64_t> behind(matrices_.size(), 0);  // the last sequence with a hit, plus 1
  scan_sequences(scanner, set, [&](const SequenceScore& one) {
    MotifEnrichment& row = rows_[first + one.matrix];
    if (behind[one.matrix] != one.record + 1) ++(of_controls ? row.false_positives : row.true_positives);
    behind[one.matrix] = one.record + 1;
    if (scores != nullptr) {
      double& best = (*scores)[one.matrix][static_cast<std::size_t>(one.record)];
      best = std::max(best, one.score);
    }
  });
  letters_done_ += set.residues();
}

void EnrichmentRun::scan_motifs(std::size_t first, std::size_t count) {
  const Scanner scanner = scanner_of(first, count);
  const bool ranks = options_.test == EnrichmentTest::rank_sum;
  using Scores = std::vector<std::vector<double>>;
  std::optional<Scores> of_sequences, of_controls;
  if (ranks) {
    of_sequences.emplace(count, std::vector<double>(sequences_.size(), minus_infinity));
    of_controls.emplace(count, std::vector<double>(controls_.size(), minus_infinity));
  }
  scan_set(scanner, sequences_, first, false, ranks ? &*of_sequences : nullptr);
  scan_set(scanner, controls_, first, true, ranks ? &*of_controls : nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    MotifEnrichment& row = rows_[first + i];
    row.log_p = ranks ? log_rank_sum((*of_sequences)[i], (*of_controls)[i])
                      : log_fisher_exact(row.true_positives, sequences_.size(), row.false_positives, controls_.size());
  }
}

std::vector<MotifEnrichment> EnrichmentRun::rows() {
  make_thresholds();
  const std::size_t pass = motifs_of_pass();
  const std::uint64_t passes = (matrices_.size() + pass - 1) / pass;
  letters_total_ = std::max<std::uint64_t>(1, passes * (sequences_.residues() + controls_.residues()));
  for (std::size_t first = 0; first < matrices_.size(); first += pass)
    scan_motifs(first, std::min(pass, matrices_.size() - first));
  const auto share = [](std::uint64_t some, std::size_t all) {
    return (static_cast<double>(some) + 1) / (static_cast<double>(all) + 1);
  };
  std::vector<double> log_p;
  for (MotifEnrichment& row : rows_) {
    row.ratio = share(row.true_positives, sequences_.size()) / share(row.false_positives, controls_.size());
    row.log_e = row.log_p + std::log(static_cast<double>(rows_.size()));
    log_p.push_back(row.log_p);
  }
  const std::vector<double> log_q = benjamini_hochberg(log_p);
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].log_q = log_q[i];
  std::ranges::stable_sort(rows_, {}, &MotifEnrichment::log_p);
  return std::move(rows_);
}

}  // namespace

std::vector<MotifEnrichment> enrichment(Devices devices, std::span<const Motif> motifs, const SequenceSet& sequences,
                                        const SequenceSet& controls, const EnrichmentOptions& options) {
  return EnrichmentRun(devices, motifs, sequences, controls, options).rows();
}

}  // namespace genocl::pwm
