#include "jacobi/load_balancer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/validate.hpp"

namespace genocl::jacobi {

namespace {

constexpr double trial_seconds = 0.02;
constexpr double first_watch_seconds = 0.06, longest_watch_seconds = 1;
// These are parts of the whole run: what trying may cost, and what going on together may lose before it is given up.
constexpr double trial_share = 0.007, losing_share = 0.003;
// The best device goes on alone for so long before it is measured: an H200 is 5 % slower once it is hot.
constexpr double warming_share = 0.08, longest_warming_seconds = 1;
// It may get slower still; what it did alone at first is no longer to be had.
constexpr double heat = 1.02;
constexpr unsigned most_adjustments = 3;
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
// Together must be so much faster than alone, as predicted to be tried, and as measured to be kept.
constexpr double worth_trying = 1.003, worth_keeping = 1.004;
// From here on it is tried without knowing the best device's speed exactly.
constexpr double surely_better = 1.25;

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

Director::Director(std::vector<DeviceSpeed> speeds, PartitionLimits limits, RunOutlook outlook)
    : limits_(std::move(limits)), outlook_(std::move(outlook)) {
  alone_ = best_single(speeds, limits_);
  std::vector<DeviceSpeed> cautious = speeds;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    cautious[i].fixed *= caution(i);
    cautious[i].slice *= caution(i);
  }
  together_ = best_partitioning(cautious, limits_);
  if (!together_) throw InputError("a grid of more slices than the devices hold together");
  wanted_ = never;
  const double gain = alone_ ? alone_->seconds / together_->seconds : 1e9;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    say(outlook_.names[i] + ": measured, predicts " + rate(speeds[i].seconds(static_cast<double>(limits_.slices))) +
        " alone");
  if (together_->devices() == 1) {
    sizes_ = together_->sizes;
    say(named(sizes_) + " alone: no share of another device would pay");
    return;
  }
  const double whole = (alone_ ? alone_ : together_)->seconds * static_cast<double>(outlook_.iterations);
  allowance_ = losing_share * whole;
  say(named(together_->sizes) + " together: predicted " + rate(together_->seconds) +
      (alone_ ? ", " + number("%.3f", gain) + " of the best alone" : std::string(", none holds the grid alone")));
  if (!alone_ || gain > surely_better) {
    go_on_with(together_->sizes, State::trying_together);
    return;
  }
  // There and back again, and a trial that may be half as fast.
  std::uint64_t moved = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    if (alone_->sizes[i] == 0) moved += together_->sizes[i];
  const double cost = 2 * outlook_.slice_move_seconds * static_cast<double>(moved) + 0.5 * trial_seconds;
  if (gain < worth_trying || cost > trial_share * whole || cost > 0.5 * whole * (1 - 1 / gain)) {
    sizes_ = alone_->sizes;
    say(named(sizes_) + " alone: " +
        (gain < worth_trying ? "together would not be faster"
                             : "the run is too short to try what would gain so little"));
    return;
  }
  go_on_with(alone_->sizes, State::warming);
  want(std::min(longest_warming_seconds, warming_share * whole), alone_->seconds);
}

std::optional<PartitionSizes> Director::go_on_with(const PartitionSizes& sizes, State state) {
  state_ = state;
  const bool changed = sizes != sizes_;
  sizes_ = sizes;
  const bool single = std::count_if(sizes.begin(), sizes.end(), [](auto share) { return share != 0; }) == 1;
  if (state == State::trying_together) rebalancer_.emplace(sizes_, limits_);
  if (state == State::settled) wanted_ = never;
  if (state == State::trying_together || state == State::trying_alone || state == State::checking_alone)
    want(trial_seconds, single && alone_ ? alone_->seconds : together_->seconds);
  return changed ? std::optional(sizes_) : std::nullopt;
}

std::optional<PartitionSizes> Director::look(std::uint64_t iterations, double run, std::span<const double> measured) {
  std::vector<double> computing(measured.begin(), measured.end());
  for (std::size_t i = 0; i < computing.size(); ++i) computing[i] *= caution(i);
  outlook_.iterations -= std::min(iterations, outlook_.iterations);
  switch (state_) {
    case State::warming:
      return go_on_with(alone_->sizes, State::trying_alone);
    case State::trying_alone:
      alone_seconds_ = run;
      return go_on_with(together_->sizes, State::trying_together);
    case State::trying_together:
      return try_together(run, computing);
    case State::checking_alone:
      alone_seconds_ = run;
      return decide();
    case State::watching:
      return watch(iterations, run, computing);
    case State::settled:
      break;
  }
  return std::nullopt;
}

std::optional<PartitionSizes> Director::try_together(double run, std::span<const double> computing) {
  if (!std::exchange(warm_, true)) return std::nullopt;
  if (best_sizes_.empty() || run < together_seconds_) {
    together_seconds_ = run;
    best_sizes_ = sizes_;
  }
  std::optional<PartitionSizes> better;
  if (adjustments_++ < most_adjustments) better = rebalancer_->look(run, computing);
  if (better && std::count_if(better->begin(), better->end(), [](auto share) { return share != 0; }) > 1) {
    sizes_ = *better;
    want(trial_seconds, run);
    return sizes_;
  }
  if (alone_seconds_ == 0 && alone_ && together_seconds_ > 0.97 * alone_->seconds)
    return go_on_with(alone_->sizes, State::checking_alone);
  return decide();
}

std::optional<PartitionSizes> Director::decide() {
  const std::string reached = named(best_sizes_) + " together: reached " + rate(together_seconds_);
  if (alone_seconds_ != 0 && together_seconds_ * worth_keeping > alone_seconds_) {
    say(reached + "; " + named(alone_->sizes) + " alone " + rate(alone_seconds_) + ": goes on alone");
    return go_on_with(alone_->sizes, State::settled);
  }
  say(reached + (alone_seconds_ != 0 ? "; " + named(alone_->sizes) + " alone " + rate(alone_seconds_) : std::string()) +
      ": goes on together");
  rebalancer_.emplace(best_sizes_, limits_);
  watch_seconds_ = first_watch_seconds;
  want(watch_seconds_, together_seconds_);
  return go_on_with(best_sizes_, State::watching);
}

// What the best device alone would take by what it does now; no more than it took when it was tried, but for the heat.
double Director::alone_now(std::span<const double> computing) const {
  const auto best =
      static_cast<std::size_t>(std::max_element(alone_->sizes.begin(), alone_->sizes.end()) - alone_->sizes.begin());
  if (sizes_[best] == 0) return alone_->seconds;
  const double each = computing[best] / caution(best) / static_cast<double>(sizes_[best]);
  const double now = each * static_cast<double>(limits_.slices);
  return alone_seconds_ != 0 ? std::min(now, heat * alone_seconds_) : now;
}

std::optional<PartitionSizes> Director::watch(std::uint64_t iterations, double run, std::span<const double> computing) {
  if (alone_) {
    lost_ += (run - alone_now(computing)) * static_cast<double>(iterations);
    lost_ = std::max(lost_, -allowance_);
    if (lost_ > allowance_) {
      say("together at " + rate(run) + ", no longer faster: " + named(alone_->sizes) + " goes on alone");
      return go_on_with(alone_->sizes, State::settled);
    }
  }
  const std::optional<PartitionSizes> moved = rebalancer_->look(run, computing);
  watch_seconds_ = moved ? first_watch_seconds : std::min(2 * watch_seconds_, longest_watch_seconds);
  want(watch_seconds_, run);
  if (!moved) return std::nullopt;
  sizes_ = *moved;
  say(rebalancer_->said() + " at " + rate(run) + ": " + named(sizes_));
  return sizes_;
}

// Asks for iterations of about that many seconds, with a whole number of exchanges, at least four.
void Director::want(double seconds, double iteration) {
  const double periods = seconds / std::max(iteration * static_cast<double>(outlook_.halo_depth), 1e-9);
  wanted_ = outlook_.halo_depth * static_cast<std::uint64_t>(std::clamp(std::ceil(periods), 4.0, 1e9));
}

std::string Director::rate(double seconds) const {
  const double updates = outlook_.updates / seconds;
  return updates < 1e9 ? number("%.3g", 1e-6 * updates) + " M/s" : number("%.4g", 1e-9 * updates) + " G/s";
}

std::string Director::named(const PartitionSizes& sizes) const {
  std::string text;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != 0) text += (text.empty() ? "" : " + ") + outlook_.names[i] + " (" + std::to_string(sizes[i]) + ")";
  return text;
}

