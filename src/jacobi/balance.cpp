#include "jacobi/balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace genocl::jacobi {

namespace {

// Whole numbers of slices with the sum `total`, near the wanted ones and within their limits.
PartitionSizes rounded(std::span<const double> wanted, std::span<const std::uint64_t> least,
                       std::span<const std::uint64_t> most, std::uint64_t total) {
  PartitionSizes sizes(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    sizes[i] = std::clamp(static_cast<std::uint64_t>(std::max(0.0, std::floor(wanted[i]))), least[i], most[i]);
  std::uint64_t sum = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  // The difference goes to the sizes furthest from the wanted ones.
  while (sum != total) {
    const bool more = sum < total;
    std::size_t best = wanted.size();
    double furthest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (more ? sizes[i] >= most[i] : sizes[i] <= least[i]) continue;
      const double off = (more ? 1 : -1) * (wanted[i] - static_cast<double>(sizes[i]));
      if (best == wanted.size() || off > furthest) {
        best = i;
        furthest = off;
      }
    }
    if (best == wanted.size()) return {};
    // The difference is large only if limits were reached: take larger steps.
    const std::uint64_t missing = more ? total - sum : sum - total;
    const std::uint64_t margin = more ? most[best] - sizes[best] : sizes[best] - least[best];
    const std::uint64_t step = std::min(std::max<std::uint64_t>(1, missing / (2 * wanted.size())), margin);
    sizes[best] = more ? sizes[best] + step : sizes[best] - step;
    sum = more ? sum + step : sum - step;
  }
  return sizes;
}

}  // namespace

DeviceSpeed fit_speed(double slices1, double seconds1, double slices2, double seconds2) {
  const double whole = seconds2 / slices2;  // without a fixed part
  if (slices2 <= slices1) return {0, whole};
  double slice = (seconds2 - seconds1) / (slices2 - slices1);
  slice = std::clamp(slice, 0.25 * whole, whole);
  return {std::max(0.0, seconds2 - slice * slices2), slice};
}

std::size_t Partitioning::devices() const noexcept {
  return static_cast<std::size_t>(std::count_if(sizes.begin(), sizes.end(), [](auto size) { return size != 0; }));
}

std::optional<Partitioning> partition_slices(std::span<const DeviceSpeed> speeds, const PartitionLimits& limits,
                                             std::vector<bool> candidates) {
  const std::size_t devices = speeds.size();
  for (;;) {
    double most_sum = 0;
    for (std::size_t i = 0; i < devices; ++i)
      if (candidates[i]) most_sum += static_cast<double>(limits.max_slices[i]);
    if (most_sum < static_cast<double>(limits.slices)) return std::nullopt;
    // The time in which all devices together compute all slices.
    const auto slices_in = [&](std::size_t i, double seconds) {
      return candidates[i] ? std::clamp((seconds - speeds[i].fixed) / speeds[i].slice, 0.0,
                                        static_cast<double>(limits.max_slices[i]))
                           : 0.0;
    };
    double low = 0, high = 1e-9;
    const auto all = [&](double seconds) {
      double sum = 0;
      for (std::size_t i = 0; i < devices; ++i) sum += slices_in(i, seconds);
      return sum;
    };
    while (all(high) < static_cast<double>(limits.slices) && high < 1e9) high *= 2;
    for (int step = 0; step < 100; ++step) {
      const double middle = (low + high) / 2;
      (all(middle) < static_cast<double>(limits.slices) ? low : high) = middle;
    }
    std::vector<double> wanted(devices);
    std::size_t smallest = devices;
    for (std::size_t i = 0; i < devices; ++i) {
      if (!candidates[i]) continue;
      wanted[i] = slices_in(i, high);
      if (wanted[i] < static_cast<double>(limits.min_slices) && (smallest == devices || wanted[i] < wanted[smallest]))
        smallest = i;
    }
    const auto taking_part = std::count(candidates.begin(), candidates.end(), true);
    if (smallest != devices && taking_part > 1) {
      candidates[smallest] = false;
      continue;
    }
    std::vector<std::uint64_t> least(devices, 0), most(devices, 0);
    for (std::size_t i = 0; i < devices; ++i) {
      if (!candidates[i]) continue;
      least[i] = std::min({limits.min_slices, limits.max_slices[i], limits.slices});
      most[i] = limits.max_slices[i];
    }
    Partitioning partitioning{rounded(wanted, least, most, limits.slices), 0};
    if (partitioning.sizes.empty()) return std::nullopt;
    for (std::size_t i = 0; i < devices; ++i)
      if (partitioning.sizes[i] != 0)
        partitioning.seconds =
            std::max(partitioning.seconds, speeds[i].seconds(static_cast<double>(partitioning.sizes[i])));
    if (partitioning.devices() > 1) partitioning.seconds += limits.exchange;
    return partitioning;
  }
}

