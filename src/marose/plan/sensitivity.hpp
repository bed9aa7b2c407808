// What a set of look-ups finds: proofs by going through the errors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "genocl/marose/plan.hpp"

namespace genocl::marose {

/// C(n, k), or 2^64 - 1 where it is more.
std::uint64_t choose(std::uint64_t n, std::uint64_t k);

/// Whether a place finds a read with errors at these positions (ascending).
bool finds(const SeedMask& mask, const Place& place, const std::vector<unsigned>& positions);

/// Calls with every ascending choice of `errors` of the positions 0 .. length - 1, in lexicographic order.
void for_each_placement(unsigned length, unsigned errors,
                        const std::function<void(const std::vector<unsigned>&)>& call);

}  // namespace genocl::marose
