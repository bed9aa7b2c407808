// Method::kmers: window costs, occurrences of windows, rounds, explored strata.

#include "marose/kmers.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "genocl/opencl.hpp"
#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/canonical.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

namespace {

// Defines of kernels that take the shape of a batch as an argument.
runtime::Defines kmer_defines(const DeviceSegment& segment, const PlanTable& plans) {
  return seed_defines(segment.mask).set("SIDE", 0).set("LEVENSHTEIN", plans.model == Model::levenshtein ? 1 : 0);
}

// The argument SHAPE_ARGUMENT of cl/marose/reads.clh.
cl_uint4 shape_of(const ReadBatch& batch, const WindowCosts& costs) {
  return {{batch.words, costs.parts, batch.has_unknown ? 1u : 0u, 0}};
}

}  // namespace

WindowCosts window_costs(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                         const PlanTable& plans) {
  constexpr std::uint32_t group = 64;
  WindowCosts result;
  std::uint32_t longest = 0, most = std::max(1u, plans.min_parts);
  for (const Plan& plan : plans.plans) {
    longest = std::max(longest, plan.length);
    most = std::max(most, std::min(plan.errors + 1, plan.length / segment.mask.span()));
  }
  result.parts = static_cast<std::uint32_t>(runtime::round_up(most, 8));
  result.costs = Array<std::uint32_t>(device, std::uint64_t{batch.count} * result.parts);
  result.taken = Array<std::uint32_t>(device, std::uint64_t{batch.count} * batch.words * result.parts);
  runtime::Defines defines = kmer_defines(segment, plans);
  set_read_defines(defines, batch);
  defines.set("PARTS", result.parts);
  const auto arguments = std::tuple_cat(
      read_arguments(batch), plan_arguments(batch, plans),
      std::forward_as_tuple(segment.tables.at("first"), batch.count, longest, result.costs, result.taken));
  std::uint64_t share = 0;
  std::size_t groups = 0;
  unsigned size = 1;
  const bool lanes = runtime::uses_cpu_kernels(device);
  if (lanes) {
    const runtime::Shares shares = runtime::share_out(device, {}, batch.count, 1, 64);
    share = shares.share;
    groups = shares.workers;
    defines.set("ONLY_CPU", 1);
  } else {
    // One item for each part of a read, but at most the reads of a group that fit in local memory.
    const std::uint32_t team =
        std::min(group, std::max(std::bit_ceil(result.parts), std::bit_ceil(group * batch.words / 128)));
    size = group;
    groups = std::min<std::uint64_t>(runtime::ceil_div(batch.count, group / team), std::uint64_t{1} << 20);
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", group).set("TEAM", team);
  }
  runtime::Kernel kernel(device, lanes ? "marose/window_costs_cpu.cl" : "marose/window_costs_gpu.cl", "window_costs",
                         defines);
  std::apply([&](const auto&... all) { kernel.args(all..., share); }, arguments);
  kernel.run(groups, size);
  return result;
}

Candidates filter_occurrences(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                              const PlanTable& plans, StrandBits strands, const WindowCosts& costs,
                              const LookUpLists& lists, std::uint64_t first, std::uint64_t last) {
  const std::uint64_t entries = last - first;
  runtime::Defines defines = kmer_defines(segment, plans);
  defines.set("DIAGONAL_BIAS", diagonal_bias);
  const bool lanes = runtime::uses_cpu_kernels(device);
  std::uint64_t share = 0;
  std::size_t groups = 0;
  unsigned size = 1;
  if (lanes) {
    const runtime::Shares shares = runtime::share_out(device, {}, entries, 1, 4096);
    share = shares.share;
    groups = shares.workers;
    defines.set("ONLY_CPU", 1);
  } else {
    size = runtime::group_size(device);
    groups =
        static_cast<std::size_t>(std::min<std::uint64_t>(runtime::ceil_div(entries, size), std::uint64_t{1} << 20));
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  }
  const char* file = lanes ? "marose/filter_occurrences_cpu.cl" : "marose/filter_occurrences_gpu.cl";
  const cl_uint4 shape = shape_of(batch, costs);
  Array<std::uint32_t> filled(device, 1);
  Candidates candidates;
  // Most occurrences are no candidates, and few are two.
  for (std::uint64_t capacity = entries + 64;;) {
    candidates.keys = Array<std::uint64_t>(device, capacity);
    filled.fill(0);
    runtime::Kernel kernel(device, file, "filter_occurrences", defines);
    const auto arguments =
        std::tuple_cat(std::forward_as_tuple(shape, segment.reference.words, segment.reference.length),
                       read_arguments(batch), plan_arguments(batch, plans),
                       std::forward_as_tuple(segment.tables.at("positions"), lists.windows, lists.words, lists.offsets,
                                             lists.count, first, last, strands, candidates.keys));
    const auto limit = static_cast<std::uint32_t>(capacity);
    std::apply([&](const auto&... all) { kernel.args(all..., limit, filled, share); }, arguments);
    kernel.run(groups, size);
    std::uint32_t count = 0;
    filled.download(std::span(&count, 1));
    candidates.count = count;
    if (count <= capacity) break;
    capacity = count;
  }
  if (candidates.count == 0) return {};
  Array<std::uint64_t> kept(device, candidates.count);
  kept.copy_from(candidates.keys, candidates.count);
  candidates.keys = std::move(kept);
  return candidates;
}

