// Ways to find places that miss nothing.
#pragma once

#include <cstdint>
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
std::optional<std::vector<Place>> places_in_parts(unsigned length, unsigned errors, const SeedMask& mask,
                                                  bool pairs = true, unsigned extra = 0);

/// The fewest places (by greedy choice with several beginnings) that find every placement of substitutions, out of the
/// possible ones, which are all offsets with `extra` bases behind the span; `check_errors` over the whole read, or for
/// the published methods over span and neighbourhood. Empty when there are too many placements, or some that no offset
/// finds.
std::optional<std::vector<Place>> places_by_cover(unsigned length, unsigned errors, const SeedMask& mask,
                                                  const std::vector<Place>& possible);

/// Does what the public make_plan() does; `otherwise` is what the message ends with where no lossless plan is known.
Plan make_plan(const PlanRequest& request, const std::string& otherwise);

}  // namespace genocl::marose
