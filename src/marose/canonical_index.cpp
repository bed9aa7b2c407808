// Tables of the canonical index.

#include <algorithm>
#include <bit>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/canonical.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::marose {
namespace {

void set_runs(runtime::Defines& defines, const std::string& prefix, const Runs& runs) {
  defines.set(prefix + "_RUNS", runs.count)
      .set(prefix + "_FIRST", runs.first)
      .set(prefix + "_FIRST_HIGH", runs.first_high)
      .set(prefix + "_LENGTH", runs.length)
      .set(prefix + "_LENGTH_HIGH", runs.length_high);
}

}  // namespace

std::uint64_t canonical_keys(unsigned weight) {
  return weight % 2 != 0 ? std::uint64_t{1} << (2 * weight - 1) : std::uint64_t{10} << (2 * weight - 4);
}

Runs runs_of(std::uint64_t bits, unsigned span) {
  Runs runs;
  for (unsigned i = 0; i < span;) {
    if ((bits >> i & 1) == 0) {
      ++i;
      continue;
    }
    unsigned end = i;
    while (end < span && (bits >> end & 1) != 0) ++end;
    const unsigned shift = 8 * (runs.count % 8);
    (runs.count < 8 ? runs.first : runs.first_high) |= std::uint64_t{i} << shift;
    (runs.count < 8 ? runs.length : runs.length_high) |= std::uint64_t{end - i} << shift;
    ++runs.count;
    i = end;
  }
  return runs;
}

ContextLayout context_layout(const SeedMask& mask) {
  const unsigned span = mask.span(), inside = span - mask.weight();
  ContextLayout layout;
  layout.side = inside >= 16 ? 0 : std::min((16 - inside) / 2, (32 - span) / 2);
  layout.extended = span + 2 * layout.side;
  layout.bases = layout.extended - mask.weight();
  const std::uint64_t all = layout.extended == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << layout.extended) - 1;
  layout.bits = all & ~(mask.bits() << layout.side);
  return layout;
}

runtime::Defines seed_defines(const SeedMask& mask) {
  runtime::Defines defines;
  set_runs(defines, "SEED", runs_of(mask.bits(), mask.span()));
  defines.set("SEED_SPAN", mask.span()).set("SEED_WEIGHT", mask.weight());
  set_reference_defines(defines);
  return defines;
}

runtime::Defines canonical_defines(const SeedMask& mask) {
  runtime::Defines defines = seed_defines(mask);
  const ContextLayout layout = context_layout(mask);
  set_runs(defines, "CONTEXT", runs_of(layout.bits, layout.extended));
  defines.set("SIDE", layout.side)
      .set("CONTEXT_BASES", layout.bases)
      .set("SEED_UNKNOWN", 0)
      .set("KEYS", static_cast<std::uint32_t>(canonical_keys(mask.weight())));
  return defines;
}

unsigned bucket_words(const SeedMask& mask, std::uint64_t entries) {
  // A key that reads look up has one entry more than the mean: the one that the read comes from.
  const double mean = static_cast<double>(entries) / static_cast<double>(canonical_keys(mask.weight()));
  if (mean < 0.5 || mean > 24 || context_layout(mask).bases > 16) return 0;
  return mean < 5 ? 8 : mean < 11 ? 16 : 32;
}

void add_buckets(const Device& device, DeviceSegment& segment, std::uint64_t max_bytes) {
  if (segment.method != Method::canonical || runtime::uses_cpu_kernels(device)) return;
  const Tables& tables = segment.tables;
  const SeedMask& mask = segment.mask;
  const Array<std::uint32_t>& contexts = tables.find("contexts")->second;
  const unsigned words = bucket_words(mask, contexts.size());
  const std::uint64_t size = (canonical_keys(mask.weight()) + 1) * words;
  if (words == 0 || 4 * size > max_bytes || 4 * size > device.info().max_allocation) return;
  Array<std::uint32_t> buckets;
  try {
    buckets = Array<std::uint32_t>(device, size);
  } catch (const CapacityError&) {
    return;
  }
  runtime::Defines defines = canonical_defines(mask);
  defines.set("BUCKET_WORDS", words);
  runtime::launch_items(device, "marose/index_buckets.cl", "canonical_buckets", defines,
                        {.items = size, .bytes = 8 * size, .least = 65536}, tables.find("first")->second, contexts,
                        buckets);
  segment.buckets = std::move(buckets);
}

