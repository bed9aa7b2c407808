// Ways to find places that miss nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "genocl/marose/plan.hpp"

namespace genocl::marose {

/// Placements of substitutions that are counted one by one, for `Plan::missed`.
constexpr std::uint64_t counted_placements = 2'000'000;

/// A plan without places for what is asked.
Plan plan_for(const PlanRequest& request, Method method, const SeedMask& mask);

/// Disjoint parts of the read, one more than errors, a seed in each; neighbouring parts make pairs. At least one pair
/// has at most one error, or the part that is left over has none: so one of the seeds is exact, and its pair has at
/// most one error. Insertions and deletions included. Empty when the read is too short.
std::optional<std::vector<SeedLookup>> lookups_in_parts(unsigned length, unsigned errors, const SeedMask& mask,
                                                        bool pairs = true, unsigned extra = 0);

/// The fewest places (by greedy choice with several beginnings) that find every placement of substitutions, out of the
/// possible ones, which are all offsets with `extra` bases behind the span; `check_errors` over the whole read, or for
/// the published methods over span and neighbourhood. Empty when there are too many placements, or some that no offset
/// finds.
std::optional<std::vector<SeedLookup>> lookups_by_cover(unsigned length, unsigned errors, const SeedMask& mask,
                                                        const std::vector<SeedLookup>& possible);

/// Does what the public make_plan() does; `otherwise` is what the message ends with where no lossless plan is known.
Plan make_plan(const PlanRequest& request, const std::string& otherwise);

// What a set of look-ups finds: proofs by going through the errors.

/// C(n, k), or 2^64 - 1 where it is more.
std::uint64_t choose(std::uint64_t n, std::uint64_t k);

/// Whether a place finds a read with errors at these positions (ascending).
bool finds(const SeedMask& mask, const SeedLookup& lookup, const std::vector<unsigned>& positions);

/// Calls with every ascending choice of `errors` of the positions 0 .. length - 1, in lexicographic order.
void for_each_placement(unsigned length, unsigned errors,
                        const std::function<void(const std::vector<unsigned>&)>& call);

// Plans of Method::kmers, whose windows are chosen for each read.

/// Bases of a k-mer that suit a reference: as many as leave first[] at most 3/4 byte for each of its bases, 5 to 14.
unsigned kmer_bases(std::uint64_t reference_bases);

/// The most errors for which `length` bases have windows enough, when each window may have one error.
unsigned most_kmer_errors(unsigned length, unsigned kmer);

/// Gives the lossless plan for what is asked, or none where the read has too few windows.
std::optional<Plan> kmer_plan(const PlanRequest& request);

}  // namespace genocl::marose
