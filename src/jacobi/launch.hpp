// The defines and first arguments of every kernel (cl/jacobi/cells.clh), and the vector shapes of those for CPUs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "jacobi/layout.hpp"
#include "jacobi/sweep.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"

namespace genocl::jacobi {

template <class T>
runtime::Defines cell_defines(const HeldSlices& held) {
  runtime::Defines defines;
  defines.set("REAL_BYTES", static_cast<int>(sizeof(T)))
      .set("DIMENSIONS", held.layout.shape.three_dimensional() ? 3 : 2)
      .set("HAS_FIXED", held.fixed.empty() ? 0 : 1);
  if (held.formula.has_flux()) defines.set("HAS_FLUX", 1);
  if (!held.formula.weighted) return defines;
  return defines.set("IS_WEIGHTED", 1)
      .set("HAS_SOURCE", held.formula.source ? 1 : 0)
      .set("HAS_COEFFICIENTS", held.formula.coefficients ? 1 : 0);
}

/// Directions without a halo have 0.
inline void set_halo(runtime::Defines& defines, const Layout& layout) {
  defines.set("HALO_COLUMNS", static_cast<int>(layout.halo_columns))
      .set("HALO_ROWS", static_cast<int>(layout.halo_rows));
}

/// The grid's first and last slice, counted from the first held. Distant ones are limited to the range of the kernels'
/// 32-bit arithmetic, where their value does not matter.
struct Ends {
  std::int32_t low = 0, high = 0;

  explicit Ends(const HeldSlices& held) {
    constexpr std::uint64_t far = std::uint64_t{1} << 30;
    if (held.layout.ring) {
      low = -static_cast<std::int32_t>(far);
      high = static_cast<std::int32_t>(far);
      return;
    }
    low = -static_cast<std::int32_t>(std::min(held.first, far));
    high = static_cast<std::int32_t>(std::min(held.layout.slices - 1 - held.first, far));
  }
};

/// A kernel with the common arguments, then `more`.
template <class T, class... More>
runtime::Kernel cell_kernel(const Device& device, const char* file, const char* name, const runtime::Defines& defines,
                            const HeldSlices& held, const Array<T>& from, const Array<T>& to, std::uint64_t begin,
                            std::uint64_t end, const More&... more) {
  runtime::Kernel kernel(device, file, name, defines);
  const Ends ends(held);
  const Layout& layout = held.layout;
  const Formula& formula = held.formula;
  const auto set = [&](const auto&... equation) {
    // Without fixed cells the kernel does not read the buffer: any will do.
    kernel.args(from, to, held.fixed.empty() ? from.buffer() : held.fixed.buffer(),
                static_cast<std::uint32_t>(layout.held_width()), static_cast<std::uint32_t>(layout.held_rows()),
                static_cast<std::uint32_t>(layout.pitch), ends.low, ends.high, static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(end), equation..., more...);
  };
  if (formula.plain()) {
    set();
    return kernel;
  }
  const Fields<T>& fields = held.fields<T>();
  const auto weight = [&](StencilPoint place) { return static_cast<T>(formula.weights[place]); };
  const auto field = [&](const Array<T>& one) -> const cl::Buffer& { return (one.empty() ? from : one).buffer(); };
  set(formula.fixed_sides, weight(point_previous), weight(point_up), weight(point_left), weight(point_centre),
      weight(point_right), weight(point_down), weight(point_next), field(fields.source),
      field(fields.weights[point_previous]), field(fields.weights[point_up]), field(fields.weights[point_left]),
      field(fields.weights[point_right]), field(fields.weights[point_down]), field(fields.weights[point_next]));
  return kernel;
}

/// The same for the arguments of a sweep.
template <class T, class... More>
runtime::Kernel cell_kernel(const SweepArguments<T>& a, const char* file, const char* name,
                            const runtime::Defines& defines, const More&... more) {
  return cell_kernel<T>(a.device, file, name, defines, a.held, a.from, a.to, a.begin, a.end, more...);
}

/// Minimum bytes that a sweep over slices [begin, end) reads and writes.
template <class T>
std::uint64_t sweep_bytes(const HeldSlices& held, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t cells = (end - begin) * held.layout.rows_per_slice * held.layout.shape.width;
  const std::uint64_t fields =
      (held.formula.source ? 1 : 0) +
      (held.formula.coefficients ? neighbours_of(held.layout.shape.three_dimensional()).size() : 0);
  return cells * ((2 + fields) * sizeof(T) + (held.fixed.empty() ? 0 : 1));
}

template <class T>
std::uint64_t sweep_bytes(const SweepArguments<T>& a) {
  return sweep_bytes<T>(a.held, a.begin, a.end);
}

/// Tiles and blocks begin at multiples of this number of columns: whole aligned vectors.
constexpr unsigned column_alignment = 64;

/// Cells in a vector: 64 bytes, which CPUs with shorter registers split. GPUs read vectors only if aligned, so they use
/// single cells: the kernels for CPUs are correct there, not fast.
template <class T>
unsigned vector_lanes(const Device& device) {
  return device.info().type == DeviceType::cpu || device.info().type == DeviceType::accelerator
             ? static_cast<unsigned>(64 / sizeof(T))
             : 1;
}

/// Whether to write results past the cache (PAST_CACHE). A large grid is evicted before the next sweep reads it, and a
/// partly written line is read first.
template <class T>
bool goes_past_cache(const Device& device, const HeldSlices& held) {
  // On a Xeon (260 MB of cache) it lost a third at 84 MB and gained a third at 131 MB.
  constexpr std::uint64_t cached_bytes = std::uint64_t{96} << 20;
  return vector_lanes<T>(device) > 1 && held.elements() * sizeof(T) > cached_bytes;
}

}  // namespace genocl::jacobi
