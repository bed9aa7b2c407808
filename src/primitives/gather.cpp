#include "genocl/primitives/gather.hpp"

#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"

namespace genocl::primitives {
namespace {

constexpr const char* file = "primitives/gather.cl";
/// Independent accesses that one item has under way.
constexpr std::uint64_t rows = 4;

std::size_t groups_for(std::uint64_t items, unsigned size) {
  return static_cast<std::size_t>(ceil_div(items, size * rows));
}

}  // namespace

namespace detail {
namespace {

void check(const Movement& movement, std::uint64_t elements, const char* side) {
  if (elements != movement.index_count)
    throw InputError(std::string(movement.name) + ": " + std::to_string(movement.index_count) + " indices but " +
                     std::to_string(elements) + " elements " + side);
  if (movement.index_count != 0 && movement.from() == movement.to())
    throw InputError(std::string(movement.name) + ": from and to must not be one buffer");
}

runtime::Defines defines_of(const Movement& movement) {
  runtime::Defines defines;
  defines.set("ELEMENT", type_of_size(movement.element_bytes))
      .set("INDEX", movement.index_bytes == 4 ? "uint" : "ulong");
  return defines;
}

std::uint64_t bytes_of(const Movement& movement) {
  return movement.index_count * (2 * movement.element_bytes + movement.index_bytes);
}

}  // namespace

void gather(const Device& device, const Movement& movement, const Tuning& tuning) {
  check(movement, movement.to_size, "to fill");
  if (movement.index_count == 0) return;
  runtime::Defines defines = defines_of(movement);
  if (uses_lanes(device)) {
    const Shares shares = share_out(device, tuning, movement.index_count, 64, 4096);
    runtime::Kernel(device, file, "gather_lanes", defines.set("ONLY_LANES", 1))
        .args(movement.from, movement.from_size, movement.indices, movement.index_count, shares.share, movement.to)
        .run(shares.workers, 1, bytes_of(movement));
  } else {
    const unsigned size = group_size(device, tuning, 256);
    runtime::Kernel(device, file, "gather_group",
                    defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", size).set("ROWS", rows))
        .args(movement.from, movement.from_size, movement.indices, movement.index_count, movement.to)
        .run(groups_for(movement.index_count, size), size, bytes_of(movement));
  }
}

void scatter(const Device& device, const Movement& movement, const Tuning& tuning) {
  check(movement, movement.from_size, "to move");
  if (movement.index_count == 0) return;
  runtime::Defines defines = defines_of(movement);
  if (uses_lanes(device)) {
    const Shares shares = share_out(device, tuning, movement.index_count, 64, 4096);
    runtime::Kernel(device, file, "scatter_lanes", defines.set("ONLY_LANES", 1))
        .args(movement.from, movement.indices, movement.index_count, shares.share, movement.to, movement.to_size)
        .run(shares.workers, 1, bytes_of(movement));
  } else {
    const unsigned size = group_size(device, tuning, 256);
    runtime::Kernel(device, file, "scatter_group",
                    defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", size).set("ROWS", rows))
        .args(movement.from, movement.indices, movement.index_count, movement.to, movement.to_size)
        .run(groups_for(movement.index_count, size), size, bytes_of(movement));
  }
}

}  // namespace detail

template <ElementIndex T>
void iota(const Device& device, Array<T>& values, T first, const Tuning& tuning) {
  if (values.empty()) return;
  const std::uint64_t count = values.size();
  runtime::Defines defines;
  defines.set("ELEMENT", "uint").set("INDEX", type_name<T>());
  if (uses_lanes(device)) {
    const Shares shares = share_out(device, tuning, count, 64, 8192);
    runtime::Kernel(device, file, "iota_lanes", defines.set("ONLY_LANES", 1))
        .args(values, count, shares.share, first)
        .run(shares.workers, 1, values.bytes());
  } else {
    const unsigned size = group_size(device, tuning, 256);
    runtime::Kernel(device, file, "iota_group", defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", size).set("ROWS", rows))
        .args(values, count, first)
        .run(groups_for(count, size), size, values.bytes());
  }
}

template void iota(const Device&, Array<std::uint32_t>&, std::uint32_t, const Tuning&);
template void iota(const Device&, Array<std::uint64_t>&, std::uint64_t, const Tuning&);

}  // namespace genocl::primitives
