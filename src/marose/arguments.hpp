// What the topic's kernels are given of what lies on a device: arguments and defines.
#pragma once

#include <tuple>

#include "marose/device_state.hpp"
#include "runtime/defines.hpp"

namespace genocl::marose {

/// Gives the arguments that cl/marose/reference.clh, reads.clh and plans.clh name.
inline auto reference_arguments(const DeviceReference& r) {
  return std::forward_as_tuple(r.words, r.length, r.special, r.unknown_begin, r.unknown_end, r.unknown_count,
                               r.contig_begin, r.contig_count);
}
inline auto read_arguments(const ReadBatch& batch) { return std::forward_as_tuple(batch.bases, batch.unknown); }
inline auto plan_arguments(const ReadBatch& batch, const PlanTable& plans) {
  return std::forward_as_tuple(batch.plan, plans.heads, plans.places);
}

/// Sets BLOCK_BASES of cl/marose/reference.clh.
inline void set_reference_defines(runtime::Defines& defines) {
  defines.set("BLOCK_BASES", DeviceReference::block_bases);
}

/// Sets READ_WORDS and HAS_UNKNOWN of cl/marose/reads.clh, and what the reference needs that reads are compared
/// with.
inline void set_read_defines(runtime::Defines& defines, const ReadBatch& batch) {
  defines.set("READ_WORDS", batch.words).set("HAS_UNKNOWN", batch.has_unknown ? 1 : 0);
  set_reference_defines(defines);
}

}  // namespace genocl::marose
