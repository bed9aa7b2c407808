// Launches of the topic's kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "marose/on_device.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"

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

namespace detail {
template <class T>
struct IsTuple : std::false_type {};
template <class... T>
struct IsTuple<std::tuple<T...>> : std::true_type {};

template <class T>
auto as_tuple(const T& argument) {
  if constexpr (IsTuple<T>::value)
    return argument;
  else
    return std::tuple<const T&>(argument);
}
}  // namespace detail

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
  const bool lanes = primitives::uses_lanes(device);
  const unsigned size = lanes ? 1 : primitives::group_size(device, {}, 256);
  std::uint64_t share = 0;
  std::size_t groups = 0;
  if (lanes) {
    const primitives::Shares shares = primitives::share_out(device, {}, items, 1, least);
    share = shares.share;
    groups = shares.workers;
    defines.set("ONLY_LANES", 1);
  } else {
    // No more than a device can hold many times over; an item count past 2^32 just goes round.
    groups =
        static_cast<std::size_t>(std::min<std::uint64_t>(primitives::ceil_div(items, size), std::uint64_t{1} << 22));
    share = std::uint64_t{groups} * size;
    defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", size);
  }
  runtime::Kernel launched(device, file, kernel, defines);
  std::apply([&](const auto&... all) { launched.args(all..., share); }, std::tuple_cat(detail::as_tuple(arguments)...));
  launched.run(groups, size, bytes);
}

}  // namespace genocl::marose