namespace {

constexpr const char* rounds_file = "marose/kmer_rounds.cl";

/// Maximum number of occurrences that are filtered at once.
std::uint64_t entries_at_once(const Device& device) {
  return std::uint64_t{1} << (runtime::uses_cpu_kernels(device) ? 20 : 25);
}

// Appends `more` elements of `from` to the `count` elements of `to`.
template <class T>
void append(const Device& device, Array<T>& to, std::uint64_t count, const Array<T>& from, std::uint64_t more) {
  Array<T> all(device, count + more);
  if (count != 0) all.copy_from(to, count);
  all.copy_from(from, more, 0, count);
  to = std::move(all);
}

void append(const Device& device, Verified& to, Verified&& from) {
  if (from.count == 0) return;
  if (to.count == 0) {
    to = std::move(from);
    return;
  }
  append(device, to.keys, to.count, from.keys, from.count);
  append(device, to.values, to.count, from.values, from.count);
  to.count += from.count;
}

// The rounds of one batch against one segment.
class Rounds {
 public:
  Rounds(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
         StrandBits strands, const SearchDepth& depth, std::span<const std::uint32_t> reads,
         std::span<const std::uint32_t> before)
      : device_(device),
        segment_(segment),
        batch_(batch),
        plans_(plans),
        strands_(strands),
        depth_(depth),
        costs_(window_costs(device, segment, batch, plans)),
        defines_(kmer_defines(segment, plans)),
        shape_(shape_of(batch, costs_)),
        before_(device, batch.count),
        states_(device, std::uint64_t{4} * batch.count),
        live_(device, reads),
        live_count_(static_cast<std::uint32_t>(reads.size())) {
    // The word of a band does not represent more errors: all strata are looked up at once.
    if (plans.model == Model::levenshtein && plans.max_errors > 31) depth_.gap = all_strata;
    if (before.empty())
      before_.fill(no_hit);
    else
      before_.upload(before);
    launch("first_round", batch.count, shape_, read_arguments(batch), plan_arguments(batch, plans), costs_.costs,
           before_, batch.count, depth_.gap, depth_.first_strata, depth_.cap, states_);
    keep_live();
  }

  Verified run() {
    Verified hits;
    unsigned rounds = 0;
    for (; live_count_ > 0; ++rounds) {
      const LookUpLists lists = look_up();
      const Verified verified = verify_lists(lists);
      update_reads(verified);
      append(device_, hits, collect_hits(verified));
      keep_live();
    }
    if (rounds > 1) sort(hits, false);
    return hits;
  }

  SegmentStrata strata() const {
    const std::vector<std::uint32_t> states = states_.download();
    SegmentStrata result{std::vector<std::uint16_t>(batch_.count), std::vector<std::uint8_t>(batch_.count)};
    for (std::size_t read = 0; read < batch_.count; ++read) {
      const std::uint32_t *state = states.data() + 4 * read, least = state[1], proved = state[2] & 0xffffu;
      result.capped[read] = static_cast<std::uint8_t>(state[2] >> 31);
      // Hits beyond the gap from the best one are not reported.
      result.strata[read] = static_cast<std::uint16_t>(least < proved ? std::min(state[3], proved) : proved);
    }
    return result;
  }

 private:
  template <class... Arguments>
  void launch(const char* name, std::uint64_t items, const Arguments&... arguments) {
    runtime::launch_items(device_, rounds_file, name, defines_, {.items = items, .least = 256}, arguments...);
  }

