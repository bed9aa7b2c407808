// Spans at any offset, events, and the caller's scratch memory, for every primitive.
#include <algorithm>
#include <functional>
#include <numeric>
#include <thread>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Call;
using genocl::Device;
using genocl::Event;
using genocl::Span;
using Words = std::vector<std::uint32_t>;
using Numbers = std::vector<std::uint64_t>;

constexpr std::uint32_t guard = 0xdeadbeef;

/// The operands of every primitive in one buffer: `gap` words before, between and behind them, which no call may touch.
class Operands {
 public:
  Operands(const Device& device, std::size_t count, std::size_t gap, Random& random)
      : gap_(gap), memory_(device, 12 * (count + gap + 2) + gap) {
    host_.assign(memory_.size(), guard);
    const auto add = [&](std::size_t words) {
      const std::size_t at = end_ + gap_;
      end_ = at + words;
      return at;
    };
    keys_at_ = add(count);
    values_at_ = add(count);
    flags_at_ = add(count);
    results_at_ = add(count + 1);
    wide_at_ = add(0);
    if (wide_at_ % 2 != 0) ++wide_at_;  // elements of 8 bytes start at multiples of 8
    end_ = wide_at_ + 2 * (count + 1);
    offsets_at_ = add(4);
    for (std::size_t i = 0; i < count; ++i) {
      host_[keys_at_ + i] = random.value<std::uint32_t>();
      host_[values_at_ + i] = static_cast<std::uint32_t>(count - 1 - i);
      host_[flags_at_ + i] = random.below(2) != 0 ? 1 : 0;
    }
    const auto size = static_cast<std::uint32_t>(count);
    const Words offsets{0, size / 3, size / 3, size};
    std::ranges::copy(offsets, host_.begin() + static_cast<std::ptrdiff_t>(offsets_at_));
    memory_.upload(host_);
    keys = span(keys_at_, count);
    values = span(values_at_, count);
    flags = span(flags_at_, count);
    results = span(results_at_, count);
    offsets_span = span(offsets_at_, 4);
    wide = Span<std::uint64_t>(memory_.buffer(), count + 1, wide_at_ / 2);
  }

  /// All memory, with the expected elements put where the call writes them.
  Words expected(const Span<std::uint32_t>& target, const Words& words) const {
    Words all = host_;
    std::ranges::copy(words, all.begin() + static_cast<std::ptrdiff_t>(target.view().offset / 4));
    return all;
  }
  Words host(const Span<std::uint32_t>& span) const {
    const auto begin = host_.begin() + static_cast<std::ptrdiff_t>(span.view().offset / 4);
    return {begin, begin + static_cast<std::ptrdiff_t>(span.size())};
  }
  Words now() const { return memory_.download(); }
  void reset() { memory_.upload(host_); }

  Span<std::uint32_t> keys, values, flags, results, offsets_span;
  Span<std::uint64_t> wide;

 private:
  Span<std::uint32_t> span(std::size_t at, std::size_t count) {
    return Span<std::uint32_t>(memory_.buffer(), count, at);
  }

  std::size_t gap_, end_ = 0;
  std::size_t keys_at_ = 0, values_at_ = 0, flags_at_ = 0, results_at_ = 0, wide_at_ = 0, offsets_at_ = 0;
  Array<std::uint32_t> memory_;
  Words host_;
};

Words sorted_segments(const Words& keys, const Words& offsets) {
  Words sorted = keys;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    std::sort(sorted.begin() + offsets[s], sorted.begin() + offsets[s + 1]);
  return sorted;
}

