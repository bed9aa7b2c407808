#include "genocl/pwm/motif_scan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/pwm/tail_table.hpp"

namespace genocl::pwm {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Whether words have the same probability on both strands, or are treated so.
bool same_on_both(const StrandOptions& options) {
  return options.average || options.background.reverse_complement() == options.background;
}

PValueOptions for_strand(const StrandOptions& options, Strands strand) {
  PValueOptions result;
  result.background = options.background;
  result.strands = options.average ? Strands::both : strand;
  result.progress = options.progress;
  return result;
}

/// Score matrices and their thresholds.
struct Prepared {
  std::vector<ScoreMatrix> matrices;
  std::vector<StrandThresholds> thresholds;
  HitPValues p_values;
  Scanner scanner;

  static Prepared make(Devices devices, std::span<const Motif> motifs, const MotifScanOptions& options);
};

Prepared Prepared::make(Devices devices, std::span<const Motif> motifs, const MotifScanOptions& options) {
  std::vector<ScoreMatrix> matrices;
  for (const Motif& motif : motifs) matrices.push_back(log_odds(motif, options.scores));
  const StrandOptions strands{.background = options.scores.background,
                              .strands = options.strands,
                              .average = options.average_strands,
                              .progress = {}};
  std::vector<StrandThresholds> thresholds = strand_thresholds(devices, matrices, options.p_value, strands);
  HitPValues p_values(matrices, thresholds, strands);
  ScanOptions scan_options;
  scan_options.strands = options.strands;
  scan_options.order = HitOrder::by_position;
  scan_options.method = options.method;
  scan_options.max_hits = options.max_hits;
  scan_options.progress = options.progress;
  Scanner scanner = Scanner::by_strand(devices, matrices, thresholds, scan_options);
  return {std::move(matrices), std::move(thresholds), std::move(p_values), std::move(scanner)};
}

std::vector<MotifHit> with_p_values(std::span<const Hit> hits, const HitPValues& p_values) {
  std::vector<MotifHit> all;
  all.reserve(hits.size());
  constexpr std::size_t at_a_time = 256;
  for (std::size_t i = 0; i < hits.size(); i += at_a_time) {
    const std::span<const Hit> some = hits.subspan(i, std::min(at_a_time, hits.size() - i));
    const std::vector<PValue> of_some = p_values(some);
    for (std::size_t k = 0; k < some.size(); ++k) all.push_back({some[k], of_some[k]});
  }
  return all;
}

}  // namespace

std::vector<StrandThresholds> strand_thresholds(Devices devices, std::span<const ScoreMatrix> matrices, double p,
                                                const StrandOptions& options) {
  std::vector<StrandThresholds> found(matrices.size(), {not_a_number, not_a_number});
  const auto fill = [&](Strands strand, auto&& set) {
    const auto all = thresholds(devices, matrices, std::span(&p, 1), for_strand(options, strand));
    for (std::size_t i = 0; i < all.size(); ++i)
      set(found[i], all[i].front().none ? not_a_number : all[i].front().score);
  };
  const bool forward = options.strands != Strands::reverse, reverse = options.strands != Strands::forward;
  if (same_on_both(options)) {
    fill(Strands::forward, [&](StrandThresholds& one, double score) {
      if (forward) one.forward = score;
      if (reverse) one.reverse = score;
    });
    return found;
  }
  if (forward) fill(Strands::forward, [](StrandThresholds& one, double score) { one.forward = score; });
  if (reverse) fill(Strands::reverse, [](StrandThresholds& one, double score) { one.reverse = score; });
  return found;
}

struct HitPValues::State {
  std::vector<TailTable> forward, reverse;  ///< `reverse` only if the strands differ
  bool strand_specific = false;
  double hits_per_letter = 0;

  const TailTable& table_of(const Hit& hit) const {
    return (strand_specific && hit.reverse ? reverse : forward)[hit.matrix];
  }
};

HitPValues::HitPValues(std::span<const ScoreMatrix> matrices, std::span<const StrandThresholds> thresholds,
                       const StrandOptions& options) {
  if (matrices.size() != thresholds.size())
    throw InputError(std::to_string(matrices.size()) + " matrices and " + std::to_string(thresholds.size()) +
                     " thresholds; expected as many of both");
  const bool forward = options.strands != Strands::reverse, reverse = options.strands != Strands::forward;
  auto state = std::make_shared<State>();
  state->strand_specific = !same_on_both(options);
  std::vector<double> on_forward, on_reverse;
  for (const StrandThresholds& one : thresholds) {
    on_forward.push_back(forward ? one.forward : not_a_number);
    on_reverse.push_back(reverse ? one.reverse : not_a_number);
    // One table for both strands begins at the lower threshold.
    if (!state->strand_specific) on_forward.back() = std::fmin(on_forward.back(), on_reverse.back());
  }
  state->forward = tail_tables(matrices, on_forward, for_strand(options, Strands::forward));
  if (state->strand_specific) state->reverse = tail_tables(matrices, on_reverse, for_strand(options, Strands::reverse));
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const auto expected = [](const TailTable& table, double threshold) {
      return std::isnan(threshold) ? 0 : table(threshold).high;
    };
    if (forward) state->hits_per_letter += expected(state->forward[i], thresholds[i].forward);
    if (reverse)
      state->hits_per_letter +=
          expected(state->strand_specific ? state->reverse[i] : state->forward[i], thresholds[i].reverse);
  }
  state_ = std::move(state);
}

PValue HitPValues::operator()(const Hit& hit) const { return state_->table_of(hit)(hit.score); }

std::vector<PValue> HitPValues::operator()(std::span<const Hit> hits) const {
  // Each look-up reads four places of the tables, which are far larger than the caches.
  constexpr std::size_t ahead = 8;
  std::vector<PValue> all;
  all.reserve(hits.size());
  for (std::size_t i = 0; i < hits.size() + 3 * ahead; ++i) {
    const auto at = [&](std::size_t steps) {
      return i >= steps && i - steps < hits.size() ? &hits[i - steps] : nullptr;
    };
    if (const Hit* const hit = at(0)) state_->table_of(*hit).prefetch();
    if (const Hit* const hit = at(ahead)) state_->table_of(*hit).prefetch_place(hit->score);
    if (const Hit* const hit = at(2 * ahead)) state_->table_of(*hit).prefetch_words(hit->score);
    if (const Hit* const hit = at(3 * ahead)) all.push_back((*this)(*hit));
  }
  return all;
}

double HitPValues::hits_per_letter() const noexcept { return state_->hits_per_letter; }

std::uint64_t HitPValues::bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const auto* const tables : {&state_->forward, &state_->reverse})
    for (const TailTable& table : *tables) bytes += table.bytes();
  return bytes;
}

void scan(Devices devices, std::span<const Motif> motifs, const SequenceSet& text, const MotifScanOptions& options,
          const std::function<void(std::span<const MotifHit>)>& sink) {
  const Prepared prepared = Prepared::make(devices, motifs, options);
  sink(with_p_values(prepared.scanner.scan(text), prepared.p_values));
}

void scan(Devices devices, std::span<const Motif> motifs, const std::function<bool(SequenceSet&)>& source,
          const MotifScanOptions& options,
          const std::function<void(const SequenceSet&, std::span<const MotifHit>)>& sink) {
  const Prepared prepared = Prepared::make(devices, motifs, options);
  prepared.scanner.scan(source, [&](const SequenceSet& batch, std::span<const Hit> hits) {
    sink(batch, with_p_values(hits, prepared.p_values));
  });
}

}  // namespace genocl::pwm
