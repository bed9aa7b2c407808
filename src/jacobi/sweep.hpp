// Sweeps: kernel launches that do one or more iterations on one device. All work goes to the device's queue.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/jacobi/solve.hpp"
#include "jacobi/layout.hpp"

namespace genocl::jacobi {

/// The kernel of a device and its launch parameters; their meaning depends on the kernel (sweep.cpp,
/// published/).
struct Plan {
  Kernel kernel = Kernel::naive;
  unsigned fused_steps = 1;        ///< maximum iterations of one sweep; 1 except for `stream` and `rolling`
  unsigned group = 0;              ///< work-items of a group
  unsigned columns = 0, rows = 0;  ///< of a tile, a block, or a work-item
  unsigned planes = 0;             ///< 3D

  friend bool operator==(const Plan&, const Plan&) = default;
};

/// Chooses the fastest known plan. `kernel` automatic: by the device's family. `max_fused_steps`: maximum iterations of
/// a sweep (0: the fastest number). `element`: sizeof(T). Throws InputError for a tile that the device does not allow.
Plan choose_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel,
                 unsigned max_fused_steps, const Formula& formula = {}, const LocalTile& tile = {});

/// Columns of a block of `blocked`: the largest multiple of 64 for which the rows in use (three that are read, one that
/// is written) of `rows` blocks fit a cache of `cache_bytes`, but at least 64.
unsigned blocked_columns(std::uint64_t cache_bytes, std::size_t element, unsigned rows);

/// Computes slices [begin, end) of `to` (counted from the first held) by `fused_steps` (1 to plan.fused_steps)
/// iterations from `from`. Reads slices [begin - fused_steps, end + fused_steps) of `from` as far as the grid has them;
/// all of them must be held. Writes only slices [begin, end), all columns: fixed cells are copied. Requires begin <
/// end; `from` and `to` are different arrays of held.elements() elements. The halo inside slices (Layout) is valid
/// before and after.
template <class T>
void sweep(const Device& device, const Plan& plan, const HeldSlices& held, const Array<T>& from, Array<T>& to,
           std::uint64_t begin, std::uint64_t end, unsigned fused_steps);

/// Does one iteration and measures the change of each row: max[r] = largest |new - old|, squares[r] = sum of (new -
/// old)^2 in double, for row r of [begin, end) (in 3D all rows of a plane in order). The difference is rounded to T.
/// The order of summation is fixed: lane l of 64 adds the squares of columns l, l + 64, ..., then lane l adds lane l +
/// 32, l + 16, ..., 1. `has_double`: whether to use the device's double; otherwise (float grids only) integers compute
/// the same bits.
template <class T>
void sweep_with_change(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to,
                       std::uint64_t begin, std::uint64_t end, Array<T>& max, Array<double>& squares, bool has_double);

/// Refreshes the halo columns and rows in slices [begin, end) from the other end of their row or column, if any.
template <class T>
void refresh_halo(const Device& device, const HeldSlices& held, Array<T>& cells, std::uint64_t begin,
                  std::uint64_t end);

/// The arguments of sweep(), for the functions of the published kernels.
template <class T>
struct SweepArguments {
  const Device& device;
  const Plan& plan;
  const HeldSlices& held;
  const Array<T>& from;
  Array<T>& to;
  std::uint64_t begin, end;
  unsigned fused_steps;
};
template <class T>
void sweep_naive(const SweepArguments<T>& arguments);
template <class T>
void sweep_local(const SweepArguments<T>& arguments);
template <class T>
void sweep_blocked(const SweepArguments<T>& arguments);

template <class T>
class ChangeMeter {
 public:
  /// `has_double`: false computes as devices without double do.
  explicit ChangeMeter(bool has_double = true) : has_double_(has_double) {}

  /// Calls sweep_with_change() on slices [begin, end) and waits for it. `squares`: the sums of squares of the rows of
  /// these slices. Returns the largest change.
  T measure(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to, std::uint64_t begin,
            std::uint64_t end, std::span<double> squares);

 private:
  bool has_double_;
  Array<T> row_max_;
  Array<double> row_squares_;
  std::vector<T> max_;
};

/// The change of an iteration from the largest change and the sums of squares of all rows, in their order. Kernels
/// leave changes that are not numbers out of the maximum; the sum shows them, and then the maximum is not a number
/// either.
Change change_of(double max, std::span<const double> squares);

/// Whether cells are infinite or not numbers: the iteration diverges. A sum of squares alone may overflow.
inline bool diverges(const Change& change) { return !std::isfinite(change.max); }

// The numbers of fused steps of sweeps. A kernel is compiled for each of them; knowing them in advance keeps the
// compiler out of the timed run.

using FusedStepSet = std::set<unsigned>;

/// Adds the fused steps of the sweeps of `iterations` iterations without an exchange: `most`, and the remainder. With
/// `with_change` the last iteration is a separate sweep and is not counted.
inline void add_fused_steps(FusedStepSet& fused_steps, unsigned most, std::uint64_t iterations, bool with_change) {
  if (with_change && iterations > 0) --iterations;
  if (iterations >= most) fused_steps.insert(most);
  if (iterations % most != 0) fused_steps.insert(static_cast<unsigned>(iterations % most));
}

/// The fused steps of each of the fewest sweeps for `iterations` iterations, evenly distributed; the last sweep may
/// have fewer.
inline unsigned even_fused_steps(unsigned most, std::uint64_t iterations) {
  const std::uint64_t sweeps = std::max<std::uint64_t>(1, (iterations + most - 1) / most);
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (iterations + sweeps - 1) / sweeps));
}

/// The same with an exchange after every `halo_depth` iterations.
inline void add_fused_steps_per_exchange(FusedStepSet& fused_steps, unsigned most, unsigned halo_depth,
                                         std::uint64_t iterations, bool with_change) {
  const auto add = [&](std::uint64_t length, bool measured) {
    add_fused_steps(fused_steps, even_fused_steps(most, measured ? length - 1 : length), length, measured);
  };
  if (iterations == 0) return;
  const std::uint64_t last = iterations % halo_depth != 0 ? iterations % halo_depth : halo_depth;
  add(last, with_change);
  if (iterations > last) add(halo_depth, false);
}

// Seconds of a monotonic clock.

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace genocl::jacobi
