// Lossless sets of look-ups, and their proofs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "genocl/marose/plan.hpp"

namespace genocl::marose {

/// Maximum number of placements of substitutions that are enumerated for Plan::missed.
constexpr std::uint64_t counted_placements = 2'000'000;

/// A plan for the request, still without look-ups.
Plan plan_for(const PlanRequest& request, Method method, const SeedMask& mask);

/// One seed in each of errors + 1 disjoint parts of the read; neighbouring parts form pairs. At least one pair has at
/// most one error, or the unpaired part has none. So one of the seeds is exact, and its pair has at most one error;
/// this holds with insertions and deletions. Empty if the read is too short.
std::optional<std::vector<SeedLookup>> lookups_in_parts(unsigned length, unsigned errors, const SeedMask& mask,
                                                        bool pairs = true, unsigned extra = 0);

/// A small set of look-ups (greedy, from several starts) that finds every placement of substitutions, chosen from
/// `possible`: all offsets with `extra` bases after the span. `check_errors` applies to the whole read, for the
/// published methods to span and neighbourhood. Empty if there are too many placements, or one that no offset finds.
std::optional<std::vector<SeedLookup>> lookups_by_cover(unsigned length, unsigned errors, const SeedMask& mask,
                                                        const std::vector<SeedLookup>& possible);

/// As the public make_plan(). `otherwise` ends the error message if no lossless plan is known.
Plan make_plan(const PlanRequest& request, const std::string& otherwise);

// Sensitivity of a set of look-ups, proved by enumerating errors.

/// C(n, k), saturated at 2^64 - 1.
std::uint64_t choose(std::uint64_t n, std::uint64_t k);

/// Whether a look-up finds a read with errors at these positions, in ascending order.
bool finds(const SeedMask& mask, const SeedLookup& lookup, const std::vector<unsigned>& positions);

/// Calls `call` with every combination of `errors` of the positions 0 .. length - 1, in lexicographic order.
void for_each_placement(unsigned length, unsigned errors,
                        const std::function<void(const std::vector<unsigned>&)>& call);

// Plans of Method::kmers; the windows are chosen for each read.

/// Length of k-mers for a reference: the maximum for which "first" takes at most 3/4 byte for each base, 5 to 14.
unsigned kmer_bases(std::uint64_t reference_bases);

/// Maximum number of errors for which `length` bases have enough windows, if each window may have one error.
unsigned max_kmer_errors(unsigned length, unsigned kmer);

/// The lossless plan for the request; empty if the read has too few windows.
std::optional<Plan> kmer_plan(const PlanRequest& request);

}  // namespace genocl::marose
