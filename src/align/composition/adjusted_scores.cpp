

#include "align/composition/adjusted_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "align/composition/composition.hpp"
#include "align/device_state.hpp"
#include "align/scoring/statistics.hpp"
#include "genocl/align/masking.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

/// Target relative entropy of fitted frequencies, in nats per pair: that of BLOSUM62 for any matrix, as in BLAST.
constexpr double fixed_entropy = 0.44;
constexpr double pseudocounts = 20;

LetterTable row_sums(const PairTable& pairs) {
  LetterTable sums{};
  for (std::size_t a = 0; a < amino_acids; ++a)
    for (std::size_t b = 0; b < amino_acids; ++b) sums[a] += pairs[a][b];
  return sums;
}

std::int32_t rounded(double score) { return static_cast<std::int32_t>(std::lround(score)); }

/// Returns whether the sequence has more than 50 letters and the two most frequent ones make up more than 40%.
bool is_biased(const Composition& composition, std::uint64_t length) {
  LetterTable sorted = composition.frequency;
  std::ranges::partial_sort(sorted, sorted.begin() + 2, std::ranges::greater{});
  return length > 50 && sorted[0] + sorted[1] > 0.4;
}

}  // namespace

AdjustedScores::AdjustedScores(const Matrix& matrix, const GapPenalty& gap, CompositionStatistics statistics)
    : gap_(gap), statistics_(statistics) {
  const RatioTable ratios = frequency_ratios(matrix);
  targets_ = *target_frequencies(*named_protein_matrix(matrix));
  background_ = row_sums(targets_);
  lambda_ = ungapped_parameters(score_distribution(matrix))->lambda / scale;
  constexpr Code stop = protein::encode('*');
  stop_ = rounded(std::log(ratios[0][stop]) / lambda_);
  two_stops_ = rounded(std::log(ratios[stop][stop]) / lambda_);
  for (std::size_t a = 0; a < amino_acids; ++a)
    for (std::size_t b = 0; b < amino_acids; ++b) start_[a][b] = rounded(std::log(ratios[a][b]) / lambda_);
}

double AdjustedScores::lambda_ratio(const Composition& query, const Composition& subject) const {
  std::int32_t lowest = 0, highest = 0;
  for (const auto& row : start_) {
    lowest = std::min(lowest, std::ranges::min(row));
    highest = std::max(highest, std::ranges::max(row));
  }
  std::vector<double> probability(static_cast<std::size_t>(highest - lowest + 1), 0);
  for (std::size_t a = 0; a < amino_acids; ++a)
    for (std::size_t b = 0; b < amino_acids; ++b)
      probability[static_cast<std::size_t>(start_[a][b] - lowest)] += query.frequency[a] * subject.frequency[b];
  return bounded_lambda_ratio(probability, lowest, lambda_);
}

bool AdjustedScores::only_scales(const Composition& query, std::uint64_t query_length, const Composition& subject,
                                 std::uint64_t subject_length) const {
  if (statistics_ == CompositionStatistics::scaled) return true;
  if (is_biased(query, query_length) || is_biased(subject, subject_length)) return false;
  const double to_query = distance(query.frequency, background_), to_subject = distance(subject.frequency, background_),
               between = distance(query.frequency, subject.frequency);
  const double cosine =
      (to_subject * to_subject + to_query * to_query - between * between) / (2 * to_subject * to_query);
  const double degrees = std::acos(cosine) * 180 / std::numbers::pi;
  const auto [shorter, longer] = std::minmax(query_length, subject_length);
  return between > 0.16 && static_cast<double>(longer) > 3.0 * static_cast<double>(shorter) && degrees > 70;
}

