// Does iterations on one device. Everything is enqueued on the device's queue.
#pragma once

#include <cstdint>

#include "genocl/device.hpp"
#include "genocl/jacobi/solve.hpp"
#include "jacobi/kernels/held_slices.hpp"

namespace genocl::jacobi {

/// A plan says how a device does it. What the numbers mean is the kernel's: see sweep_<kernel>.cpp.
struct Plan {
  Kernel kernel = Kernel::naive;
  unsigned levels = 1;             ///< iterations that one sweep fuses at most; 1 but for `stream` and `rolling`
  unsigned group = 0;              ///< work-items of a group
  unsigned columns = 0, rows = 0;  ///< of a tile, a block, or a work-item
  unsigned planes = 0;             ///< 3D

  friend bool operator==(const Plan&, const Plan&) = default;
};

/// Chooses the plan that is known to be fast here. `kernel` automatic: by the device's family. `most_levels`: no
/// sweep is to fuse more iterations (0: as many as pay). `element`: sizeof(T). `source`: the cells have one.
Plan choose_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel, unsigned most_levels,
                 bool source = false);

/// Slices [begin, end) of `to` (counted from the first held) become what they are after `levels` (1 to plan.levels)
/// more iterations than those of `from`. Reads slices [begin - levels, end + levels) of `from`, as far as the grid has
/// them: all of them are held. Writes nothing but those slices, all columns of them: fixed cells are copied. begin <
/// end. `from` and `to` are different arrays of held.elements() elements. Ghosts in a slice (Layout) are right before
/// and after it.
template <class T>
void sweep(const Device& device, const Plan& plan, const HeldSlices& held, const Array<T>& from, Array<T>& to,
           std::uint64_t begin, std::uint64_t end, unsigned levels);

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
void refresh_ghosts(const Device& device, const HeldSlices& held, Array<T>& cells, std::uint64_t begin,
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
  unsigned levels;
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
                     unsigned most_levels, bool source);
Plan choose_cpu_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel,
                     unsigned most_levels);

}  // namespace genocl::jacobi