Steering::Steering(ProcessGroup* processes, std::vector<DeviceSpeed> speeds, PartitionLimits limits, RunOutlook outlook)
    : processes_(processes) {
  if (processes == nullptr || processes->rank() == 0) {
    director_.emplace(std::move(speeds), std::move(limits), std::move(outlook));
    sizes_ = director_->sizes();
    expected_ = director_->expected();
    wanted_ = director_->wanted();
  }
  broadcast_values(processes_, sizes_);
  broadcast_values(processes_, expected_);
  std::vector<std::uint64_t> wanted{wanted_};
  broadcast_values(processes_, wanted);
  wanted_ = wanted.front();
}

std::optional<PartitionSizes> Steering::look(std::uint64_t iterations, double run, std::span<const double> computing) {
  if (processes_ == nullptr) {
    auto moved = director_->look(iterations, run, computing);
    wanted_ = director_->wanted();
    return moved;
  }
  const std::vector<double> all = gather_values<double>(processes_, computing);
  // One that has no share is soon done: the run takes as long as the slowest.
  const std::vector<double> runs = gather_values<double>(processes_, std::span<const double>(&run, 1));
  std::vector<std::uint64_t> said;  // when to look again, and the new shares
  if (director_) {
    const auto moved = director_->look(iterations, *std::max_element(runs.begin(), runs.end()), all);
    said.push_back(director_->wanted());
    if (moved) said.insert(said.end(), moved->begin(), moved->end());
  }
  broadcast_values(processes_, said);
  wanted_ = said.front();
  if (said.size() == 1) return std::nullopt;
  sizes_.assign(said.begin() + 1, said.end());
  return sizes_;
}

