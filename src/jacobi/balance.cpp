#include "jacobi/balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace genocl::jacobi {

namespace {

// Whole slices that add up to `total`, near the wanted ones and within their bounds.
Shares rounded(std::span<const double> wanted, std::span<const std::uint64_t> least,
               std::span<const std::uint64_t> most, std::uint64_t total) {
  Shares shares(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    shares[i] = std::clamp(static_cast<std::uint64_t>(std::max(0.0, std::floor(wanted[i]))), least[i], most[i]);
  std::uint64_t sum = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
  // What is over or missing goes where it is furthest from what was wanted.
  while (sum != total) {
    const bool more = sum < total;
    std::size_t best = wanted.size();
    double furthest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (more ? shares[i] >= most[i] : shares[i] <= least[i]) continue;
      const double off = (more ? 1 : -1) * (wanted[i] - static_cast<double>(shares[i]));
      if (best == wanted.size() || off > furthest) {
        best = i;
        furthest = off;
      }
    }
    if (best == wanted.size()) return {};
    // Far off only where bounds were hit: then in larger steps.
    const std::uint64_t missing = more ? total - sum : sum - total;
    const std::uint64_t room = more ? most[best] - shares[best] : shares[best] - least[best];
    const std::uint64_t step = std::min(std::max<std::uint64_t>(1, missing / (2 * wanted.size())), room);
    shares[best] = more ? shares[best] + step : shares[best] - step;
    sum = more ? sum + step : sum - step;
  }
  return shares;
}

}  // namespace

Speed fit_speed(double slices1, double seconds1, double slices2, double seconds2) {
  const double whole = seconds2 / slices2;  // as if nothing were fixed
  if (slices2 <= slices1) return {0, whole};
  double slice = (seconds2 - seconds1) / (slices2 - slices1);
  slice = std::clamp(slice, 0.25 * whole, whole);
  return {std::max(0.0, seconds2 - slice * slices2), slice};
}

std::size_t Division::devices() const noexcept {
  return static_cast<std::size_t>(std::count_if(shares.begin(), shares.end(), [](auto share) { return share != 0; }));
}

std::optional<Division> divide(std::span<const Speed> speeds, const Bounds& bounds, std::vector<bool> candidates) {
  const std::size_t devices = speeds.size();
  for (;;) {
    double most_sum = 0;
    for (std::size_t i = 0; i < devices; ++i)
      if (candidates[i]) most_sum += static_cast<double>(bounds.most[i]);
    if (most_sum < static_cast<double>(bounds.slices)) return std::nullopt;
    // The time in which together they do all of it.
    const auto share = [&](std::size_t i, double seconds) {
      return candidates[i]
                 ? std::clamp((seconds - speeds[i].fixed) / speeds[i].slice, 0.0, static_cast<double>(bounds.most[i]))
                 : 0.0;
    };
    double low = 0, high = 1e-9;
    const auto all = [&](double seconds) {
      double sum = 0;
      for (std::size_t i = 0; i < devices; ++i) sum += share(i, seconds);
      return sum;
    };
    while (all(high) < static_cast<double>(bounds.slices) && high < 1e9) high *= 2;
    for (int step = 0; step < 100; ++step) {
      const double middle = (low + high) / 2;
      (all(middle) < static_cast<double>(bounds.slices) ? low : high) = middle;
    }
    std::vector<double> wanted(devices);
    std::size_t smallest = devices;
    for (std::size_t i = 0; i < devices; ++i) {
      if (!candidates[i]) continue;
      wanted[i] = share(i, high);
      if (wanted[i] < static_cast<double>(bounds.least) && (smallest == devices || wanted[i] < wanted[smallest]))
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
      least[i] = std::min({bounds.least, bounds.most[i], bounds.slices});
      most[i] = bounds.most[i];
    }
    Division division{rounded(wanted, least, most, bounds.slices), 0};
    if (division.shares.empty()) return std::nullopt;
    for (std::size_t i = 0; i < devices; ++i)
      if (division.shares[i] != 0)
        division.seconds = std::max(division.seconds, speeds[i].seconds(static_cast<double>(division.shares[i])));
    if (division.devices() > 1) division.seconds += bounds.exchange;
    return division;
  }
}

