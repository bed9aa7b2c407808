#include "jacobi/load_balancer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "genocl/error.hpp"
#include "jacobi/partitioned_solver.hpp"
#include "jacobi/validate.hpp"

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
    double max_sum = 0;
    for (std::size_t i = 0; i < devices; ++i)
      if (candidates[i]) max_sum += static_cast<double>(limits.max_slices[i]);
    if (max_sum < static_cast<double>(limits.slices)) return std::nullopt;
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

namespace {

// Length of a trial, and of the intervals between two updates afterwards.
constexpr double trial_seconds = 0.02;
constexpr double first_interval_seconds = 0.06, max_interval_seconds = 1;
// As fractions of the whole run: the cost of trials, and the loss at which the devices together are given up.
constexpr double trial_fraction = 0.007, loss_fraction = 0.003;
// The best device runs alone for this time before it is measured: an H200 is 5 % slower once it is hot.
constexpr double warm_up_fraction = 0.08, max_warm_up_seconds = 1;
// It may get slower still: its first measurement alone is no longer reached.
constexpr double heat = 1.02;
constexpr unsigned max_adjustments = 3;
constexpr std::uint64_t no_update = std::numeric_limits<std::uint64_t>::max();
// Speed-up over the best device alone: predicted, to be tried; measured, to be kept.
constexpr double min_predicted_gain = 1.003, min_measured_gain = 1.004;
// From this gain on, the devices are tried together before the best one is measured exactly.
constexpr double certain_gain = 1.25;

// Seconds of runs that are not measured; the fastest device takes them alone.
constexpr double short_run = 1, short_run_of_equal_devices = 0.2;
// GPUs of one model share a run of up to this time equally: measuring took a tenth of a second on four H200, and
// gained 3 %.
constexpr double short_run_of_equal_gpus = 4, min_equal_gain = 1.5;
// The same limit if the other devices are at most a fifth as fast.
constexpr double short_run_with_slow_devices = 4;
// A CPU has other work, and its clock changes. If GPUs would wait for it, it gets less than it seems to manage.
constexpr double cpu_caution = 1.12;
// Between two devices, and between two processes.
constexpr double slice_move_bytes_per_second = 5e9, slice_send_bytes_per_second = 1e9;

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::size_t devices_in(const PartitionSizes& sizes) {
  return static_cast<std::size_t>(std::count_if(sizes.begin(), sizes.end(), [](auto size) { return size != 0; }));
}

/// The choice of the first sizes.
struct InitialChoice {
  const DeviceTable& table;
  RunSettings& settings;
  const SolveOptions& options;
  const Hooks& hooks;
  std::size_t element;
  Report& report;

  std::uint64_t slices() const noexcept { return settings.layout.slices; }
  double updates() const noexcept { return static_cast<double>(settings.layout.changing()); }

  /// Slices that a device can own, with its halo.
  std::uint64_t max_own_slices(const DeviceEntry& entry) const {
    const std::uint64_t all = slices() + (settings.layout.ring ? 2 * std::uint64_t{settings.halo_depth} : 0);
    if (entry.max_slices >= all) return slices();
    if (table.size() == 1) return std::min(entry.max_slices, slices() - 1);
    return entry.max_slices - std::min<std::uint64_t>(entry.max_slices, 2 * settings.halo_depth);
  }

  bool too_large() const {
    std::uint64_t sum = 0;
    for (const DeviceEntry& entry : table.entries) sum += max_own_slices(entry);
    return sum < slices();
  }

  void set_halo_depth(std::uint64_t smallest) const {
    settings.halo_depth =
        options.halo_depth != 0 ? options.halo_depth : choose_halo_depth(table, settings.layout, smallest, element);
    if (settings.layout.ring)  // a halo contains each slice once at most
      settings.halo_depth = static_cast<unsigned>(std::min<std::uint64_t>(settings.halo_depth, slices()));
  }

  std::optional<PartitionSizes> fixed() const {
    PartitionSizes sizes;
    if (!options.cuts.empty()) {
      std::uint64_t before = 0;
      for (const std::uint64_t cut : options.cuts) sizes.push_back(cut - std::exchange(before, cut));
      sizes.push_back(slices() - before);
    } else {
      std::vector<double> weights = options.weights;
      if (weights.empty()) weights.assign(table.size(), 1);
      sizes = partition_by_weights(weights, slices(), 1);
    }
    if (options.halo_depth != 0) check_halo_depth(ranges_of(sizes), options.halo_depth);
    set_halo_depth(*std::min_element(sizes.begin(), sizes.end()));
    if (too_large()) return std::nullopt;
    const std::vector<SliceRange> ranges = ranges_of(sizes), numbered = ranges_of(sizes, settings.layout.first());
    const std::uint64_t slice_bytes = settings.layout.slice() * settings.cell_bytes(element);
    for (std::size_t i = 0; i < table.size(); ++i)
      if (const std::uint64_t needed = with_halo(settings, numbered[i]).size(); needed > table[i].max_slices)
        throw CapacityError("slices " + std::to_string(ranges[i].begin) + " to " + std::to_string(ranges[i].end - 1) +
                                " on " + table[i].name,
                            needed * slice_bytes, table[i].max_slices * slice_bytes);
    return sizes;
  }

