// What the balance is told of a device.
#pragma once

#include <cstdint>

#include "genocl/device.hpp"
#include "jacobi/balance/balance.hpp"
#include "jacobi/exchange/share_cells.hpp"
#include "jacobi/kernels/sweep.hpp"
#include "jacobi/kernels/sweep_levels.hpp"

namespace genocl::jacobi {

struct Measured {
  Speed speed;
  double seconds = 0;  ///< that the measuring took, without compiling
};

/// Times sweeps over two numbers of slices, on memory of its own: some milliseconds. `most`: slices that may be taken.
/// Compiles sweeps of `all_levels` on the way.
template <class T>
Measured measure_speed(const Device& device, const Plan& plan, const RunSettings& settings, std::uint64_t most,
                       const SweepLevels& all_levels);

/// Cells a second, guessed from its tuning: to decide whether measuring pays at all.
double guessed_updates(const Device& device, std::size_t element);

extern template Measured measure_speed<float>(const Device&, const Plan&, const RunSettings&, std::uint64_t,
                                              const SweepLevels&);
extern template Measured measure_speed<double>(const Device&, const Plan&, const RunSettings&, std::uint64_t,
                                               const SweepLevels&);

}  // namespace genocl::jacobi
