// Searches for lossless plans, and proofs of their sensitivity.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include "marose/canonical.hpp"
#include "marose/plan.hpp"

namespace genocl::marose {
namespace {

bool in_seed(const SeedMask& mask, const SeedLookup& lookup, unsigned position) {
  return position >= lookup.offset && position < lookup.offset + mask.span() &&
         (mask.bits() >> (position - lookup.offset) & 1) != 0;
}

// Searches for a set of errors that no look-up finds. Takes a look-up that still finds the errors chosen so far, and
// tries every error that brings it closer to failing. Any undetected set contains one of these errors.
class Adversary {
 public:
  Adversary(const Plan& plan, std::uint64_t effort) : plan_(plan), effort_(effort) {}

  std::optional<bool> finds_all() {
    const bool escaped = escape(0);
    if (escaped) return false;
    if (effort_ == 0) return std::nullopt;
    return true;
  }

 private:
  bool escape(std::size_t first_alive) {
    std::vector<unsigned> sorted = chosen_;
    std::sort(sorted.begin(), sorted.end());
    std::size_t alive = first_alive;
    while (alive < plan_.places.size() && !finds(plan_.mask, plan_.places[alive], sorted)) ++alive;
    if (alive == plan_.places.size()) return true;
    if (chosen_.size() == plan_.errors) return false;
    const SeedLookup& lookup = plan_.places[alive];
    const unsigned last = std::max(lookup.offset + plan_.mask.span(), lookup.check_last);
    for (unsigned position = std::min(lookup.offset, lookup.check_first); position < last; ++position) {
      if (std::binary_search(sorted.begin(), sorted.end(), position)) continue;
      // An error that only counts against the check needs enough others to make it fail.
      if (!in_seed(plan_.mask, lookup, position) && lookup.check_errors >= plan_.errors) continue;
      if (effort_ == 0) return false;
      --effort_;
      chosen_.push_back(position);
      const bool escaped = escape(alive);
      chosen_.pop_back();
      if (escaped) return true;
    }
    return false;
  }

  const Plan& plan_;
  std::uint64_t effort_;
  std::vector<unsigned> chosen_;
};

}  // namespace

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  long double result = 1;
  for (std::uint64_t i = 0; i < k; ++i) {
    result = result * static_cast<long double>(n - i) / static_cast<long double>(i + 1);
    if (result > 1.8e19L) return std::numeric_limits<std::uint64_t>::max();
  }
  return static_cast<std::uint64_t>(result + 0.5L);
}

bool finds(const SeedMask& mask, const SeedLookup& lookup, const std::vector<unsigned>& positions) {
  unsigned in_check = 0;
  for (const unsigned position : positions) {
    if (in_seed(mask, lookup, position)) return false;
    if (position >= lookup.check_first && position < lookup.check_last && ++in_check > lookup.check_errors)
      return false;
  }
  return true;
}

void for_each_placement(unsigned length, unsigned errors,
                        const std::function<void(const std::vector<unsigned>&)>& call) {
  if (errors > length) return;
  std::vector<unsigned> positions(errors);
  for (unsigned i = 0; i < errors; ++i) positions[i] = i;
  for (;;) {
    call(positions);
    unsigned i = errors;
    while (i > 0 && positions[i - 1] == length - errors + i - 1) --i;
    if (i == 0) return;
    ++positions[i - 1];
    for (unsigned j = i; j < errors; ++j) positions[j] = positions[j - 1] + 1;
  }
}

std::optional<bool> finds_all_substitutions(const Plan& plan, std::uint64_t effort) {
  return Adversary(plan, effort).finds_all();
}

std::optional<std::uint64_t> count_missed_substitutions(const Plan& plan, std::uint64_t most) {
  if (choose(plan.length, plan.errors) > most) return std::nullopt;
  std::uint64_t missed = 0;
  for_each_placement(plan.length, plan.errors, [&](const std::vector<unsigned>& positions) {
    missed += std::none_of(plan.places.begin(), plan.places.end(),
                           [&](const SeedLookup& lookup) { return finds(plan.mask, lookup, positions); });
  });
  return missed;
}

