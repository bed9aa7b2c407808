#include <algorithm>

#include "genocl/error.hpp"
#include "jacobi/relax.hpp"

namespace program {
namespace {

/// The next multiple of `every` (0: none) after `done`, at most `total`.
std::uint64_t next_multiple(std::uint64_t done, std::uint64_t every, std::uint64_t total) {
  if (every == 0) return total;
  const std::uint64_t to_go = every - done % every;
  return to_go > total - done ? total : done + to_go;
}

template <class T>
class Run {
 public:
  Run(std::span<const genocl::Device> devices, jacobi::Grid<T>& grid, const jacobi::SolveOptions& options,
      const Pauses& pauses)
      : grid_(grid),
        options_(options),
        pauses_(pauses),
        relaxation_(devices, grid.shape(), without_tolerance(options)) {}

  jacobi::Report run() {
    const std::uint64_t total = options_.iterations;
    begin(total);
    bool converged = false;
    while (relaxation_.iterations() < total && !converged && !relaxation_.diverged()) {
      const std::uint64_t done = relaxation_.iterations();
      std::uint64_t next = next_multiple(done, pauses_.checkpoint_every, total);
      for (const Pauses::Look& look : pauses_.looks) next = std::min(next, next_multiple(done, look.every, total));
      if (options_.tolerance > 0)
        converged = relaxation_.until(options_.tolerance, next - done);
      else
        relaxation_.advance(next - done);
      // Cells that are not numbers must not replace a valid checkpoint.
      if (!relaxation_.diverged()) pause(converged || next == total);
    }
    relaxation_.store(grid_);
    return relaxation_.report();
  }

 private:
  static jacobi::SolveOptions without_tolerance(jacobi::SolveOptions options) {
    options.tolerance = 0;  // passed to each call
    return options;
  }

  void begin(std::uint64_t total) {
    if (pauses_.resume.empty()) {
      relaxation_.load(grid_);
      for (const Pauses::Look& look : pauses_.looks) look.look(0);
    } else {
      relaxation_.resume(pauses_.resume);
      if (relaxation_.iterations() > total)
        throw genocl::InputError(pauses_.resume, {},
                                 std::to_string(relaxation_.iterations()) + " iterations are done there",
                                 "as many at --iterations, or more");
    }
    if (relaxation_.iterations() == total) pause(true);
  }

  void pause(bool last) {
    const std::uint64_t done = relaxation_.iterations();
    if (!pauses_.checkpoint.empty() &&
        (last || (pauses_.checkpoint_every != 0 && done % pauses_.checkpoint_every == 0)))
      relaxation_.checkpoint(pauses_.checkpoint);
    bool stored = false;
    for (const Pauses::Look& look : pauses_.looks) {
      if (done == 0 || (!last && done % look.every != 0)) continue;
      if (!stored) relaxation_.store(grid_);
      stored = true;
      look.look(done);
    }
  }

  jacobi::Grid<T>& grid_;
  const jacobi::SolveOptions& options_;
  const Pauses& pauses_;
  jacobi::Relaxation<T> relaxation_;
};

}  // namespace

template <class T>
jacobi::Report relax_with_pauses(std::span<const genocl::Device> devices, jacobi::Grid<T>& grid,
                                 const jacobi::SolveOptions& options, const Pauses& pauses) {
  if (!pauses.any()) return jacobi::solve<T>(devices, grid, options);
  return Run<T>(devices, grid, options, pauses).run();
}

template jacobi::Report relax_with_pauses(std::span<const genocl::Device>, jacobi::Grid<float>&,
                                          const jacobi::SolveOptions&, const Pauses&);
template jacobi::Report relax_with_pauses(std::span<const genocl::Device>, jacobi::Grid<double>&,
                                          const jacobi::SolveOptions&, const Pauses&);

}  // namespace program
