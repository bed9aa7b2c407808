#include "jacobi/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "genocl/error.hpp"
#include "genocl/jacobi/solve.hpp"
#include "jacobi/launch.hpp"
#include "runtime/launch.hpp"
#include "runtime/names.hpp"

namespace genocl::jacobi {

Plan choose_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel,
                 unsigned max_fused_steps, bool source) {
  if (kernel == Kernel::automatic)
    kernel = device.tuning().relaxation_family == KernelFamily::cpu ? Kernel::rolling : Kernel::stream;
  return kernel == Kernel::blocked || kernel == Kernel::rolling
             ? choose_cpu_plan(device, layout, element, kernel, max_fused_steps)
             : choose_gpu_plan(device, layout, element, kernel, max_fused_steps, source);
}

template <class T>
void sweep(const Device& device, const Plan& plan, const HeldSlices& held, const Array<T>& from, Array<T>& to,
           std::uint64_t begin, std::uint64_t end, unsigned fused_steps) {
  const SweepArguments<T> arguments{device, plan, held, from, to, begin, end, fused_steps};
  const std::uint64_t halo[] = {held.layout.halo_columns, held.layout.halo_rows};
  for (const std::uint64_t one : halo)
    if (one != 0 && fused_steps > one)
      throw InputError(std::to_string(fused_steps) + " iterations in a sweep of a periodic grid; expected at most " +
                       std::to_string(one));
  switch (plan.kernel) {
    case Kernel::automatic:
    case Kernel::naive:
      sweep_naive(arguments);
      break;
    case Kernel::local:
      sweep_local(arguments);
      break;
    case Kernel::strip:
      sweep_strip(arguments);
      break;
    case Kernel::stream:
      sweep_stream(arguments);
      break;
    case Kernel::blocked:
      sweep_blocked(arguments);
      break;
    case Kernel::rolling:
      sweep_rolling(arguments);
      break;
  }
  refresh_halo(device, held, to, begin, end);
}

template void sweep(const Device&, const Plan&, const HeldSlices&, const Array<float>&, Array<float>&, std::uint64_t,
                    std::uint64_t, unsigned);
template void sweep(const Device&, const Plan&, const HeldSlices&, const Array<double>&, Array<double>&, std::uint64_t,
                    std::uint64_t, unsigned);

namespace {

constexpr runtime::Names<Kernel, 7> names = {{{Kernel::automatic, "auto"},
                                              {Kernel::naive, "naive"},
                                              {Kernel::local, "local"},
                                              {Kernel::blocked, "blocked"},
                                              {Kernel::strip, "strip"},
                                              {Kernel::stream, "stream"},
                                              {Kernel::rolling, "rolling"}}};

}  // namespace

std::string_view to_string(Kernel kernel) noexcept { return runtime::name_of(names, kernel); }

Kernel kernel_named(std::string_view name) { return runtime::value_named(names, "kernel", name); }

// Plans for GPUs, measured on an H200 (16384 x 16384, 4000 x 4000, 512^3, 256^3). Other devices use the same shapes as
// far as their work-groups and local memory allow.

