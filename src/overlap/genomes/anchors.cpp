#include "overlap/genomes/anchors.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace genocl::overlap {
namespace detail::anchors {

/// The sample: windows of the queries.
constexpr std::uint64_t windows = 32, window_bases = 1024;
/// Maximum number of matches, estimated from the sample, that are searched for unique ones: some 200 MB.
constexpr std::uint64_t max_matches = std::uint64_t{1} << 22;

SequenceSet sample_of(const SequenceSet& queries) {
  SequenceSet sample;
  const std::uint64_t bases = queries.residues();
  for (std::uint64_t i = 0; i < windows && bases > 0; ++i) {
    const SequenceSet::Location place = queries.locate(bases / windows * i);
    const std::span<const Code> record = queries[place.record].subspan(place.position);
    sample.append({}, record.first(std::min<std::size_t>(record.size(), window_bases)));
  }
  return sample;
}

}  // namespace detail::anchors

void keep_unique_in_reference(std::vector<MaximalMatch>& matches) {
  std::vector<std::size_t> order(matches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end_of = [&](std::size_t i) { return matches[i].query_position + matches[i].length; };
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const MaximalMatch& match = matches[i];
    return std::tuple(match.query_record, match.reverse, match.query_position, ~match.length);
  });
  std::vector<char> dropped(matches.size(), 0);
  std::uint64_t furthest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    const bool same_strand = k > 0 && matches[order[k - 1]].query_record == matches[i].query_record &&
                             matches[order[k - 1]].reverse == matches[i].reverse;
    if (same_strand && furthest >= end_of(i)) dropped[i] = 1;
    if (same_strand && matches[order[k - 1]].query_position == matches[i].query_position &&
        matches[order[k - 1]].length == matches[i].length)
      dropped[order[k - 1]] = 1;
    furthest = same_strand ? std::max(furthest, end_of(i)) : end_of(i);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (dropped[i] == 0) matches[kept++] = matches[i];
  matches.resize(kept);
}

AnchorSearch::AnchorSearch(const MatchIndex& index, const SequenceSet& queries, const MatchOptions& options)
    : index_(index), options_(options) {
  using namespace detail::anchors;
  if (options.kind != MatchKind::unique_in_reference) return;
  const SequenceSet sample = sample_of(queries);
  if (sample.empty()) return;
  MatchOptions all = options;
  all.kind = MatchKind::all;
  all.progress = {};
  std::uint64_t found = 0;
  index.find(sample, all, [&](std::span<const MaximalMatch> matches) { found += matches.size(); });
  filters_ = static_cast<double>(found) * static_cast<double>(queries.residues()) <=
             static_cast<double>(max_matches) * static_cast<double>(sample.residues());
  if (filters_) options_.kind = MatchKind::all;
}

void AnchorSearch::find(
    const SequenceSet& queries,
    const std::function<void(std::uint64_t query, std::vector<MaximalMatch>& matches)>& take) const {
  std::vector<MaximalMatch> matches;
  std::uint64_t next = 0;
  const auto end_query = [&] {
    if (filters_) keep_unique_in_reference(matches);
    take(next++, matches);
    matches.clear();
  };
  index_.find(queries, options_, [&](std::span<const MaximalMatch> found) {
    for (const MaximalMatch& match : found) {
      while (next < match.query_record) end_query();
      matches.push_back(match);
    }
  });
  while (next < queries.size()) end_query();
}

}  // namespace genocl::overlap
