#include "genocl/primitives/gather.hpp"

#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"

namespace genocl::primitives {
namespace {

constexpr const char* file = "primitives/gather.cl";
/// Independent accesses in flight per work-item: ROWS of gather.cl.
constexpr std::uint64_t accesses = 4;

std::size_t groups_for(std::uint64_t items, unsigned size) {
  return static_cast<std::size_t>(ceil_div(items, size * accesses));
}

runtime::Defines defines_of(std::size_t element_bytes, std::size_t index_bytes) {
  runtime::Defines defines;
  defines.set("ELEMENT", type_of_size(element_bytes)).set("INDEX", index_bytes == 4 ? "uint" : "ulong");
  return defines;
}

}  // namespace

void Movement::check(std::uint64_t size, const char* what) const {
  if (size != index_count)
    throw InputError(std::string(name) + ": " + std::to_string(index_count) + " indices but " + std::to_string(size) +
                     " elements " + what);
  const runtime::BufferRange target{to, 0, to_size * element_bytes};
  check_apart(name, "from and to", {from, 0, from_size * element_bytes}, target);
  check_apart(name, "indices and to", {indices, 0, index_count * index_bytes}, target);
}

std::uint64_t Movement::bytes_moved() const { return index_count * (2 * element_bytes + index_bytes); }

void Movement::gather_elements(const Device& device, const Tuning& tuning) const {
  check(to_size, "to fill");
  if (index_count == 0) return;
  runtime::Defines defines = defines_of(element_bytes, index_bytes);
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, tuning, index_count, 64, 4096);
    runtime::Kernel(device, file, "gather_cpu", defines.set("ONLY_CPU", 1))
        .args(from, from_size, indices, index_count, shares.share, to)
        .run(shares.workers, 1, bytes_moved());
  } else {
    const unsigned size = group_size(device, tuning);
    runtime::Kernel(device, file, "gather_gpu",
                    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ROWS", accesses))
        .args(from, from_size, indices, index_count, to)
        .run(groups_for(index_count, size), size, bytes_moved());
  }
}

void Movement::scatter_elements(const Device& device, const Tuning& tuning) const {
  check(from_size, "to move");
  if (index_count == 0) return;
  runtime::Defines defines = defines_of(element_bytes, index_bytes);
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, tuning, index_count, 64, 4096);
    runtime::Kernel(device, file, "scatter_cpu", defines.set("ONLY_CPU", 1))
        .args(from, indices, index_count, shares.share, to, to_size)
        .run(shares.workers, 1, bytes_moved());
  } else {
    const unsigned size = group_size(device, tuning);
    runtime::Kernel(device, file, "scatter_gpu",
                    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ROWS", accesses))
        .args(from, indices, index_count, to, to_size)
        .run(groups_for(index_count, size), size, bytes_moved());
  }
}

template <ElementIndex T>
void iota(const Device& device, Array<T>& values, T first, const Tuning& tuning) {
  if (values.empty()) return;
  const std::uint64_t count = values.size();
  runtime::Defines defines;
  defines.set("ELEMENT", "uint").set("INDEX", type_name<T>());
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, tuning, count, 64, 8192);
    runtime::Kernel(device, file, "iota_cpu", defines.set("ONLY_CPU", 1))
        .args(values, count, shares.share, first)
        .run(shares.workers, 1, values.bytes());
  } else {
    const unsigned size = group_size(device, tuning);
    runtime::Kernel(device, file, "iota_gpu", defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ROWS", accesses))
        .args(values, count, first)
        .run(groups_for(count, size), size, values.bytes());
  }
}

template void iota(const Device&, Array<std::uint32_t>&, std::uint32_t, const Tuning&);
template void iota(const Device&, Array<std::uint64_t>&, std::uint64_t, const Tuning&);

}  // namespace genocl::primitives