  // For GPUs of one model, if the run is too short to measure them.
  std::optional<PartitionSizes> equal() const {
    std::set<std::pair<std::string, std::size_t>> physical;
    for (const DeviceEntry& entry : table.entries) {
      if (entry.type != DeviceType::gpu || entry.name != table[0].name) return std::nullopt;
      physical.emplace(entry.machine, entry.index);
    }
    if (physical.size() != table.size() || hooks.short_run == 0) return std::nullopt;
    const double single = updates() / table[0].updates;
    const double together =
        single / static_cast<double>(table.size()) + exchange_seconds_of(table.processes) / settings.halo_depth;
    if (single < min_equal_gain * together) return std::nullopt;
    if (together * static_cast<double>(options.iterations) > short_run_of_equal_gpus) return std::nullopt;
    const PartitionSizes sizes = partition_by_weights(std::vector<double>(table.size(), 1), slices(), 1);
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] < settings.halo_depth || sizes[i] > max_own_slices(table[i])) return std::nullopt;
    report.decisions.push_back("equal partitions for " + std::to_string(table.size()) + " of " + table[0].name +
                               ": the run is too short to measure them");
    return sizes;
  }

  // The fastest device by its estimated speed, if the run is too short to measure.
  std::optional<PartitionSizes> fastest() const {
    std::size_t best = table.size();
    bool same_model = true;
    double best_updates = 0, second_updates = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      same_model = same_model && table[i].name == table[0].name;
      if (table[i].updates > best_updates && table[i].max_slices >= slices()) {
        second_updates = std::exchange(best_updates, table[i].updates);
        best = i;
      } else {
        second_updates = std::max(second_updates, table[i].updates);
      }
    }
    if (best == table.size()) return std::nullopt;
    const double seconds = updates() * static_cast<double>(options.iterations) / best_updates;
    const double limit = hooks.short_run >= 0                  ? hooks.short_run
                         : same_model                          ? short_run_of_equal_devices
                         : second_updates < 0.2 * best_updates ? short_run_with_slow_devices
                                                               : short_run;
    if (seconds >= limit) return std::nullopt;
    report.decisions.push_back(table[best].name + " alone: the run is too short to measure the others");
    PartitionSizes sizes(table.size(), 0);
    sizes[best] = slices();
    return sizes;
  }

  PartitionLimits limits() const {
    const double exchange = exchange_seconds_of(table.processes);
    PartitionLimits limits{
        slices(), std::max<std::uint64_t>(settings.halo_depth, 4), {}, exchange / settings.halo_depth};
    for (const DeviceEntry& entry : table.entries) limits.max_slices.push_back(max_own_slices(entry));
    return limits;
  }

  RunOutlook outlook() const {
    const double move = table.processes != nullptr ? slice_send_bytes_per_second : slice_move_bytes_per_second;
    const double slice_bytes = static_cast<double>(settings.layout.slice() * element);
    RunOutlook outlook{options.iterations, settings.halo_depth, updates(), {}, slice_bytes / move, {}};
    const bool gpus = std::any_of(table.entries.begin(), table.entries.end(),
                                  [](const DeviceEntry& entry) { return entry.type != DeviceType::cpu; });
    for (const DeviceEntry& entry : table.entries) {
      outlook.caution.push_back(gpus && entry.type == DeviceType::cpu ? cpu_caution : 1);
      outlook.names.push_back(entry.name);
    }
    return outlook;
  }
};

}  // namespace

std::optional<PartitionSizes> LoadBalancer::choose(const DeviceTable& table, RunSettings& settings,
                                                   const SolveOptions& options, const Hooks& hooks, std::size_t element,
                                                   Report& report, const Measure& measure) {
  const InitialChoice choice{table, settings, options, hooks, element, report};
  if (options.balance == Balance::fixed) return choice.fixed();
  choice.set_halo_depth(choice.slices() / (2 * table.size()));
  if (choice.too_large()) return std::nullopt;
  if (table.size() == 1) return PartitionSizes{choice.slices()};
  if (const std::optional<PartitionSizes> sizes = choice.equal()) return sizes;
  if (const std::optional<PartitionSizes> sizes = choice.fastest()) return sizes;
  // All processes measure at the same time: devices or cores that they share then show.
  if (processes_ != nullptr) processes_->gather({});
  std::vector<DeviceSpeed> speeds;
  for (const MeasuredSpeed& measured : measure()) {
    speeds.push_back(measured.speed);
    report.seconds += measured.seconds;
  }
  start(gather_values<DeviceSpeed>(processes_, speeds), choice.limits(), choice.outlook());
  return sizes_;
}

