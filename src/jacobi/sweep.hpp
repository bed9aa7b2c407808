// Does iterations on one device. Everything is enqueued on the device's queue.
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

/// A plan says how a device does it. What the numbers mean is the kernel's: see sweep_<kernel>.cpp.
struct Plan {
  Kernel kernel = Kernel::naive;
  unsigned fused_steps = 1;        ///< iterations that one sweep fuses at most; 1 but for `stream` and `rolling`
  unsigned group = 0;              ///< work-items of a group
  unsigned columns = 0, rows = 0;  ///< of a tile, a block, or a work-item
  unsigned planes = 0;             ///< 3D

  friend bool operator==(const Plan&, const Plan&) = default;
};

/// Chooses the plan that is known to be fast here. `kernel` automatic: by the device's family. `max_fused_steps`: no
/// sweep is to fuse more iterations (0: as many as pay). `element`: sizeof(T). `source`: the cells have one.
Plan choose_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel,
                 unsigned max_fused_steps, bool source = false);

/// Slices [begin, end) of `to` (counted from the first held) become what they are after `levels` (1 to plan.levels)
/// more iterations than those of `from`. Reads slices [begin - levels, end + levels) of `from`, as far as the grid has
/// them: all of them are held. Writes nothing but those slices, all columns of them: fixed cells are copied. begin <
/// end. `from` and `to` are different arrays of held.elements() elements. Ghosts in a slice (Layout) are right before
/// and after it.
template <class T>
void sweep(const Device& device, const Plan& plan, const HeldSlices& held, const Array<T>& from, Array<T>& to,
           std::uint64_t begin, std::uint64_t end, unsigned fused_steps);

/// Does one iteration, and tells how much it changed each row: max[r] = largest |new - old|, squares[r] = sum of (new -
/// old)^2 in double, for row r of [begin, end) (rows of a plane one after the other in 3D); the difference itself is
/// rounded to T. The sum is made in one order everywhere: lane l of 64 adds the squares of columns l, l + 64, ... in
/// turn, then lane l takes lane l + 32's, l + 16's, ... 1's. `has_double`: whether the device's double is used; without
/// it (float grids only) integers make the same bits.
template <class T>
void sweep_with_change(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to,
                       std::uint64_t begin, std::uint64_t end, Array<T>& max, Array<double>& squares, bool has_double);

/// The ghosts in slices [begin, end) become what is at the other end of their row or column. Without any it does
/// nothing.
template <class T>
void refresh_halo(const Device& device, const HeldSlices& held, Array<T>& cells, std::uint64_t begin,
                  std::uint64_t end);

/// Each kernel has a function with sweep()'s arguments.
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
void sweep_strip(const SweepArguments<T>& arguments);
template <class T>
void sweep_stream(const SweepArguments<T>& arguments);
template <class T>
void sweep_rolling(const SweepArguments<T>& arguments);

/// choose_plan() asks these for the kernels of each family.
Plan choose_gpu_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel,
                     unsigned max_fused_steps, bool source);
Plan choose_cpu_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel,
                     unsigned max_fused_steps);

// One iteration that tells how much it changed the cells.

template <class T>
class ChangeMeter {
 public:
  /// `has_double`: false for sums of squares as on a device without double, on every device.
  explicit ChangeMeter(bool has_double = true) : has_double_(has_double) {}

  /// sweep_with_change() on slices [begin, end) of those held; returns when it is done. `squares`: of each row of
  /// these, their sums of squares. Returns the largest change.
  T measure(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to, std::uint64_t begin,
            std::uint64_t end, std::span<double> squares);

 private:
  bool has_double_;
  Array<T> row_max_;
  Array<double> row_squares_;
  std::vector<T> max_;
};

/// The change of an iteration: the largest change and the sums of squares of all rows, in their order. Kernels leave a
/// change that is not a number out of the maximum; the sum tells, and the maximum is then not a number either.
Change change_of(double max, std::span<const double> squares);

/// Whether cells became infinite or not a number: the iteration diverges. A sum of squares alone may overflow.
inline bool diverges(const Change& change) { return !std::isfinite(change.max); }

extern template class ChangeMeter<float>;
extern template class ChangeMeter<double>;

// Into which sweeps iterations are cut. Kernels are compiled for each number of levels, the iterations that a sweep
// fuses: knowing these beforehand keeps compilers out of the timed run.

using FusedStepSet = std::set<unsigned>;

/// Adds the levels of the sweeps of a stretch without exchanges: as many as go, and what is left. The last iteration is
/// a sweep of its own where the change is measured, and is not among them.
inline void add_fused_steps(FusedStepSet& fused_steps, unsigned most, std::uint64_t iterations, bool with_change) {
  if (with_change && iterations > 0) --iterations;
  if (iterations >= most) fused_steps.insert(most);
  if (iterations % most != 0) fused_steps.insert(static_cast<unsigned>(iterations % most));
}

/// The levels of each of the fewest sweeps that `iterations` between two exchanges need, but perhaps of the last one:
/// they are about the same for all.
inline unsigned even_fused_steps(unsigned most, std::uint64_t iterations) {
  const std::uint64_t sweeps = std::max<std::uint64_t>(1, (iterations + most - 1) / most);
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (iterations + sweeps - 1) / sweeps));
}

/// Does the same where an exchange follows on every `halo_depth` iterations.
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

// Tells the time by which runs are measured.

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace genocl::jacobi
