#include "jacobi/balance/balance_director.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "genocl/error.hpp"

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

Director::Director(std::vector<Speed> speeds, Bounds bounds, Prospect prospect)
    : bounds_(std::move(bounds)), prospect_(std::move(prospect)) {
  alone_ = best_alone(speeds, bounds_);
  std::vector<Speed> cautious = speeds;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    cautious[i].fixed *= caution(i);
    cautious[i].slice *= caution(i);
  }
  together_ = best_division(cautious, bounds_);
  if (!together_) throw InputError("a grid of more slices than the devices hold together");
  wanted_ = never;
  const double gain = alone_ ? alone_->seconds / together_->seconds : 1e9;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    say(prospect_.names[i] + ": measured, predicts " + rate(speeds[i].seconds(static_cast<double>(bounds_.slices))) +
        " alone");
  if (together_->devices() == 1) {
    shares_ = together_->shares;
    say(named(shares_) + " alone: no share of another device would pay");
    return;
  }
  const double whole = (alone_ ? alone_ : together_)->seconds * static_cast<double>(prospect_.iterations);
  allowance_ = losing_share * whole;
  say(named(together_->shares) + " together: predicted " + rate(together_->seconds) +
      (alone_ ? ", " + number("%.3f", gain) + " of the best alone" : std::string(", none holds the grid alone")));
  if (!alone_ || gain > surely_better) {
    go_on_with(together_->shares, State::trying_together);
    return;
  }
  // There and back again, and a trial that may be half as fast.
  std::uint64_t moved = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    if (alone_->shares[i] == 0) moved += together_->shares[i];
  const double cost = 2 * prospect_.slice_move_seconds * static_cast<double>(moved) + 0.5 * trial_seconds;
  if (gain < worth_trying || cost > trial_share * whole || cost > 0.5 * whole * (1 - 1 / gain)) {
    shares_ = alone_->shares;
    say(named(shares_) + " alone: " +
        (gain < worth_trying ? "together would not be faster"
                             : "the run is too short to try what would gain so little"));
    return;
  }
  go_on_with(alone_->shares, State::warming);
  want(std::min(longest_warming_seconds, warming_share * whole), alone_->seconds);
}

std::optional<Shares> Director::go_on_with(const Shares& shares, State state) {
  state_ = state;
  const bool changed = shares != shares_;
  shares_ = shares;
  const bool single = std::count_if(shares.begin(), shares.end(), [](auto share) { return share != 0; }) == 1;
  if (state == State::trying_together) rebalancer_.emplace(shares_, bounds_);
  if (state == State::settled) wanted_ = never;
  if (state == State::trying_together || state == State::trying_alone || state == State::checking_alone)
    want(trial_seconds, single && alone_ ? alone_->seconds : together_->seconds);
  return changed ? std::optional(shares_) : std::nullopt;
}

std::optional<Shares> Director::look(std::uint64_t iterations, double run, std::span<const double> measured) {
  std::vector<double> computing(measured.begin(), measured.end());
  for (std::size_t i = 0; i < computing.size(); ++i) computing[i] *= caution(i);
  prospect_.iterations -= std::min(iterations, prospect_.iterations);
  switch (state_) {
    case State::warming:
      return go_on_with(alone_->shares, State::trying_alone);
    case State::trying_alone:
      alone_seconds_ = run;
      return go_on_with(together_->shares, State::trying_together);
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

std::optional<Shares> Director::try_together(double run, std::span<const double> computing) {
  if (!std::exchange(warm_, true)) return std::nullopt;
  if (best_shares_.empty() || run < together_seconds_) {
    together_seconds_ = run;
    best_shares_ = shares_;
  }
  std::optional<Shares> better;
  if (adjustments_++ < most_adjustments) better = rebalancer_->look(run, computing);
  if (better && std::count_if(better->begin(), better->end(), [](auto share) { return share != 0; }) > 1) {
    shares_ = *better;
    want(trial_seconds, run);
    return shares_;
  }
  if (alone_seconds_ == 0 && alone_ && together_seconds_ > 0.97 * alone_->seconds)
    return go_on_with(alone_->shares, State::checking_alone);
  return decide();
}

std::optional<Shares> Director::decide() {
  const std::string reached = named(best_shares_) + " together: reached " + rate(together_seconds_);
  if (alone_seconds_ != 0 && together_seconds_ * worth_keeping > alone_seconds_) {
    say(reached + "; " + named(alone_->shares) + " alone " + rate(alone_seconds_) + ": goes on alone");
    return go_on_with(alone_->shares, State::settled);
  }
  say(reached +
      (alone_seconds_ != 0 ? "; " + named(alone_->shares) + " alone " + rate(alone_seconds_) : std::string()) +
      ": goes on together");
  rebalancer_.emplace(best_shares_, bounds_);
  watch_seconds_ = first_watch_seconds;
  want(watch_seconds_, together_seconds_);
  return go_on_with(best_shares_, State::watching);
}

// What the best device alone would take by what it does now; no more than it took when it was tried, but for the heat.
double Director::alone_now(std::span<const double> computing) const {
  const auto best =
      static_cast<std::size_t>(std::max_element(alone_->shares.begin(), alone_->shares.end()) - alone_->shares.begin());
  if (shares_[best] == 0) return alone_->seconds;
  const double each = computing[best] / caution(best) / static_cast<double>(shares_[best]);
  const double now = each * static_cast<double>(bounds_.slices);
  return alone_seconds_ != 0 ? std::min(now, heat * alone_seconds_) : now;
}

std::optional<Shares> Director::watch(std::uint64_t iterations, double run, std::span<const double> computing) {
  if (alone_) {
    lost_ += (run - alone_now(computing)) * static_cast<double>(iterations);
    lost_ = std::max(lost_, -allowance_);
    if (lost_ > allowance_) {
      say("together at " + rate(run) + ", no longer faster: " + named(alone_->shares) + " goes on alone");
      return go_on_with(alone_->shares, State::settled);
    }
  }
  const std::optional<Shares> moved = rebalancer_->look(run, computing);
  watch_seconds_ = moved ? first_watch_seconds : std::min(2 * watch_seconds_, longest_watch_seconds);
  want(watch_seconds_, run);
  if (!moved) return std::nullopt;
  shares_ = *moved;
  say(rebalancer_->said() + " at " + rate(run) + ": " + named(shares_));
  return shares_;
}

// Asks for iterations of about that many seconds, with a whole number of exchanges, at least four.
void Director::want(double seconds, double iteration) {
  const double periods = seconds / std::max(iteration * static_cast<double>(prospect_.exchange_every), 1e-9);
  wanted_ = prospect_.exchange_every * static_cast<std::uint64_t>(std::clamp(std::ceil(periods), 4.0, 1e9));
}

std::string Director::rate(double seconds) const {
  const double updates = prospect_.updates / seconds;
  return updates < 1e9 ? number("%.3g", 1e-6 * updates) + " M/s" : number("%.4g", 1e-9 * updates) + " G/s";
}

std::string Director::named(const Shares& shares) const {
  std::string text;
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] != 0)
      text += (text.empty() ? "" : " + ") + prospect_.names[i] + " (" + std::to_string(shares[i]) + ")";
  return text;
}

}  // namespace genocl::jacobi
