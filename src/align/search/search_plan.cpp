
#include "align/search/search_plan.hpp"

#include <algorithm>
#include <cmath>

#include "genocl/error.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {
namespace {

/// Ratio of the lengths that share a bound. The bound is too low by at most this factor, which is less than one unit of
/// score.
constexpr double length_step = 1.2;
/// Allows for the different rounding of bounds and E-values.
constexpr double rounding = 1 - 1e-9;

}  // namespace

LengthBounds::LengthBounds(const KarlinAltschul& parameters, std::uint64_t shortest, std::uint64_t longest, int highest)
    : parameters_(parameters),
      shortest_(static_cast<double>(std::max<std::uint64_t>(1, shortest))),
      longest_(static_cast<double>(std::max<std::uint64_t>(1, longest))),
      highest_(std::max(1, highest)) {}

LengthTerms LengthBounds::compute(std::int64_t score) const {
  // Both terms increase with the length. For a range of lengths, the bound is the terms of the minimum length divided
  // by the maximum length.
  double from = std::min(std::max(shortest_, std::ceil(static_cast<double>(score) / highest_)), longest_);
  LengthTerms least{.outside = 1, .probability = 1};
  for (bool last = false; !last;) {
    const double to = std::min(longest_, std::floor(from * length_step));
    last = to >= longest_;
    const LengthTerms terms = length_terms(parameters_, static_cast<double>(score), from);
    least.outside = std::min(least.outside, terms.outside / to);
    least.probability = std::min(least.probability, terms.probability / to);
    from = to + 1;
  }
  return least;
}

LengthTerms LengthBounds::least(std::int64_t score) const {
  const std::lock_guard lock(mutex_);
  while (static_cast<std::int64_t>(known_.size()) < score)
    known_.push_back(compute(static_cast<std::int64_t>(known_.size()) + 1));
  return known_[static_cast<std::size_t>(score - 1)];
}

std::int64_t ScoreCutoffs::min_score(double evalue) {
  if (bounds_ == nullptr) return significance_.min_score(evalue, 1);
  while (lowest_.empty() || lowest_.back() > evalue) {
    const auto score = static_cast<std::int64_t>(lowest_.size()) + 1;
    const double bound = min_evalue(significance_, static_cast<double>(score), bounds_->least(score)) * rounding;
    lowest_.push_back(lowest_.empty() ? bound : std::min(bound, lowest_.back()));
  }
  const auto found = std::ranges::partition_point(lowest_, [&](double lowest) { return lowest > evalue; });
  return found - lowest_.begin() + 1;
}

namespace {

bool is_cpu(const Device& device) { return device.info().type == DeviceType::cpu; }

/// A worker needs memory for a chunk, the letters it is computed from, scores and borders (a sixteenth). Each device
/// has two workers, and half of the memory is for resident chunks. With this divisor two searches fit at once.
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
  for (StrandQuery& query : all_) query.source_length = query.letters.size();
}

StrandQueries::StrandQueries(const SequenceSet& queries, Strands strands, const GeneticCode& code) {
  check_queries(queries);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    std::size_t number = 0;
    for (const Frame frame : frames_of(strands)) {
      std::vector<Code>& protein = masked_.emplace_back(translate(queries[i], frame, code));
      if (protein.empty()) protein.push_back(protein::unknown);
      StrandQuery& query = all_.emplace_back();
      query.query = i;
      query.codes = query.letters = protein;
      query.frame = frame;
      query.frame_number = number++;
      query.source_length = queries.length(i);
    }
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

void StrandQueries::scale_profiles(const Matrix& matrix, const GapPenalty& gap, const KarlinAltschul& gapped) {
  for (StrandQuery& query : all_) {
    query.scaled = &scaled_.emplace_back(*query.profile, matrix, gap);
    query.statistics = query.scaled->statistics(gapped);
  }
}

std::span<const Code> StrandQueries::masked(const SequenceSet& set, std::size_t i) {
  if (set.masked(i).empty()) return set[i];
  std::vector<Code>& codes = masked_.emplace_back(set[i].begin(), set[i].end());
  const Code unknown = set.alphabet() == Alphabet::dna ? dna::unknown : protein::unknown;
  for (const Interval& range : set.masked(i))
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
  // About half a second on the cores of a CPU, a third of a second on the fastest GPU.
  std::uint64_t most = 2000 * billion;
  // With units of a twelfth of its share, a device idles for a few percent of the time at the end. Similar devices
  // finish together, and larger units keep them busier.
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
  // All devices receive the same number of chunks, so that a single query uses all of them. A GPU idles at the end of
  // each chunk: on an H200 for a third of the time at 15 million residues, and for a negligible time at 50 million.
  const std::uint64_t least = (any_cpu ? 4 : 50) * million;
  const std::uint64_t rounds = std::clamp<std::uint64_t>(database_residues / (least * devices.size()), 1, 4);
  const std::uint64_t smallest = std::min(most, (any_cpu ? 4 : 12) * million);
  // Sequences do not fill chunks evenly. Without a margin, a few of the longest sequences would need an extra chunk,
  // whose time is that of the longest sequence. On four H200 this was a fifth of a search of 200 million residues.
  const std::uint64_t even = database_residues / (rounds * devices.size()) + 1;
  return std::clamp(even + even / 64, smallest, most);
}

}  // namespace genocl::align
