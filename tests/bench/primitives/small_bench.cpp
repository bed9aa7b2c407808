// Calls on 1,000 elements next to one bare launch, and next to the same OpenCL calls without the library.
#include <memory>

#include "bare_calls.hpp"
#include "bench/bench.hpp"
#include "genocl/primitives.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
using genocl::Device;
namespace primitives = genocl::primitives;
using primitives::Comparison;
using primitives::Operator;

constexpr std::size_t elements = 1000;

/// The arrays of the calls, made when the first benchmark runs.
struct Data {
  Array<std::uint32_t> words, keys, values, results, more, sorted, other, indices, runs, counts, levels, offsets;
  Array<std::uint8_t> flags;
  Array<std::uint64_t> count;
  Array<primitives::IndexedElement<std::uint32_t>> place, places;

  explicit Data(const Device& device)
      : words(device, random_words(elements, 1)),
        keys(device, random_words(elements, 1)),
        values(device, random_words(elements, 2)),
        results(device, elements),
        more(device, elements),
        sorted(device, random_words(elements / 2, 3)),
        other(device, random_words(elements / 2, 4)),
        indices(device, elements),
        runs(device, numbers(4)),
        counts(device, 256),
        levels(device, 257),
        offsets(device, numbers(1, 10)),
        flags(device, elements),
        count(device, 1),
        place(device, 1),
        places(device, elements) {
    primitives::sort(device, sorted);
    primitives::sort(device, other);
    primitives::iota(device, indices);
    primitives::iota(device, levels);
    primitives::transform(device, "x & 1", words, flags);
  }

  /// `step` times the number of groups of `run` elements before each element; 101 offsets of segments.
  static std::vector<std::uint32_t> numbers(std::size_t run, std::uint32_t step = 1) {
    std::vector<std::uint32_t> all(step == 1 ? elements : elements / step + 1);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i / run * step);
    return all;
  }
};

struct Prepared {
  std::unique_ptr<Data> data;
  BareCalls bare;
};

using SmallCall = std::function<void(const Device&, Data&)>;

/// `call` by itself, or as the OpenCL calls that it makes. Each is waited for.
void add_small_call(const std::string& name, const Variant& variant, const Setting& setting, const SmallCall& call,
                    bool bare) {
  const Device& device = variant.device;
  const auto prepared = std::make_shared<Prepared>();
  const auto make = [=] {
    if (prepared->data) return;
    prepared->data = std::make_unique<Data>(device);
    for (int i = 0; i < 2; ++i) call(device, *prepared->data);  // what only a first call does
    device.finish();
    prepared->bare = note_calls([&] {
      call(device, *prepared->data);
      device.finish();
    });
  };
  const auto run = [=] {
    if (!bare) {
      call(device, *prepared->data);
      return device.finish();
    }
    for (const auto& one : prepared->bare.calls) one();
  };
  const auto release = [=] {
    prepared->bare = {};
    prepared->data.reset();
    device.release_scratch();
  };
  const Work work{.items = elements, .commands = [=] { return prepared->bare.commands; }};
  add_benchmark("small/" + name + (bare ? "/bare/" : "/") + variant.name, setting, device, work, run, make, release);
}

struct NamedCall {
  const char* name;
  SmallCall call;
};

