#include "jacobi/bands/band_plan.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace genocl::jacobi {

BandCost cost_of_band(const Layout& layout, std::size_t element, const BandPlan& plan, const BandSpeed& speed) {
  const auto cells = static_cast<double>(layout.shape.width * layout.rows_per_slice);
  const auto slices = static_cast<double>(plan.slices), iterations = static_cast<double>(plan.iterations);
  BandCost cost;
  cost.transfer = 2 * (slices + iterations) * cells * static_cast<double>(element) / speed.bytes;
  cost.computing = iterations * (slices + iterations - 1) * cells / speed.updates;
  const double all = cost.transfer + cost.computing;
  cost.seconds = speed.overlaps ? std::max(cost.computing, all / bands_in_flight) : all;
  cost.useful = iterations * slices * cells / speed.updates / cost.seconds;
  return cost;
}

BandPlan plan_bands(const Layout& layout, std::size_t element, std::uint64_t most, unsigned most_iterations,
                    unsigned levels, const BandSpeed& speed) {
  constexpr unsigned most_of_all = 4096;
  const std::uint64_t held = most / bands_in_flight;
  // A band is at least as high as its ghosts, so that they are of its neighbours alone.
  if (held < 3)
    throw CapacityError("a band of one slice with the ghosts of one iteration",
                        std::uint64_t{bands_in_flight} * 3 * layout.slice() * 2 * element,
                        most * layout.slice() * 2 * element);
  const auto highest =
      static_cast<unsigned>(std::min<std::uint64_t>(held / 3, most_iterations != 0 ? most_iterations : most_of_all));
  const auto planned = [&](unsigned iterations) {
    BandPlan plan{std::min(held - 2 * std::uint64_t{iterations}, layout.slices), iterations};
    const std::uint64_t bands = (layout.slices + plan.slices - 1) / plan.slices;
    plan.slices = (layout.slices + bands - 1) / bands;  // all of like height
    plan.iterations = static_cast<unsigned>(std::min<std::uint64_t>(plan.iterations, plan.slices));
    return plan;
  };
  BandPlan best = planned(std::min(highest, levels));
  for (std::uint64_t iterations = levels; iterations <= highest; iterations += levels) {
    const BandPlan plan = planned(static_cast<unsigned>(iterations));
    if (cost_of_band(layout, element, plan, speed).useful > cost_of_band(layout, element, best, speed).useful)
      best = plan;
  }
  return best;
}

}  // namespace genocl::jacobi