namespace {

/// The masks of fixed rows have 32 bits, one for each fused step, and more steps were not faster anywhere.
constexpr unsigned max_flat_steps = 16;

/// `wanted` work-items, or the largest power of two below that the device supports.
unsigned items(const Device& device, unsigned wanted) { return runtime::group_size(device, {}, wanted); }

Plan local_plan(const Device& device, bool is_3d) {
  if (!is_3d) return {.kernel = Kernel::local, .columns = 16, .rows = items(device, 256) / 16};
  return {.kernel = Kernel::local, .columns = items(device, 256) / 16, .rows = 4, .planes = 4};
}

Plan strip_plan(const Device& device, bool is_3d, std::size_t element) {
  if (is_3d) return {.kernel = Kernel::strip, .group = items(device, 256), .columns = 2, .rows = 4, .planes = 8};
  return {.kernel = Kernel::strip, .group = items(device, 256), .columns = element == 8 ? 2u : 4u, .rows = 3};
}

/// Two dimensions: local memory holds both edges of every fused step, twice. Three columns an item need a third less
/// local memory than two; with four, too few items fit the registers. G updates/s on the H200, 16384 x 16384, by fused
/// steps, 8 / 12 (double) and 12 / 14 (float): 2 columns 1,390 / 1,480 and 2,050 / -, 3 columns 1,550 / 1,660 and 2,500
/// / 2,760.
///
/// A source stays in registers while its row passes the fused steps: half as many registers more. Double then fits 12
/// steps of 2 columns (about 220 registers, two groups a unit as without a source) but not of 3, and float 11 of 3
/// (about 170, three groups). Memory alone bounds double at 12 steps of 24 bytes a cell by 2,120 G updates/s.
Plan stream_flat_plan(const Device& device, std::size_t element, unsigned max_fused_steps, bool source) {
  Plan plan{.kernel = Kernel::stream, .group = items(device, 128), .columns = source && element == 8 ? 2u : 3u};
  const unsigned best = element == 8 ? 12 : source ? 11 : 14;
  plan.fused_steps = std::min(max_fused_steps != 0 ? max_fused_steps : best, max_flat_steps);
  const auto bytes = [&] { return std::uint64_t{4} * plan.fused_steps * plan.group * element; };
  if (bytes() > device.info().local_memory) plan.group = 64;
  while (plan.fused_steps > 1 && bytes() > device.info().local_memory) --plan.fused_steps;
  return plan;
}

/// Three dimensions: local memory holds a tile of every fused step. Two groups of 256 items with 128 registers fill a
/// compute unit of the H200; fewer but larger tiles are slower.
Plan stream_solid_plan(const Device& device, std::size_t element, unsigned max_fused_steps) {
  Plan plan{.kernel = Kernel::stream, .group = items(device, 256), .columns = 2, .rows = element == 8 ? 2u : 4u};
  plan.fused_steps = std::min(max_fused_steps != 0 ? max_fused_steps : 3u, 4u);
  const auto bytes = [&] { return std::uint64_t{plan.fused_steps} * plan.group * plan.columns * plan.rows * element; };
  while (plan.fused_steps > 2 && bytes() > device.info().local_memory) --plan.fused_steps;
  while (plan.group > 64 && bytes() > device.info().local_memory) plan.group /= 2;
  while (plan.fused_steps > 1 && bytes() > device.info().local_memory) --plan.fused_steps;
  // A tile must be higher than its margins, or no row of it is valid.
  const unsigned tile_rows = plan.group / 32 * plan.rows;
  plan.fused_steps = std::min(plan.fused_steps, (tile_rows - 1) / 2);
  return plan;
}

}  // namespace

Plan choose_gpu_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel,
                     unsigned max_fused_steps, bool source) {
  const bool is_3d = layout.shape.three_dimensional();
  switch (kernel) {
    case Kernel::local:
      return local_plan(device, is_3d);
    case Kernel::strip:
      return strip_plan(device, is_3d, element);
    case Kernel::stream:
      return is_3d ? stream_solid_plan(device, element, max_fused_steps)
                   : stream_flat_plan(device, element, max_fused_steps, source);
    default:
      return {.kernel = Kernel::naive, .group = items(device, 256), .columns = 64};
  }
}

namespace {

/// Bytes of a row of a tile. In 2D 8 rows and their 2 neighbours fit a level-1 cache (48 KiB). In 3D the slices of all
/// iterations, 16 of 44 rows, fit a level-2 cache (2 MiB).
constexpr unsigned row_bytes = 4096, row_bytes_3d = 2048;

Plan blocked_plan(const Layout& layout, std::size_t element) {
  Plan plan{.kernel = Kernel::blocked, .group = 1};
  const bool is_3d = layout.shape.three_dimensional();
  // Three rows fit the level-1 cache; in 3D three blocks of planes fit the level-2 cache.
  plan.columns = static_cast<unsigned>(row_bytes / element);
  plan.rows = is_3d ? 32 : 1;
  return plan;
}

Plan rolling_plan(const Layout& layout, std::size_t element, unsigned max_fused_steps) {
  Plan plan{.kernel = Kernel::rolling, .group = 1};
  const bool is_3d = layout.shape.three_dimensional();
  // In 2D memory still takes a quarter of the time at 16. In 3D 6 is 5 to 8% faster than 4, and 8 is no faster.
  const unsigned best = is_3d ? 6 : 16;
  plan.fused_steps = max_fused_steps == 0 ? best : std::min(max_fused_steps, best);
  plan.columns = static_cast<unsigned>((is_3d ? row_bytes_3d : row_bytes) / element);
  plan.rows = is_3d ? 32 : 512;
  plan.planes = is_3d ? 128 : 0;
  return plan;
}

}  // namespace

