// A text's suffix array on a device, and how it came to be: what the commands about one text begin with.
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

/// What was done, and how long each piece took.
class Steps {
 public:
  using Step = overlap::BuildReport::Step;

  /// From here on it is something else.
  void begin(std::string name) {
    end();
    steps_.push_back({std::move(name), 0});
    running_ = true;
  }
  void end();
  /// Between the last one and what comes.
  void add(const std::vector<Step>& steps) { steps_.insert(steps_.end(), steps.begin(), steps.end()); }
  const std::vector<Step>& all() const { return steps_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<Step> steps_;
  bool running_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

/// "a": value, ..., for --report json; steps and all that they took last.
std::string json_steps(const Steps& steps);

struct BuiltText {
  genocl::Device device;
  Steps steps;
  std::unique_ptr<overlap::SuffixArray> suffixes;

  explicit BuiltText(const BuildSettings& settings);
  /// Of a text that was read in the first of `begun`.
  BuiltText(const BuildSettings& settings, const genocl::Device& device, const TextInput& input, Steps begun);
  /// The device has done all that was asked of it, so that the step's time is right.
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