  void keep_live() {
    if (live_count_ == 0) return;
    Array<std::uint8_t> flags(device_, live_count_);
    launch("flag_live", live_count_, live_, live_count_, states_, flags);
    Array<std::uint32_t> kept(device_, live_count_);
    live_count_ = static_cast<std::uint32_t>(primitives::select(device_, live_, flags, kept));
    if (live_count_ == 0) return;
    live_ = Array<std::uint32_t>(device_, live_count_);
    live_.copy_from(kept, live_count_);
  }

  LookUpLists look_up() {
    LookUpLists lists;
    Array<std::uint32_t> counts(device_, live_count_ + std::uint64_t{1});
    counts.fill(0);
    launch("count_look_ups", live_count_, live_, live_count_, states_, counts);
    const Array<std::uint64_t> places = sums_before(counts, lists.count);
    lists.windows = Array<LookUpLists::Window>(device_, lists.count);
    lists.words = Array<std::uint32_t>(device_, lists.count);
    Array<std::uint32_t> entries(device_, lists.count + 1);
    entries.fill(0);
    launch("write_look_ups", live_count_, shape_, read_arguments(batch_), plan_arguments(batch_, plans_),
           segment_.tables.at("first"), costs_.taken, live_, live_count_, depth_.cap, states_, places, lists.windows,
           lists.words, entries);
    // GPU kernels need lists without empty ones.
    if (!runtime::uses_cpu_kernels(device_)) entries = without_empty(lists, entries);
    lists.offsets = sums_before(entries, lists.entries);
    return lists;
  }

  bool on_host(std::uint64_t elements) const { return runtime::uses_cpu_kernels(device_) && elements <= few_elements; }

  // Returns the exclusive scan of the numbers. `total`: its last element, the sum of all numbers but the last.
  Array<std::uint64_t> sums_before(const Array<std::uint32_t>& numbers, std::uint64_t& total) {
    Array<std::uint64_t> sums(device_, numbers.size());
    scan_numbers(device_, numbers, sums);
    sums.download(std::span(&total, 1), numbers.size() - 1);
    return sums;
  }

  // Removes empty lists. Returns the numbers of entries, and a 0.
  Array<std::uint32_t> without_empty(LookUpLists& lists, const Array<std::uint32_t>& entries) {
    const Span<const std::uint32_t> flags = entries.first(lists.count);
    Array<LookUpLists::Window> windows(device_, lists.count);
    Array<std::uint32_t> words(device_, lists.count), counts(device_, lists.count + 1);
    counts.fill(0);
    primitives::select(device_, lists.windows, flags, windows);
    primitives::select(device_, flags, flags, counts);
    lists.count = primitives::select(device_, lists.words, flags, words);
    lists.windows = std::move(windows);
    lists.words = std::move(words);
    return runtime::MemoryAccess::reuse(device_, std::move(counts), lists.count + 1);
  }

  // The diagonals of all lists, by read.
  Verified verify_lists(const LookUpLists& lists) {
    Verified verified;
    const std::uint64_t step = std::min(depth_.entries_at_once, entries_at_once(device_));
    for (std::uint64_t first = 0; first < lists.entries; first += step)
      append(device_, verified,
             verify(device_, segment_, batch_, plans_,
                    filter_occurrences(device_, segment_, batch_, plans_, strands_, costs_, lists, first,
                                       std::min(lists.entries, first + step))));
    if (lists.entries > step) sort(verified, true);
    return verified;
  }

  void sort(Verified& verified, bool each_once) {
    if (verified.count == 0) return;
    if (!each_once && on_host(verified.count)) return sort_on_host(verified);
    const Span<std::uint64_t> keys = verified.keys.first(verified.count);
    primitives::sort(device_, keys, verified.values.first(verified.count),
                     {.last_bit = 33 + static_cast<unsigned>(std::bit_width(std::uint64_t{batch_.count}))});
    if (!each_once) return;
    verified = selected(verified, flag_first(device_, keys, verified.count));
  }

