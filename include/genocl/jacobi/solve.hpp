// Relaxes a grid on one device or several at once (Contassot-Vivier and Vialle, ParCo 2015, and beyond).
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

/// How a device computes. All give the same bits.
/// - `naive`: a work-item for each cell.
/// - `local`: tiles in local memory (the paper's Listing 3).
/// - `blocked`: blocks of columns that stay in the cache, a worker for each (the paper's CPU code).
/// - `strip`: several rows for each work-item, in registers.
/// - `stream`: several iterations fused in one sweep down the rows, their last rows in registers, one barrier a row
///   (GPUs).
/// - `rolling`: several iterations fused in one sweep, three rolling rows for each in the cache (CPUs).
enum class Kernel : std::uint8_t { automatic, naive, local, blocked, strip, stream, rolling };

GENOCL_EXPORT std::string_view to_string(Kernel kernel) noexcept;
/// Throws InputError for another name; "auto" is automatic.
GENOCL_EXPORT Kernel kernel_named(std::string_view name);

enum class Balance : std::uint8_t {
  automatic,  ///< measured, fitted, and moved while it runs; devices that do not help are left out
  fixed,      ///< by `cuts`, else by `weights`, else equal shares
};

struct SolveOptions {
  std::uint64_t iterations = 1000;  ///< at most, where a tolerance is given
  /// Stop when no cell changes by `tolerance` or more in one iteration. 0: never.
  double tolerance = 0;
  std::uint64_t check_every = 100;  ///< iterations between looks at the change
  Kernel kernel = Kernel::automatic;
  /// So many iterations pass between exchanges of neighbouring devices, and no sweep fuses more; 0: chosen.
  unsigned halo_depth = 0;
  Balance balance = Balance::automatic;
  /// Every device but the first begins at one of these slices (rows; planes in three dimensions), which rise. They go
  /// only with Balance::fixed.
  std::vector<std::uint64_t> cuts = {};
  std::vector<double> weights = {};  ///< shares of the devices. Only with Balance::fixed, without cuts.
  bool overlap = true;               ///< the frontier first, its exchange beside the rest
  /// One for each cell, not 0 where it keeps its value; empty: only the outermost do.
  std::span<const std::uint8_t> fixed_cells = {};
  /// What a cell becomes instead of the mean, and what is behind the outermost ones.
  Equation equation = {};
  /// When a device of several fails, the others go on from the last copy of the grid in the host's memory (solve() has
  /// the caller's, as it was; Relaxation one of what was loaded). Another is made after each so many iterations; 0:
  /// never. Unset: so often that they take a hundredth of the time at most, which is never in a run that is shorter
  /// than a hundred of them take. Two grids more on the host: where these do not fit, none is made. With one device
  /// none is needed.
  std::optional<std::uint64_t> backup_every = {};
  Progress progress = {};  ///< counts iterations
};

/// Tells how much the last iteration that was looked at changed the cells.
struct Change {
  double max = 0;  ///< largest |new - old|; not a number where that of any cell is none
  double l2 = 0;   ///< square root of the sum of (new - old)^2, the same bits on every split and device
};

struct DeviceReport {
  std::string device;
  bool used = true;
  bool failed = false;                        ///< it was left out since
  std::uint64_t first_slice = 0, slices = 0;  ///< at the end of the run
  Kernel kernel = Kernel::automatic;
  unsigned fused_steps = 0;     ///< iterations that one sweep over its slices fuses at most
  double busy = 0;              ///< part of the run in which it computed; two bands may be computed at a time
  double exchange_seconds = 0;  ///< copies of frontiers and waiting for neighbours that were not hidden
  double updates_per_second = 0;
};

struct Report {
  std::uint64_t iterations = 0;
  bool converged = false;
  bool diverged = false;         ///< a change that was looked at is infinite or not a number; the run ended there
  std::optional<Change> change;  ///< of the last iteration
  double seconds = 0;            ///< without the first upload and the last download
  double transfer_seconds = 0;   ///< those two
  double updates_per_second = 0;
  std::vector<DeviceReport> devices;
  std::uint64_t backups = 0;  ///< of the grid, made in the host's memory for the case that a device fails
  /// Each line tells what the balancing decided and why: predicted and reached speeds, devices left out, rows moved;
  /// bands; devices that failed.
  std::vector<std::string> decisions;
};

/// `iterations` times, every cell that is not fixed becomes the mean of itself and its neighbours:
///   2D: ((((up + left) + centre) + right) + down) * 0.2
///   3D: ((((((front + up) + left) + centre) + right) + down) + back) * (1.0 / 7)
/// rounded after each operation, in T: the same bits with every kernel, split and device as in plain C++, however often
/// they exchange. With options.equation it becomes what equation.hpp says, with the same promise. The grid is cut along
/// its last direction, a share of its slices for each device; neighbours exchange `halo_depth` frontier slices at a
/// time. A grid larger than the devices' memory together goes through them in bands.
///
/// An iteration may diverge: weights that amplify, a time step that is too large. A run ends as diverged where it finds
/// an infinite change or one that is not a number in an iteration that it looks at: each multiple of `check_every` with
/// a tolerance, and the last one. Report::iterations names the iteration, and the grid has the cells after it.
///
/// Throws InputError for options that contradict one another or the grid (cuts out of order, or that leave a device
/// fewer slices than `halo_depth`; weights of zero or less; fixed_cells of another size; values that are no numbers
/// or infinite; double on a device without fp64; an equation's arrays of another size or type, weights, sources or
/// coefficients that cannot be, a damping outside (0, 2), one side alone periodic), all before anything is allocated;
/// CapacityError; Cancelled; DeviceError when the last device has failed: the others are left out one by one, see
/// SolveOptions::backup_every. The grid is then as it was; only an error while the result is fetched from the devices
/// leaves it partly changed. A grid in bands needs memory on the host for another one; a round of bands is at most
/// `halo_depth` iterations. One whose first and last slices are periodic does not go in bands: CapacityError. An
/// equation with a source takes half as much memory again on the devices, coefficients three times as much (four times
/// in three dimensions).
template <class T>
Report solve(std::span<const Device> devices, Grid<T>& grid, const SolveOptions& options = {});
template <class T>
Report solve(const Device& device, Grid<T>& grid, const SolveOptions& options = {}) {
  return solve<T>(std::span<const Device>(&device, 1), grid, options);
}

/// Throws CapacityError, with both figures, when a grid that is still to be made and what solve() takes besides do not
/// fit what the host has left and the devices have. solve() itself asks for the grid that it is given, before anything
/// is allocated.
template <class T>
void check_memory(std::span<const Device> devices, const Shape& shape);

extern template GENOCL_EXPORT void check_memory<float>(std::span<const Device>, const Shape&);
extern template GENOCL_EXPORT void check_memory<double>(std::span<const Device>, const Shape&);
extern template GENOCL_EXPORT Report solve<float>(std::span<const Device>, Grid<float>&, const SolveOptions&);
extern template GENOCL_EXPORT Report solve<double>(std::span<const Device>, Grid<double>&, const SolveOptions&);

}  // namespace genocl::jacobi
