// The construction of suffix arrays: the algorithms and their memory.
#pragma once

#include <chrono>
#include <cstdint>
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

/// Fill positions[0, text.size) with the suffix array. They wait for counts.
void build_hybrid(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                  const SuffixArrayOptions& options, BuildReport& report);
void build_dc3(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
               const SuffixArrayOptions& options, BuildReport& report);
/// Throws InputError if the number of separators and symbols exceeds 32 bits.
void build_published(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                     const SuffixArrayOptions& options, BuildReport& report);

struct PhraseOptions {
  /// Symbols of the window that ends a phrase, at most 32 and 64 bits. 0: chosen for the text's bits.
  unsigned window = 0;
  /// One window in 2^bits ends a phrase, 1 to 20.
  unsigned bits = 6;
  /// Maximum length of a phrase; a text with a longer one is not cut.
  std::uint32_t longest = 1u << 17;
  /// Continues with any number of different phrases.
  bool even_if_many = false;
  std::uint32_t seed = 0x5bd1'e995u;
  /// Bits of the hashes of phrases; fewer than 64 in tests only.
  unsigned hash_bits = 64;
};

/// By phrases that repeat. Returns false, with nothing changed, if the text has too few of them.
bool build_by_phrases(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                      const SuffixArrayOptions& options, BuildReport& report, const PhraseOptions& phrases = {});

/// The size of the dictionary: the sum of the lengths of its entries. Phrases share a window with the next one, so that
/// this can exceed the size of the text, and 32 bits.
std::uint64_t dictionary_places(const Device& device, const Array<std::uint32_t>& lengths);

/// True if both the dictionary of `places` symbols and the string of `phrases` are small compared with a text of `size`
/// symbols; with `even_if_many` if the dictionary can be a text.
bool dictionary_is_worth_it(std::uint64_t places, std::uint64_t phrases, std::uint64_t size, bool even_if_many);

/// Hybrid without a fall-back: sorts all suffixes that are not unique by rounds. For the dictionary of phrases, whose
/// suffixes all end at a separator after few symbols.
void build_by_rounds(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                     BuildReport& report);

/// Peak bytes of the construction on the device besides text and positions.
std::uint64_t hybrid_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_separators);
std::uint64_t dc3_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_separators);
std::uint64_t published_bytes(std::uint64_t size);

/// `positions` is a permutation of [0, size). Does not wait.
Array<std::uint32_t> inverse_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size);
/// Returns the primary row. Throws InputError for a text with separators and for symbols of another size.
std::uint64_t bwt_of(const Text::State& text, const Array<std::uint32_t>& positions, std::span<std::uint8_t> symbols);
/// [rank]: the record of the position; begins[record] is its first position.
Array<std::uint32_t> documents_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size,
                                  std::span<const std::uint64_t> begins);

/// Sorts by the lowest `bits` bits of the keys, ascending and stable; values[i] moves with keys[i]. Both have the same
/// size, at most 2^32 - 1. Does not wait. O(size * (bits + log(size))).
void chunk_sort(const Device& device, const Span<std::uint32_t>& keys, const Span<std::uint32_t>& values,
                unsigned bits);

/// Bytes on the device besides the arrays.
std::uint64_t chunk_sort_bytes(std::uint64_t size);

}  // namespace genocl::overlap
