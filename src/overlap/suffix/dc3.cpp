#include "overlap/suffix/dc3.hpp"

#include <algorithm>

#include "genocl/opencl.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/suffix/suffix_array.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap::dc3 {
namespace {

using runtime::ceil_div;
using runtime::launch_items;
using runtime::Scratch;
using LongSpan = Span<std::uint64_t>;
using ByteSpan = Span<std::uint8_t>;

const char* const names_file = "overlap/suffix/dc3_names.cl";
const char* const first_file = "overlap/suffix/dc3_first.cl";
const char* const merge_file = "overlap/suffix/dc3_merge.cl";

}  // namespace

Scratch mark_triples(const Device& device, const Level& level, PairSort sort, const cl::Buffer& order, Sample& sample) {
  const std::uint64_t count = level.samples();
  const runtime::Defines defines = level.defines();
  const Scratch key_memory(device, count * 4);
  const WordSpan keys = key_memory.span<std::uint32_t>(count), positions(order, count);
  const runtime::ItemLaunch launch{.items = count, .bytes = count * 16};
  launch_items(device, names_file, "dc3_last_names", defines, launch, level.string, level.size, keys, positions, count);
  sort(device, keys, positions, level.symbol_bits);
  for (const std::uint32_t offset : {1u, 0u}) {
    launch_items(device, names_file, "dc3_names_at", defines, launch, level.string, level.size, offset, keys, positions,
                 count);
    sort(device, keys, positions, level.symbol_bits);
  }
  sample.ranks = Scratch(device, (count + 1) * 4);
  Scratch names(device, count * 4);
  launch_items(device, names_file, "dc3_mark_triples", defines, launch, level.string, level.size, keys, positions,
               names, count);
  return names;
}

void place_ranks(const Device& device, const Level& level, const cl::Buffer& order, Sample& sample) {
  const std::uint64_t count = level.samples();
  sample.samples = Scratch(device, count * 4);
  launch_items(device, names_file, "dc3_place_ranks", level.defines(), {.items = count, .bytes = count * 16}, order,
               word(level.firsts()), sample.ranks, sample.samples, count);
}

void order_firsts(const Device& device, const Level& level, PairSort sort, const Scratch& samples,
                  const Scratch& others) {
  const std::uint64_t count = level.firsts(), all = level.samples();
  const runtime::Defines defines = level.defines();
  const Scratch flag_memory(device, all), number_memory(device, 8), key_memory(device, count * 4);
  const ByteSpan flags = flag_memory.span<std::uint8_t>(all);
  const LongSpan number = number_memory.span<std::uint64_t>(1);
  const WordSpan positions = others.span<std::uint32_t>(count), keys = key_memory.span<std::uint32_t>(count);
  launch_items(device, first_file, "dc3_flag_firsts", defines, {.items = all, .bytes = all * 5}, samples, flags, all);
  primitives::select(device, samples.span<std::uint32_t>(all), flags, positions, number);
  launch_items(device, first_file, "dc3_first_keys", defines, {.items = count, .bytes = count * 12}, level.string,
               level.separators, level.size, positions, keys, count);
  sort(device, keys, positions, level.symbol_bits);
  if (!level.has_separators) return;
  const ByteSpan separated = flag_memory.span<std::uint8_t>(count);
  launch_items(device, first_file, "dc3_flag_separators", defines, {.items = count, .bytes = count * 2},
               level.separators, separated, count);
  primitives::select_indices(device, separated, keys, number);
  launch_items(device, first_file, "dc3_order_separators", defines, {.items = count, .bytes = count}, keys, number,
               positions, count);
}

