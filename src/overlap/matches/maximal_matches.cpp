// All maximal exact matches: one suffix array of reference and queries.
#include "genocl/overlap/matches.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "genocl/error.hpp"
#include "overlap/matches/maximal_matches_steps.hpp"

namespace genocl::overlap {
namespace {

/// Matches that are on the device at a time.
constexpr std::uint64_t most_at_once = std::uint64_t{1} << 24;

/// Each query and behind it its reverse complement: the order of the matches.
SequenceSet with_reversed(const SequenceSet& queries) {
  SequenceSet both(queries.alphabet());
  both.reserve(2 * queries.size(), 2 * queries.residues());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    both.append({}, queries[i]);
    dna::reverse_complement(queries[i], both.extend({}, {}, queries.length(i)).codes);
  }
  return both;
}

std::uint64_t room(const Device& device) {
  const std::uint64_t largest = device.info().max_allocation / sizeof(RangeQuery);
  return std::clamp<std::uint64_t>(largest, 1, most_at_once);
}

}  // namespace

std::vector<MaximalMatch> maximal_matches(const Device& device, const SequenceSet& reference,
                                          const SequenceSet& queries, const MatchOptions& options) {
  if (options.min_length == 0) throw InputError("maximal matches of 0 letters: at least 1");
  if (options.both_strands && queries.alphabet() != Alphabet::dna)
    throw InputError("matches on both strands of queries that are not DNA");
  const std::uint64_t strands = options.both_strands ? 2 : 1;
  const Text text = [&] {
    const SequenceSet reversed = options.both_strands ? with_reversed(queries) : SequenceSet(queries.alphabet());
    const std::array<const SequenceSet*, 2> sets = {&reference, options.both_strands ? &reversed : &queries};
    return Text::separated(device, sets, options.letters);
  }();
  const Stages stages(options.progress, text.size());
  const Text::State& state = text.state();
  const std::uint64_t border = state.begins[reference.size()];
  std::vector<MaximalMatch> matches;
  if (border == 0 || border == text.size() || options.min_length > text.size()) {
    stages.reach(1);
    return matches;
  }
  const Sorting sorting(text, "maximal matches", bytes_of_matching, stages);
  const SortedText sorted = sorting.sorted();
  const Rmq minima(device, sorted.lcp);
  const unsigned bits = sorted.position_bits();
  Locator query_locator(state.begins), reference_locator(state.begins);
  maximal_matches_of_text(
      sorted, minima, static_cast<std::uint32_t>(border), static_cast<std::uint32_t>(options.min_length), room(device),
      stages, [&](std::span<const std::uint64_t> keys, std::span<const std::uint32_t> lengths) {
        matches.reserve(matches.size() + keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
          const std::uint64_t in_query = keys[i] >> bits, in_reference = keys[i] & ((std::uint64_t{1} << bits) - 1);
          const std::uint64_t query = query_locator.record(in_query);
          const std::uint64_t record = reference_locator.record(in_reference);
          const std::uint64_t number = query - reference.size();
          matches.push_back({.reference_record = record,
                             .reference_position = in_reference - reference_locator.begin(record),
                             .query_record = number / strands,
                             .query_position = in_query - query_locator.begin(query),
                             .length = lengths[i],
                             .reverse = number % strands == 1});
        }
      });
  stages.reach(1);
  return matches;
}

}  // namespace genocl::overlap
