#include "genocl/primitives/gather.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/index_check.hpp"
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

/// The operands of a gather or scatter.
struct Move {
  const MemoryView &from, &indices, &to;
  std::size_t element_bytes, index_bytes;

  std::uint64_t index_count() const { return indices.bytes / index_bytes; }
  std::uint64_t from_size() const { return from.bytes / element_bytes; }
  std::uint64_t to_size() const { return to.bytes / element_bytes; }
  std::uint64_t bytes_moved() const { return index_count() * (2 * element_bytes + index_bytes); }
  void check(const char* name, std::uint64_t size, const char* what) const {
    if (size != index_count())
      throw InputError(std::string(name) + ": " + std::to_string(index_count()) + " indices but " +
                       std::to_string(size) + " elements " + what);
  }
};

/// Sizes of gather.cl. Elements of other sizes are moved in units of these sizes.
bool is_unit(std::size_t bytes) { return bytes <= 16 && std::has_single_bit(bytes); }

/// The largest unit that divides the size of an element.
std::size_t unit_of(std::size_t bytes) { return std::size_t{1} << std::min(std::countr_zero(bytes), 4); }

/// A kernel of gather_units.cl.
template <class... Arguments>
void move_units(const Device& device, const char* name, const Move& move, const LaunchTuning& tuning,
                const Arguments&... arguments) {
  const std::size_t unit = unit_of(move.element_bytes), units = move.element_bytes / unit;
  // A work-item of a `gpu` kernel has one unit.
  const std::uint64_t items = move.index_count() * (uses_cpu_kernels(device) ? 1 : units);
  runtime::Defines defines;
  defines.set("UNIT", type_of_size(unit)).set("UNITS", units).set("INDEX", move.index_bytes == 4 ? "uint" : "ulong");
  runtime::launch_items(device, "primitives/gather_units.cl", name, defines,
                        {.items = items, .bytes = move.bytes_moved(), .least = 4096, .group_size = tuning.group_size},
                        arguments...);
}

}  // namespace

void detail::gather(const Device& device, const MemoryView& from, const MemoryView& indices, const MemoryView& to,
                    std::size_t element_bytes, std::size_t index_bytes, const Call& call) {
  const Move move{from, indices, to, element_bytes, index_bytes};
  move.check("gather", move.to_size(), "to fill");
  CallFrame frame(device, call, "gather",
                  {{"from", from, Access::read}, {"indices", indices, Access::read}, {"to", to, Access::write}});
  const std::uint64_t count = move.index_count();
  if (count == 0) return frame.finish();
  check_indices(device, "gather", {frame[1], count, index_bytes}, move.from_size());
  if (!is_unit(element_bytes)) {
    move_units(device, "gather_units", move, call.tuning, frame[0], move.from_size(), frame[1], count, frame[2]);
    return frame.finish();
  }
  runtime::Defines defines = defines_of(element_bytes, index_bytes);
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, call.tuning, count, 64, 4096);
    runtime::Kernel(device, file, "gather_cpu", defines.set("ONLY_CPU", 1))
        .args(frame[0], move.from_size(), frame[1], count, shares.share, frame[2])
        .run(shares.workers, 1, move.bytes_moved());
  } else {
    const unsigned size = group_size(device, call.tuning);
    runtime::Kernel(device, file, "gather_gpu",
                    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ROWS", accesses))
        .args(frame[0], move.from_size(), frame[1], count, frame[2])
        .run(groups_for(count, size), size, move.bytes_moved());
  }
  frame.finish();
}

void detail::scatter(const Device& device, const MemoryView& from, const MemoryView& indices, const MemoryView& to,
                     std::size_t element_bytes, std::size_t index_bytes, const Call& call) {
  const Move move{from, indices, to, element_bytes, index_bytes};
  move.check("scatter", move.from_size(), "to move");
  CallFrame frame(device, call, "scatter",
                  {{"from", from, Access::read}, {"indices", indices, Access::read}, {"to", to, Access::update}});
  const std::uint64_t count = move.index_count();
  if (count == 0) return frame.finish();
  check_indices(device, "scatter", {frame[1], count, index_bytes}, move.to_size());
  if (!is_unit(element_bytes)) {
    move_units(device, "scatter_units", move, call.tuning, frame[0], frame[1], count, frame[2], move.to_size());
    return frame.finish();
  }
  runtime::Defines defines = defines_of(element_bytes, index_bytes);
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, call.tuning, count, 64, 4096);
    runtime::Kernel(device, file, "scatter_cpu", defines.set("ONLY_CPU", 1))
        .args(frame[0], frame[1], count, shares.share, frame[2], move.to_size())
        .run(shares.workers, 1, move.bytes_moved());
  } else {
    const unsigned size = group_size(device, call.tuning);
    runtime::Kernel(device, file, "scatter_gpu",
                    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ROWS", accesses))
        .args(frame[0], frame[1], count, frame[2], move.to_size())
        .run(groups_for(count, size), size, move.bytes_moved());
  }
  frame.finish();
}

void detail::iota(const Device& device, const MemoryView& values, std::size_t element_bytes, std::uint64_t first,
                  const Call& call) {
  CallFrame frame(device, call, "iota", {{"values", values, Access::write}});
  const std::uint64_t count = values.bytes / element_bytes;
  if (count == 0) return frame.finish();
  runtime::Defines defines;
  defines.set("ELEMENT", "uint").set("INDEX", type_of_size(element_bytes));
  const auto launch = [&](auto start) {
    if (uses_cpu_kernels(device)) {
      const Shares shares = share_out(device, call.tuning, count, 64, 8192);
      runtime::Kernel(device, file, "iota_cpu", defines.set("ONLY_CPU", 1))
          .args(frame[0], count, shares.share, start)
          .run(shares.workers, 1, values.bytes);
    } else {
      const unsigned size = group_size(device, call.tuning);
      runtime::Kernel(device, file, "iota_gpu",
                      defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ROWS", accesses))
          .args(frame[0], count, start)
          .run(groups_for(count, size), size, values.bytes);
    }
  };
  if (element_bytes == 4)
    launch(static_cast<std::uint32_t>(first));
  else
    launch(first);
  frame.finish();
}

}  // namespace genocl::primitives