namespace {

constexpr std::uint64_t max_placements = 300'000;

using Bits = std::vector<std::uint64_t>;

std::uint64_t count_common(const Bits& a, const Bits& b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += static_cast<std::uint64_t>(std::popcount(a[i] & b[i]));
  return count;
}

// A deterministic generator: the same plans on every machine.
struct Random {
  std::uint64_t state;
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 40) / static_cast<double>(1u << 24);
  }
};

// Indices of elements of `found` that together cover everything; empty if impossible.
std::vector<std::size_t> cover(const std::vector<Bits>& found, std::size_t placements, std::size_t fewer_than,
                               bool vary, Random& random) {
  Bits left((placements + 63) / 64, ~std::uint64_t{0});
  if (placements % 64 != 0) left.back() = (std::uint64_t{1} << placements % 64) - 1;
  std::vector<std::size_t> chosen;
  while (std::any_of(left.begin(), left.end(), [](std::uint64_t word) { return word != 0; })) {
    std::size_t best = found.size();
    double best_gain = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      double gain = static_cast<double>(count_common(found[i], left));
      if (vary) gain *= 1 + 0.15 * random.next();
      if (gain > best_gain) best_gain = gain, best = i;
    }
    if (best == found.size() || chosen.size() + 1 >= fewer_than) return {};
    chosen.push_back(best);
    for (std::size_t w = 0; w < left.size(); ++w) left[w] &= ~found[best][w];
  }
  return chosen;
}

void drop_redundant(std::vector<std::size_t>& chosen, const std::vector<Bits>& found, std::size_t placements) {
  for (std::size_t i = 0; i < chosen.size();) {
    Bits all((placements + 63) / 64);
    for (std::size_t j = 0; j < chosen.size(); ++j)
      if (j != i)
        for (std::size_t w = 0; w < all.size(); ++w) all[w] |= found[chosen[j]][w];
    std::uint64_t covered = 0;
    for (const std::uint64_t word : all) covered += static_cast<std::uint64_t>(std::popcount(word));
    if (covered == placements)
      chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
}

// finds() for reads of at most 64 bases: one bit for each.
struct PlaceBits {
  std::uint64_t seed = 0, check = 0;
  unsigned check_errors = 0;

  PlaceBits(const SeedMask& mask, const SeedLookup& lookup)
      : seed(mask.bits() << lookup.offset), check_errors(lookup.check_errors) {
    for (unsigned i = lookup.check_first; i < lookup.check_last; ++i) check |= std::uint64_t{1} << i;
  }
  bool finds(std::uint64_t errors) const {
    return (seed & errors) == 0 && static_cast<unsigned>(std::popcount(check & errors)) <= check_errors;
  }
};

}  // namespace

Plan plan_for(const PlanRequest& request, Method method, const SeedMask& mask) {
  Plan plan;
  plan.length = request.length;
  plan.errors = request.errors;
  plan.model = request.model;
  plan.method = method;
  plan.mask = mask;
  return plan;
}

std::optional<std::vector<SeedLookup>> lookups_in_parts(unsigned length, unsigned errors, const SeedMask& mask,
                                                        bool pairs, unsigned extra) {
  const unsigned parts = errors + 1, needed = mask.span() + extra;
  if (std::uint64_t{parts} * needed > length) return std::nullopt;
  std::vector<SeedLookup> places;
  const auto begin_of = [&](unsigned part) { return static_cast<unsigned>(std::uint64_t{part} * length / parts); };
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned begin = begin_of(part), end = begin_of(part + 1);
    if (!pairs) {
      places.push_back({begin, begin + mask.span(), begin + needed, 0});
      continue;
    }
    const bool is_left = part % 2 == 0, alone = is_left && part + 1 == parts;
    const unsigned spare = end - begin - mask.span();
    // Contexts extend at most 8 bases to either side: as much of them as possible is inside the pair.
    const unsigned shift = alone ? spare / 2 : is_left ? std::min(spare, 8u) : spare - std::min(spare, 8u);
    const unsigned first = alone || is_left ? begin : begin_of(part - 1);
    const unsigned last = alone || !is_left ? end : begin_of(part + 2);
    places.push_back({begin + shift, first, last, alone ? 0u : 1u});
  }
  return places;
}

