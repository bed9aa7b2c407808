// The relaxation of a single process or of a team (MPI).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jacobi/settings.hpp"

namespace program {

/// Checkpoints and pictures during a run.
struct Pauses {
  struct Look {
    std::uint64_t every = 1;
    std::function<void(std::uint64_t iterations)> look;  ///< called when the grid has the cells
  };

  std::string resume;                  ///< initial checkpoint; empty: the grid
  std::string checkpoint;              ///< file of checkpoints; empty: none
  std::uint64_t checkpoint_every = 0;  ///< 0: at the end only
  std::vector<Look> looks;

  bool any() const { return !resume.empty() || !checkpoint.empty() || !looks.empty(); }
};

/// Relaxes the grid on the devices of this process, with pauses for checkpoints and pictures. Iterations of a
/// checkpoint count.
template <class T>
jacobi::Report relax_with_pauses(std::span<const genocl::Device> devices, jacobi::Grid<T>& grid,
                                 const jacobi::SolveOptions& options, const Pauses& pauses);

/// Relaxes the root's grid (null for the others) on the devices of the whole team. Called by every member. The report
/// is the root's. Only a team of one supports pauses.
template <class T>
jacobi::Report relax(std::span<const genocl::Device> devices, jacobi::Grid<T>* grid,
                     const jacobi::SolveOptions& options, const Pauses& pauses);

extern template jacobi::Report relax_with_pauses(std::span<const genocl::Device>, jacobi::Grid<float>&,
                                                 const jacobi::SolveOptions&, const Pauses&);
extern template jacobi::Report relax_with_pauses(std::span<const genocl::Device>, jacobi::Grid<double>&,
                                                 const jacobi::SolveOptions&, const Pauses&);
extern template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<float>*, const jacobi::SolveOptions&,
                                     const Pauses&);
extern template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<double>*,
                                     const jacobi::SolveOptions&, const Pauses&);

/// Runs genocl-jacobi with these options.
void relax_grid(const Settings& settings);

}  // namespace program