// Construction of the tables of `canonical`. Sorting all keys at once takes about 20 bytes for each base. If memory
// is short, or sorting in a cache is faster, the positions are first partitioned into ranges of keys; each range is
// then sorted.

namespace {

constexpr const char* index_file = "marose/index_canonical.cl";
constexpr const char* ranges_file = "marose/index_ranges.cl";

// A range may have this fraction of the entries even if memory is short: smaller ranges would save little compared
// with the tables.
constexpr std::uint64_t min_share = 64;

// Bins of 2^shift keys and blocks of the text, as index_ranges.cl counts them.
struct Bins {
  unsigned count = 0, shift = 0;
  std::uint64_t block_bases = 0;

  std::uint64_t blocks(std::uint64_t bases) const { return runtime::ceil_div(bases, block_bases); }
  // Of the counts and of their sums.
  std::uint64_t bytes(std::uint64_t bases) const { return 8 * (count + 1) * blocks(bases); }
};

// A CPU worker keeps all bins in its cache and writes to one place for each. A GPU has some hundred thousand items,
// so they use fewer bins and smaller blocks.
Bins bins_of(const Device& device, const SeedMask& mask) {
  const bool lanes = runtime::uses_cpu_kernels(device);
  const std::uint64_t keys = canonical_keys(mask.weight()), most = lanes ? 160 : 40;
  Bins bins{.block_bases = lanes ? 16'384u : 2048u};
  while (keys >> bins.shift > most) ++bins.shift;  // keys are 2^x or 10 * 2^x: the shift divides them evenly
  bins.count = static_cast<unsigned>(keys >> bins.shift);
  return bins;
}

primitives::SortOptions sort_options(std::uint64_t keys) { return {.last_bit = std::bit_width(keys)}; }

// Memory to sort this number of entries: keys, positions, and scratch of the sort.
std::uint64_t sort_bytes(const Device& device, std::uint64_t entries, std::uint64_t keys) {
  return 8 * entries + primitives::sort_scratch_bytes<std::uint32_t>(device, entries, true, sort_options(keys));
}

std::uint64_t table_bytes(const SeedMask& mask, bool with_contexts, std::uint64_t bases) {
  return 4 * (canonical_keys(mask.weight()) + 1) + (with_contexts ? 8 : 4) * bases;
}

// Memory to sort by ranges of at most `entries` entries, including all tables.
std::uint64_t range_bytes(const Device& device, const SeedMask& mask, bool with_contexts, std::uint64_t bases,
                          std::uint64_t entries) {
  return table_bytes(mask, with_contexts, bases) +
         std::max(bins_of(device, mask).bytes(bases), sort_bytes(device, entries, canonical_keys(mask.weight())));
}

// A range of keys and its entries.
struct KeyRange {
  std::uint32_t first_key = 0, keys = 0;
  std::uint32_t begin = 0, entries = 0;
};

class CanonicalBuilder {
 public:
  CanonicalBuilder(const Device& device, const DeviceReference& reference, const SeedMask& mask,
                   const CanonicalBuild& build)
      : device_(device),
        reference_(reference),
        mask_(mask),
        build_(build),
        keys_(static_cast<std::uint32_t>(canonical_keys(mask.weight()))),
        defines_(canonical_defines(mask)) {
    defines_.set("SEED_UNKNOWN", build.max_unknown);
  }

  Tables run() {
    const std::uint64_t most = max_in_range();
    if (most >= reference_.length)
      build_whole();
    else
      build_by_ranges(most);
    Tables tables;
    tables.emplace("first", std::move(first_));
    tables.emplace("positions", std::move(positions_));
    if (build_.with_contexts) tables.emplace("contexts", std::move(contexts_));
    return tables;
  }

 private:
  std::uint64_t bases() const { return reference_.length; }

  std::uint64_t free_memory() const {
    std::uint64_t free = runtime::core_of(device_).free_memory();
    if (runtime::computes_in_host_memory(device_)) free = std::min(free, runtime::available_host_memory());
    return free - free / 16;  // leaves some for the driver
  }

  // Maximum number of entries of a range; all bases if one sort is best.
  std::uint64_t max_in_range() const {
    const std::uint64_t memory = build_.memory != 0 ? build_.memory : free_memory();
    // A CPU sorts faster within its caches, and reuses the same pages.
    std::uint64_t most = bases();
    if (runtime::uses_cpu_kernels(device_)) most = std::min(most, lanes_range);
    if (most == bases() &&
        sort_bytes(device_, most, keys_) + table_bytes(mask_, build_.with_contexts, bases()) - 4 * bases() <= memory)
      return most;
    const std::uint64_t least = std::max<std::uint64_t>(bases() / min_share, 1);
    most = std::min(most, std::max<std::uint64_t>(bases() - 1, 1));
    while (most > least && range_bytes(device_, mask_, build_.with_contexts, bases(), most) > memory)
      most -= std::min(most / 8 + 1, most - least);
    return most;
  }

  // Trailing entries have no seed; they are kept if they are few.
  std::uint64_t kept(std::uint64_t entries) const {
    return entries < bases() - bases() / 64 ? std::max<std::uint64_t>(entries, 1) : bases();
  }

  void build_whole() {
    const std::uint64_t n = bases();
    Array<std::uint32_t> keys(device_, n);
    positions_ = Array<std::uint32_t>(device_, n);
    runtime::launch_items(device_, index_file, "canonical_keys", defines_, {.items = n, .bytes = 12 * n, .least = 4096},
                          reference_arguments(reference_), keys, positions_);
    primitives::sort_replacing(device_, keys, positions_, sort_options(keys_));
    make_tables(n);
    find_firsts(keys, positions_, {.keys = keys_, .entries = reference_.length});
    keys = {};
    // Positions without a seed are last.
    std::uint32_t entries = 0;
    first_.download(std::span(&entries, 1), keys_);
    if (entries != 0) show(1);
    const std::uint64_t size = kept(entries);
    if (size == n) return;
    for (Array<std::uint32_t>* const table : {&positions_, &contexts_}) {
      if (table->empty()) continue;
      Array<std::uint32_t> shorter(device_, size);
      shorter.copy_from(*table, size);
      *table = std::move(shorter);
    }
  }

  void build_by_ranges(std::uint64_t most) {
    const std::vector<KeyRange> ranges = order_by_bins(most);
    const std::uint64_t entries = ranges.empty() ? 0 : std::uint64_t{ranges.back().begin} + ranges.back().entries;
    make_tables(positions_.size());
    if (ranges.empty()) first_.fill(0);
    if (build_.with_contexts && entries < positions_.size()) contexts_.fill(0);
    for (const KeyRange& range : ranges) {
      const std::uint64_t count = range.entries;
      // SIDE_BY_SIDE of index_ranges.cl.
      const std::uint64_t items = runtime::ceil_div(count, runtime::uses_cpu_kernels(device_) ? 16 : 1);
      runtime::ScratchArray<std::uint32_t> keys(device_, count), values(device_, count);
      runtime::launch_items(device_, ranges_file, "range_keys", range_defines(),
                            {.items = items, .bytes = 20 * count, .least = 256}, reference_.words, positions_,
                            range.begin, range.entries, range.first_key, items, keys, values);
      primitives::sort_replacing(device_, keys, values, sort_options(range.keys));
      find_firsts(keys, values, range);
      positions_.copy_from(values, count, 0, range.begin);
      show(static_cast<double>(range.begin + count) / static_cast<double>(entries));
    }
  }

  void show(double done) const {
    if (build_.progress) build_.progress(done);
  }

  void make_tables(std::uint64_t contexts) {
    first_ = Array<std::uint32_t>(device_, std::uint64_t{keys_} + 1);
    if (build_.with_contexts) contexts_ = Array<std::uint32_t>(device_, contexts);
  }

  // Fills the tables for a range whose entries are sorted.
  void find_firsts(const Array<std::uint32_t>& keys, const Array<std::uint32_t>& positions, const KeyRange& range) {
    const std::uint64_t count = range.entries;
    if (build_.with_contexts)
      runtime::launch_items(device_, index_file, "canonical_entries", defines_,
                            {.items = count, .bytes = 20 * count, .least = 4096}, reference_.words, keys, positions,
                            range.entries, range.first_key, range.keys, range.begin, first_, contexts_);
    else
      runtime::launch_items(device_, index_file, "canonical_firsts", defines_,
                            {.items = count, .bytes = 8 * count, .least = 4096}, keys, range.entries, range.first_key,
                            range.keys, range.begin, first_);
  }

  runtime::Defines range_defines() const {
    const Bins bins = bins_of(device_, mask_);
    runtime::Defines defines = defines_;
    defines.set("BINS", bins.count).set("BIN_SHIFT", bins.shift).set("BLOCK_WORDS", bins.block_bases / 32);
    return defines;
  }

  // Sorts positions_ by bin, ascending within a bin. Returns the ranges, none of them empty.
  std::vector<KeyRange> order_by_bins(std::uint64_t most) {
    const Bins bins = bins_of(device_, mask_);
    const std::uint64_t blocks = bins.blocks(bases()), counts_size = (bins.count + 1) * blocks;
    Array<std::uint32_t> counts(device_, counts_size), starts(device_, counts_size);
    const auto launch = [&](const char* name, std::uint64_t bytes, const auto&... arguments) {
      runtime::launch_items(device_, ranges_file, name, range_defines(), {.items = blocks, .bytes = bytes, .least = 1},
                            reference_arguments(reference_), blocks, arguments...);
    };
    launch("count_bins", bases() / 4 + counts.bytes(), counts);
    scan_numbers(device_, counts, starts);
    std::vector<std::uint32_t> begins(bins.count + 1);
    for (std::size_t bin = 0; bin <= bins.count; ++bin) starts.download(std::span(&begins[bin], 1), bin * blocks);
    positions_ = Array<std::uint32_t>(device_, kept(begins.back()));
    launch("place_positions", bases() * 17 / 4 + starts.bytes(), starts, positions_,
           static_cast<std::uint32_t>(positions_.size()));

    std::vector<KeyRange> ranges;
    for (std::size_t bin = 0; bin < bins.count; ++bin) {
      const std::uint32_t entries = begins[bin + 1] - begins[bin], keys = std::uint32_t{1} << bins.shift;
      if (!ranges.empty() && ranges.back().entries != 0 && entries != 0 &&
          std::uint64_t{ranges.back().entries} + entries > most)
        ranges.push_back({.first_key = static_cast<std::uint32_t>(bin << bins.shift), .begin = begins[bin]});
      if (ranges.empty()) ranges.emplace_back();
      ranges.back().keys += keys;
      ranges.back().entries += entries;
    }
    if (begins.back() == 0) ranges.clear();
    return ranges;
  }

  // Entries of a range on a CPU.
  static constexpr std::uint64_t lanes_range = std::uint64_t{1} << 22;

  const Device& device_;
  const DeviceReference& reference_;
  const SeedMask& mask_;
  const CanonicalBuild& build_;
  std::uint32_t keys_;
  runtime::Defines defines_;
  Array<std::uint32_t> first_, positions_, contexts_;
};

}  // namespace

Tables build_canonical(const Device& device, const DeviceReference& reference, const SeedMask& mask,
                       const CanonicalBuild& build) {
  return CanonicalBuilder(device, reference, mask, build).run();
}

std::uint64_t canonical_bytes(const SeedMask& mask, bool with_contexts, std::uint64_t bases) {
  return table_bytes(mask, with_contexts, bases) + bases / 4;
}

std::uint64_t longest_canonical(const Device& device, const SeedMask& mask, bool with_contexts, std::uint64_t memory) {
  std::uint64_t low = 0, high = longest_segment;  // low fits
  while (low < high) {
    const std::uint64_t bases = high - (high - low) / 2;
    // A few large bins may exceed the size of a range.
    const std::uint64_t bytes = bases / 4 + range_bytes(device, mask, with_contexts, bases, bases / (min_share / 4));
    if (bytes <= memory)
      low = bases;
    else
      high = bases - 1;
  }
  return low;
}

}  // namespace genocl::marose
