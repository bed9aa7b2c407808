// Jacobi relaxation of a grid on one or several devices (Contassot-Vivier and Vialle, ParCo 2015, and beyond).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/jacobi/equation.hpp"
#include "genocl/jacobi/grid.hpp"
#include "genocl/progress.hpp"

namespace genocl::jacobi {

/// The kernel of a device. All compute the same bits, also if devices have different kernels. `naive`, `local` and
/// `blocked` are published.
/// - `naive`: a work-item for each cell.
/// - `local`: tiles in local memory (the paper's Listing 3).
/// - `blocked`: blocks of columns, as wide as the cache of a core allows, one worker for each (the paper's CPU code).
/// - `strip`: several rows for each work-item, in registers.
/// - `stream`: several iterations fused in one sweep down the rows, with their last rows in registers and one barrier
///   for each row (GPUs).
/// - `rolling`: several iterations fused in one sweep, with three rolling rows of each in the cache (CPUs).
enum class Kernel : std::uint8_t { automatic, naive, local, blocked, strip, stream, rolling };

/// Kernels of the devices of one type, instead of SolveOptions::kernel; automatic: that one. An example is the run of
/// the paper: {.cpu = Kernel::blocked, .gpu = Kernel::local, .accelerator = Kernel::blocked}.
struct KernelsByType {
  Kernel cpu = Kernel::automatic, gpu = Kernel::automatic, accelerator = Kernel::automatic;

