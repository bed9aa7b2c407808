// The steps that suffix arrays are built by, each in a file of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/text/text.hpp"

namespace genocl::overlap {

/// Times the steps of a construction into report.steps if the options ask for it; then it waits for the device.
class StepClock {
 public:
  StepClock(const Device& device, const SuffixArrayOptions& options, BuildReport& report)
      : device_(device), report_(options.time_steps ? &report : nullptr) {
    if (report_ != nullptr) restart();
  }

  /// Ends a step. The times of steps with the same name are added.
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

/// Throws Cancelled if the progress says so.
inline void ask_progress(const SuffixArrayOptions& options, std::uint64_t done, std::uint64_t total) {
  if (!options.progress) return;
  const double fraction = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  if (!options.progress({fraction, done, total})) throw Cancelled();
}

/// Fills positions[0, text.size) with the suffix array. All enqueue, and wait where they must look at counts.
void build_hybrid(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                  const SuffixArrayOptions& options, BuildReport& report);
void build_dc3(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
               const SuffixArrayOptions& options, BuildReport& report);
/// Throws InputError where there are more breaks and symbols than 32 bits can number.
void build_published(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                     const SuffixArrayOptions& options, BuildReport& report);

/// By phrases that repeat; false, with nothing changed, when the text has too few of them to be worth it.
bool build_by_phrases(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                      const SuffixArrayOptions& options, BuildReport& report);

/// Hybrid without a fall-back: sorts what is not unique by rounds, whatever it takes. For the dictionary of phrases,
/// whose suffixes all end at a break soon.
void build_by_rounds(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                     BuildReport& report);

/// What building takes on the device besides the text and the positions, at its peak.
std::uint64_t hybrid_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_breaks);
std::uint64_t dc3_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_breaks);
std::uint64_t published_bytes(const Device& device, std::uint64_t size);

/// `positions` holds a permutation of [0, size). Nothing is waited for.
Array<std::uint32_t> inverse_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size);
/// Returns the primary row. Throws InputError for a text with breaks and for symbols of another size.
std::uint64_t bwt_of(const Text::State& text, const Array<std::uint32_t>& positions, std::span<std::uint8_t> symbols);
/// [rank]: the record, of which begins[record] is the first place.
Array<std::uint32_t> documents_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size,
                                  std::span<const std::uint64_t> begins);

/// Sorts by the lowest `bits` bits of the keys, ascending and stable; values[i] goes where keys[i] goes. Both have the
/// same size, at most 2^32 - 1. All is enqueued, nothing waited for. O(size * bits).
void split_sort(const Device& device, const Span<std::uint32_t>& keys, const Span<std::uint32_t>& values,
                unsigned bits);

/// What that takes on the device besides the arrays.
std::uint64_t split_sort_bytes(const Device& device, std::uint64_t size);

}  // namespace genocl::overlap