namespace {

// A run shorter than that is not measured beforehand: the fastest device takes it.
constexpr double short_run = 1, short_run_of_like_devices = 0.2;
// A run shorter than that on each of several GPUs of one kind is shared out equally: finding out which is faster by how
// much took a tenth of a second on four H200, and gained 3 %.
constexpr double short_run_of_like_gpus = 4, surely_faster = 1.5;
// Nor a run shorter than that, where the others are at most a fifth as fast.
constexpr double short_run_beside_slow_ones = 4;
// A CPU has other work, and its clock changes: where GPUs would wait for it, it gets less than it seems to manage.
constexpr double cpu_caution = 1.12;
// From one device to another, and from one process to another.
constexpr double slice_move_bytes_per_second = 5e9, slice_send_bytes_per_second = 1e9;

}  // namespace

// Slices that a device can own beside its neighbours' frontiers.
template <class T>
std::uint64_t FirstShares<T>::max_own_slices(const DeviceEntry& entry) const {
  const std::uint64_t alone = slices() + (settings_.layout.ring ? 2 * std::uint64_t{settings_.halo_depth} : 0);
  if (table_.size() == 1 || entry.max_slices >= alone)
    return entry.max_slices >= alone ? slices() : std::min(entry.max_slices, slices() - 1);
  return entry.max_slices - std::min<std::uint64_t>(entry.max_slices, 2 * settings_.halo_depth);
}

template <class T>
bool FirstShares<T>::too_large() const {
  std::uint64_t sum = 0;
  for (const DeviceEntry& entry : table_.entries) sum += max_own_slices(entry);
  return sum < slices();
}