pairwise::HostScoring AdjustedScores::all_scores(const PairTable& targets, const LetterTable& target_rows,
                                                 const LetterTable& target_columns, const LetterTable& rows,
                                                 const LetterTable& columns, double lambda) const {
  constexpr std::size_t size = protein::letters.size();
  std::array<std::array<double, size>, size> scores{};
  // The frequency of a letter that represents two is the sum of both.
  std::array<std::array<double, size>, size> joint{};
  std::array<double, size> of_row{}, of_column{};
  for (std::size_t a = 0; a < amino_acids; ++a) {
    of_row[a] = target_rows[a];
    of_column[a] = target_columns[a];
    for (std::size_t b = 0; b < amino_acids; ++b) joint[a][b] = targets[a][b];
  }
  std::vector<Code> known;
  for (Code a = 0; a < amino_acids; ++a) known.push_back(a);
  for (const Ambiguity& one : ambiguities) {
    const Code code = protein::encode(one.letter), first = protein::encode(one.first),
               second = protein::encode(one.second);
    of_row[code] = of_row[first] + of_row[second];
    of_column[code] = of_column[first] + of_column[second];
    for (std::size_t b = 0; b < size; ++b) joint[code][b] = joint[first][b] + joint[second][b];
    for (std::size_t a = 0; a < size; ++a) joint[a][code] = joint[a][first] + joint[a][second];
    known.push_back(code);
  }
  for (const Code a : known)
    for (const Code b : known) scores[a][b] = std::log(joint[a][b] / (of_row[a] * of_column[b])) / lambda;

  // An unknown letter scores the mean of all letters.
  constexpr Code unknown = protein::unknown;
  double unknown_pair = 0;
  for (const Code code : known) {
    double as_row = 0, as_column = 0;
    for (std::size_t i = 0; i < amino_acids; ++i) {
      as_row += scores[code][i] * columns[i];
      as_column += scores[i][code] * rows[i];
    }
    if (code < amino_acids) unknown_pair += as_row * rows[code];
    scores[code][unknown] = std::min(as_row, highest_unknown);
    scores[unknown][code] = std::min(as_column, highest_unknown);
  }
  scores[unknown][unknown] = std::min(unknown_pair, highest_unknown);
  const auto copy = [&](Code from, Code to) {
    scores[to] = scores[from];
    for (auto& row : scores) row[to] = row[from];
  };
  copy(protein::encode('C'), protein::encode('U'));
  copy(unknown, protein::encode('O'));

  pairwise::HostScoring scoring;
  scoring.gap_first = gap_.first() * scale;
  scoring.gap_extend = gap_.extend * scale;
  constexpr Code stop = protein::encode('*');
  for (Code a = 0; a < size; ++a)
    for (Code b = 0; b < size; ++b)
      scoring.at(a, b) = a == stop && b == stop ? two_stops_ : a == stop || b == stop ? stop_ : rounded(scores[a][b]);
  return scoring;
}

std::optional<pairwise::HostScoring> AdjustedScores::of(const Composition& query, std::uint64_t query_length,
                                                        const Composition& subject,
                                                        std::uint64_t subject_length) const {
  if (query.letters == 0 || subject.letters == 0) return {};
  if (!only_scales(query, query_length, subject, subject_length)) {
    const LetterTable rows = with_pseudocounts(query, background_, pseudocounts),
                      columns = with_pseudocounts(subject, background_, pseudocounts);
    if (const auto fitted = fitted_frequencies(targets_, rows, columns, fixed_entropy))
      return all_scores(*fitted, rows, columns, rows, columns, lambda_);
  }
  return all_scores(targets_, background_, background_, query.frequency, subject.frequency,
                    lambda_ / lambda_ratio(query, subject));
}

namespace {

/// BLAST's SEG parameters for subjects.
constexpr SegOptions subject_seg{.window = 10, .low = 1.8, .high = 2.1};
/// Nearly identical sequences align over at least this number of letters, or over the whole query. They have at least
/// these bits and identities per letter.
constexpr std::uint64_t identical_letters = 50;
constexpr double identical_bits = 1.74, identical_share = 0.95;

}  // namespace

PairAdjuster::PairAdjuster(const Matrix& matrix, const GapPenalty& gap, const std::optional<KarlinAltschul>& statistics,
                           CompositionStatistics composition)
    : matrix_(matrix), gap_(gap), scores_(matrix, gap, composition), plain_(matrix, gap) {
  if (!statistics)
    throw InputError("composition-based statistics", {}, "need E-values, and none are known for these gap penalties",
                     KarlinAltschul::known_gaps(matrix));
  identical_score_ = identical_bits * std::numbers::ln2 / statistics->lambda;
}

namespace {

/// The letters that a nearly identical alignment counts at least: it covers `subject_letters` of the subject, and may
/// cover fewer of the query, with a gap for the others. `per_letter`: its score for each counted letter.
std::uint64_t counted_letters(std::span<const Code> query, const pairwise::RowScores& scores, const GapPenalty& gap,
                              double per_letter, std::uint64_t subject_letters) {
  std::vector<std::int64_t> sums(query.size() + 1, 0);  // of the best score of each row
  for (std::size_t row = 0; row < query.size(); ++row) {
    int best = scores(row, query[row], 0);
    for (Code letter = 1; letter < pairwise::PositionScores::codes; ++letter)
      best = std::max(best, scores(row, query[row], letter));
    sums[row + 1] = sums[row] + best;
  }
  for (std::uint64_t count = 1; count < subject_letters && count <= query.size(); ++count) {
    std::int64_t best = 0;
    for (std::size_t end = count; end <= query.size(); ++end) best = std::max(best, sums[end] - sums[end - count]);
    const auto gap_letters = static_cast<std::int64_t>(subject_letters - count);
    if (static_cast<double>(best - gap.open - gap_letters * gap.extend) >= per_letter * static_cast<double>(count))
      return count;
  }
  return subject_letters;
}

}  // namespace