void LoadBalancer::start(std::vector<DeviceSpeed> speeds, PartitionLimits limits, RunOutlook outlook) {
  limits_ = std::move(limits);
  outlook_ = std::move(outlook);
  if (is_root()) choose_first(speeds);
  std::vector<std::uint64_t> next{next_update_};
  broadcast_values(processes_, sizes_);
  broadcast_values(processes_, predicted_);
  broadcast_values(processes_, next);
  next_update_ = next.front();
}

void LoadBalancer::choose_first(const std::vector<DeviceSpeed>& speeds) {
  single_ = best_single(speeds, limits_);
  std::vector<DeviceSpeed> cautious = speeds;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    cautious[i].fixed *= caution(i);
    cautious[i].slice *= caution(i);
  }
  together_ = best_partitioning(cautious, limits_);
  if (!together_) throw InputError("a grid of more slices than the devices hold together");
  next_update_ = no_update;
  const double gain = single_ ? single_->seconds / together_->seconds : 1e9;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    log(outlook_.names[i] + ": measured, predicts " + rate(speeds[i].seconds(static_cast<double>(limits_.slices))) +
        " alone");
  if (together_->devices() == 1) {
    sizes_ = together_->sizes;
    log(named(sizes_) + " alone: no other device would make it faster");
    return;
  }
  const double whole = (single_ ? single_ : together_)->seconds * static_cast<double>(outlook_.iterations);
  max_loss_ = loss_fraction * whole;
  log(named(together_->sizes) + " together: predicted " + rate(together_->seconds) +
      (single_ ? ", " + number("%.3f", gain) + " of the best alone" : std::string(", none holds the grid alone")));
  if (!single_ || gain > certain_gain) {
    enter(State::measure_together, together_->sizes);
    predicted_ = together_->sizes;
    return;
  }
  // The slices move there and back, and the trial may run at half the speed.
  std::uint64_t moved = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    if (single_->sizes[i] == 0) moved += together_->sizes[i];
  const double cost = 2 * outlook_.slice_move_seconds * static_cast<double>(moved) + 0.5 * trial_seconds;
  if (gain < min_predicted_gain || cost > trial_fraction * whole || cost > 0.5 * whole * (1 - 1 / gain)) {
    sizes_ = single_->sizes;
    log(named(sizes_) +
        " alone: " + (gain < min_predicted_gain ? "together would not be faster" : "the run is too short for a trial"));
    return;
  }
  enter(State::warm_up, single_->sizes);
  predicted_ = together_->sizes;
  schedule_update(std::min(max_warm_up_seconds, warm_up_fraction * whole), single_->seconds);
}

std::optional<PartitionSizes> LoadBalancer::enter(State state, const PartitionSizes& sizes) {
  state_ = state;
  const bool changed = sizes != sizes_;
  sizes_ = sizes;
  if (state == State::measure_together) rebalancer_.emplace(sizes_, limits_);
  if (state == State::done) next_update_ = no_update;
  if (state == State::measure_together || state == State::measure_single || state == State::recheck_single)
    schedule_update(trial_seconds, devices_in(sizes) == 1 && single_ ? single_->seconds : together_->seconds);
  return changed ? std::optional(sizes_) : std::nullopt;
}

std::optional<PartitionSizes> LoadBalancer::update(std::uint64_t iterations, double run,
                                                   std::span<const double> computing) {
  const std::vector<double> all = gather_values<double>(processes_, computing);
  // A process whose devices have no partition finishes early: the run takes as long as the slowest.
  const std::vector<double> runs = gather_values<double>(processes_, std::span<const double>(&run, 1));
  std::vector<std::uint64_t> message;  // the next update, and the new sizes
  if (is_root()) {
    const auto moved = decide(iterations, *std::max_element(runs.begin(), runs.end()), all);
    message.push_back(next_update_);
    if (moved) message.insert(message.end(), moved->begin(), moved->end());
  }
  broadcast_values(processes_, message);
  next_update_ = message.front();
  if (message.size() == 1) return std::nullopt;
  sizes_.assign(message.begin() + 1, message.end());
  return sizes_;
}

