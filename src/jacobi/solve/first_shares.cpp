#include "jacobi/solve/first_shares.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "jacobi/balance/balance_measure.hpp"
#include "jacobi/checks.hpp"
#include "jacobi/solve/solve_devices.hpp"

namespace genocl::jacobi {
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
std::uint64_t FirstShares<T>::most_own(const Member& member) const {
  const std::uint64_t alone = slices() + (settings_.layout.ring ? 2 * std::uint64_t{settings_.exchange_every} : 0);
  if (roster_.size() == 1 || member.most >= alone)
    return member.most >= alone ? slices() : std::min(member.most, slices() - 1);
  return member.most - std::min<std::uint64_t>(member.most, 2 * settings_.exchange_every);
}

template <class T>
bool FirstShares<T>::too_large() const {
  std::uint64_t sum = 0;
  for (const Member& member : roster_.members) sum += most_own(member);
  return sum < slices();
}

template <class T>
void FirstShares<T>::set_exchange_every(std::uint64_t smallest) {
  settings_.exchange_every = options_.exchange_every != 0 ? options_.exchange_every
                                                          : choose_exchange_every(roster_, settings_.layout, smallest);
  if (settings_.layout.ring)  // ghosts go round once at most
    settings_.exchange_every = static_cast<unsigned>(std::min<std::uint64_t>(settings_.exchange_every, slices()));
}

template <class T>
SweepLevels FirstShares<T>::levels_of(const Worker& worker, std::uint64_t iterations, std::uint64_t check_every) const {
  SweepLevels levels;
  if (iterations == 0) return levels;
  const std::uint64_t stretch = check_every != 0 ? std::min(check_every, iterations) : iterations;
  const std::uint64_t left = iterations % stretch;
  for (const std::uint64_t length : {stretch, left}) {
    if (roster_.size() == 1 || options_.balance == Balance::automatic)
      add_sweeps(levels, worker.plan.levels, length, true);
    if (roster_.size() > 1)
      add_sweeps_between_exchanges(levels, worker.plan.levels, settings_.exchange_every, length, true);
  }
  return levels;
}

template <class T>
std::optional<Shares> FirstShares<T>::fixed() {
  const std::size_t devices = roster_.size();
  Shares shares;
  if (!options_.cuts.empty()) {
    std::uint64_t before = 0;
    for (const std::uint64_t cut : options_.cuts) shares.push_back(cut - std::exchange(before, cut));
    shares.push_back(slices() - before);
  } else {
    std::vector<double> weights = options_.weights;
    if (weights.empty()) weights.assign(devices, 1);
    shares = share_by_weights(weights, slices(), 1);
  }
  if (options_.exchange_every != 0) check_exchange_every(parts_of(shares), options_.exchange_every);
  set_exchange_every(*std::min_element(shares.begin(), shares.end()));
  if (too_large()) return std::nullopt;
  const std::vector<Part> parts = parts_of(shares), numbered = parts_of(shares, settings_.layout.first());
  for (std::size_t i = 0; i < devices; ++i) {
    const std::uint64_t needed = with_ghosts(settings_, numbered[i]).size();
    if (needed > roster_[i].most)
      throw CapacityError("slices " + std::to_string(parts[i].begin) + " to " + std::to_string(parts[i].end - 1) +
                              " on " + roster_[i].name,
                          needed * settings_.layout.slice() * settings_.cell_bytes(sizeof(T)),
                          roster_[i].most * settings_.layout.slice() * settings_.cell_bytes(sizeof(T)));
  }
  return shares;
}

template <class T>
std::optional<Shares> FirstShares<T>::automatic() {
  const std::size_t devices = roster_.size();
  set_exchange_every(slices() / (2 * devices));
  if (too_large()) return std::nullopt;
  if (devices == 1) return Shares{slices()};
  if (const std::optional<Shares> equal = equal_shares()) return equal;
  if (const std::optional<Shares> guessed = guessed_alone()) return guessed;
  Bounds bounds{
      slices(),
      std::max<std::uint64_t>(settings_.exchange_every, 4),
      {},
      (roster_.processes != nullptr ? process_exchange_seconds : exchange_seconds) / settings_.exchange_every};
  const double move = roster_.processes != nullptr ? slice_send_bytes_per_second : slice_move_bytes_per_second;
  Prospect prospect{options_.iterations,
                    settings_.exchange_every,
                    updates_,
                    {},
                    static_cast<double>(settings_.layout.slice() * sizeof(T)) / move,
                    {}};
  const bool gpus = std::any_of(roster_.members.begin(), roster_.members.end(),
                                [](const Member& member) { return member.type != DeviceType::cpu; });
  for (const Member& member : roster_.members) {
    bounds.most.push_back(most_own(member));
    prospect.caution.push_back(gpus && member.type == DeviceType::cpu ? cpu_caution : 1);
    prospect.names.push_back(member.name);
  }
  steering_.emplace(roster_.processes, measure(), std::move(bounds), std::move(prospect));
  return steering_->shares();
}

// Each process its own devices, all at once: those that share a device or cores are to notice.
template <class T>
std::vector<Speed> FirstShares<T>::measure() {
  if (roster_.processes != nullptr) roster_.processes->gather({});
  std::vector<Speed> speeds;
  double seconds = 0;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const Worker& worker = workers_[i];
    const Measured measured =
        i < hooks_.slice_seconds.size() ? Measured{{0, hooks_.slice_seconds[i]}, 0} : on_device(i, [&] {
          return measure_speed<T>(worker.device, worker.plan, settings_, worker.most, levels_of(worker));
        });
    speeds.push_back(measured.speed);
    seconds += measured.seconds;
  }
  report_.seconds += seconds;
  return gather_values<Speed>(roster_.processes, speeds);
}

