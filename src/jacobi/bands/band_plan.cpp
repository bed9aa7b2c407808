#include "jacobi/bands/band_plan.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace genocl::jacobi {

BandCost cost_of_band(const Layout& layout, std::size_t element, const BandPlan& plan, const BandSpeed& speed) {
  const auto cells = static_cast<double>(layout.shape.width * layout.rows_per_slice);
  const auto slices = static_cast<double>(plan.slices), iterations = static_cast<double>(plan.iterations);
  const double up = (slices + 2 * iterations) * cells * static_cast<double>(element);
  const double down = slices * cells * static_cast<double>(element);
  BandCost cost;
  cost.transfer =
      plan.arrays < 4 ? (up + down) / speed.bytes : std::max(up / speed.bytes, (up + down) / speed.bytes_both);
  cost.computing = iterations * (slices + iterations - 1) * cells / speed.updates;
  cost.seconds = speed.overlaps ? std::max(cost.computing, cost.transfer) : cost.computing + cost.transfer;
  cost.useful = iterations * slices * cells / speed.updates / cost.seconds;
  return cost;
}

BandPlan plan_bands(const Layout& layout, const BandRoom& room, unsigned most_iterations, unsigned levels,
                    const BandSpeed& speed) {
  constexpr unsigned most_of_all = 4096;
  const std::uint64_t all = room.most * (2 * room.element + room.fields);
  const auto held = [&](unsigned arrays) { return all / (arrays * room.element + (arrays - 1) * room.fields); };
  // A band is at least as high as its ghosts, so that they are of its neighbours alone.
  constexpr std::uint64_t least = 3;
  if (held(3) < least)
    throw CapacityError("a band of one slice with the ghosts of one iteration",
                        least * layout.slice() * (3 * room.element + 2 * room.fields), all * layout.slice());
  const auto planned = [&](unsigned arrays, std::uint64_t iterations) {
    BandPlan plan{std::min(held(arrays) - 2 * iterations, layout.slices), static_cast<unsigned>(iterations), arrays};
    const std::uint64_t bands = (layout.slices + plan.slices - 1) / plan.slices;
    plan.slices = (layout.slices + bands - 1) / bands;  // all of like height
    plan.iterations = static_cast<unsigned>(std::min<std::uint64_t>(plan.iterations, plan.slices));
    return plan;
  };
  const auto useful = [&](const BandPlan& plan) { return cost_of_band(layout, room.element, plan, speed).useful; };
  const std::uint64_t wanted = most_iterations != 0 ? most_iterations : most_of_all;
  BandPlan best = planned(3, std::min({held(3) / least, wanted, std::uint64_t{levels}}));
  for (const unsigned arrays : {3U, 4U})
    for (std::uint64_t iterations = levels; iterations <= std::min(held(arrays) / least, wanted); iterations += levels)
      if (const BandPlan plan = planned(arrays, iterations); useful(plan) > useful(best)) best = plan;
  return best;
}

}  // namespace genocl::jacobi