template <class T>
void FirstShares<T>::set_halo_depth(std::uint64_t smallest) {
  settings_.halo_depth =
      options_.halo_depth != 0 ? options_.halo_depth : choose_halo_depth(table_, settings_.layout, smallest);
  if (settings_.layout.ring)  // ghosts go round once at most
    settings_.halo_depth = static_cast<unsigned>(std::min<std::uint64_t>(settings_.halo_depth, slices()));
}

template <class T>
FusedStepSet FirstShares<T>::fused_steps_of(const RunDevice& run_device, std::uint64_t iterations,
                                            std::uint64_t check_every) const {
  FusedStepSet fused_steps;
  if (iterations == 0) return fused_steps;
  const std::uint64_t stretch = check_every != 0 ? std::min(check_every, iterations) : iterations;
  const std::uint64_t left = iterations % stretch;
  for (const std::uint64_t length : {stretch, left}) {
    if (table_.size() == 1 || options_.balance == Balance::automatic)
      add_fused_steps(fused_steps, run_device.plan.fused_steps, length, true);
    if (table_.size() > 1)
      add_fused_steps_per_exchange(fused_steps, run_device.plan.fused_steps, settings_.halo_depth, length, true);
  }
  return fused_steps;
}

template <class T>
std::optional<PartitionSizes> FirstShares<T>::fixed() {
  const std::size_t devices = table_.size();
  PartitionSizes sizes;
  if (!options_.cuts.empty()) {
    std::uint64_t before = 0;
    for (const std::uint64_t cut : options_.cuts) sizes.push_back(cut - std::exchange(before, cut));
    sizes.push_back(slices() - before);
  } else {
    std::vector<double> weights = options_.weights;
    if (weights.empty()) weights.assign(devices, 1);
    sizes = partition_by_weights(weights, slices(), 1);
  }
  if (options_.halo_depth != 0) check_halo_depth(ranges_of(sizes), options_.halo_depth);
  set_halo_depth(*std::min_element(sizes.begin(), sizes.end()));
  if (too_large()) return std::nullopt;
  const std::vector<SliceRange> ranges = ranges_of(sizes), numbered = ranges_of(sizes, settings_.layout.first());
  for (std::size_t i = 0; i < devices; ++i) {
    const std::uint64_t needed = with_halo(settings_, numbered[i]).size();
    if (needed > table_[i].max_slices)
      throw CapacityError("slices " + std::to_string(ranges[i].begin) + " to " + std::to_string(ranges[i].end - 1) +
                              " on " + table_[i].name,
                          needed * settings_.layout.slice() * settings_.cell_bytes(sizeof(T)),
                          table_[i].max_slices * settings_.layout.slice() * settings_.cell_bytes(sizeof(T)));
  }
  return sizes;
}

template <class T>
std::optional<PartitionSizes> FirstShares<T>::automatic() {
  const std::size_t devices = table_.size();
  set_halo_depth(slices() / (2 * devices));
  if (too_large()) return std::nullopt;
  if (devices == 1) return PartitionSizes{slices()};
  if (const std::optional<PartitionSizes> equal = equal_shares()) return equal;
  if (const std::optional<PartitionSizes> guessed = guessed_alone()) return guessed;
  PartitionLimits limits{
      slices(),
      std::max<std::uint64_t>(settings_.halo_depth, 4),
      {},
      (table_.processes != nullptr ? process_exchange_seconds : exchange_seconds) / settings_.halo_depth};
  const double move = table_.processes != nullptr ? slice_send_bytes_per_second : slice_move_bytes_per_second;
  RunOutlook outlook{options_.iterations,
                     settings_.halo_depth,
                     updates_,
                     {},
                     static_cast<double>(settings_.layout.slice() * sizeof(T)) / move,
                     {}};
  const bool gpus = std::any_of(table_.entries.begin(), table_.entries.end(),
                                [](const DeviceEntry& entry) { return entry.type != DeviceType::cpu; });
  for (const DeviceEntry& entry : table_.entries) {
    limits.max_slices.push_back(max_own_slices(entry));
    outlook.caution.push_back(gpus && entry.type == DeviceType::cpu ? cpu_caution : 1);
    outlook.names.push_back(entry.name);
  }
  steering_.emplace(table_.processes, measure(), std::move(limits), std::move(outlook));
  return steering_->sizes();
}

