#include "overlap/matches/unique_matches.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>

namespace genocl::overlap {
namespace {

std::uint64_t end_of(const MaximalMatch& match) { return match.reference_position + match.length; }

bool same_place(const MaximalMatch& a, const MaximalMatch& b) {
  return a.reference_record == b.reference_record && a.reference_position == b.reference_position &&
         a.length == b.length;
}

}  // namespace

void UniqueMatches::add(std::span<const MaximalMatch> matches, const MatchIndex::Sink& sink) {
  for (const MaximalMatch& match : matches) {
    if (!strand_.empty() &&
        (strand_.back().query_record != match.query_record || strand_.back().reverse != match.reverse))
      finish(sink);
    strand_.push_back(match);
  }
}

void UniqueMatches::finish(const MatchIndex::Sink& sink) {
  // By place in the reference, of those that begin at one the longest first: what holds a match stands before it.
  std::vector<std::size_t> order(strand_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const MaximalMatch& match = strand_[i];
    return std::tuple(match.reference_record, match.reference_position, ~match.length);
  });
  std::vector<bool> twice(strand_.size());
  std::uint64_t record = 0, reach = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const MaximalMatch& match = strand_[order[k]];
    if (match.reference_record != record) {
      record = match.reference_record;
      reach = 0;
    }
    twice[order[k]] = end_of(match) <= reach || (k + 1 < order.size() && same_place(match, strand_[order[k + 1]]));
    reach = std::max(reach, end_of(match));
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < strand_.size(); ++i)
    if (!twice[i]) strand_[kept++] = strand_[i];
  strand_.resize(kept);
  if (!strand_.empty()) sink(strand_);
  strand_.clear();
}

}  // namespace genocl::overlap