/// A call of every primitive. Those that sort in place sort sorted keys from their second call on.
std::vector<NamedCall> small_calls() {
  return {
      {"copy", [](const Device& d, Data& a) { primitives::copy(d, a.words, a.results); }},
      {"iota", [](const Device& d, Data& a) { primitives::iota(d, a.more); }},
      {"gather", [](const Device& d, Data& a) { primitives::gather(d, a.words, a.indices, a.more); }},
      {"scatter", [](const Device& d, Data& a) { primitives::scatter(d, a.words, a.indices, a.more); }},
      {"random_words", [](const Device& d, Data& a) { primitives::random_words(d, a.more); }},
      {"transform", [](const Device& d, Data& a) { primitives::transform(d, "x * 2 + 1", a.words, a.more); }},
      {"adjacent_difference", [](const Device& d, Data& a) { primitives::adjacent_difference(d, a.words, a.more); }},
      {"sum", [](const Device& d, Data& a) { primitives::sum(d, a.words, a.counts); }},
      {"sum to the host", [](const Device& d, Data& a) { benchmark::DoNotOptimize(primitives::sum(d, a.words)); }},
      {"reduce", [](const Device& d, Data& a) { primitives::reduce(d, a.words, Operator::maximum(), a.counts); }},
      {"transform_reduce",
       [](const Device& d, Data& a) { primitives::transform_reduce(d, "x * x", a.words, Operator::sum(), a.counts); }},
      {"arg_max", [](const Device& d, Data& a) { primitives::arg_max(d, a.words, a.place); }},
      {"exclusive_scan", [](const Device& d, Data& a) { primitives::exclusive_scan(d, a.words, a.more); }},
      {"inclusive_scan by an operator",
       [](const Device& d, Data& a) { primitives::inclusive_scan(d, a.words, a.more, Operator::sum()); }},
      {"inclusive_scan_by_key",
       [](const Device& d, Data& a) {
         primitives::inclusive_scan_by_key(d, a.runs, a.words, a.more, Operator::sum());
       }},
      {"reduce_by_key",
       [](const Device& d, Data& a) {
         primitives::reduce_by_key(d, a.runs, a.words, a.results, a.more, Operator::sum(), a.count);
       }},
      {"run_length_encode",
       [](const Device& d, Data& a) { primitives::run_length_encode(d, a.runs, a.results, a.more, a.count); }},
      {"segmented_reduce",
       [](const Device& d, Data& a) {
         primitives::segmented_reduce(d, a.words, a.offsets, a.results.first(elements / 10), Operator::sum());
       }},
      {"segmented_arg_max",
       [](const Device& d, Data& a) {
         primitives::segmented_arg_max(d, a.words, a.offsets, a.places.first(elements / 10));
       }},
      {"segmented_inclusive_scan",
       [](const Device& d, Data& a) {
         primitives::segmented_inclusive_scan(d, a.words, a.offsets, a.more, Operator::sum());
       }},
      {"select", [](const Device& d, Data& a) { primitives::select(d, a.words, a.flags, a.more, a.count); }},
      {"select_indices", [](const Device& d, Data& a) { primitives::select_indices(d, a.flags, a.more, a.count); }},
      {"select_if", [](const Device& d, Data& a) { primitives::select_if(d, "x & 1", a.words, a.more, a.count); }},
      {"partition_copy",
       [](const Device& d, Data& a) { primitives::partition_copy(d, "x & 1", a.words, a.more, a.results, a.count); }},
      {"unique", [](const Device& d, Data& a) { primitives::unique(d, a.runs, a.more, a.count); }},
      {"unique_by_key",
       [](const Device& d, Data& a) { primitives::unique_by_key(d, a.runs, a.words, a.results, a.more, a.count); }},
      {"histogram",
       [](const Device& d, Data& a) {
         primitives::histogram(d, a.words, a.counts, {0, 8});
       }},
      {"histogram_even",
       [](const Device& d, Data& a) { primitives::histogram_even(d, a.words, a.counts, 0, std::int64_t{1} << 32); }},
      {"histogram_range",
       [](const Device& d, Data& a) { primitives::histogram_range(d, a.words, a.levels, a.counts); }},
      {"sort", [](const Device& d, Data& a) { primitives::sort(d, a.keys); }},
      {"sort of pairs", [](const Device& d, Data& a) { primitives::sort(d, a.keys, a.values); }},
      {"segmented_sort",
       [](const Device& d, Data& a) {
         primitives::segmented_sort(d, a.keys, a.values, a.offsets, {.longest_segment = 10});
       }},
      {"merge_sort", [](const Device& d, Data& a) { primitives::merge_sort(d, a.keys, Comparison::less()); }},
      {"merge", [](const Device& d, Data& a) { primitives::merge(d, a.sorted, a.other, a.more); }},
      {"set_union", [](const Device& d, Data& a) { primitives::set_union(d, a.sorted, a.other, a.more, a.count); }},
      {"set_intersection",
       [](const Device& d, Data& a) { primitives::set_intersection(d, a.sorted, a.other, a.more, a.count); }},
      {"top_k", [](const Device& d, Data& a) { primitives::top_k(d, a.words, a.more.first(100)); }},
      {"nth_element", [](const Device& d, Data& a) { primitives::nth_element(d, a.keys, elements / 2); }},
  };
}

}  // namespace

void add_small(const Setting& setting) {
  for (const Variant& variant : setting.variants)
    for (const NamedCall& one : small_calls())
      for (const bool bare : {false, true}) add_small_call(one.name, variant, setting, one.call, bare);
}

}  // namespace genocl_bench
