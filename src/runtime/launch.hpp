// Chooses the launch shape for the device's kernel family, and launches kernels of independent items.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "runtime/defines.hpp"
#include "runtime/kernel.hpp"

namespace genocl::runtime {

/// True for Oclgrind, which simulates one launch at a time and aborts if another thread launches concurrently.
inline bool takes_one_launch(const Device& device) { return device.info().platform == "Oclgrind"; }

inline bool uses_cpu_kernels(const Device& device) { return device.family() == KernelFamily::cpu; }

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }
constexpr std::uint64_t round_up(std::uint64_t a, std::uint64_t b) { return ceil_div(a, b) * b; }

/// tuning.group_size or `wanted`, reduced to a power of two within the device's limit. Throws InputError below 64.
inline unsigned group_size(const Device& device, LaunchTuning tuning, unsigned wanted) {
  const std::uint64_t size =
      std::min<std::uint64_t>(tuning.group_size != 0 ? tuning.group_size : wanted, device.info().max_work_group_size);
  if (size < 64)
    throw InputError("group size " + std::to_string(size) + ": the group kernels need at least 64 work-items");
  return static_cast<unsigned>(std::bit_floor(size));
}

/// The work-group size of a kernel that accepts any size: the device's tuned value.
inline unsigned group_size(const Device& device, LaunchTuning tuning = {}) {
  return group_size(device, tuning, device.tuning().group_size);
}

inline std::uint64_t compute_units(const Device& device) { return std::max(1u, device.info().compute_units); }

/// Number of groups of a kernel whose groups loop over the work.
inline std::uint64_t groups_that_fill(const Device& device) {
  return device.tuning().groups_per_unit * compute_units(device);
}
/// Number of workers of a `cpu` kernel. `part`: divisor for kernels whose workers each have a table.
inline std::uint64_t workers_that_fill(const Device& device, unsigned part = 1) {
  return std::max(1u, device.tuning().workers_per_unit / part) * compute_units(device);
}

/// The partition of `items` among the workers of a `cpu` kernel. Worker w owns [w * share, (w + 1) * share); the last
/// workers own fewer items or none.
struct Shares {
  std::uint64_t share = 0;  ///< a multiple of the block
  std::size_t workers = 0;  ///< never 0
};

/// `block`: items that stay together; `least`: minimum number of items per worker; `part`: as above.
inline Shares share_out(const Device& device, LaunchTuning tuning, std::uint64_t items, std::uint64_t block,
                        std::uint64_t least, unsigned part = 1) {
  const std::uint64_t wanted = tuning.workers != 0 ? tuning.workers : workers_that_fill(device, part);
  Shares shares;
  shares.share = std::max(round_up(ceil_div(items, wanted), block), round_up(least, block));
  shares.workers = static_cast<std::size_t>(std::max<std::uint64_t>(1, ceil_div(items, shares.share)));
  return shares;
}

/// The work of launch_items(). `least`: minimum number of items per worker of a `cpu` kernel. `max_groups`: maximum
/// number of groups, far above a device's capacity; groups loop over the remaining items. `bytes`: bytes read and
/// written.
struct ItemLaunch {
  std::uint64_t items = 0, bytes = 0, least = 256;
  std::uint64_t max_groups = std::uint64_t{1} << 20;
  unsigned group_size = 0;  ///< of a `gpu` kernel; 0: the device's tuned value
};

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

/// Launches an ITEM_KERNEL (cl/common/items.clh). Its arguments are `arguments`, with tuples expanded, followed by the
/// share. Launches at least one group.
template <class... Arguments>
void launch_items(const Device& device, std::string_view file, std::string_view name, Defines defines,
                  const ItemLaunch& launch, const Arguments&... arguments) {
  std::uint64_t share = 0;
  std::size_t groups = 0;
  unsigned size = 1;
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, {}, launch.items, 1, launch.least);
    share = shares.share;
    groups = shares.workers;
    defines.set("ONLY_CPU", 1);
  } else {
    size = launch.group_size != 0 ? group_size(device, {}, launch.group_size) : group_size(device);
    groups = static_cast<std::size_t>(std::clamp<std::uint64_t>(ceil_div(launch.items, size), 1, launch.max_groups));
    share = std::uint64_t{groups} * size;
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  }
  Kernel kernel(device, file, name, defines);
  std::apply([&](const auto&... all) { kernel.args(all..., share); }, std::tuple_cat(as_tuple(arguments)...));
  kernel.run(groups, size, launch.bytes);
}

}  // namespace genocl::runtime
