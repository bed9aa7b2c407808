// The order in which hits of a read are given out.
#pragma once

#include <tuple>

#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

/// Fewest errors first, then by place.
inline auto hit_order(const Hit& hit) {
  return std::tie(hit.errors, hit.reference, hit.position, hit.strand, hit.length);
}

}  // namespace genocl::marose