std::optional<Partitioning> best_partitioning(std::span<const DeviceSpeed> speeds, const PartitionLimits& limits) {
  std::vector<std::size_t> order(speeds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto all = static_cast<double>(limits.slices);
    return speeds[a].seconds(all) < speeds[b].seconds(all);
  });
  std::optional<Partitioning> best;
  std::vector<bool> candidates(speeds.size(), false);
  for (const std::size_t next : order) {
    candidates[next] = true;
    const std::optional<Partitioning> partitioning = partition_slices(speeds, limits, candidates);
    if (partitioning && (!best || partitioning->seconds < best->seconds)) best = partitioning;
  }
  return best;
}

std::optional<Partitioning> best_single(std::span<const DeviceSpeed> speeds, const PartitionLimits& limits) {
  std::optional<Partitioning> best;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const double seconds = speeds[i].seconds(static_cast<double>(limits.slices));
    if (limits.max_slices[i] < limits.slices || (best && best->seconds <= seconds)) continue;
    best = Partitioning{PartitionSizes(speeds.size(), 0), seconds};
    best->sizes[i] = limits.slices;
  }
  return best;
}

PartitionSizes partition_by_weights(std::span<const double> weights, std::uint64_t slices, std::uint64_t min_slices) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> wanted;
  for (const double weight : weights) wanted.push_back(static_cast<double>(slices) * (weight / sum));
  const std::vector<std::uint64_t> lower(weights.size(), min_slices), upper(weights.size(), slices);
  return rounded(wanted, lower, upper, slices);
}

// Sizes of equal time by the smoothed times. Only part of the way: the next measurement corrects it.
std::optional<PartitionSizes> Rebalancer::improved(double& predicted) const {
  constexpr double step = 0.7;
  const std::size_t devices = sizes_.size();
  std::vector<DeviceSpeed> speeds(devices, {0, 1});
  std::vector<bool> candidates(devices);
  for (std::size_t i = 0; i < devices; ++i) {
    candidates[i] = sizes_[i] != 0;
    if (candidates[i]) speeds[i].slice = slice_seconds_[i];
  }
  const std::optional<Partitioning> ideal = partition_slices(speeds, limits_, candidates);
  if (!ideal) return std::nullopt;
  std::vector<double> wanted(devices);
  std::vector<std::uint64_t> least(devices, 0), most(devices, 0);
  for (std::size_t i = 0; i < devices; ++i) {
    if (ideal->sizes[i] == 0) continue;
    const auto have = static_cast<double>(sizes_[i]), goal = static_cast<double>(ideal->sizes[i]);
    wanted[i] = have + step * (goal - have);
    least[i] = std::min(limits_.min_slices, limits_.max_slices[i]);
    most[i] = limits_.max_slices[i];
  }
  PartitionSizes sizes = rounded(wanted, least, most, limits_.slices);
  if (sizes.empty() || sizes == sizes_) return std::nullopt;
  predicted = 0;
  for (std::size_t i = 0; i < devices; ++i)
    if (sizes[i] != 0) predicted = std::max(predicted, speeds[i].slice * static_cast<double>(sizes[i]));
  return sizes;
}

std::optional<PartitionSizes> Rebalancer::update(double run, std::span<const double> computing) {
  // A device with a small partition contributes little more than a hundredth: moves that gain less than that pay.
  constexpr double pays = 0.997, worse = 1.02, smoothing = 0.7;
  decision_.clear();
  if (moved_ && run > worse * run_before_) {
    moved_ = false;
    std::swap(sizes_, before_);
    patience_ = std::min(2 * patience_, 64u);
    waiting_ = patience_;
    slice_seconds_.clear();  // measured with the discarded sizes
    decision_ = "moved slices back: the last move was slower";
    return sizes_;
  }
  if (slice_seconds_.empty()) slice_seconds_.assign(sizes_.size(), 0);
  double slowest = 0;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (sizes_[i] == 0) continue;
    const double one = std::max(computing[i], 1e-12) / static_cast<double>(sizes_[i]);
    slice_seconds_[i] = slice_seconds_[i] == 0 ? one : smoothing * one + (1 - smoothing) * slice_seconds_[i];
    slowest = std::max(slowest, slice_seconds_[i] * static_cast<double>(sizes_[i]));
  }
  moved_ = false;
  if (waiting_ > 0) {
    --waiting_;
    return std::nullopt;
  }
  double predicted = 0;
  std::optional<PartitionSizes> sizes = improved(predicted);
  if (!sizes || predicted > pays * slowest) return std::nullopt;
  before_ = std::exchange(sizes_, std::move(*sizes));
  run_before_ = run;
  moved_ = true;
  decision_ = "moved slices";
  return sizes_;
}

}  // namespace genocl::jacobi