std::optional<PartitionSizes> LoadBalancer::decide(std::uint64_t iterations, double run,
                                                   std::span<const double> measured) {
  std::vector<double> computing(measured.begin(), measured.end());
  for (std::size_t i = 0; i < computing.size(); ++i) computing[i] *= caution(i);
  outlook_.iterations -= std::min(iterations, outlook_.iterations);
  switch (state_) {
    case State::warm_up:
      return enter(State::measure_single, single_->sizes);
    case State::measure_single:
      single_seconds_ = run;
      return enter(State::measure_together, together_->sizes);
    case State::measure_together:
      return tune_together(run, computing);
    case State::recheck_single:
      single_seconds_ = run;
      return keep_faster();
    case State::balance:
      return rebalance(iterations, run, computing);
    case State::done:
      break;
  }
  return std::nullopt;
}

std::optional<PartitionSizes> LoadBalancer::tune_together(double run, std::span<const double> computing) {
  if (!std::exchange(warm_, true)) return std::nullopt;
  if (best_sizes_.empty() || run < together_seconds_) {
    together_seconds_ = run;
    best_sizes_ = sizes_;
  }
  std::optional<PartitionSizes> better;
  if (adjustments_++ < max_adjustments) better = rebalancer_->update(run, computing);
  if (better && devices_in(*better) > 1) {
    sizes_ = *better;
    schedule_update(trial_seconds, run);
    return sizes_;
  }
  if (single_seconds_ == 0 && single_ && together_seconds_ > 0.97 * single_->seconds)
    return enter(State::recheck_single, single_->sizes);
  return keep_faster();
}

std::optional<PartitionSizes> LoadBalancer::keep_faster() {
  const std::string single =
      single_seconds_ != 0 ? "; " + named(single_->sizes) + " alone " + rate(single_seconds_) : "";
  const std::string reached = named(best_sizes_) + " together: reached " + rate(together_seconds_) + single;
  if (single_seconds_ != 0 && together_seconds_ * min_measured_gain > single_seconds_) {
    log(reached + ": goes on alone");
    return enter(State::done, single_->sizes);
  }
  log(reached + ": goes on together");
  rebalancer_.emplace(best_sizes_, limits_);
  interval_seconds_ = first_interval_seconds;
  schedule_update(interval_seconds_, together_seconds_);
  return enter(State::balance, best_sizes_);
}

// Seconds of an iteration on the best device alone, at its present speed. At most its measured time, with the factor
// for the heat.
double LoadBalancer::single_seconds_now(std::span<const double> computing) const {
  const auto best =
      static_cast<std::size_t>(std::max_element(single_->sizes.begin(), single_->sizes.end()) - single_->sizes.begin());
  if (sizes_[best] == 0) return single_->seconds;
  const double each = computing[best] / caution(best) / static_cast<double>(sizes_[best]);
  const double now = each * static_cast<double>(limits_.slices);
  return single_seconds_ != 0 ? std::min(now, heat * single_seconds_) : now;
}

std::optional<PartitionSizes> LoadBalancer::rebalance(std::uint64_t iterations, double run,
                                                      std::span<const double> computing) {
  if (single_) {
    loss_ += (run - single_seconds_now(computing)) * static_cast<double>(iterations);
    loss_ = std::max(loss_, -max_loss_);
    if (loss_ > max_loss_) {
      log("together at " + rate(run) + ", no longer faster: " + named(single_->sizes) + " goes on alone");
      return enter(State::done, single_->sizes);
    }
  }
  const std::optional<PartitionSizes> moved = rebalancer_->update(run, computing);
  interval_seconds_ = moved ? first_interval_seconds : std::min(2 * interval_seconds_, max_interval_seconds);
  schedule_update(interval_seconds_, run);
  if (!moved) return std::nullopt;
  sizes_ = *moved;
  log(rebalancer_->decision() + " at " + rate(run) + ": " + named(sizes_));
  return sizes_;
}

// A whole number of exchanges, at least four, that take about `seconds`.
void LoadBalancer::schedule_update(double seconds, double iteration) {
  const double periods = seconds / std::max(iteration * static_cast<double>(outlook_.halo_depth), 1e-9);
  next_update_ = outlook_.halo_depth * static_cast<std::uint64_t>(std::clamp(std::ceil(periods), 4.0, 1e9));
}

std::string LoadBalancer::rate(double seconds) const {
  const double updates = outlook_.updates / seconds;
  return updates < 1e9 ? number("%.3g", 1e-6 * updates) + " M/s" : number("%.4g", 1e-9 * updates) + " G/s";
}

std::string LoadBalancer::named(const PartitionSizes& sizes) const {
  std::string text;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != 0) text += (text.empty() ? "" : " + ") + outlook_.names[i] + " (" + std::to_string(sizes[i]) + ")";
  return text;
}

}  // namespace genocl::jacobi
