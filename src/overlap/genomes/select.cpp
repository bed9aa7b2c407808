#include "overlap/genomes/select.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace genocl::overlap {
namespace detail::select {

Interval of_query(const GenomeAlignment& alignment) { return {alignment.query.begin, alignment.query.end}; }

bool contains(const SequenceInterval& outer, const SequenceInterval& inner) {
  return outer.sequence == inner.sequence && outer.begin <= inner.begin && inner.end <= outer.end;
}

/// The number of bases of an interval of the query that `alignment` pairs with bases of the reference.
std::uint64_t paired_bases(const GenomeAlignment& alignment, const Interval& place) {
  std::uint64_t sum = 0, at = alignment.query.begin;
  const auto visit = [&](const CigarRun& run) {
    if (!run.uses_query()) return;
    if (run.uses_reference()) sum += intersection(Interval{at, at + run.length()}, place).length();
    at += run.length();
  };
  const std::span<const CigarRun> runs = alignment.cigar.runs();
  if (alignment.strand == Strand::forward)
    std::for_each(runs.begin(), runs.end(), visit);
  else
    std::for_each(runs.rbegin(), runs.rend(), visit);
  return sum;
}

/// Whether `inner` lies in `outer`, and that pairs most of its bases.
bool lies_in(const GenomeAlignment& inner, const GenomeAlignment& outer) {
  return inner.strand == outer.strand && contains(outer.reference, inner.reference) &&
         contains(outer.query, inner.query) && 2 * paired_bases(outer, of_query(inner)) >= of_query(inner).length();
}

/// The primary alignments so far. None shares half of its bases with another one, so that their ends are in the order
/// of their begins.
class Primaries {
 public:
  explicit Primaries(std::span<const GenomeAlignment> alignments) : alignments_(alignments) {}

  /// Calls visit(j) for each one that shares half of the bases of the shorter one, until it returns true.
  template <class Visit>
  bool any_sharing(const Interval& place, Visit&& visit) const {
    const auto shares = [&](std::size_t j) {
      const Interval other = of_query(alignments_[j]);
      return 2 * intersection(other, place).length() >= std::min(other.length(), place.length());
    };
    auto first = by_begin_.upper_bound(place.begin);
    while (first != by_begin_.begin() && alignments_[std::prev(first)->second].query.end > place.begin) --first;
    for (; first != by_begin_.end() && first->first < place.end; ++first)
      if (shares(first->second) && visit(first->second)) return true;
    return false;
  }

  void add(std::size_t i) { by_begin_.emplace(alignments_[i].query.begin, i); }

 private:
  std::span<const GenomeAlignment> alignments_;
  std::map<std::uint64_t, std::size_t> by_begin_;
};

}  // namespace detail::select

void select_alignments(std::vector<GenomeAlignment>& alignments) {
  using namespace detail::select;
  const auto place = [](const GenomeAlignment& a) {
    return std::tuple(a.reference.sequence, a.reference.begin, a.query.begin, a.strand, a.reference.end, a.query.end);
  };
  std::ranges::sort(alignments, [&](const GenomeAlignment& a, const GenomeAlignment& b) {
    return std::pair(-a.score, place(a)) < std::pair(-b.score, place(b));
  });
  Primaries primaries(alignments);
  std::vector<std::int64_t> next_score(alignments.size(), 0);
  std::vector<char> dropped(alignments.size(), 0);
  for (std::size_t i = 0; i < alignments.size(); ++i) {
    std::vector<std::size_t> sharing;
    primaries.any_sharing(of_query(alignments[i]), [&](std::size_t j) {
      sharing.push_back(j);
      return false;
    });
    if (sharing.empty()) {
      primaries.add(i);
      continue;
    }
    alignments[i].primary = false;
    alignments[i].mapq = 0;
    dropped[i] = std::ranges::any_of(sharing, [&](std::size_t j) { return lies_in(alignments[i], alignments[j]); });
    if (dropped[i] != 0) continue;
    for (const std::size_t j : sharing) next_score[j] = std::max(next_score[j], alignments[i].score);
  }
  std::vector<GenomeAlignment> kept;
  for (std::size_t i = 0; i < alignments.size(); ++i) {
    if (dropped[i] != 0) continue;
    GenomeAlignment& alignment = alignments[i];
    if (alignment.primary) {
      const auto best = static_cast<double>(std::max<std::int64_t>(alignment.score, 1));
      const double quality = 40 * (1 - static_cast<double>(next_score[i]) / best) * std::log(best);
      alignment.mapq = static_cast<std::uint8_t>(std::clamp(quality, 0.0, 60.0));
    }
    kept.push_back(std::move(alignment));
  }
  std::ranges::sort(kept, {}, place);
  alignments = std::move(kept);
}

}  // namespace genocl::overlap
