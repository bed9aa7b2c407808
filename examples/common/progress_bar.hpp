// A line on standard error that shows the progress of a long computation.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include "genocl/progress.hpp"

namespace program {

/// Shows nothing in the first second, or unless standard error is a terminal.
class ProgressBar {
 public:
  /// Items are counted in `unit`s, `unit_items` each.
  ProgressBar(std::string what, bool quiet, std::string unit = "k", double unit_items = 1e3)
      : what_(std::move(what)),
        unit_(std::move(unit)),
        unit_items_(unit_items),
        on_(!quiet && ::isatty(STDERR_FILENO) == 1) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Clears the bar, so that other lines can be written.
  void clear() {
    if (shown_) std::fprintf(stderr, "\r\033[K");
    shown_ = false;
  }

  /// Shows the progress of a call. The bar must outlive the call.
  genocl::Progress progress() {
    return [this](const genocl::ProgressState& state) {
      show(state.fraction, state.items_done);
      return true;
    };
  }

  /// `fraction` is 0 if it is unknown.
  void show(double fraction, std::uint64_t items) {
    if (!on_) return;
    const auto now = Clock::now();
    if (now - begin_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    constexpr int width = 30;
    const int full = static_cast<int>(fraction * width);
    std::fprintf(stderr, "\r%s [%.*s%*s] %3.0f%% %.0f %s, %.0f %s/s%s\033[K", what_.c_str(), full,
                 "##############################", width - full, "", 100 * fraction,
                 static_cast<double>(items) / unit_items_, unit_.c_str(),
                 static_cast<double>(items) / unit_items_ / seconds, unit_.c_str(),
                 time_left(fraction, seconds).c_str());
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// The time left, ", 1:05 left", after three seconds.
  static std::string time_left(double fraction, double seconds) {
    if (seconds < 3 || fraction < 0.01 || fraction >= 1) return {};
    const auto left = static_cast<long long>(seconds * (1 - fraction) / fraction + 0.5);
    const std::string digits = std::to_string(left % 60);
    return ", " + std::to_string(left / 60) + (digits.size() < 2 ? ":0" : ":") + digits + " left";
  }

  std::string what_, unit_;
  double unit_items_;
  bool on_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_{};
};

}  // namespace program
