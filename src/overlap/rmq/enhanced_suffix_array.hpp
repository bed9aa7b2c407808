// What the steps of a build take, and whether it shall go on.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/overlap/lcp.hpp"
#include "genocl/overlap/rmq.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "genocl/progress.hpp"
#include "overlap/text/text.hpp"
#include "runtime/scratch.hpp"

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

/// The steps take a sorted text in this form: its arrays have size() elements on the text's device.
struct SortedText {
  const Text::State& text;
  const Array<std::uint32_t>& positions;
  const Array<std::uint32_t>& lcp;

  const Device& device() const { return text.device; }
  std::uint64_t size() const { return text.size; }
  std::uint32_t records() const { return static_cast<std::uint32_t>(text.begins.size() - 1); }
  /// That a position takes.
  unsigned position_bits() const { return static_cast<unsigned>(std::bit_width(size())); }
  /// Text::begins() on the device.
  Array<std::uint32_t> upload_begins() const;
};

/// Calls a Progress with fractions that do not fall; throws Cancelled when it says so.
class Stages {
 public:
  Stages(const Progress& progress, std::uint64_t items) : progress_(progress), items_(items) {}
  void reach(double fraction) const;
  /// For a step that ends at `fraction`, with its own counts.
  Progress up_to(double fraction) const;

 private:
  const Progress& progress_;
  std::uint64_t items_;
};

/// What is built for a text; up to `built` of the progress.
class Sorting {
 public:
  static constexpr double built = 0.7;

  /// `bytes_of_symbol`: what the steps after it take on the device for each symbol, array and LCP included. Throws
  /// CapacityError before the start.
  Sorting(const Text& text, const char* what, unsigned bytes_of_symbol, const Stages& stages);

  SortedText sorted() const { return {suffixes_.text().state(), suffixes_.positions(), lcp_.values()}; }

 private:
  SuffixArray suffixes_;
  Lcp lcp_;
};

/// Where positions of a text are: for positions that mostly ascend.
class Locator {
 public:
  explicit Locator(std::span<const std::uint64_t> begins) : begins_(begins) {}
  /// The record that holds the position.
  std::uint64_t record(std::uint64_t position);
  std::uint64_t begin(std::uint64_t record) const { return begins_[record]; }
  /// Counts its letters.
  std::uint64_t length(std::uint64_t record) const { return begins_[record + 1] - begins_[record] - 1; }

 private:
  std::span<const std::uint64_t> begins_;
  std::uint64_t last_ = 0;
};

}  // namespace genocl::overlap
