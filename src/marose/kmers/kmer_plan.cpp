#include "marose/kmers/kmer_plan.hpp"

#include <string>

#include "marose/canonical/canonical.hpp"
#include "marose/plan/plan_search.hpp"
#include "marose/plan/sensitivity.hpp"

namespace genocl::marose {

unsigned kmer_bases(std::uint64_t reference_bases) {
  unsigned kmer = 14;
  while (kmer > 5 && 4 * canonical_keys(kmer) > reference_bases / 4 * 3) --kmer;
  return kmer;
}

unsigned most_kmer_errors(unsigned length, unsigned kmer) {
  const unsigned windows = length / kmer;
  return windows == 0 ? 0 : 2 * windows - 1;
}

std::optional<Plan> kmer_plan(const PlanRequest& request) {
  const SeedMask mask = request.mask.value_or(SeedMask::solid(kmer_bases(request.reference_bases)));
  if (!mask.is_solid() || mask.weight() > 16 || mask.weight() > request.length) return std::nullopt;
  if (request.errors > most_kmer_errors(request.length, mask.weight())) return std::nullopt;
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