Plan choose_cpu_plan(const Device&, const Layout& layout, std::size_t element, Kernel kernel,
                     unsigned max_fused_steps) {
  if (kernel == Kernel::blocked) return blocked_plan(layout, element);
  if (kernel == Kernel::rolling) return rolling_plan(layout, element, max_fused_steps);
  throw InputError("not a kernel for CPUs: " + std::string(to_string(kernel)));
}

// The halo of periodic directions, after a sweep (cl/jacobi/halo.cl).

template <class T>
void refresh_halo(const Device& device, const HeldSlices& held, Array<T>& cells, std::uint64_t begin,
                  std::uint64_t end) {
  const Layout& layout = held.layout;
  if (!layout.has_cell_halo()) return;
  const std::uint64_t halo =
      2 * (layout.halo_columns * layout.held_rows() + layout.halo_rows * layout.shape.width) * (end - begin);
  const std::uint64_t count = runtime::uses_cpu_kernels(device) ? (end - begin) * layout.held_rows() : halo;
  runtime::Defines defines = cell_defines<T>(held);
  set_halo(defines, layout);
  runtime::launch_items(device, "jacobi/halo.cl", "refresh_halo", defines,
                        {.items = count, .bytes = 2 * halo * sizeof(T), .least = 64}, cells,
                        static_cast<std::uint32_t>(layout.held_width()), static_cast<std::uint32_t>(layout.held_rows()),
                        static_cast<std::uint32_t>(layout.pitch), static_cast<std::uint32_t>(begin), count);
}

template void refresh_halo(const Device&, const HeldSlices&, Array<float>&, std::uint64_t, std::uint64_t);
template void refresh_halo(const Device&, const HeldSlices&, Array<double>&, std::uint64_t, std::uint64_t);

using runtime::ceil_div;

template <class T>
void sweep_with_change(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to,
                       std::uint64_t begin, std::uint64_t end, Array<T>& max, Array<double>& squares, bool has_double) {
  constexpr unsigned lanes_of_row = 64;
  const std::uint64_t rows = (end - begin) * held.layout.rows_per_slice;
  const std::uint64_t bytes = sweep_bytes<T>(held, begin, end) + rows * (sizeof(T) + sizeof(double));
  runtime::Defines defines = cell_defines<T>(held);
  defines.set("HAS_DOUBLE", has_double ? 1 : 0).set("CHANGE_LANES", lanes_of_row);
  if (held.layout.has_cell_halo()) set_halo(defines, held.layout);
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, rows, 1, 1);
    defines.set("ONLY_CPU", 1);
    cell_kernel<T>(device, "jacobi/change.cl", "change_cpu", defines, held, from, to, begin, end, max, squares,
                   shares.share)
        .run(shares.workers, 1, bytes);
    refresh_halo(device, held, to, begin, end);
    return;
  }
  const unsigned size = runtime::group_size(device);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  cell_kernel<T>(device, "jacobi/change.cl", "change_gpu", defines, held, from, to, begin, end, max, squares)
      .run(ceil_div(rows, size / lanes_of_row), size, bytes);
  refresh_halo(device, held, to, begin, end);
}

template void sweep_with_change(const Device&, const HeldSlices&, const Array<float>&, Array<float>&, std::uint64_t,
                                std::uint64_t, Array<float>&, Array<double>&, bool);
template void sweep_with_change(const Device&, const HeldSlices&, const Array<double>&, Array<double>&, std::uint64_t,
                                std::uint64_t, Array<double>&, Array<double>&, bool);

template <class T>
T ChangeMeter<T>::measure(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to,
                          std::uint64_t begin, std::uint64_t end, std::span<double> squares) {
  const std::uint64_t rows = squares.size();
  if (row_max_.size() < rows) {
    row_max_ = Array<T>(device, rows);
    row_squares_ = Array<double>(device, rows);
    max_.resize(rows);
  }
  sweep_with_change(device, held, from, to, begin, end, row_max_, row_squares_, has_double_ && device.info().fp64);
  row_max_.download(std::span(max_).first(rows));
  row_squares_.download(squares);
  return *std::max_element(max_.begin(), max_.begin() + static_cast<std::ptrdiff_t>(rows));
}

Change change_of(double max, std::span<const double> squares) {
  double sum = 0;
  for (const double square : squares) sum += square;
  if (std::isnan(sum)) max = sum;
  return {max, std::sqrt(sum)};
}

template class ChangeMeter<float>;
template class ChangeMeter<double>;

}  // namespace genocl::jacobi
