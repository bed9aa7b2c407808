#include "overlap/genomes/select.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace genocl::overlap {
namespace detail::select {

Interval of_query(const GenomeAlignment& alignment) { return {alignment.query.begin, alignment.query.end}; }

bool contains(const SequenceInterval& outer, const SequenceInterval& inner) {
  return outer.sequence == inner.sequence && outer.begin <= inner.begin && inner.end <= outer.end;
}

/// The bases of the query that an alignment pairs with bases of the reference.
class PairedBases {
 public:
  explicit PairedBases(const GenomeAlignment& alignment) {
    std::uint64_t at = alignment.query.begin, sum = 0;
    const auto visit = [&](const CigarRun& run) {
      if (!run.uses_query()) return;
      if (run.uses_reference()) {
        if (blocks_.empty() || blocks_.back().end != at) blocks_.push_back({at, at, sum});
        blocks_.back().end += run.length();
        sum += run.length();
      }
      at += run.length();
    };
    const std::span<const CigarRun> runs = alignment.cigar.runs();
    if (alignment.strand == Strand::forward)
      std::for_each(runs.begin(), runs.end(), visit);
    else
      std::for_each(runs.rbegin(), runs.rend(), visit);
  }

  std::uint64_t number_in(const Interval& place) const { return number_before(place.end) - number_before(place.begin); }

 private:
  struct Block {
    std::uint64_t begin, end;
    std::uint64_t before;  ///< bases in earlier blocks
  };

  std::uint64_t number_before(std::uint64_t position) const {
    const auto next = std::ranges::upper_bound(blocks_, position, {}, &Block::begin);
    if (next == blocks_.begin()) return 0;
    const Block& block = *std::prev(next);
    return block.before + std::min(position, block.end) - block.begin;
  }

  std::vector<Block> blocks_;
};

/// The primary alignments so far, found by their bases of the query.
class Primaries {
 public:
  explicit Primaries(std::span<const GenomeAlignment> alignments) : alignments_(alignments) {}

  /// Returns the primary alignments that pair at least half of the bases of the interval, or half of their bases there.
  std::vector<std::size_t> sharing(const Interval& place) const {
    std::vector<std::size_t> found;
    for (std::uint64_t bin = place.begin / bin_bases; bin <= (place.end - 1) / bin_bases; ++bin)
      if (const auto known = bins_.find(bin); known != bins_.end())
        found.insert(found.end(), known->second.begin(), known->second.end());
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase_if(found, [&](std::size_t j) {
      const Interval other = of_query(alignments_[j]), both = intersection(other, place);
      return 2 * paired_.at(j).number_in(both) < std::min(other.length(), place.length());
    });
    return found;
  }

  void add(std::size_t i) {
    paired_.emplace(i, PairedBases(alignments_[i]));
    const Interval place = of_query(alignments_[i]);
    for (std::uint64_t bin = place.begin / bin_bases; bin <= (place.end - 1) / bin_bases; ++bin)
      bins_[bin].push_back(i);
  }

 private:
  static constexpr std::uint64_t bin_bases = std::uint64_t{1} << 14;

  std::span<const GenomeAlignment> alignments_;
  std::map<std::size_t, PairedBases> paired_;
  std::map<std::uint64_t, std::vector<std::size_t>> bins_;
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
    const std::vector<std::size_t> sharing = primaries.sharing(of_query(alignments[i]));
    alignments[i].primary = sharing.empty();
    if (sharing.empty()) {
      primaries.add(i);
      continue;
    }
    alignments[i].mapq = 0;
    const GenomeAlignment& inner = alignments[i];
    dropped[i] = std::ranges::any_of(sharing, [&](std::size_t j) {
      const GenomeAlignment& outer = alignments[j];
      return inner.strand == outer.strand && contains(outer.reference, inner.reference) &&
             contains(outer.query, inner.query);
    });
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