void merge(const Device& device, const Level& level, const Sample& sample, const Scratch& others, bool by_windows,
           const cl::Buffer& order) {
  const Scratch &ranks = sample.ranks, &samples = sample.samples;
  // The empty suffix, if it is in the sample, is its smallest.
  const std::uint64_t skipped = level.samples() - level.real_samples();
  const std::uint64_t tiles = ceil_div(level.size, merge_tile), count = tiles + 1;
  runtime::Defines defines = level.defines();
  defines.set("DC3_TILE", merge_tile).set("DC3_SKIPPED", skipped);
  // Windows take less memory than ranks.
  defines.set("DC3_BY_WINDOWS", by_windows ? 1 : 0);
  const Scratch bounds(device, count * 4);
  const std::uint32_t firsts = word(level.firsts()), real = word(level.real_samples());
  launch_items(device, merge_file, "dc3_partition", defines, {.items = count, .bytes = count * 64, .least = 8},
               level.string, level.separators, level.size, firsts, ranks, samples, real, others, firsts, bounds, count);
  const std::uint64_t bytes = level.size * 20;
  if (runtime::uses_cpu_kernels(device)) {
    launch_items(device, merge_file, "dc3_merge_cpu", defines, {.items = tiles, .bytes = bytes, .least = 4},
                 level.string, level.separators, level.size, firsts, ranks, samples, real, others, firsts, bounds,
                 order, tiles);
  } else {
    const unsigned size = runtime::group_size(device, {}, 128);
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
    runtime::Kernel(device, merge_file, "dc3_merge_gpu", defines)
        .args(level.string, level.separators, level.size, firsts, ranks, samples, real, others, firsts, bounds, order)
        .run(tiles, size, bytes);
  }
}

}  // namespace genocl::overlap::dc3

namespace genocl::overlap {
namespace {

using namespace dc3;
using runtime::launch_items;
using runtime::Scratch;
using runtime::uses_cpu_kernels;
using LongSpan = Span<std::uint64_t>;
using ByteSpan = Span<std::uint8_t>;

const char* const repeated_file = "overlap/suffix/dc3_repeated.cl";

/// A window of `symbols` symbols of `field` bits.
struct Window {
  unsigned symbols = 0, field = 0;
  unsigned bits() const { return symbols * field; }
};

/// As long as few samples of a random text share a window. A GPU's sort of an even number of 8-bit digits needs no
/// copy.
Window window_of(const Device& device, std::uint64_t samples, unsigned text_bits, bool has_separators, unsigned bits) {
  Window window;
  window.field = !has_separators ? text_bits : text_bits == 2 ? 3 : text_bits + 1;
  const unsigned step = uses_cpu_kernels(device) ? 8 : 16;
  const unsigned wanted = bits != 0 ? bits : static_cast<unsigned>(runtime::round_up(2 * bits_of(samples) + 6, step));
  window.symbols = std::max(4u, std::min(64u, wanted) / window.field);
  return window;
}

void sort_pairs(const Device& device, const WordSpan& keys, const WordSpan& values, unsigned bits) {
  primitives::sort(device, keys, values, {.last_bit = bits});
}

class Dc3 {
 public:
  explicit Dc3(const Device& device, StepClock* clock = nullptr) : device_(device), clock_(clock) {}

  /// order[0, level.size) becomes the suffix array; `window`: of a text.
  void sort(const Level& level, const Window& window, const cl::Buffer& order) {
    if (level.size == 0) return;
    if (!level.is_text && level.size <= small()) {
      sort_small(level, order);
      return;
    }
    Sample sample;
    if (level.is_text)
      name_windows(level, window, order, sample);
    else
      name_triples(level, order, sample);
    done("names");
    if (sample.repeated > 0) {
      ++levels_;
      if (sample.repeated <= few(level))
        sort_repeated(level, sample, order);
      else
        sort_all(level, sample, order);
    }
    sample.slots = Scratch();
    Scratch others(device_, level.firsts() * 4);
    order_firsts(device_, level, sort_pairs, sample.samples, others);
    done("residue 0");
    merge(device_, level, sample, others, level.is_text && sample.repeated <= few(level), order);
    done("merge");
  }

  unsigned levels() const { return levels_; }

 private:
  static std::uint64_t few(const Level& level) { return level.samples() / 8; }
  std::uint64_t small() const { return uses_cpu_kernels(device_) ? 128 : 512; }
  void done(const char* step) {
    if (clock_ != nullptr) clock_->done(step);
  }

  void sort_small(const Level& level, const cl::Buffer& order) {
    runtime::Defines defines;
    defines.set("DC3_SMALL", small());
    const bool lanes = uses_cpu_kernels(device_);
    const unsigned size = lanes ? 1 : runtime::group_size(device_, {}, 256);
    defines.set(lanes ? "ONLY_CPU" : "ONLY_GPU", 1);
    if (!lanes) defines.set("GROUP_SIZE", size);
    runtime::Kernel(device_, "overlap/suffix/dc3_small.cl", lanes ? "dc3_small_cpu" : "dc3_small_gpu", defines)
        .args(level.string, word(level.size), order)
        .run(1, size, level.size * 8);
  }

