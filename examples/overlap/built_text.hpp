// The suffix array of a text on a device, with the time of each step: the first part of all commands about one text.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "overlap/inputs.hpp"
#include "overlap/options.hpp"

namespace program {

/// The steps of a command with their times.
class Steps {
 public:
  using Step = overlap::BuildReport::Step;

  /// Ends the current step and begins another.
  void begin(std::string name) {
    end();
    steps_.push_back({std::move(name), 0});
    running_ = true;
  }
  void end();
  /// Appends finished steps.
  void add(const std::vector<Step>& steps) { steps_.insert(steps_.end(), steps.begin(), steps.end()); }
  const std::vector<Step>& all() const { return steps_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<Step> steps_;
  bool running_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

/// Returns the entries of --report json: "a": value, ...; the steps and their total time come last.
std::string json_steps(const Steps& steps);

struct BuiltText {
  genocl::Device device;
  Steps steps;
  std::unique_ptr<overlap::SuffixArray> suffixes;

  explicit BuiltText(const BuildSettings& settings);
  /// Builds the array of `input`, which was read in the first step of `begun`.
  BuiltText(const BuildSettings& settings, const genocl::Device& device, const TextInput& input, Steps begun);
  /// Waits for the device, so that the time of the previous step is complete.
  void begin(std::string step) {
    device.finish();
    steps.begin(std::move(step));
  }
};

/// Writes the sizes and steps of the construction to standard error: --kernel-times, --report json (one line), and the
/// summary unless --quiet. `more`: names and JSON values of further entries.
void tell(const BuildSettings& settings, std::string_view command, BuiltText& built,
          const std::vector<std::pair<std::string, std::string>>& more = {});

}  // namespace program
