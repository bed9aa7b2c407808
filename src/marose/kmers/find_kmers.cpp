#include <algorithm>
#include <bit>

#include "genocl/opencl.hpp"
#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/kmers/kmers.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

constexpr const char* file = "marose/kmers/rounds.cl";

/// Entries that are glanced at together: what memory they may take at once.
std::uint64_t entries_at_once(const Device& device) {
  return std::uint64_t{1} << (runtime::uses_cpu_kernels(device) ? 20 : 25);
}

// Numbers of `from` behind those that `to` has.
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

// One mapping of a batch against a segment.
class Rounds {
 public:
  Rounds(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
         StrandBits strands, const Wanted& wanted, std::span<const std::uint32_t> reads,
         std::span<const std::uint32_t> before)
      : device_(device),
        segment_(segment),
        batch_(batch),
        plans_(plans),
        strands_(strands),
        wanted_(wanted),
        costs_(window_costs(device, segment, batch, plans)),
        defines_(kmer_defines(segment, batch, plans, costs_.parts)),
        before_(device, batch.count),
        states_(device, std::uint64_t{4} * batch.count),
        live_(device, reads),
        live_count_(static_cast<std::uint32_t>(reads.size())) {
    // Errors of more are not told by a band's word: all that is wanted is looked up at once.
    if (plans.model == Model::levenshtein && plans.most_errors > 31) wanted_.gap = all_strata;
    if (before.empty())
      before_.fill(no_hit);
    else
      before_.upload(before);
    launch("first_round", batch.count, read_arguments(batch), plan_arguments(batch, plans), costs_.costs, before_,
           batch.count, wanted_.gap, wanted_.first_strata, wanted_.cap, states_);
    keep_live();
  }

  Verified run() {
    Verified given;
    unsigned rounds = 0;
    for (; live_count_ > 0; ++rounds) {
      const LookUpLists lists = look_up();
      const Verified verified = verify_lists(lists);
      judge(verified);
      append(device_, given, pick(verified));
      keep_live();
    }
    if (rounds > 1) sort(given, false);
    return given;
  }

  Knowledge knowledge() const {
    const std::vector<std::uint32_t> states = states_.download();
    Knowledge result{std::vector<std::uint16_t>(batch_.count), std::vector<std::uint8_t>(batch_.count)};
    for (std::size_t read = 0; read < batch_.count; ++read) {
      const std::uint32_t *state = states.data() + 4 * read, least = state[1], proved = state[2] & 0xffffu;
      result.capped[read] = static_cast<std::uint8_t>(state[2] >> 31);
      // Beyond the gap from the best hit nothing is given out.
      result.strata[read] = static_cast<std::uint16_t>(least < proved ? std::min(state[3], proved) : proved);
    }
    return result;
  }

 private:
  template <class... Arguments>
  void launch(const char* name, std::uint64_t items, const Arguments&... arguments) {
    runtime::launch_items(device_, file, name, defines_, {.items = items, .least = 256}, arguments...);
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
    Array<std::uint32_t> room(device_, live_count_ + std::uint64_t{1});
    room.fill(0);
    launch("count_look_ups", live_count_, live_, live_count_, states_, room);
    Array<std::uint64_t> places(device_, room.size());
    primitives::exclusive_scan(device_, room, places);
    places.download(std::span(&lists.count, 1), live_count_);
    lists.windows = Array<LookUpLists::Window>(device_, lists.count);
    lists.words = Array<std::uint32_t>(device_, lists.count);
    Array<std::uint32_t> entries(device_, lists.count + 1);
    entries.fill(0);
    launch("write_look_ups", live_count_, read_arguments(batch_), plan_arguments(batch_, plans_),
           segment_.tables.at("first"), costs_.taken, live_, live_count_, wanted_.cap, states_, places, lists.windows,
           lists.words, entries);
    // In a group kernel lists without an entry would be in the way.
    if (!runtime::uses_cpu_kernels(device_)) entries = without_empty(lists, entries);
    lists.offsets = Array<std::uint64_t>(device_, lists.count + 1);
    primitives::exclusive_scan(device_, entries, lists.offsets);
    lists.offsets.download(std::span(&lists.entries, 1), lists.count);
    return lists;
  }

  // Leaves out the lists without an entry; returns the numbers of entries, and a 0.
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

  // The diagonals that the lists lead to, by read.
  Verified verify_lists(const LookUpLists& lists) {
    Verified verified;
    const std::uint64_t step = std::min(wanted_.entries_at_once, entries_at_once(device_));
    for (std::uint64_t first = 0; first < lists.entries; first += step)
      append(device_, verified,
             verify(device_, segment_, batch_, plans_,
                    glance(device_, segment_, batch_, plans_, strands_, costs_, lists, first,
                           std::min(lists.entries, first + step))));
    if (lists.entries > step) sort(verified, true);
    return verified;
  }

  void sort(Verified& verified, bool each_once) {
    if (verified.count == 0) return;
    const Span<std::uint64_t> keys = verified.keys.first(verified.count);
    primitives::sort(device_, keys, verified.values.first(verified.count),
                     {.last_bit = 33 + static_cast<unsigned>(std::bit_width(std::uint64_t{batch_.count}))});
    if (!each_once) return;
    verified = selected(verified, flag_first(device_, keys, verified.count));
  }

  Verified selected(const Verified& from, const Array<std::uint8_t>& flags) {
    Verified kept;
    kept.keys = Array<std::uint64_t>(device_, from.count);
    kept.values = Array<std::uint32_t>(device_, from.count);
    kept.count = primitives::select(device_, from.keys.first(from.count), flags, kept.keys);
    primitives::select(device_, from.values.first(from.count), flags, kept.values);
    return kept;
  }

  void judge(const Verified& verified) {
    const Array<std::uint64_t> no_keys(device_, 1);
    const Array<std::uint32_t> no_values(device_, 1);
    const bool none = verified.count == 0;
    launch("next_round", live_count_, read_arguments(batch_), plan_arguments(batch_, plans_), costs_.costs, live_,
           live_count_, none ? no_keys : verified.keys, none ? no_values : verified.values, verified.count, before_,
           wanted_.gap, wanted_.promised, wanted_.first_strata, wanted_.budget, std::uint32_t{wanted_.rivals_end},
           wanted_.cap, states_);
  }

  // What the reads that are done give out.
  Verified pick(const Verified& verified) {
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
  Wanted wanted_;
  WindowCosts costs_;
  runtime::Defines defines_;
  Array<std::uint32_t> before_, states_;
  Array<std::uint32_t> live_;
  std::uint32_t live_count_;
};

}  // namespace

Verified find_kmers(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                    StrandBits strands, const Wanted& wanted, std::span<const std::uint32_t> reads,
                    std::span<const std::uint32_t> before, Knowledge& knowledge) {
  if (reads.empty()) return {};
  Rounds rounds(device, segment, batch, plans, strands, wanted, reads, before);
  Verified given = rounds.run();
  knowledge = rounds.knowledge();
  return given;
}

}  // namespace genocl::marose
