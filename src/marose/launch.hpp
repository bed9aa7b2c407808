// Launches of the topic's kernels.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "marose/on_device.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

/// The arguments that cl/marose/map/reference.clh, reads.clh and plans.clh name.
inline auto reference_arguments(const DeviceReference& r) {
  return std::forward_as_tuple(r.words, r.length, r.special, r.unknown_begin, r.unknown_end, r.unknown_count,
                               r.contig_begin, r.contig_count);
}
inline auto read_arguments(const ReadBatch& batch) { return std::forward_as_tuple(batch.bases, batch.unknown); }
inline auto plan_arguments(const ReadBatch& batch, const PlanTable& plans) {
  return std::forward_as_tuple(batch.plan, plans.heads, plans.places);
}

/// BLOCK_BASES of cl/marose/map/reference.clh.
inline void set_reference_defines(runtime::Defines& defines) {
  defines.set("BLOCK_BASES", DeviceReference::block_bases);
}

/// READ_WORDS and HAS_UNKNOWN of cl/marose/map/reads.clh, and what the reference needs with which reads are compared.
inline void set_read_defines(runtime::Defines& defines, const ReadBatch& batch) {
  defines.set("READ_WORDS", batch.words).set("HAS_UNKNOWN", batch.has_unknown ? 1 : 0);
  set_reference_defines(defines);
}

/// Launches an ITEM_KERNEL (cl/common/items.clh): `arguments` (tuples count as what is in them), then the share. The
/// kernel knows the number of items by its arguments. `least`: items that are worth a worker.
template <class... Arguments>
void launch_items(const Device& device, std::string_view file, std::string_view kernel, runtime::Defines defines,
                  std::uint64_t items, std::uint64_t least, std::uint64_t bytes, const Arguments&... arguments) {
  if (items == 0) return;
  const runtime::ItemLaunch launch{
      .items = items, .bytes = bytes, .least = least, .most_groups = std::uint64_t{1} << 22};
  runtime::launch_items(device, file, kernel, std::move(defines), launch, arguments...);
}

}  // namespace genocl::marose
