// Plans of Method::kmers, whose windows are chosen for each read.
#pragma once

#include <cstdint>
#include <optional>

#include "genocl/marose/plan.hpp"

namespace genocl::marose {

/// Bases of a k-mer that suit a reference: as many as leave first[] at most 3/4 byte for each of its bases, 5 to 14.
unsigned kmer_bases(std::uint64_t reference_bases);

/// The most errors for which `length` bases have windows enough, when each window may have one error.
unsigned most_kmer_errors(unsigned length, unsigned kmer);

/// Gives the lossless plan for what is asked, or none where the read has too few windows.
std::optional<Plan> kmer_plan(const PlanRequest& request);

}  // namespace genocl::marose