  // Sorts the samples' positions in the memory of the result.
  void name_windows(const Level& level, const Window& window, const cl::Buffer& order, Sample& sample) {
    const std::uint64_t count = level.samples();
    runtime::Defines defines = level.defines();
    defines.set("DC3_WINDOW", window.symbols);
    Scratch key_memory(device_, count * 4);
    const WordSpan keys = key_memory.span<std::uint32_t>(count), positions(order, count);
    const runtime::ItemLaunch launch{.items = count, .bytes = count * 16};
    const unsigned bits = window.bits(), low = bits > 32 ? bits - 32 : bits;
    launch_items(device_, names_file, "dc3_window_keys", defines, launch, level.string, level.separators, level.size,
                 low, keys, positions, count);
    primitives::sort(device_, keys, positions, {.last_bit = low});
    if (bits > 32) {
      launch_items(device_, names_file, "dc3_high_keys", defines, launch, level.string, level.separators, level.size,
                   low, keys, positions, count);
      primitives::sort(device_, keys, positions);
    }
    sample.ranks = Scratch(device_, (count + 1) * 4);
    const Scratch names(device_, count * 4);
    launch_items(device_, names_file, "dc3_mark_windows", defines, launch, level.string, level.separators, level.size,
                 keys, positions, names, count);
    key_memory = Scratch();
    give_names(level, names, positions, sample);
  }

  void name_triples(const Level& level, const cl::Buffer& order, Sample& sample) {
    const Scratch names = mark_triples(device_, level, sort_pairs, order, sample);
    give_names(level, names, WordSpan(order, level.samples()), sample);
  }

  void give_names(const Level& level, const Scratch& name_memory, const WordSpan& positions, Sample& sample) {
    const std::uint64_t count = level.samples();
    const WordSpan names = name_memory.span<std::uint32_t>(count);
    primitives::inclusive_max_scan(device_, names, names);
    sample.samples = Scratch(device_, count * 4);
    const Scratch flag_memory(device_, count);
    const ByteSpan flags = flag_memory.span<std::uint8_t>(count);
    launch_items(device_, names_file, "dc3_place_names", level.defines(), {.items = count, .bytes = count * 17},
                 positions, names, word(level.firsts()), sample.ranks, sample.samples, flags, count);
    sample.slots = Scratch(device_, std::max<std::uint64_t>(few(level), 1) * 4);
    const WordSpan slots = sample.slots.span<std::uint32_t>(few(level));
    sample.repeated = primitives::select_indices(device_, flags, slots);
  }

  /// Sorts by the suffixes of the whole string of names.
  void sort_all(const Level& level, Sample& sample, const cl::Buffer& order) {
    const std::uint64_t count = level.samples();
    sample.samples = Scratch();
    sample.slots = Scratch();
    // The pool's buffers do not fit a smaller level.
    if (level.size >= large) device_.release_scratch();
    sort({.string = sample.ranks.buffer(),
          .separators = sample.ranks.buffer(),
          .size = count,
          .symbol_bits = bits_of(count)},
         {}, order);
    if (level.size >= large) device_.release_scratch();
    place_ranks(device_, level, order, sample);
  }

