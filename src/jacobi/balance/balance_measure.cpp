#include "jacobi/balance/balance_measure.hpp"

#include "jacobi/clock.hpp"

#include <algorithm>
#include <limits>

namespace genocl::jacobi {

template <class T>
Measured measure_speed(const Device& device, const Plan& plan, const RunSettings& settings, std::uint64_t most,
                       const SweepLevels& all_levels) {
  constexpr std::uint64_t memory = std::uint64_t{512} << 20;  // of an array
  constexpr double long_enough = 2e-3;                        // of a sweep
  constexpr int repeats = 3;
  Layout layout = settings.layout;
  layout.ring = false;  // there are no ghosts
  const std::uint64_t fitting = std::max<std::uint64_t>(memory / (layout.slice() * sizeof(T)), 3 * plan.levels);
  HeldSlices held(layout);
  held.count = std::min({layout.slices, most, fitting});
  const std::uint64_t levels = std::min<std::uint64_t>(plan.levels, std::max<std::uint64_t>(1, held.count / 4));
  const std::uint64_t highest = held.count - (held.count == layout.slices ? 0 : levels);
  Array<T> from(device, held.elements()), to(device, held.elements());
  from.fill(T(1));  // a fixed point, and no denormal numbers on the way
  held.formula = settings.formula;
  const auto one_everywhere = [](std::uint64_t, std::span<T> cells) { std::fill(cells.begin(), cells.end(), T(1)); };
  load_fields<T>(device, held, held.count, {one_everywhere, one_everywhere});
  if (settings.has_fixed()) {
    held.fixed = Array<std::uint8_t>(device, held.elements());
    held.fixed.fill(0);
  }
  const auto timed = [&](std::uint64_t height) {
    const double start = now();
    sweep(device, plan, held, from, to, 0, height, static_cast<unsigned>(levels));
    device.finish();
    return now() - start;
  };
  std::uint64_t height = std::min<std::uint64_t>(highest, std::max<std::uint64_t>(4 * levels, 64));
  timed(height);  // compiles, touches memory
  for (const unsigned one : all_levels)
    if (one <= levels) sweep(device, plan, held, from, to, 0, 1, one);
  Array<T> change(device, layout.rows_per_slice);
  Array<double> squares(device, layout.rows_per_slice);
  sweep_with_change(device, held, from, to, 0, 1, change, squares, device.info().fp64);
  device.finish();
  const double start = now();
  while (timed(height) < long_enough && height < highest) height = std::min(4 * height, highest);
  const std::uint64_t low = std::max<std::uint64_t>(1, height / 4);
  double low_seconds = std::numeric_limits<double>::max(), high_seconds = low_seconds;
  for (int i = 0; i < repeats; ++i) {
    low_seconds = std::min(low_seconds, timed(low));
    high_seconds = std::min(high_seconds, timed(height));
  }
  const auto each = static_cast<double>(levels);
  return {fit_speed(static_cast<double>(low), low_seconds / each, static_cast<double>(height), high_seconds / each),
          now() - start};
}

double guessed_updates(const Device& device, std::size_t element) {
  // Floats go 1.7 times as fast as doubles, on an H200 and on a Xeon.
  const double unit = 1e6 * device.tuning().share;
  return unit * std::max(1u, device.info().compute_units) * (element == sizeof(float) ? 1.7 : 1);
}

template Measured measure_speed<float>(const Device&, const Plan&, const RunSettings&, std::uint64_t,
                                       const SweepLevels&);
template Measured measure_speed<double>(const Device&, const Plan&, const RunSettings&, std::uint64_t,
                                        const SweepLevels&);

}  // namespace genocl::jacobi
