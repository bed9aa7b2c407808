// A relaxation in several calls: the grid stays on the devices while the caller inspects, draws or saves it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "genocl/device.hpp"
#include "genocl/jacobi/grid.hpp"
#include "genocl/jacobi/solve.hpp"

namespace genocl::jacobi {

struct Hooks;  // for the library's tests

/// Relaxes a grid as solve() does. The bits do not depend on the division of the iterations into calls.
///
///   jacobi::Relaxation<double> relaxation(devices, grid.shape(), {.iterations = 100000});
///   relaxation.load(grid);
///   while (!relaxation.until(1e-6, 1000) && !relaxation.diverged()) relaxation.checkpoint("heat.gjr");
///   relaxation.store(grid);
///
/// Between calls the cells stay on the devices (in host memory if they exceed the devices), and load balancing
/// continues from one call to the next. Used by one thread at a time. After fork() only the destructor may be called in
/// the child; other calls throw DeviceError.
///
/// After Cancelled, or an exception of the progress, the relaxation holds the grid as at the last exchange that all
/// devices have completed (in bands: after the last round of all bands). iterations() returns the position, store() the
/// cells, and advance() continues. After any other error it holds no grid until load() or resume(), unless other
/// devices take over: see SolveOptions::backup_every.
template <class T>
class Relaxation {
 public:
  /// The options of solve(). `iterations`: the expected total; short runs are not worth measuring the devices.
  /// `tolerance` must be 0: until() has one. The memory of `fixed_cells` and of the equation must remain valid. Throws
  /// InputError as solve() does. Device memory is allocated with the first grid.
  Relaxation(Devices devices, const Shape& shape, SolveOptions options = {});
  ~Relaxation();
  Relaxation(Relaxation&&) noexcept;
  Relaxation& operator=(Relaxation&&) noexcept;

  /// Loads the cells and sets iterations() to 0. The caller may change the grid after the call: with several devices a
  /// copy is kept in host memory if it fits. Throws InputError for another shape and for a cell that is infinite or not
  /// a number; CapacityError.
  void load(const Grid<T>& grid);
  /// Does `iterations` iterations. With `measured`, the change of the last one is measured, which takes a separate
  /// sweep (on a GPU as long as about seven fused iterations). Progress: iterations(), of the value at the end.
  void advance(std::uint64_t iterations, bool measured = true);
  /// Iterates until an iteration changes no cell by `tolerance` (finite, above 0) or more, at most `max_iterations`.
  /// The change is measured at multiples of options.check_every, counted from load(), and with `measured` at the last
  /// iteration. Returns whether the tolerance was reached. A change that is infinite or not a number ends the call: see
  /// diverged().
  bool until(double tolerance, std::uint64_t max_iterations, bool measured = true);
  /// Downloads the cells to a grid of the same shape; they also stay on the devices. Throws InputError for another
  /// shape.
  void store(Grid<T>& grid);

  const Shape& shape() const noexcept;
  /// Since load(), including those of the file read by resume().
  std::uint64_t iterations() const noexcept;
  /// The change of the last iteration, if measured.
  std::optional<Change> change() const;
  /// Whether the last iteration was measured and its change is infinite or not a number.
  bool diverged() const noexcept;
  /// Totals of all calls. `iterations` is iterations(); rates count the iterations done here.
  Report report() const;

  /// Writes the cells and iterations() to a file for resume(): a section file with checksums, in this machine's byte
  /// order, a page or two larger than the cells. It appears whole or not at all, and replaces an existing file. Throws
  /// InputError with the system's reason if it cannot be written.
  void checkpoint(const std::string& file);
  /// Loads cells and iterations() from a checkpoint. The bits are those of an uninterrupted run, whatever the devices
  /// and partitions of both. Throws InputError, and keeps the present grid, for a file that is no checkpoint, is
  /// damaged, or has another shape, type or problem (fixed cells, equation).
  void resume(const std::string& file);

 private:
  friend struct RelaxationAccess;
  struct State;
  Relaxation(Devices devices, const Shape& shape, SolveOptions options, const Hooks* hooks);
  State& held() const;

  std::unique_ptr<State> state_;
};

/// The header of a checkpoint.
struct CheckpointInfo {
  Shape shape;
  std::string type;  ///< "float" or "double"
  std::uint64_t iterations = 0;
};
/// Reads the header without the cells. Throws InputError for a file that is no checkpoint, is truncated, or has a
/// damaged header.
GENOCL_EXPORT CheckpointInfo checkpoint_info(const std::string& file);

extern template class GENOCL_EXPORT Relaxation<float>;
extern template class GENOCL_EXPORT Relaxation<double>;

}  // namespace genocl::jacobi
