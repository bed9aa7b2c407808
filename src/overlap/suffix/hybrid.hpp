// What the steps of `hybrid` share.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/text/text.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap::hybrid {

/// One build: what is sorted, into what, and who is told about it.
struct Task {
  const Device& device;
  const Text::State& text;
  Array<std::uint32_t>& positions;
  const SuffixArrayOptions& options;
  BuildReport& report;

  /// Throws Cancelled when the progress says so.
  void told_apart(std::uint64_t depth, std::uint64_t unresolved) const {
    report.rounds.push_back({depth, unresolved});
    const std::uint64_t done = text.size - unresolved;
    const double share = text.size == 0 ? 1 : static_cast<double>(done) / static_cast<double>(text.size);
    if (options.progress && !options.progress({share * 0.99, done, text.size})) throw Cancelled();
  }
  /// Runs a step, and times it where that is wanted.
  template <class Call>
  void step(const char* name, Call&& call) const {
    if (!options.time_steps) return call();
    device.finish();
    const auto start = std::chrono::steady_clock::now();
    call();
    device.finish();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    report.steps.push_back({name, seconds.count()});
  }
};

/// Groups of suffixes that agree in their first `depth` symbols (as keys do: 0 stands behind a break or the end), each
/// in consecutive places of the array, those with a break in these symbols in the order of the text.
struct Groups {
  runtime::ScratchArray<std::uint32_t> starts, sizes;
  std::uint64_t count = 0, members = 0;
  unsigned depth = 0;
};

/// This is the array sorted by keys, with the keys.
struct Sorted {
  runtime::ScratchArray<std::uint32_t> keys;
  unsigned shift = 0;  ///< keys are the same when they agree from this bit up
  unsigned depth = 0;  ///< symbols that the order is by
};

/// What the keys did not tell apart, and what direct comparisons left of that.
struct KeyGroups {
  Groups left;
  std::uint64_t unresolved = 0;  ///< after as many symbols as a key has; not known when it was given up
  bool given_up = false;         ///< so much is left that another way is better; the array is not sorted
};

/// On a CPU. Gives up when more than `most_left` would be left.
KeyGroups refine_on_cpu(const Task& task, const Sorted& sorted, std::uint64_t most_left);
/// On a CPU, of texts of 2 bits a symbol, keys and all; nothing when the text is too small or too uneven for it.
constexpr std::uint64_t buckets_from = std::uint64_t{1} << 17, sampled_from = std::uint64_t{1} << 18;
std::optional<KeyGroups> sort_in_buckets(const Task& task, std::uint64_t most_left, std::uint64_t from = buckets_from);
/// On a CPU: whether most of the text stands in it twice, by a sample. Takes 2 to 4 ns a symbol.
bool repeats_on_cpu(const Task& task, std::uint64_t from = sampled_from);
/// What the steps on a CPU take besides text and positions, at their peak; sorting by keys not included.
std::uint64_t cpu_bytes(const Device& device, std::uint64_t size, unsigned bits, std::uint64_t most_left);
/// Resolves groups on a GPU.
KeyGroups resolve_on_gpu(const Task& task, const Sorted& sorted, std::uint64_t most_left, bool force);
std::uint64_t gpu_bytes(std::uint64_t size);

/// Doubles until nothing is left.
void sort_by_rounds(const Task& task, Groups groups);
/// What that takes for `members` besides the groups, and for all `size` symbols.
std::uint64_t round_bytes(const Device& device, std::uint64_t size, std::uint64_t members);

}  // namespace genocl::overlap::hybrid