  /// The kernel of a type, `otherwise` if it has none. O(1).
  GENOCL_EXPORT Kernel of(DeviceType type, Kernel otherwise) const noexcept;
  friend bool operator==(const KernelsByType&, const KernelsByType&) = default;
};

/// The tile of Kernel::local in two dimensions, edges included: BSX columns and BSY rows in the paper's Listing 3. A
/// work-group has one item for each cell, and computes those that are not on an edge. Both 0: 16 columns and as many
/// rows as a work-group of at most 256 items has; otherwise both at least 3.
struct LocalTile {
  unsigned columns = 0, rows = 0;
  friend bool operator==(const LocalTile&, const LocalTile&) = default;
};

GENOCL_EXPORT std::string_view to_string(Kernel kernel) noexcept;
/// Throws InputError for an unknown name; "auto" is automatic.
GENOCL_EXPORT Kernel kernel_named(std::string_view name);

enum class Balance : std::uint8_t {
  automatic,  ///< sizes from measured speeds, adjusted during the run; devices that do not help are left out
  fixed,      ///< by `cuts`, else by `weights`, else equal
};

struct SolveOptions {
  std::uint64_t iterations = 1000;  ///< the maximum, with a tolerance
  /// Stop when no cell changes by `tolerance` or more in an iteration. 0: never. Finite.
  double tolerance = 0;
  std::uint64_t check_every = 100;  ///< iterations between convergence tests, at least 1
  Kernel kernel = Kernel::automatic;
  KernelsByType kernels = {};
  LocalTile tile = {};
  /// Halo depth: iterations between exchanges, and the maximum that a kernel may fuse. 0: automatic. At most 4096.
  unsigned halo_depth = 0;
  Balance balance = Balance::automatic;
  /// The first slice (row; plane in three dimensions) of each device except the first, ascending. Requires
  /// Balance::fixed.
  std::vector<std::uint64_t> cuts = {};
  std::vector<double> weights = {};  ///< proportions of the partitions. Requires Balance::fixed, excludes cuts
  bool overlap = true;               ///< compute sent slices first, and the interior during their exchange
  /// A mask of shape.cells() values, nonzero for cells with a fixed value; empty: only the outermost cells.
  std::span<const std::uint8_t> fixed_cells = {};
  /// Weights, source, conductivities and boundary conditions.
  Equation equation = {};
  /// If a device fails, the others resume from the last copy of the grid in host memory: the caller's grid in solve(),
  /// a copy of the loaded grid in Relaxation. A new copy is made after each `backup_every` iterations; 0: never. Unset:
  /// copies take at most 1 % of the time, so runs shorter than 100 times a copy make none. Two copies are kept in host
  /// memory; if they do not fit, none is made. A run on a single device makes none.
  std::optional<std::uint64_t> backup_every = {};
  Progress progress = {};  ///< counts iterations
};

/// The change of the cells in the last measured iteration.
struct Change {
  double max = 0;  ///< largest |new - old|; not a number if that of any cell is not
  double l2 = 0;   ///< square root of the sum of (new - old)^2, the same bits on all partitions and devices
};

struct DeviceReport {
  std::string device;
  bool used = true;
  bool failed = false;                    ///< it failed and was left out
  std::uint64_t first_row = 0, rows = 0;  ///< its partition at the end of the run; in three dimensions of planes
  Kernel kernel = Kernel::automatic;
  unsigned fused_steps = 0;  ///< maximum iterations of one sweep
  double busy = 0;  ///< fraction of the run spent computing; up to 2 for bands, since two may be computed at once
  double exchange_seconds = 0;  ///< halo copies and waiting for neighbours that were not hidden
  double updates_per_second = 0;
};

struct Report {
  std::uint64_t iterations = 0;
  bool converged = false;
  bool diverged = false;         ///< a measured change is infinite or not a number; the run ended there
  std::optional<Change> change;  ///< of the last iteration, if measured
  double seconds = 0;            ///< of the run, without the first upload and the last download
  double transfer_seconds = 0;   ///< of the first upload and the last download
  double updates_per_second = 0;
  std::vector<DeviceReport> devices;
  std::uint64_t backups = 0;  ///< copies of the grid made for the case that a device fails
  /// The decisions of the load balancer and their reasons, one a line: predicted and measured speeds, devices left out,
  /// moved slices, bands, failed devices.
  std::vector<std::string> decisions;
};

/// Does options.iterations iterations. In each, every cell without a fixed value becomes the mean of itself and its
/// neighbours:
///   2D: ((((up + left) + centre) + right) + down) * 0.2
///   3D: ((((((front + up) + left) + centre) + right) + down) + back) * (1.0 / 7)
/// rounded after each operation, in T. The bits are those of plain C++, with every kernel, partitioning, device and
/// halo depth. With options.equation the formula is that of equation.hpp, with the same guarantee. The grid is
/// partitioned along its last direction, with a range of slices for each device; neighbours exchange `halo_depth`
/// slices at a time. A grid larger than the memory of all devices is processed in bands.
///
/// Complexity: O(cells * iterations); on the devices two grids, one more byte a cell with fixed_cells, 1.5 times
/// as much with a source, three times as much (four times in three dimensions) with coefficients. A grid in bands needs
/// host memory for another one; a round of bands is at most `halo_depth` iterations unless that is 0.
///
/// An iteration may diverge: weights that amplify, a time step that is too large. The run ends as diverged at the first
/// measured iteration whose change is infinite or not a number: multiples of `check_every` with a tolerance, and the
/// last one. Report::iterations is that iteration, and the grid has the cells after it.
///
/// @param devices at least one; each is used by one host thread
/// @throws InputError before any allocation: for contradictory options; cuts out of order, or that leave a device fewer
/// slices than `halo_depth`; weights of zero or less; fixed_cells of another size; values that are infinite or not
/// numbers; a tile that the work-groups or the local memory of a device do not allow; double on a device without fp64;
/// arrays of an equation of another size or type, invalid weights, sources or coefficients, damping outside (0, 2), a
/// periodic boundary on one side only
/// @throws CapacityError if memory is too small, and for a grid in bands whose first and last slices are periodic
/// @throws Cancelled if the progress returns false
/// @throws DeviceError when the last device has failed; others are left out, see SolveOptions::backup_every
/// After an error the grid is unchanged, except if the error occurred while the result was downloaded: then it is
/// partly changed. Thread-safe for different grids.
template <class T>
Report solve(Devices devices, Grid<T>& grid, const SolveOptions& options = {});

/// Throws CapacityError with the needed and available bytes if a grid that is yet to be created and the memory of
/// solve() do not fit the host and the devices. solve() checks the grid that it is given before any allocation.
template <class T>
void check_memory(Devices devices, const Shape& shape);

extern template GENOCL_EXPORT void check_memory<float>(Devices, const Shape&);
extern template GENOCL_EXPORT void check_memory<double>(Devices, const Shape&);
extern template GENOCL_EXPORT Report solve<float>(Devices, Grid<float>&, const SolveOptions&);
extern template GENOCL_EXPORT Report solve<double>(Devices, Grid<double>&, const SolveOptions&);

}  // namespace genocl::jacobi
