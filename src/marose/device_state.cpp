// Segments of the reference, reads and plans in device memory.

#include "marose/device_state.hpp"

#include <algorithm>
#include <bit>

#include "genocl/error.hpp"
#include "marose/canonical.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

constexpr std::uint32_t block_bases = DeviceReference::block_bases;

void mark(std::vector<std::uint32_t>& special, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t block = first / block_bases; block <= (last - 1) / block_bases; ++block)
    special[block / 32] |= std::uint32_t{1} << (block % 32);
}

}  // namespace

DeviceReference upload_reference(const Device& device, const ReferenceView& reference, const Segment& segment) {
  DeviceReference result;
  result.length = static_cast<std::uint32_t>(segment.length);
  const std::uint64_t words = segment.length / 32 + 1;
  std::vector<std::uint64_t> text(words + 4);
  const std::uint64_t end = segment.begin + segment.length;
  for (std::uint64_t w = 0; w < words; ++w) {
    const std::uint64_t at = segment.begin + 32 * w;
    if (at >= end) break;
    std::uint64_t word = reference.window(at);
    if (end - at < 32) word &= ~std::uint64_t{0} << (64 - 2 * (end - at));
    text[w + 1] = word;
  }
  result.words = Array<std::uint64_t>(device, std::span<const std::uint64_t>(text));

  std::vector<std::uint32_t> special((segment.length / block_bases + 1) / 32 + 1), begins, ends, contigs;
  for (const AmbiguousRun& run : reference.runs) {
    const std::uint64_t first = std::max(run.position, segment.begin), last = std::min(run.position + run.length, end);
    if (first >= last) continue;
    mark(special, first - segment.begin, last - segment.begin);
    if (!ends.empty() && ends.back() == first - segment.begin) {  // adjacent to a run of another letter
      ends.back() = static_cast<std::uint32_t>(last - segment.begin);
      continue;
    }
    begins.push_back(static_cast<std::uint32_t>(first - segment.begin));
    ends.push_back(static_cast<std::uint32_t>(last - segment.begin));
  }
  result.unknown_count = static_cast<std::uint32_t>(begins.size());
  if (begins.empty()) begins.push_back(0), ends.push_back(0);
  contigs.push_back(0);
  for (const std::uint64_t border : reference.offsets) {
    if (border <= segment.begin || border >= end) continue;
    const std::uint64_t at = border - segment.begin;
    if (at == contigs.back()) continue;  // an empty contig
    contigs.push_back(static_cast<std::uint32_t>(at));
    mark(special, at - 1, at + 1);
  }
  result.contig_count = static_cast<std::uint32_t>(contigs.size());
  contigs.push_back(result.length);
  result.special = Array<std::uint32_t>(device, std::span<const std::uint32_t>(special));
  result.unknown_begin = Array<std::uint32_t>(device, std::span<const std::uint32_t>(begins));
  result.unknown_end = Array<std::uint32_t>(device, std::span<const std::uint32_t>(ends));
  result.contig_begin = Array<std::uint32_t>(device, std::span<const std::uint32_t>(contigs));
  return result;
}

namespace {

// Low bits of the context's pairs whose base i of the extended window satisfies `holds`.
template <class Holds>
std::uint32_t context_pairs(const ContextLayout& layout, const Holds& holds) {
  std::uint32_t pairs = 0;
  unsigned at = 0;  // index among the context's bases, the first in the highest pair
  for (unsigned i = 0; i < layout.extended; ++i) {
    if ((layout.bits >> i & 1) == 0) continue;
    if (holds(i)) pairs |= std::uint32_t{1} << 2 * (layout.bases - 1 - at);
    ++at;
  }
  return pairs;
}

void append_place(std::vector<std::uint32_t>& numbers, const Plan& plan, const SeedLookup& lookup) {
  const unsigned span = plan.mask.span();
  const std::uint32_t offset = lookup.offset, turned = plan.length - span - lookup.offset;
  numbers.insert(numbers.end(), {offset, turned, lookup.check_first | lookup.check_last << 16, lookup.check_errors});
  if (plan.method != Method::canonical) {
    numbers.insert(numbers.end(), {0, 0, 0, 0});
    return;
  }
  const ContextLayout layout = context_layout(plan.mask);
  const auto checked = [&](std::int64_t base) {
    return base >= static_cast<std::int64_t>(lookup.check_first) && base < static_cast<std::int64_t>(lookup.check_last);
  };
  const auto inside = [&](unsigned i) { return i >= layout.side && i < layout.side + span; };
  const auto forward = [&](unsigned i) { return checked(std::int64_t{i} + offset - layout.side); };
  // Base i of the reversed window is base extended - 1 - i of the window.
  const auto reversed = [&](unsigned i) { return forward(layout.extended - 1 - i); };
  numbers.push_back(context_pairs(layout, forward));
  numbers.push_back(context_pairs(layout, reversed));
  numbers.push_back(context_pairs(layout, inside));
  numbers.push_back(context_pairs(layout, [&](unsigned i) { return inside(layout.extended - 1 - i); }));
}

}  // namespace

PlanTable make_plan_table(const Device& device, std::span<const Plan> plans) {
  PlanTable table;
  if (plans.empty()) throw InputError("no plan");
  table.plans.assign(plans.begin(), plans.end());
  table.model = plans.front().model;
  std::vector<std::uint32_t> heads, places;
  for (const Plan& plan : plans) {
    if (plan.model != table.model || plan.mask != plans.front().mask || plan.method != plans.front().method)
      throw InputError("plans of different kinds in one batch");
    heads.insert(heads.end(), {static_cast<std::uint32_t>(places.size() / 8),
                               static_cast<std::uint32_t>(plan.places.size()), plan.length, plan.errors});
    for (const SeedLookup& lookup : plan.places) append_place(places, plan, lookup);
    table.max_places = std::max(table.max_places, static_cast<std::uint32_t>(plan.places.size()));
    table.max_errors = std::max(table.max_errors, plan.errors);
  }
  if (places.empty()) places.resize(8);
  table.heads = Array<std::uint32_t>(device, std::span<const std::uint32_t>(heads));
  table.places = Array<std::uint32_t>(device, std::span<const std::uint32_t>(places));
  return table;
}

}  // namespace genocl::marose