// Each process its own devices, all at once: those that share a device or cores are to notice.
template <class T>
std::vector<DeviceSpeed> FirstShares<T>::measure() {
  if (table_.processes != nullptr) table_.processes->gather({});
  std::vector<DeviceSpeed> speeds;
  double seconds = 0;
  for (std::size_t i = 0; i < run_devices_.size(); ++i) {
    const RunDevice& run_device = run_devices_[i];
    const MeasuredSpeed measured =
        i < hooks_.slice_seconds.size() ? MeasuredSpeed{{0, hooks_.slice_seconds[i]}, 0} : attribute_errors(i, [&] {
          return measure_speed<T>(run_device.device, run_device.plan, settings_, run_device.max_slices,
                                  fused_steps_of(run_device));
        });
    speeds.push_back(measured.speed);
    seconds += measured.seconds;
  }
  report_.seconds += seconds;
  return gather_values<DeviceSpeed>(table_.processes, speeds);
}

// For GPUs of one kind, when the run is too short to find out more.
template <class T>
std::optional<PartitionSizes> FirstShares<T>::equal_shares() {
  std::set<std::pair<std::string, std::size_t>> places;
  for (const DeviceEntry& entry : table_.entries) {
    if (entry.type != DeviceType::gpu || entry.name != table_[0].name) return std::nullopt;
    places.emplace(entry.machine, entry.index);
  }
  if (places.size() != table_.size() || hooks_.short_run == 0) return std::nullopt;
  const auto devices = static_cast<double>(table_.size());
  const double alone = updates_ / table_[0].updates;
  const double together = alone / devices + exchange_seconds / settings_.halo_depth;
  if (alone < surely_faster * together) return std::nullopt;
  if (together * static_cast<double>(options_.iterations) > short_run_of_like_gpus) return std::nullopt;
  const PartitionSizes sizes = partition_by_weights(std::vector<double>(table_.size(), 1), slices(), 1);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < settings_.halo_depth || sizes[i] > max_own_slices(table_[i])) return std::nullopt;
  report_.decisions.push_back("equal shares for " + std::to_string(table_.size()) + " of " + table_[0].name +
                              ": the run is too short to measure them");
  return sizes;
}

// The fastest by what the driver says, when the run is too short to find out.
template <class T>
std::optional<PartitionSizes> FirstShares<T>::guessed_alone() {
  std::size_t best = table_.size();
  bool alike = true;
  double best_updates = 0, second_updates = 0;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    alike = alike && table_[i].name == table_[0].name;
    const double guess = table_[i].updates;
    if (guess > best_updates && table_[i].max_slices >= slices()) {
      second_updates = best_updates;
      best_updates = guess;
      best = i;
    } else {
      second_updates = std::max(second_updates, guess);
    }
  }
  if (best == table_.size()) return std::nullopt;
  const double seconds = updates_ * static_cast<double>(options_.iterations) / best_updates;
  const double limit = hooks_.short_run >= 0                 ? hooks_.short_run
                       : alike                               ? short_run_of_like_devices
                       : second_updates < 0.2 * best_updates ? short_run_beside_slow_ones
                                                             : short_run;
  if (seconds >= limit) return std::nullopt;
  report_.decisions.push_back(table_[best].name + " alone: the run is too short to measure the others");
  PartitionSizes sizes(table_.size(), 0);
  sizes[best] = slices();
  return sizes;
}

template class FirstShares<float>;
template class FirstShares<double>;

}  // namespace genocl::jacobi