// For GPUs of one kind, when the run is too short to find out more.
template <class T>
std::optional<Shares> FirstShares<T>::equal_shares() {
  std::set<std::pair<std::string, std::size_t>> places;
  for (const Member& member : roster_.members) {
    if (member.type != DeviceType::gpu || member.name != roster_[0].name) return std::nullopt;
    places.emplace(member.machine, member.index);
  }
  if (places.size() != roster_.size() || hooks_.short_run == 0) return std::nullopt;
  const auto devices = static_cast<double>(roster_.size());
  const double alone = updates_ / roster_[0].updates;
  const double together = alone / devices + exchange_seconds / settings_.exchange_every;
  if (alone < surely_faster * together) return std::nullopt;
  if (together * static_cast<double>(options_.iterations) > short_run_of_like_gpus) return std::nullopt;
  const Shares shares = share_by_weights(std::vector<double>(roster_.size(), 1), slices(), 1);
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] < settings_.exchange_every || shares[i] > most_own(roster_[i])) return std::nullopt;
  report_.decisions.push_back("equal shares for " + std::to_string(roster_.size()) + " of " + roster_[0].name +
                              ": the run is too short to measure them");
  return shares;
}

// The fastest by what the driver says, when the run is too short to find out.
template <class T>
std::optional<Shares> FirstShares<T>::guessed_alone() {
  std::size_t best = roster_.size();
  bool alike = true;
  double best_updates = 0, second_updates = 0;
  for (std::size_t i = 0; i < roster_.size(); ++i) {
    alike = alike && roster_[i].name == roster_[0].name;
    const double guess = roster_[i].updates;
    if (guess > best_updates && roster_[i].most >= slices()) {
      second_updates = best_updates;
      best_updates = guess;
      best = i;
    } else {
      second_updates = std::max(second_updates, guess);
    }
  }
  if (best == roster_.size()) return std::nullopt;
  const double seconds = updates_ * static_cast<double>(options_.iterations) / best_updates;
  const double limit = hooks_.short_run >= 0                 ? hooks_.short_run
                       : alike                               ? short_run_of_like_devices
                       : second_updates < 0.2 * best_updates ? short_run_beside_slow_ones
                                                             : short_run;
  if (seconds >= limit) return std::nullopt;
  report_.decisions.push_back(roster_[best].name + " alone: the run is too short to measure the others");
  Shares shares(roster_.size(), 0);
  shares[best] = slices();
  return shares;
}

template class FirstShares<float>;
template class FirstShares<double>;

}  // namespace genocl::jacobi