std::optional<Division> best_division(std::span<const Speed> speeds, const Bounds& bounds) {
  std::vector<std::size_t> order(speeds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto all = static_cast<double>(bounds.slices);
    return speeds[a].seconds(all) < speeds[b].seconds(all);
  });
  std::optional<Division> best;
  std::vector<bool> candidates(speeds.size(), false);
  for (const std::size_t next : order) {
    candidates[next] = true;
    const std::optional<Division> division = divide(speeds, bounds, candidates);
    if (division && (!best || division->seconds < best->seconds)) best = division;
  }
  return best;
}

std::optional<Division> best_alone(std::span<const Speed> speeds, const Bounds& bounds) {
  std::optional<Division> best;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const double seconds = speeds[i].seconds(static_cast<double>(bounds.slices));
    if (bounds.most[i] < bounds.slices || (best && best->seconds <= seconds)) continue;
    best = Division{Shares(speeds.size(), 0), seconds};
    best->shares[i] = bounds.slices;
  }
  return best;
}

Shares share_by_weights(std::span<const double> weights, std::uint64_t slices, std::uint64_t least) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> wanted;
  for (const double weight : weights) wanted.push_back(static_cast<double>(slices) * (weight / sum));
  const std::vector<std::uint64_t> lower(weights.size(), least), upper(weights.size(), slices);
  return rounded(wanted, lower, upper, slices);
}

// Shares of equal time by the smoothed times, gone most of the way only: what is measured next corrects it.
std::optional<Shares> Rebalancer::improved(double& predicted) const {
  constexpr double step = 0.7;
  const std::size_t devices = shares_.size();
  std::vector<Speed> speeds(devices, {0, 1});
  std::vector<bool> candidates(devices);
  for (std::size_t i = 0; i < devices; ++i) {
    candidates[i] = shares_[i] != 0;
    if (candidates[i]) speeds[i].slice = slice_seconds_[i];
  }
  const std::optional<Division> ideal = divide(speeds, bounds_, candidates);
  if (!ideal) return std::nullopt;
  std::vector<double> wanted(devices);
  std::vector<std::uint64_t> least(devices, 0), most(devices, 0);
  for (std::size_t i = 0; i < devices; ++i) {
    if (ideal->shares[i] == 0) continue;
    const auto have = static_cast<double>(shares_[i]), goal = static_cast<double>(ideal->shares[i]);
    wanted[i] = have + step * (goal - have);
    least[i] = std::min(bounds_.least, bounds_.most[i]);
    most[i] = bounds_.most[i];
  }
  Shares shares = rounded(wanted, least, most, bounds_.slices);
  if (shares.empty() || shares == shares_) return std::nullopt;
  predicted = 0;
  for (std::size_t i = 0; i < devices; ++i)
    if (shares[i] != 0) predicted = std::max(predicted, speeds[i].slice * static_cast<double>(shares[i]));
  return shares;
}

std::optional<Shares> Rebalancer::look(double run, std::span<const double> computing) {
  // A device with a small share is worth little more than a hundredth of the whole: moves for less than that pay.
  constexpr double pays = 0.997, worse = 1.02, smoothing = 0.7;
  said_.clear();
  if (moved_ && run > worse * run_before_) {
    moved_ = false;
    std::swap(shares_, before_);
    patience_ = std::min(2 * patience_, 64u);
    resting_ = patience_;
    slice_seconds_.clear();  // of the shares that are given up
    said_ = "moved back: that was slower";
    return shares_;
  }
  if (slice_seconds_.empty()) slice_seconds_.assign(shares_.size(), 0);
  double slowest = 0;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    if (shares_[i] == 0) continue;
    const double one = std::max(computing[i], 1e-12) / static_cast<double>(shares_[i]);
    slice_seconds_[i] = slice_seconds_[i] == 0 ? one : smoothing * one + (1 - smoothing) * slice_seconds_[i];
    slowest = std::max(slowest, slice_seconds_[i] * static_cast<double>(shares_[i]));
  }
  moved_ = false;
  if (resting_ > 0) {
    --resting_;
    return std::nullopt;
  }
  double predicted = 0;
  std::optional<Shares> shares = improved(predicted);
  if (!shares || predicted > pays * slowest) return std::nullopt;
  before_ = std::exchange(shares_, std::move(*shares));
  run_before_ = run;
  moved_ = true;
  said_ = "moved slices";
  return shares_;
}

}  // namespace genocl::jacobi
