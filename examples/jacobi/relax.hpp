// The relaxation itself, of a program that is alone or one of a team.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jacobi/settings.hpp"

namespace program {

/// What is done on the way.
struct Pauses {
  struct Look {
    std::uint64_t every = 1;
    std::function<void(std::uint64_t iterations)> look;  ///< the grid has the cells then
  };

  std::string resume;                  ///< the checkpoint with which to begin; empty: the grid as it is
  std::string checkpoint;              ///< where they go; empty: there are none
  std::uint64_t checkpoint_every = 0;  ///< 0: at the end alone
  std::vector<Look> looks;

  bool any() const { return !resume.empty() || !checkpoint.empty() || !looks.empty(); }
};

/// Relaxes the grid with pauses on this process's devices. Iterations of a checkpoint count.
template <class T>
jacobi::Report relax_with_pauses(std::span<const genocl::Device> devices, jacobi::Grid<T>& grid,
                                 const jacobi::SolveOptions& options, const Pauses& pauses);

/// Relaxes the root's grid (null for the others) on the devices of the whole team. Every member calls it. The report is
/// the root's. Only a team of one has pauses.
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

}  // namespace program
