// Arguments and defines of kernels that read a segment, a batch of reads or plans.
#pragma once

#include <tuple>

#include "marose/device_state.hpp"
#include "marose/read_batches.hpp"
#include "runtime/defines.hpp"

namespace genocl::marose {

/// Arguments in the order of cl/marose/reference.clh, reads.clh and plans.clh.
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

/// Sets READ_WORDS and HAS_UNKNOWN of cl/marose/reads.clh, and the defines of the reference.
inline void set_read_defines(runtime::Defines& defines, const ReadBatch& batch) {
  defines.set("READ_WORDS", batch.words).set("HAS_UNKNOWN", batch.has_unknown ? 1 : 0);
  set_reference_defines(defines);
}

}  // namespace genocl::marose