bool PairAdjuster::nearly_identical(const Query& query, std::span<const Code> subject,
                                    std::optional<std::int32_t> plain_score) const {
  const std::uint64_t least = std::min<std::uint64_t>(query.codes.size(), identical_letters);
  std::optional<pairwise::PositionScores> rows;
  if (query.profile != nullptr) rows = position_scores(query.profile->profile());
  const pairwise::RowScores scores = rows ? pairwise::RowScores(*rows) : pairwise::RowScores(matrix_);
  const auto falls_short = [&](std::uint64_t letters) {
    return *plain_score < identical_score_ * static_cast<double>(letters);
  };
  if (plain_score && least > 0 && falls_short(least - 1) &&
      falls_short(counted_letters(query.codes, scores, gap_, identical_score_, least - 1)))
    return false;
  const pairwise::HostScoring scoring = rows ? pairwise::HostScoring(*rows, gap_) : plain_;
  return nearly_identical(pairwise::align_on_host(query.codes, subject, scoring, scores), query.codes.size());
}

bool PairAdjuster::nearly_identical(const Alignment& found, std::uint64_t query_length) const {
  const std::uint64_t least = std::min(query_length, identical_letters);
  const std::uint64_t in_subject = found.subject_end - found.subject_begin;
  const double letters = static_cast<double>(std::min(found.query_end - found.query_begin, in_subject));
  return in_subject + 1 >= least && found.score >= identical_score_ * letters &&
         static_cast<double>(found.identities) > identical_share * letters;
}

namespace {

/// Letters between a stop codon and the letters whose composition counts.
constexpr std::size_t stop_margin = 20;

/// Returns the letters around [begin, end) whose composition counts: up to the margin of the next stop codons.
Interval composition_range(std::span<const Code> frame, std::size_t begin, std::size_t end) {
  constexpr Code stop = protein::encode('*');
  Interval range{begin, end};
  std::size_t i = begin;
  while (i > 0 && frame[i - 1] != stop) --i;
  if (i == 0)
    range.begin = 0;
  else if (i + stop_margin < begin)
    range.begin = i + stop_margin;
  i = end;
  while (i < frame.size() && frame[i] != stop) ++i;
  if (i == frame.size())
    range.end = i;
  else if (i > end + stop_margin)
    range.end = i - stop_margin;
  return range;
}

void mask_ranges(std::vector<Code>& letters, std::span<const Interval> ranges) {
  for (const Interval& range : ranges)
    std::fill(letters.begin() + static_cast<std::ptrdiff_t>(range.begin),
              letters.begin() + static_cast<std::ptrdiff_t>(range.end), protein::unknown);
}

}  // namespace

PairAdjuster::Window PairAdjuster::window(std::span<const Code> query, std::uint64_t query_length,
                                          std::span<const Code> subject, bool of_query) const {
  Window window{query, subject, query_length, of_query};
  const std::vector<Interval> segments = seg(subject, subject_seg);
  if (segments.empty()) return window;
  window.masked.assign(subject.begin(), subject.end());
  mask_ranges(window.masked, segments);
  return window;
}

PairAdjuster::WindowRule PairAdjuster::rule(const Window& window, const Alignment& plain) const {
  const bool masks = !window.masked.empty() && !nearly_identical(plain, window.query_length);
  const std::span<const Code> subject = masks ? std::span<const Code>(window.masked) : window.subject;
  const Interval range = window.of_query ? composition_range(window.query, plain.query_begin, plain.query_end)
                                         : composition_range(subject, plain.subject_begin, plain.subject_end);
  return {range.begin, range.end, masks};
}

std::optional<PairAdjuster::Pair> PairAdjuster::adjust(const Window& window, const WindowRule& rule) const {
  const std::span<const Code> subject = rule.masks ? std::span<const Code>(window.masked) : window.subject;
  const auto counted = [&](std::span<const Code> letters, bool is_window) {
    return composition_of(is_window ? letters.subspan(rule.begin, rule.end - rule.begin) : letters);
  };
  const auto scoring = scores_.of(counted(window.query, window.of_query), window.query.size(),
                                  counted(subject, !window.of_query), subject.size());
  if (!scoring) return {};
  return Pair{.scoring = *scoring, .subject = {subject.begin(), subject.end()}};
}

std::optional<PairAdjuster::Pair> PairAdjuster::adjust(const Query& query, std::span<const Code> subject,
                                                       std::optional<std::int32_t> plain_score) const {
  Pair pair{.scoring = {}, .subject = {subject.begin(), subject.end()}};
  const std::vector<Interval> masked = seg(subject, subject_seg);
  if (!masked.empty() && !nearly_identical(query, subject, plain_score)) mask_ranges(pair.subject, masked);
  const Composition composition = composition_of(pair.subject);
  if (query.profile != nullptr) {
    if (query.composition.letters == 0 || composition.letters == 0) return {};
    pair.scoring = query.profile->scoring(composition);
    return pair;
  }
  const auto scoring = scores_.of(query.composition, query.codes.size(), composition, subject.size());
  if (!scoring) return {};
  pair.scoring = *scoring;
  return pair;
}

}  // namespace genocl::align
