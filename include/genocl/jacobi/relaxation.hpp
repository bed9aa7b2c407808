// A relaxation bit by bit: the grid stays on the devices while the caller looks at it, draws it, or saves it.
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

struct Hooks;  // for the library's own tests

/// Relaxes a grid as solve() does, with the same bits however its iterations are cut into calls.
///
///   jacobi::Relaxation<double> relaxation(devices, grid.shape(), {.iterations = 100000});
///   relaxation.load(grid);
///   while (!relaxation.until(1e-6, 1000) && !relaxation.diverged()) relaxation.checkpoint("heat.gjr");
///   relaxation.store(grid);
///
/// The cells stay on the devices between calls (those of a grid larger than the devices, in the host's memory), and the
/// balance goes on from one call to the next. One thread uses it at a time.
///
/// A call that throws Cancelled, or what the progress throws, leaves the grid as at the last exchange that all devices
/// have done (a grid in bands: as after the last round of all bands): iterations() says where, store() gives it, and
/// advance() goes on from there. After another error the relaxation holds no grid until load() or resume(), unless
/// other devices take over: see SolveOptions::backup_every.
template <class T>
class Relaxation {
 public:
  /// The options are solve()'s. `iterations`: how many are expected in all; a run that is short is not worth measuring
  /// the devices for. `tolerance` has to be 0: until() is given one. What `fixed_cells` and the equation show stays
  /// there as long as the relaxation. Throws InputError as solve() does. Device memory is taken with the first grid.
  Relaxation(std::span<const Device> devices, const Shape& shape, SolveOptions options = {});
  Relaxation(const Device& device, const Shape& shape, SolveOptions options = {})
      : Relaxation(std::span<const Device>(&device, 1), shape, std::move(options)) {}
  ~Relaxation();
  Relaxation(Relaxation&&) noexcept;
  Relaxation& operator=(Relaxation&&) noexcept;

  /// Takes the cells to begin with; iterations() is 0 then. The grid is the caller's again at once: with several
  /// devices the host keeps a copy where there is room. Throws InputError for another shape and for a cell that is no
  /// number or infinite; CapacityError.
  void load(const Grid<T>& grid);
  /// Does so many iterations. The change in the last one is measured, which takes a pass of its own (on a GPU as long
  /// as some seven fused iterations), but for `measured` = false. Progress: iterations() of what they will be at the
  /// end.
  void advance(std::uint64_t iterations, bool measured = true);
  /// Goes on until an iteration changes no cell by `tolerance` (above 0) or more, at most `most` iterations. Those that
  /// are looked at are the multiples of options.check_every, counted from load(), and, but for `measured` = false, the
  /// last. Returns whether it was reached. A change that is infinite or not a number ends the call: see diverged().
  bool until(double tolerance, std::uint64_t most, bool measured = true);
  /// Copies the cells to a grid of the same shape, and leaves them on the devices.
  void store(Grid<T>& grid);

  const Shape& shape() const noexcept;
  /// Done since load(), or altogether with those of the file that resume() has read.
  std::uint64_t iterations() const noexcept;
  /// Of the last iteration; nothing when it was not measured.
  std::optional<Change> change() const;
  /// Whether the last iteration was looked at and its change is infinite or not a number.
  bool diverged() const noexcept;
  /// Sums over all calls so far. `iterations` is iterations(); rates are of those that were done here.
  Report report() const;

  /// Writes the cells and iterations() to a file, from which resume() goes on: a section file with checksums, in this
  /// machine's byte order, of a page or two more than the cells. It appears whole or not at all, in place of one that
  /// is there. Throws InputError with the system's reason when it cannot be written.
  void checkpoint(const std::string& file);
  /// Takes cells and iterations() from such a file; the bits are then those of a run that was not interrupted, whatever
  /// devices and splits either had. Throws InputError, and keeps what it has, for a file that is none, damaged
  /// anywhere, or of a grid of another shape or type, or of another problem (the fixed cells, the equation).
  void resume(const std::string& file);

 private:
  friend struct RelaxationAccess;
  struct State;
  Relaxation(std::span<const Device> devices, const Shape& shape, SolveOptions options, const Hooks* hooks);
  State& held() const;

  std::unique_ptr<State> state_;
};

/// What a checkpoint is of.
struct CheckpointInfo {
  Shape shape;
  std::string type;  ///< "float" or "double"
  std::uint64_t iterations = 0;
};
/// Looks at a checkpoint without its cells. Throws InputError for a file that is none, cut off, or damaged in what is
/// read.
GENOCL_EXPORT CheckpointInfo checkpoint_info(const std::string& file);

extern template class GENOCL_EXPORT Relaxation<float>;
extern template class GENOCL_EXPORT Relaxation<double>;

}  // namespace genocl::jacobi
