// The steps of `hybrid`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/text/text.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap::hybrid {

/// One construction: input, output and report.
struct Task {
  const Device& device;
  const Text::State& text;
  Array<std::uint32_t>& positions;
  const SuffixArrayOptions& options;
  BuildReport& report;

  /// Adds a round to the report. Throws Cancelled if the progress says so.
  void told_apart(std::uint64_t depth, std::uint64_t unresolved) const {
    report.rounds.push_back({depth, unresolved});
    const std::uint64_t done = text.size - unresolved;
    const double share = text.size == 0 ? 1 : static_cast<double>(done) / static_cast<double>(text.size);
    if (options.progress && !options.progress({share * 0.99, done, text.size})) throw Cancelled();
  }
  /// Runs a step, and times it if the options ask for it.
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

/// Groups of suffixes that share their first `depth` symbols, where 0 follows a separator or the end, as in keys. Each
/// group is consecutive in the array; members with a separator in these symbols are in the order of the text.
struct Groups {
  runtime::ScratchArray<std::uint32_t> starts, sizes;
  std::uint64_t count = 0, members = 0;
  unsigned depth = 0;
};

/// The array sorted by keys, and the keys.
struct Sorted {
  runtime::ScratchArray<std::uint32_t> keys;
  unsigned shift = 0;  ///< keys are equal if they agree from this bit up
  unsigned depth = 0;  ///< symbols of a key
};

/// The groups that direct comparisons of suffixes with equal keys leave.
struct KeyGroups {
  Groups left;
  std::uint64_t unresolved = 0;  ///< suffixes with equal keys; unknown if given up
  bool given_up = false;         ///< another method is better; the array is not sorted
};

/// On a CPU. Gives up if more than `max_remaining` members would remain.
KeyGroups refine_on_cpu(const Task& task, const Sorted& sorted, std::uint64_t max_remaining);
/// On a CPU, for texts of 2 bits a symbol, with the sort by keys. Returns nullopt for texts that are too small or
/// uneven.
constexpr std::uint64_t buckets_from = std::uint64_t{1} << 17, sampled_from = std::uint64_t{1} << 18;
std::optional<KeyGroups> sort_in_buckets(const Task& task, std::uint64_t max_remaining,
                                         std::uint64_t from = buckets_from);
/// On a CPU: true if most of the text occurs twice, by a sample. Takes 2 to 4 ns a symbol.
bool repeats_on_cpu(const Task& task, std::uint64_t from = sampled_from);
/// Peak bytes of the steps on a CPU besides text and positions, without the sort by keys.
std::uint64_t cpu_bytes(const Device& device, std::uint64_t size, unsigned bits, std::uint64_t max_remaining);
/// Resolves groups on a GPU.
KeyGroups resolve_on_gpu(const Task& task, const Sorted& sorted, std::uint64_t max_remaining, bool force);
std::uint64_t gpu_bytes(std::uint64_t size);

/// Sorts the groups by doubling.
void sort_by_rounds(const Task& task, Groups groups);
/// Bytes for `members` besides the groups, and for all `size` symbols.
std::uint64_t round_bytes(const Device& device, std::uint64_t size, std::uint64_t members);

}  // namespace genocl::overlap::hybrid