std::optional<std::vector<SeedLookup>> lookups_by_cover(unsigned length, unsigned errors, const SeedMask& mask,
                                                        const std::vector<SeedLookup>& possible) {
  const std::uint64_t placements = choose(length, errors);
  if (placements > max_placements || possible.empty()) return std::nullopt;
  std::vector<Bits> found(possible.size(), Bits((placements + 63) / 64));
  std::vector<PlaceBits> bits;
  if (length <= 64)
    for (const SeedLookup& lookup : possible) bits.emplace_back(mask, lookup);
  std::uint64_t number = 0;
  bool hopeless = false;
  for_each_placement(length, errors, [&](const std::vector<unsigned>& positions) {
    if (hopeless) return;
    bool any = false;
    std::uint64_t word = 0;
    if (!bits.empty())
      for (const unsigned position : positions) word |= std::uint64_t{1} << position;
    for (std::size_t i = 0; i < possible.size(); ++i)
      if (bits.empty() ? finds(mask, possible[i], positions) : bits[i].finds(word)) {
        found[i][number / 64] |= std::uint64_t{1} << number % 64;
        any = true;
      }
    hopeless = !any;
    ++number;
  });
  if (hopeless) return std::nullopt;
  std::vector<std::size_t> best;
  Random random{7};
  const int beginnings = placements > 50'000 ? 4 : 16;
  for (int beginning = 0; beginning < beginnings; ++beginning) {
    std::vector<std::size_t> chosen =
        cover(found, placements, best.empty() ? 1000 : best.size() + 2, beginning != 0, random);
    if (chosen.empty()) continue;
    drop_redundant(chosen, found, placements);
    if (best.empty() || chosen.size() < best.size()) best = chosen;
  }
  std::sort(best.begin(), best.end());
  std::vector<SeedLookup> places;
  for (const std::size_t i : best) places.push_back(possible[i]);
  return places;
}

unsigned kmer_bases(std::uint64_t reference_bases) {
  unsigned kmer = 14;
  while (kmer > 5 && 4 * canonical_keys(kmer) > reference_bases / 4 * 3) --kmer;
  return kmer;
}

unsigned max_kmer_errors(unsigned length, unsigned kmer) {
  const unsigned windows = length / kmer;
  return windows == 0 ? 0 : 2 * windows - 1;
}

std::optional<Plan> kmer_plan(const PlanRequest& request) {
  const SeedMask mask = request.mask.value_or(SeedMask::solid(kmer_bases(request.reference_bases)));
  if (!mask.is_solid() || mask.weight() > 16 || mask.weight() > request.length) return std::nullopt;
  if (request.errors > max_kmer_errors(request.length, mask.weight())) return std::nullopt;
  Plan plan = plan_for(request, Method::kmers, mask);
  plan.lossless = true;
  const bool exact = request.length / mask.weight() > request.errors;
  const unsigned windows = exact ? request.errors + 1 : (request.errors + 2) / 2;
  plan.proof = std::to_string(request.errors) + (request.errors == 1 ? " error and " : " errors and ") +
               std::to_string(windows) + (windows == 1 ? " window" : " disjoint windows") +
               (exact ? ", those with the fewest places: one has none" : ": one has no more than 1");
  if (plan.model == Model::hamming && choose(plan.length, plan.errors) <= counted_placements) plan.missed = 0;
  return plan;
}

}  // namespace genocl::marose
