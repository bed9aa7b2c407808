#include "jacobi/bands.hpp"

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

BandPlan plan_bands(const Layout& layout, const BandMemory& memory, unsigned max_iterations, unsigned fused_steps,
                    const BandSpeed& speed) {
  constexpr unsigned max_automatic = 4096;
  const std::uint64_t all = memory.max_slices * (2 * memory.element + memory.fields);
  const auto held = [&](unsigned arrays) { return all / (arrays * memory.element + (arrays - 1) * memory.fields); };
  // A band is at least as high as its halo, so that the halo belongs to its neighbours only.
  constexpr std::uint64_t least = 3;
  if (held(3) < least)
    throw CapacityError("a band of one slice with the halo of one iteration",
                        least * layout.slice() * (3 * memory.element + 2 * memory.fields), all * layout.slice());
  const auto planned = [&](unsigned arrays, std::uint64_t iterations) {
    BandPlan plan{std::min(held(arrays) - 2 * iterations, layout.slices), static_cast<unsigned>(iterations), arrays};
    const std::uint64_t bands = (layout.slices + plan.slices - 1) / plan.slices;
    plan.slices = (layout.slices + bands - 1) / bands;  // bands of equal height
    plan.iterations = static_cast<unsigned>(std::min<std::uint64_t>(plan.iterations, plan.slices));
    return plan;
  };
  const auto useful = [&](const BandPlan& plan) { return cost_of_band(layout, memory.element, plan, speed).useful; };
  const std::uint64_t wanted = max_iterations != 0 ? max_iterations : max_automatic;
  BandPlan best = planned(3, std::min({held(3) / least, wanted, std::uint64_t{fused_steps}}));
  for (const unsigned arrays : {3U, 4U})
    for (std::uint64_t iterations = fused_steps; iterations <= std::min(held(arrays) / least, wanted);
         iterations += fused_steps)
      if (const BandPlan plan = planned(arrays, iterations); useful(plan) > useful(best)) best = plan;
  return best;
}

double useful_fraction(const Layout& layout, std::size_t element, const SkewedPlan& plan, const BandSpeed& speed) {
  // A copy of a slice takes as long as computing it four times: memory bounds both, and a sweep fuses iterations.
  constexpr double copied = 16;
  const auto cells = static_cast<double>(layout.shape.width * layout.rows_per_slice);
  const auto slices = static_cast<double>(plan.slices), iterations = static_cast<double>(plan.iterations);
  const double bytes = slices * cells * static_cast<double>(element);  // in each direction
  const double work = iterations * slices * cells / speed.updates;
  const double computing = work * (1 + copied / slices);
  const double transfer = std::max(bytes / speed.bytes, 2 * bytes / speed.bytes_both);
  return work / (speed.overlaps ? std::max(computing, transfer) : computing + transfer);
}

std::optional<SkewedPlan> plan_skewed(const Layout& layout, const BandMemory& memory, unsigned max_iterations,
                                      unsigned fused_steps, const BandSpeed& speed) {
  constexpr unsigned max_automatic = 4096;
  const std::uint64_t all = memory.max_slices * (2 * memory.element + memory.fields);
  const unsigned wanted = max_iterations != 0 ? max_iterations : max_automatic;
  std::optional<SkewedPlan> best;
  double most = 0;
  const auto consider = [&](unsigned iterations) {
    const unsigned fused = std::min(fused_steps, iterations);
    const std::uint64_t leaning = iterations + fused;
    const std::uint64_t taken = memory.element * (2 * leaning + 2 * iterations) + memory.fields * 2 * leaning;
    if (taken >= all) return false;
    const std::uint64_t held = std::min((all - taken) / (4 * memory.element + 2 * memory.fields), layout.slices);
    if (held == 0) return false;
    SkewedPlan plan{held, iterations, fused};
    const std::uint64_t bands = (layout.slices + plan.slices - 1) / plan.slices;
    plan.slices = (layout.slices + bands - 1) / bands;  // bands of equal height
    const double useful = useful_fraction(layout, memory.element, plan, speed);
    if (useful > most) {
      most = useful;
      best = plan;
    }
    return true;
  };
  if (wanted < fused_steps) {
    consider(wanted);
    return best;
  }
  for (unsigned iterations = fused_steps; iterations <= wanted && consider(iterations); iterations += fused_steps) {
  }
  if (!best)
    for (unsigned iterations = fused_steps - 1; iterations > 0 && !best; --iterations) consider(iterations);
  return best;
}

}  // namespace genocl::jacobi
