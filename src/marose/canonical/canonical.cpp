#include "marose/canonical/canonical.hpp"

#include "genocl/error.hpp"
#include "marose/arguments.hpp"
#include "runtime/launch.hpp"

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
  // A key that reads look up has one entry more than the mean, for it has the one that they come from.
  const double mean = static_cast<double>(entries) / static_cast<double>(canonical_keys(mask.weight()));
  if (mean < 0.5 || mean > 24 || context_layout(mask).bases > 16) return 0;
  return mean < 5 ? 8 : mean < 11 ? 16 : 32;
}

void add_buckets(const Device& device, DeviceSegment& segment, std::uint64_t most_bytes) {
  if (segment.method != Method::canonical || runtime::uses_cpu_kernels(device)) return;
  const Tables& tables = segment.tables;
  const SeedMask& mask = segment.mask;
  const Array<std::uint32_t>& contexts = tables.find("contexts")->second;
  const unsigned words = bucket_words(mask, contexts.size());
  const std::uint64_t size = (canonical_keys(mask.weight()) + 1) * words;
  if (words == 0 || 4 * size > most_bytes || 4 * size > device.info().max_allocation) return;
  Array<std::uint32_t> buckets;
  try {
    buckets = Array<std::uint32_t>(device, size);
  } catch (const CapacityError&) {
    return;
  }
  runtime::Defines defines = canonical_defines(mask);
  defines.set("BUCKET_WORDS", words);
  runtime::launch_items(device, "marose/canonical/index_buckets.cl", "canonical_buckets", defines,
                        {.items = size, .bytes = 8 * size, .least = 65536}, tables.find("first")->second, contexts,
                        buckets);
  segment.buckets = std::move(buckets);
}

}  // namespace genocl::marose
