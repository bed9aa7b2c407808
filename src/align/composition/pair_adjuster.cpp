#include "align/composition/pair_adjuster.hpp"

#include <algorithm>
#include <numbers>

#include "genocl/align/masking.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

/// How BLAST masks subjects for this.
constexpr SegOptions subject_seg{.window = 10, .low = 1.8, .high = 2.1};
/// Sequences are nearly identical where they align over this many letters (or all of the query), with so many bits and
/// identities a letter.
constexpr std::uint64_t identical_letters = 50;
constexpr double identical_bits = 1.74, identical_share = 0.95;

}  // namespace

PairAdjuster::PairAdjuster(const Matrix& matrix, const GapPenalty& gap, const std::optional<KarlinAltschul>& statistics,
                           CompositionStatistics composition)
    : matrix_(matrix), scores_(matrix, gap, composition), plain_(matrix, gap) {
  if (!statistics)
    throw InputError("composition-based statistics", {}, "need E-values, and none are known for these gap penalties",
                     KarlinAltschul::known_gaps(matrix));
  identical_score_ = identical_bits * std::numbers::ln2 / statistics->lambda;
}

bool PairAdjuster::nearly_identical(std::span<const Code> query, std::span<const Code> subject,
                                    std::optional<std::int32_t> plain_score) const {
  const std::uint64_t least = std::min<std::uint64_t>(query.size(), identical_letters);
  if (plain_score && *plain_score < identical_score_ * static_cast<double>(least - 1)) return false;
  const Alignment found = pairwise::align_on_host(query, subject, plain_, matrix_);
  const std::uint64_t in_subject = found.subject_end - found.subject_begin;
  const double letters = static_cast<double>(std::min(found.query_end - found.query_begin, in_subject));
  return in_subject + 1 >= least && found.score >= identical_score_ * letters &&
         static_cast<double>(found.identities) > identical_share * letters;
}

std::optional<PairAdjuster::Pair> PairAdjuster::adjust(const Query& query, std::span<const Code> subject,
                                                       std::optional<std::int32_t> plain_score) const {
  Pair pair{.scoring = {}, .subject = {subject.begin(), subject.end()}};
  const std::vector<LetterRange> masked = seg(subject, subject_seg);
  if (!masked.empty() && !nearly_identical(query.codes, subject, plain_score))
    for (const LetterRange& range : masked)
      std::fill(pair.subject.begin() + static_cast<std::ptrdiff_t>(range.begin),
                pair.subject.begin() + static_cast<std::ptrdiff_t>(range.end), protein::unknown);
  const auto scoring = scores_.of(query.composition, query.codes.size(), composition_of(pair.subject), subject.size());
  if (!scoring) return {};
  pair.scoring = *scoring;
  return pair;
}

}  // namespace genocl::align