/// Runs every primitive on the operands with `call`, and compares all memory with what is expected.
void check_all(const Device& device, Operands& with, const std::function<Call()>& make_call) {
  const Words keys = with.host(with.keys), flags = with.host(with.flags), order = with.host(with.values);
  const auto check = [&](const char* name, const Span<std::uint32_t>& target, const Words& expected, const auto& run) {
    CAPTURE(name);
    with.reset();
    const Call call = make_call();
    run(call);
    CHECK((with.now() == with.expected(target, expected)));
  };
  Words result = keys;
  std::ranges::sort(result);
  check("sort", with.keys, result, [&](const Call& call) { primitives::sort(device, with.keys, {}, call); });
  result = keys;
  std::ranges::reverse(result);
  check("gather", with.results, result,
        [&](const Call& call) { primitives::gather(device, with.keys, with.values, with.results, call); });
  check("scatter", with.results, result,
        [&](const Call& call) { primitives::scatter(device, with.keys, with.values, with.results, call); });
  result = keys;
  check("copy", with.results, result,
        [&](const Call& call) { primitives::copy(device, with.keys, with.results, call); });
  std::exclusive_scan(keys.begin(), keys.end(), result.begin(), 0u);
  check("exclusive_scan", with.results, result,
        [&](const Call& call) { primitives::exclusive_scan(device, with.keys, with.results, call); });
  check("exclusive_scan in place", with.keys, result,
        [&](const Call& call) { primitives::exclusive_scan(device, with.keys, with.keys, call); });
  std::inclusive_scan(keys.begin(), keys.end(), result.begin(),
                      [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  check("inclusive_max_scan", with.results, result,
        [&](const Call& call) { primitives::inclusive_max_scan(device, with.keys, with.results, call); });
  std::iota(result.begin(), result.end(), 5u);
  check("iota", with.results, result, [&](const Call& call) { primitives::iota(device, with.results, 5u, call); });
  result.clear();
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (flags[i] != 0) result.push_back(keys[i]);
  check("select", with.results, result, [&](const Call& call) {
    CHECK(primitives::select(device, with.keys, with.flags, with.results, call) == result.size());
  });
  check("sum", with.results, {std::accumulate(keys.begin(), keys.end(), 0u)},
        [&](const Call& call) { primitives::sum(device, with.keys, with.results.first(1), call); });
  check("maximum to the host", with.results, {}, [&](const Call& call) {
    CHECK(primitives::maximum(device, with.keys, call) == *std::ranges::max_element(keys));
  });
  Words counts(256, 0);
  for (const std::uint32_t key : keys) ++counts[key & 255];
  if (keys.size() >= 256)
    check("histogram", with.results, counts, [&](const Call& call) {
      primitives::histogram(device, with.keys, with.results.first(256), {.first = 0, .count = 8}, call);
    });
  // Results of 8 bytes, seen as words.
  Words sums;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i <= keys.size(); ++i) {
    sums.push_back(static_cast<std::uint32_t>(total));
    sums.push_back(static_cast<std::uint32_t>(total >> 32));
    if (i < keys.size()) total += keys[i];
  }
  genocl::runtime::MemoryView wide = with.wide.view();
  check("exclusive_scan with 64-bit results and the total", Span<std::uint32_t>(wide), sums,
        [&](const Call& call) { primitives::exclusive_scan(device, with.keys, with.wide, call); });
  // Keys and values together: both change.
  with.reset();
  primitives::segmented_sort(device, with.keys, with.values, with.offsets_span, {}, make_call());
  const Words segments = sorted_segments(keys, with.host(with.offsets_span));
  const Words after = with.now();
  const auto keys_at = static_cast<std::ptrdiff_t>(with.keys.view().offset / 4);
  const auto values_at = static_cast<std::ptrdiff_t>(with.values.view().offset / 4);
  CHECK(std::equal(segments.begin(), segments.end(), after.begin() + keys_at));
  bool follow = true;  // value v belongs to the key that had the place keys.size() - 1 - v
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t value = after[static_cast<std::size_t>(values_at) + i];
    follow = follow && value < keys.size() && keys[keys.size() - 1 - value] == segments[i];
  }
  CHECK(follow);
}

TEST_CASE("spans at aligned and unaligned offsets") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 71);
  for (const Variant& variant : main_variants())
    for (const std::size_t gap : {1u, 3u, 64u}) {
      CAPTURE(variant.name);
      CAPTURE(gap);
      Operands operands(variant.device, 700, gap, random);
      check_all(variant.device, operands, [] { return Call{}; });
    }
}

