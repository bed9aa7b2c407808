// Bounds on the probability of hits: losses in bins, one column after the other.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "pwm/compare/long/loss_bins.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

double single(const Losses& losses, std::uint32_t bins, const std::array<double, 4>& frequencies) {
  std::vector<double> before(bins);
  before[0] = 1;
  for (const auto& column : losses) add_losses(before, column, frequencies);
  return std::accumulate(before.begin(), before.end(), 0.0);
}

/// P of no more than the last bin in both directions.
double joint(const Device& device, const Losses& first, const Losses& second, int shift,
             const std::array<double, 4>& frequencies, std::uint32_t bins) {
  const std::uint32_t columns = union_length(first.size(), second.size(), shift);
  const std::size_t first_begin = shift < 0 ? static_cast<std::size_t>(-shift) : 0;
  const std::size_t second_begin = shift > 0 ? static_cast<std::size_t>(shift) : 0;
  const std::uint64_t cells = std::uint64_t{bins} * bins;
  std::vector<float> start(cells), letters;
  start[0] = 1;
  for (const double frequency : frequencies) letters.push_back(static_cast<float>(frequency));
  Array<float> before(device, std::span<const float>(start)), after(device, cells);
  const Array<float> on_device(device, std::span<const float>(letters));
  // A worker of `cpu` goes along rows, work-items of a group have a bin each.
  const std::uint32_t segment = runtime::uses_cpu_kernels(device) ? 512 : 1;
  const auto segments = static_cast<std::uint32_t>(runtime::ceil_div(bins, segment));
  const std::uint64_t items = std::uint64_t{bins} * segments;
  runtime::Defines defines;
  defines.set("SEGMENT", segment);
  for (std::size_t i = 0; i < columns; ++i) {
    std::vector<std::uint32_t> added(8, 0);
    for (std::size_t letter = 0; letter < 4; ++letter) {
      if (i >= first_begin && i < first_begin + first.size()) added[letter] = first[i - first_begin][letter];
      if (i >= second_begin && i < second_begin + second.size()) added[4 + letter] = second[i - second_begin][letter];
    }
    const Array<std::uint32_t> steps(device, std::span<const std::uint32_t>(added));
    runtime::launch_items(device, "pwm/compare/compare_bounds.cl", "add_column", defines,
                          {.items = items, .bytes = cells * 20}, before, after, steps, on_device, bins, segments,
                          items);
    std::swap(before, after);
  }
  const std::vector<float> last = before.download();
  return std::accumulate(last.begin(), last.end(), 0.0);
}

/// Frequencies in float, and four roundings a column, are off by less than this share of a probability.
double float_error(std::uint32_t columns) { return 6.0e-7 * (columns + 1); }

}  // namespace

PValue bound_single(const Side& side, const Background& background) {
  constexpr std::uint32_t bins = 1u << 16;
  const RoundedLosses losses = rounded_losses(side, bins);
  if (losses.all) return {1, 1, true, std::nullopt};
  if (losses.none) return {0, 0, true, std::nullopt};
  constexpr double error = 2e-11;  // of sums in double: of all bins, and four for each column
  return {std::max(0.0, single(losses.up, bins, background.frequencies()) * (1 - error)),
          std::min(1.0, single(losses.down, bins, background.frequencies()) * (1 + error)), false, std::nullopt};
}

PValue bound_joint(const Device& device, const Side& first, const Side& second, int shift, const Background& background,
                   std::uint32_t bins) {
  RoundedLosses a = rounded_losses(first, bins), b = rounded_losses(second, bins);
  if (a.none || b.none) return {0, 0, true, std::nullopt};
  if (a.all) return bound_single(second, background);
  if (b.all) return bound_single(first, background);
  const double error = float_error(union_length(a.down.size(), b.down.size(), shift));
  const double low = joint(device, a.up, b.up, shift, background.frequencies(), bins);
  const double high = joint(device, a.down, b.down, shift, background.frequencies(), bins);
  return {std::max(0.0, low * (1 - error)), std::min(1.0, high * (1 + error) + lost_floats), false, std::nullopt};
}

}  // namespace genocl::pwm
