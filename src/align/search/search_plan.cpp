#include "align/search/search_plan.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {
namespace {

bool is_cpu(const Device& device) { return device.info().type == DeviceType::cpu; }

/// A worker has a chunk, the letters that it is made of, scores and borders (a sixteenth). There are two for each
/// device, and half of the memory is for chunks that stay: so that two searches at once fit.
constexpr std::uint64_t memory_parts = 48;

bool are_alike(Devices devices) {
  return std::all_of(devices.begin(), devices.end(),
                     [&](const Device& device) { return device.info().name == devices.front().info().name; });
}

void check_query(const SequenceSet& queries, std::size_t i) {
  const std::string where = "query " + std::to_string(i + 1) + " (" + shown(queries.name(i)) + ")";
  if (queries.length(i) == 0) throw InputError({}, where, "no letters", "at least one");
  if (queries.length(i) > Searcher::longest_query)
    throw InputError({}, where, std::to_string(queries.length(i)) + " letters",
                     "at most " + std::to_string(Searcher::longest_query));
}

}  // namespace

void check_queries(const SequenceSet& queries) {
  for (std::size_t i = 0; i < queries.size(); ++i) check_query(queries, i);
}

StrandQueries::StrandQueries(const SequenceSet& queries, Strands strands) : reversed_(queries.alphabet()) {
  const bool dna = queries.alphabet() == Alphabet::dna;
  const bool plus = !dna || strands != Strands::reverse, minus = dna && strands != Strands::forward;
  check_queries(queries);
  if (minus) reversed_ = queries.reverse_complement();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (plus) all_.push_back({i, false, masked(queries, i), queries[i]});
    if (minus) all_.push_back({i, true, masked(reversed_, i), reversed_[i]});
  }
}

std::vector<StrandQuery> sorted_by_length(std::span<const StrandQuery> queries) {
  std::vector<StrandQuery> sorted(queries.begin(), queries.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const StrandQuery& a, const StrandQuery& b) { return a.codes.size() > b.codes.size(); });
  return sorted;
}

StrandQueries::StrandQueries(const SequenceSet& queries, std::span<const Profile> profiles)
    : StrandQueries(queries, Strands::forward) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    all_[i].codes = all_[i].letters;
    all_[i].profile = &profiles[i];
  }
}

std::span<const Code> StrandQueries::masked(const SequenceSet& set, std::size_t i) {
  if (set.masked(i).empty()) return set[i];
  std::vector<Code>& codes = masked_.emplace_back(set[i].begin(), set[i].end());
  const Code unknown = set.alphabet() == Alphabet::dna ? dna::unknown : protein::unknown;
  for (const LetterRange& range : set.masked(i))
    std::fill(codes.begin() + static_cast<std::ptrdiff_t>(range.begin),
              codes.begin() + static_cast<std::ptrdiff_t>(range.end), unknown);
  return codes;
}

std::vector<Unit> plan_units(std::span<const ChunkRange> chunks, std::span<const StrandQuery> queries,
                             const UnitLimits& limits) {
  std::vector<Unit> units;
  for (std::size_t c = chunks.size(); c-- > 0;) {
    Unit unit{.chunk = c};
    for (std::size_t q = 0; q < queries.size();) {
      const std::size_t more = std::min(std::max<std::size_t>(1, limits.together), queries.size() - q);
      std::uint64_t cells = 0;
      for (std::size_t i = q; i < q + more; ++i) cells += queries[i].codes.size() * chunks[c].residues;
      const bool full =
          unit.cells + cells > limits.cells || (unit.query_count + more) * chunks[c].count > limits.scores;
      if (unit.query_count > 0 && full) {
        units.push_back(unit);
        unit = {.chunk = c, .first_query = q};
      }
      unit.query_count += more;
      unit.cells += cells;
      q += more;
    }
    if (unit.query_count > 0) units.push_back(unit);
  }
  return units;
}

UnitLimits unit_limits(Devices devices, std::uint64_t cells) {
  constexpr std::uint64_t billion = 1'000'000'000;
  // That takes a CPU's cores about half a second, the fastest GPU a third of a second.
  std::uint64_t most = 2000 * billion;
  // A twelfth of its share leaves a device waiting for a few hundredths of the time at the end. Like ones end together
  // anyway, and larger units keep them busier.
  const std::uint64_t parts = are_alike(devices) ? 4 : 12;
  if (devices.size() > 1) most = std::clamp(cells / (parts * devices.size()), 15 * billion, most);
  bool any_lanes = false;
  for (const Device& device : devices) {
    if (is_cpu(device)) most = std::min(most, std::max(1u, device.info().compute_units) * 15 * billion);
    any_lanes = any_lanes || device.family() == KernelFamily::cpu;
  }
  std::uint64_t scores = std::uint64_t{1} << 27;
  for (const Device& device : devices)
    scores = std::min(scores, runtime::usable_memory(device) / memory_parts / sizeof(DeviceScores::value_type));
  return {.cells = most, .scores = scores, .together = any_lanes ? 1u : 2u};
}

void largest_first(std::vector<Unit>& units) {
  std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.cells > b.cells; });
}

std::uint64_t chunk_residues(Devices devices, std::uint64_t database_residues) {
  constexpr std::uint64_t million = 1'000'000;
  const bool any_cpu = std::any_of(devices.begin(), devices.end(), is_cpu);
  std::uint64_t most = (any_cpu ? 64 : 1000) * million;
  for (const Device& device : devices)
    most = std::min(most, std::max<std::uint64_t>(1, runtime::usable_memory(device) / memory_parts));
  if (devices.size() == 1) return most;
  // Each device gets as many, so that a single query keeps all of them busy. A GPU idles at the end of each: on an H200
  // for a third of the time that 15 million residues took, of 50 million not to be noticed.
  const std::uint64_t least = (any_cpu ? 4 : 50) * million;
  const std::uint64_t rounds = std::clamp<std::uint64_t>(database_residues / (least * devices.size()), 1, 4);
  const std::uint64_t smallest = std::min(most, (any_cpu ? 4 : 12) * million);
  // Sequences do not fill chunks evenly: without some room, a few of the longest would be left over for one chunk more,
  // and the time of that is the longest sequence's (on four H200, a fifth of a search of 200 million residues).
  const std::uint64_t even = database_residues / (rounds * devices.size()) + 1;
  return std::clamp(even + even / 64, smallest, most);
}

}  // namespace genocl::align