TEST_CASE("spans at any offset, many elements") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 72);
  for (const Variant& variant : main_variants())
    for (const std::size_t gap : {0u, 2u, 5u, 32u, 1024u}) {
      CAPTURE(variant.name);
      CAPTURE(gap);
      Operands operands(variant.device, 60'000, gap, random);
      check_all(variant.device, operands, [] { return Call{}; });
    }
}

TEST_CASE("a span of a sub-buffer") {
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const Device& device = variant.device;
    const Words host{9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    Words all(4096, guard);
    std::ranges::copy(host, all.begin() + 1024 + 3);
    Array<std::uint32_t> memory(device, all);
    const cl_buffer_region region{4096, 4096};
    cl_int code = CL_SUCCESS;
    const cl::Buffer part(
        clCreateSubBuffer(memory.buffer()(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    REQUIRE(code == CL_SUCCESS);
    primitives::sort(device, Span<std::uint32_t>(part, 10, 3));
    std::ranges::sort(all.begin() + 1024 + 3, all.begin() + 1024 + 13);
    CHECK((memory.download() == all));
    CHECK_THROWS_AS(primitives::copy(device, memory.subspan(1027, 4), Span<std::uint32_t>(part, 4, 4)),
                    genocl::InputError);
  }
}

TEST_CASE("scratch memory of the caller, exactly as much as is asked for") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 73);
  for (const Variant& variant : all_variants())
    for (const std::size_t count : {std::size_t{1}, std::size_t{300}, std::size_t{5000}, std::size_t{70'000}}) {
      CAPTURE(variant.name);
      CAPTURE(count);
      const Device& device = variant.device;
      const auto host = random.values<std::uint32_t>(count);
      Array<std::uint32_t> keys(device, host), values(device, host), flags(device, host), results(device, count);
      Array<std::uint64_t> wide(device, count + 1);
      Array<std::uint32_t> offsets(device, Words{0, static_cast<std::uint32_t>(count)});
      Words sorted = host;
      std::ranges::sort(sorted);
      // Runs with the exact size at an unaligned offset, then with too little.
      const auto check = [&](const char* name, std::uint64_t bytes, const std::function<void(const Call&)>& run) {
        CAPTURE(name);
        CAPTURE(bytes);
        const std::size_t alignment = device.info().buffer_alignment;
        Array<std::byte> memory(device, bytes + 2 * alignment);
        memory.fill(std::byte{0xa5});
        Call call{.scratch = memory.subspan(8, bytes + alignment - 8), .tuning = variant.tuning};
        if (bytes == 0) return;  // needs none
        CHECK_NOTHROW(run(call));
        device.finish();
        const std::vector<std::byte> after = memory.download();
        const auto untouched = [](std::byte byte) { return byte == std::byte{0xa5}; };
        CHECK(std::all_of(after.begin(), after.begin() + 8, untouched));
        CHECK(std::all_of(after.begin() + static_cast<std::ptrdiff_t>(bytes + alignment), after.end(), untouched));
        call.scratch = memory.first(alignment);
        if (bytes > alignment) CHECK_THROWS_AS(run(call), genocl::CapacityError);
      };
      const genocl::LaunchTuning& tuning = variant.tuning;
      const std::size_t bins = std::min<std::size_t>(count, primitives::max_histogram_bins);
      check("sort", primitives::sort_scratch_bytes<std::uint32_t>(device, count, true), [&](const Call& call) {
        keys.upload(host);
        primitives::sort(device, keys, values, {}, call);
        CHECK((keys.download() == sorted));
      });
      check("double buffers", primitives::double_buffer_sort_scratch_bytes<std::uint32_t>(device, count, false),
            [&](const Call& call) {
              keys.upload(host);
              genocl::DoubleBuffer<std::uint32_t> buffers{keys, results};
              primitives::sort(device, buffers, {}, call);
              CHECK(((buffers.current.view() == keys.span().view() ? keys : results).download() == sorted));
            });
      keys.upload(host);
      check("scan", primitives::scan_scratch_bytes(device, count, 4, tuning),
            [&](const Call& call) { primitives::inclusive_scan(device, keys, results, call); });
      check("wide scan", primitives::scan_scratch_bytes(device, count + 1, 8, tuning),
            [&](const Call& call) { primitives::exclusive_scan(device, keys, wide, call); });
      check("select", primitives::select_scratch_bytes(device, count, tuning),
            [&](const Call& call) { primitives::select(device, keys, flags, results, call); });
      check("histogram", primitives::histogram_scratch_bytes(device, count, bins, tuning),
            [&](const Call& call) { primitives::histogram(device, keys, results.first(bins), {}, call); });
      check("reduce", primitives::reduce_scratch_bytes(device, count, 8),
            [&](const Call& call) { primitives::wide_sum(device, keys, wide, call); });
      check("segmented sort", primitives::segmented_sort_scratch_bytes<std::uint32_t>(device, count, 1, {}, tuning),
            [&](const Call& call) {
              keys.upload(host);
              primitives::segmented_sort(device, keys, values, offsets, {}, call);
              CHECK((keys.download() == sorted));
            });
      CHECK_THROWS_AS(primitives::sort(device, keys, {}, {.scratch = Span<std::byte>(keys.buffer())}),
                      genocl::InputError);
    }
}

/// An event that the test completes.
class Gate {
 public:
  explicit Gate(const Device& device) {
    cl_int code = CL_SUCCESS;
    event_ = cl::Event(clCreateUserEvent(device.context()(), &code));
    REQUIRE(code == CL_SUCCESS);
  }
  ~Gate() { open(); }
  void open() {
    if (!open_) REQUIRE(clSetUserEventStatus(event_(), CL_COMPLETE) == CL_SUCCESS);
    open_ = true;
  }
  Event event() const { return event_; }

 private:
  cl::Event event_;
  bool open_ = false;
};

TEST_CASE("a call waits for events and signals one, without a wait of the host") {
  const Words host{5, 3, 4, 1};
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const Device& device = variant.device;
    Array<std::uint32_t> keys(device, host), copied(device, 4);
    primitives::sort(device, keys);  // compiles, and passes PoCL's first launch
    primitives::copy(device, keys, copied);
    keys.upload(host);
    device.finish();
    {
      Gate first(device), second(device);
      Event sorted, done;
      primitives::sort(device, keys, {}, {.wait_for = {first.event(), Event(), second.event()}, .event = &sorted});
      const Device other = device.with_own_queue();
      primitives::copy(other, keys, copied, {.wait_for = {sorted}, .event = &done});
      CHECK_FALSE(sorted.complete());
      first.open();
      CHECK_FALSE(done.complete());
      second.open();
      done.wait();
      CHECK(done.complete());
      CHECK(sorted.complete());
      CHECK(copied.download() == Words{1, 3, 4, 5});
    }
    // A caller's own command waits for a call.
    Event sorted;
    primitives::iota(device, keys, 7u, {.event = &sorted});
    const cl::Event as_opencl = sorted;
    REQUIRE(as_opencl() != nullptr);
    const cl_event handle = as_opencl();
    Words read(4);
    CHECK(clEnqueueReadBuffer(device.with_own_queue().queue()(), keys.buffer()(), CL_TRUE, 0, 16, read.data(), 1,
                              &handle, nullptr) == CL_SUCCESS);
    CHECK(read == Words{7, 8, 9, 10});
    // Nothing to do: the event is signalled all the same.
    Event nothing;
    primitives::sort(device, keys.first(0), {}, {.event = &nothing});
    nothing.wait();
    const Gate foreign(Device::pick());
    CHECK_THROWS_AS(primitives::sort(device, keys, {}, {.wait_for = {foreign.event()}}), genocl::InputError);
  }
}

}  // namespace