  static void sort_on_host(Verified& verified) {
    std::vector<std::uint64_t> keys(verified.count);
    std::vector<std::uint32_t> values(verified.count), order(verified.count), sorted(verified.count);
    verified.keys.download(std::span(keys));
    verified.values.download(std::span(values));
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i]; });
    std::ranges::transform(order, sorted.begin(), [&](std::uint32_t i) { return values[i]; });
    std::ranges::sort(keys);
    verified.keys.upload(keys);
    verified.values.upload(sorted);
  }

  Verified selected(const Verified& from, const Array<std::uint8_t>& flags) {
    Verified kept;
    kept.keys = Array<std::uint64_t>(device_, from.count);
    kept.values = Array<std::uint32_t>(device_, from.count);
    kept.count = primitives::select(device_, from.keys.first(from.count), flags, kept.keys);
    primitives::select(device_, from.values.first(from.count), flags, kept.values);
    return kept;
  }

  void update_reads(const Verified& verified) {
    const Array<std::uint64_t> no_keys(device_, 1);
    const Array<std::uint32_t> no_values(device_, 1);
    const bool none = verified.count == 0;
    launch("next_round", live_count_, shape_, read_arguments(batch_), plan_arguments(batch_, plans_), costs_.costs,
           live_, live_count_, none ? no_keys : verified.keys, none ? no_values : verified.values, verified.count,
           before_, depth_.gap, depth_.promised, depth_.first_strata, depth_.budget, std::uint32_t{depth_.rivals_end},
           depth_.cap, states_);
  }

  // The hits of reads that are done.
  Verified collect_hits(const Verified& verified) {
    if (verified.count == 0) return {};
    Array<std::uint8_t> flags(device_, verified.count);
    launch("flag_given", verified.count, verified.keys, verified.values, verified.count, states_, flags);
    return selected(verified, flags);
  }

  const Device& device_;
  const DeviceSegment& segment_;
  const ReadBatch& batch_;
  const PlanTable& plans_;
  StrandBits strands_;
  SearchDepth depth_;
  WindowCosts costs_;
  runtime::Defines defines_;
  cl_uint4 shape_;
  Array<std::uint32_t> before_, states_;
  Array<std::uint32_t> live_;
  std::uint32_t live_count_;
};

}  // namespace

Verified find_kmers(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                    StrandBits strands, const SearchDepth& depth, std::span<const std::uint32_t> reads,
                    std::span<const std::uint32_t> before, SegmentStrata& strata) {
  if (reads.empty()) return {};
  Rounds rounds(device, segment, batch, plans, strands, depth, reads, before);
  Verified hits = rounds.run();
  strata = rounds.strata();
  return hits;
}

ExploredStrata::ExploredStrata(std::span<const std::uint32_t> which, std::size_t first,
                               std::span<ReadSummary> summaries)
    : which_(which),
      first_(first),
      summaries_(summaries),
      strata_(which.size()),
      capped_(which.size()),
      best_(which.size(), no_hit) {
  for (std::size_t i = 0; i < which.size(); ++i)
    strata_[i] = static_cast<std::uint16_t>(summaries[which[i] - first].bound + 1);
}

void ExploredStrata::add(const SegmentStrata& segment, std::span<const std::uint32_t> reads) {
  for (const std::uint32_t i : reads) {
    strata_[i] = std::min(strata_[i], segment.strata[i]);
    capped_[i] |= segment.capped[i];
  }
}

std::vector<std::uint32_t> ExploredStrata::prune_hits(std::vector<RawHit>& hits, std::size_t from,
                                                      std::span<const std::uint32_t> reads, std::uint32_t gap,
                                                      bool ahead) {
  constexpr std::uint16_t none = std::numeric_limits<std::uint16_t>::max();
  const std::uint32_t begin = which_.front() - static_cast<std::uint32_t>(first_);
  // Indexed by position in the set: hits of other reads are kept.
  std::vector<std::uint16_t> best(which_.back() - which_.front() + 1, none), kept(best.size(), none);
  for (std::size_t h = from; h < hits.size(); ++h)
    best[hits[h].read - begin] = std::min(best[hits[h].read - begin], hits[h].errors);
  std::vector<std::uint32_t> again;
  for (const std::uint32_t i : reads) {
    const std::size_t place = which_[i] - which_.front();
    ReadSummary& summary = summaries_[which_[i] - first_];
    summary.explored = strata_[i];
    const bool found = best[place] < strata_[i];
    summary.capped = capped_[i] != 0;
    if (summary.heuristic && !ahead) continue;  // all hits are kept
    kept[place] =
        summary.capped && !found && best[place] != none ? static_cast<std::uint16_t>(best[place] + 1) : strata_[i];
    best_[i] = best[place];
    if ((summary.capped && !ahead) || strata_[i] > summary.bound || (found && best[place] + gap < strata_[i])) continue;
    again.push_back(i);
    capped_[i] = 0;
    kept[place] = 0;
    strata_[i] = static_cast<std::uint16_t>(summary.bound + 1);
  }
  const auto unknown = [&](const RawHit& hit) { return hit.errors >= kept[hit.read - begin]; };
  hits.erase(std::remove_if(hits.begin() + static_cast<std::ptrdiff_t>(from), hits.end(), unknown), hits.end());
  return again;
}

}  // namespace genocl::marose
