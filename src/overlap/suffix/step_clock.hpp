// What the steps of a build take, and whether it shall go on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "genocl/error.hpp"
#include "genocl/overlap/suffix_array.hpp"

namespace genocl::overlap {

/// Counts into report.steps where the options ask for it, by waiting for the device.
class StepClock {
 public:
  StepClock(const Device& device, const SuffixArrayOptions& options, BuildReport& report)
      : device_(device), report_(options.time_steps ? &report : nullptr) {
    if (report_ != nullptr) restart();
  }

  /// What ran since the last call was `name`; steps of the same name add up.
  void done(const char* name) {
    if (report_ == nullptr) return;
    const auto before = begin_;
    restart();
    const double seconds = std::chrono::duration<double>(begin_ - before).count();
    for (BuildReport::Step& step : report_->steps)
      if (step.name == name) {
        step.seconds += seconds;
        return;
      }
    report_->steps.push_back({name, seconds});
  }

 private:
  void restart() {
    device_.finish();
    begin_ = std::chrono::steady_clock::now();
  }

  const Device& device_;
  BuildReport* report_;
  std::chrono::steady_clock::time_point begin_;
};

/// Throws Cancelled when the progress says so.
inline void ask_progress(const SuffixArrayOptions& options, std::uint64_t done, std::uint64_t total) {
  if (!options.progress) return;
  const double fraction = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  if (!options.progress({fraction, done, total})) throw Cancelled();
}

}  // namespace genocl::overlap