  /// Sorts by the suffixes of the names that repeat, each with the name after it.
  void sort_repeated(const Level& level, Sample& sample, const cl::Buffer& order) {
    const std::uint64_t count = level.samples(), repeated = sample.repeated;
    const std::uint32_t firsts = word(level.firsts());
    const runtime::Defines defines = level.defines();
    const Scratch marks(device_, count), kept_memory(device_, repeated * 8);
    runtime::fill(device_, marks.buffer(), "\0", 1, count);
    launch_items(device_, repeated_file, "dc3_mark_repeated", defines, {.items = repeated, .bytes = repeated * 12},
                 sample.slots, sample.samples, firsts, marks, repeated);
    const WordSpan kept = kept_memory.span<std::uint32_t>(repeated * 2);
    std::uint64_t kept_count = 0;
    {
      const Scratch flag_memory(device_, count);
      const ByteSpan flags = flag_memory.span<std::uint8_t>(count);
      launch_items(device_, repeated_file, "dc3_flag_kept", defines, {.items = count, .bytes = count * 2}, marks, flags,
                   count);
      kept_count = primitives::select_indices(device_, flags, kept);
    }
    if (level.size >= large && kept_count > count / 32) device_.release_scratch();
    const runtime::ItemLaunch launch{.items = kept_count, .bytes = kept_count * 12};
    Scratch names(device_, kept_count * 4);
    launch_items(device_, repeated_file, "dc3_keep_names", defines, launch, kept, sample.ranks, names, kept_count);
    sort({.string = names.buffer(), .separators = names.buffer(), .size = kept_count, .symbol_bits = bits_of(count)},
         {}, order);
    const WordSpan places = names.span<std::uint32_t>(kept_count);
    const Scratch flag_memory(device_, kept_count), number_memory(device_, 8), found_memory(device_, repeated * 4);
    const ByteSpan flags = flag_memory.span<std::uint8_t>(kept_count);
    const LongSpan number = number_memory.span<std::uint64_t>(1);
    const WordSpan found = found_memory.span<std::uint32_t>(repeated);
    launch_items(device_, repeated_file, "dc3_places_in_order", defines, launch, order, kept, marks, places, flags,
                 kept_count);
    primitives::select(device_, places, flags, found, number);
    launch_items(device_, repeated_file, "dc3_place_repeated", defines, {.items = repeated, .bytes = repeated * 16},
                 found, sample.slots, firsts, sample.ranks, sample.samples, repeated);
  }

  const Device& device_;
  StepClock* clock_;
  unsigned levels_ = 0;
};

}  // namespace

void build_dc3(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
               const SuffixArrayOptions& options, BuildReport& report) {
  build_dc3_by_windows(device, text, positions, options, report, 0);
}

void build_dc3_by_windows(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                          const SuffixArrayOptions& options, BuildReport& report, unsigned window_bits) {
  ask_progress(options, 0, text.size);
  const Level level{.string = text.words.buffer(),
                    .separators = text.separators.buffer(),
                    .size = text.size,
                    .is_text = true,
                    .has_separators = text.has_separators,
                    .symbol_bits = bits_of((std::uint64_t{1} << text.bits) + (text.has_separators ? 1 : 0)),
                    .text_bits = text.bits};
  StepClock clock(device, options, report);
  Dc3 dc3(device, &clock);
  dc3.sort(level, window_of(device, level.samples(), text.bits, text.has_separators, window_bits), positions.buffer());
  report.levels = dc3.levels();
  ask_progress(options, text.size, text.size);
}

unsigned sort_suffixes_of_names(const Device& device, const cl::Buffer& names, std::uint64_t size,
                                std::uint64_t largest, const cl::Buffer& order) {
  Dc3 dc3(device);
  dc3.sort({.string = names, .separators = names, .size = size, .symbol_bits = bits_of(largest)}, {}, order);
  return dc3.levels();
}

namespace {

/// Bytes of a level, without the names of the levels above.
std::uint64_t level_bytes(const Device& device, std::uint64_t size) {
  const std::uint64_t firsts = (size + 2) / 3, samples = firsts + size / 3;
  const std::uint64_t sorting = primitives::sort_scratch_bytes<std::uint32_t>(device, samples, true);
  const std::uint64_t naming = samples * 4 + sorting;
  // Ranks, samples, others, their keys and the flags of a selection.
  const std::uint64_t merging =
      samples * 8 + firsts * 8 + samples + primitives::sort_scratch_bytes<std::uint32_t>(device, firsts, true);
  // Keys, ranks and flags exist at the same time; ranks and flags use the buffers of the sort.
  return std::max({naming, merging, samples * 16}) + size / merge_tile * 4 + (std::uint64_t{1} << 16);
}

}  // namespace

std::uint64_t names_dc3_bytes(const Device& device, std::uint64_t size) {
  std::uint64_t peak = level_bytes(device, size), held = 0;
  while (size > 512) {
    size = (size + 2) / 3 + size / 3;
    held += size * 4;
    peak = std::max(peak, held + level_bytes(device, size));
  }
  return peak;
}

std::uint64_t dc3_bytes(const Device& device, std::uint64_t size, unsigned, bool) {
  const std::uint64_t samples = (size + 2) / 3 + size / 3;
  return std::max(level_bytes(device, size), samples * 4 + names_dc3_bytes(device, samples));
}

}  // namespace genocl::overlap
