#include "overlap/suffix/dc3_steps.hpp"

#include "genocl/primitives/compact.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap::dc3 {
namespace {

using runtime::ceil_div;
using runtime::launch_items;
using runtime::Scratch;
using Longs = Array<std::uint64_t>;
using Bytes = Array<std::uint8_t>;

const char* const names_file = "overlap/suffix/dc3_names.cl";
const char* const first_file = "overlap/suffix/dc3_first.cl";
const char* const merge_file = "overlap/suffix/dc3_merge.cl";

}  // namespace

Scratch mark_triples(const Device& device, const Level& level, PairSort sort, const cl::Buffer& order, Sample& sample) {
  const std::uint64_t count = level.samples();
  const runtime::Defines defines = level.defines();
  const Scratch key_memory(device, count * 4);
  Words keys = Words::adopt(device, key_memory.buffer(), count);
  Words positions = Words::adopt(device, order, count);
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
  Bytes flags = Bytes::adopt(device, flag_memory.buffer(), all);
  Longs number = Longs::adopt(device, number_memory.buffer(), 1);
  Words positions = Words::adopt(device, others.buffer(), count);
  Words keys = Words::adopt(device, key_memory.buffer(), count);
  launch_items(device, first_file, "dc3_flag_firsts", defines, {.items = all, .bytes = all * 5}, samples, flags, all);
  primitives::select(device, Words::adopt(device, samples.buffer(), all), flags, positions, number);
  launch_items(device, first_file, "dc3_first_keys", defines, {.items = count, .bytes = count * 12}, level.string,
               level.breaks, level.size, positions, keys, count);
  sort(device, keys, positions, level.symbol_bits);
  if (!level.has_breaks) return;
  Bytes broken = Bytes::adopt(device, flag_memory.buffer(), count);
  launch_items(device, first_file, "dc3_flag_breaks", defines, {.items = count, .bytes = count * 2}, level.breaks,
               broken, count);
  primitives::select_indices(device, broken, keys, number);
  launch_items(device, first_file, "dc3_order_breaks", defines, {.items = count, .bytes = count}, keys, number,
               positions, count);
}

void merge(const Device& device, const Level& level, const Sample& sample, const Scratch& others, bool by_windows,
           const cl::Buffer& order) {
  const Scratch &ranks = sample.ranks, &samples = sample.samples;
  // The empty suffix is the smallest of the sample where it is in it.
  const std::uint64_t skipped = level.samples() - level.real_samples();
  const std::uint64_t tiles = ceil_div(level.size, merge_tile), count = tiles + 1;
  runtime::Defines defines = level.defines();
  defines.set("DC3_TILE", merge_tile).set("DC3_SKIPPED", skipped);
  // Windows are read from less memory than ranks.
  defines.set("DC3_BY_WINDOWS", by_windows ? 1 : 0);
  const Scratch bounds(device, count * 4);
  const std::uint32_t firsts = word(level.firsts()), real = word(level.real_samples());
  launch_items(device, merge_file, "dc3_partition", defines, {.items = count, .bytes = count * 64, .least = 8},
               level.string, level.breaks, level.size, firsts, ranks, samples, real, others, firsts, bounds, count);
  const std::uint64_t bytes = level.size * 20;
  if (runtime::uses_cpu_kernels(device)) {
    launch_items(device, merge_file, "dc3_merge_cpu", defines, {.items = tiles, .bytes = bytes, .least = 4},
                 level.string, level.breaks, level.size, firsts, ranks, samples, real, others, firsts, bounds, order,
                 tiles);
  } else {
    const unsigned size = runtime::group_size(device, {}, 128);
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
    runtime::Kernel(device, merge_file, "dc3_merge_gpu", defines)
        .args(level.string, level.breaks, level.size, firsts, ranks, samples, real, others, firsts, bounds, order)
        .run(tiles, size, bytes);
  }
}

}  // namespace genocl::overlap::dc3
