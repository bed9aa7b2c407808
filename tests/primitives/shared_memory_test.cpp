// Memory that a primitive cannot work in: of another context, or shared by arrays that have to lie apart.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives.hpp"
#include "primitives/variants.hpp"
#include "runtime/transfer.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Device;
using genocl::InputError;
using genocl::Span;
namespace runtime = genocl::runtime;
using Words = Array<std::uint32_t>;
using Numbers = Array<std::uint64_t>;

constexpr std::size_t count = 1000, bytes = 4 * count;

/// A sub-buffer from `offset` bytes on.
cl::Buffer part_of(const cl::Buffer& buffer, std::size_t offset, std::size_t size) {
  const cl_buffer_region region{offset, size};
  cl_int code = CL_SUCCESS;
  cl::Buffer part(clCreateSubBuffer(buffer(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  REQUIRE(code == CL_SUCCESS);
  return part;
}

cl::Buffer buffer_on(const Device& device, std::size_t size) {
  cl_int code = CL_SUCCESS;
  cl::Buffer buffer(clCreateBuffer(device.context()(), CL_MEM_READ_WRITE, size, nullptr, &code));
  REQUIRE(code == CL_SUCCESS);
  return buffer;
}

std::vector<std::uint32_t> falling(std::size_t size) {
  std::vector<std::uint32_t> host(size);
  std::iota(host.rbegin(), host.rend(), 0u);
  return host;
}

}  // namespace

TEST_CASE("shared memory: two arrays over the same bytes are refused by every primitive") {
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const Device& device = variant.device;
    const cl::Buffer whole = buffer_on(device, 4 * bytes);
    const cl::Buffer low = part_of(whole, 0, bytes), high = part_of(whole, 4096, bytes),
                     higher = part_of(whole, 4096 + 3072, bytes);
    // Equal handles; a parent and a part of it, either way round; two parts that overlap in a few bytes, as sub-buffers
    // and as spans.
    for (int kind = 0; kind < 5; ++kind) {
      CAPTURE(kind);
      const Span<std::uint32_t> a = kind == 2   ? Span<std::uint32_t>(low, count)
                                    : kind == 3 ? Span<std::uint32_t>(high, count)
                                    : kind == 4 ? Span<std::uint32_t>(whole, count, 1024)
                                                : Span<std::uint32_t>(whole, count);
      const Span<std::uint32_t> b = kind == 1   ? Span<std::uint32_t>(low, count)
                                    : kind == 3 ? Span<std::uint32_t>(higher, count)
                                    : kind == 4 ? Span<std::uint32_t>(whole, count, 1024 + 999)
                                                : Span<std::uint32_t>(whole, count);
      Words other(device, count), small(device, 16);
      Numbers wide(device, count);
      runtime::fill(device, whole, "\0", 1, 4 * bytes);
      other.fill(0);
      CHECK_THROWS_AS(primitives::sort(device, a, b), InputError);
      CHECK_THROWS_AS(primitives::segmented_sort(device, a, b, small), InputError);
      CHECK_THROWS_AS(primitives::segmented_sort(device, a, other, b), InputError);
      CHECK_THROWS_AS(primitives::segmented_sort(device, other, a, b), InputError);
      CHECK_THROWS_AS(primitives::select(device, a, other, b), InputError);
      CHECK_THROWS_AS(primitives::select(device, other, a, b), InputError);
      CHECK_THROWS_AS(primitives::select_indices(device, a, b), InputError);
      CHECK_THROWS_AS(primitives::gather(device, a, other, b), InputError);
      CHECK_THROWS_AS(primitives::gather(device, other, a, b), InputError);
      CHECK_THROWS_AS(primitives::scatter(device, a, other, b), InputError);
      CHECK_THROWS_AS(primitives::scatter(device, other, a, b), InputError);
      if (kind != 0) {
        CHECK_THROWS_AS(primitives::copy(device, a, b), InputError);
        CHECK_THROWS_AS(primitives::exclusive_scan(device, a, b), InputError);
        CHECK_THROWS_AS(primitives::inclusive_max_scan(device, a, b), InputError);
      }
      CHECK_THROWS_AS(primitives::histogram(device, a, b), InputError);
      const Span<std::uint64_t> counted = kind == 3   ? Span<std::uint64_t>(higher, 1)
                                          : kind == 4 ? Span<std::uint64_t>(whole, 1, 1000)
                                                      : Span<std::uint64_t>(whole, 1);
      CHECK_THROWS_AS(primitives::select(device, a, other, other, counted), InputError);
      CHECK_THROWS_AS(primitives::select(device, other, a, small, counted), InputError);
      CHECK_THROWS_AS(primitives::select_indices(device, other, a, counted), InputError);
      CHECK_THROWS_AS(primitives::exclusive_scan(device, a, counted), InputError);
    }
  }
}

TEST_CASE("shared memory: parts of one buffer that lie apart are fine") {
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const Device& device = variant.device;
    const cl::Buffer whole = buffer_on(device, 4 * 4096);
    const cl::Buffer second = part_of(whole, 4096, bytes);
    const Span<std::uint32_t> keys(whole, count), values(second, count), more(whole, count, 2048);
    const auto download = [&](const Span<std::uint32_t>& span) {
      Words array(device, span.size());
      primitives::copy(device, span, array);
      return array.download();
    };
    primitives::copy(device, Words(device, falling(count)), keys);
    primitives::iota(device, values);
    primitives::sort(device, keys, values);
    CHECK(std::ranges::is_sorted(download(keys)));
    CHECK((download(values) == falling(count)));
    primitives::gather(device, keys, values, more);
    CHECK((download(more) == falling(count)));
    primitives::exclusive_scan(device, keys, keys);  // in place
    CHECK(download(keys)[3] == 3);
    primitives::copy(device, values, values);
    CHECK((download(values) == falling(count)));
  }
}

TEST_CASE("memory of another context is refused by every primitive") {
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const Device& device = variant.device;
    const Device other = Device::pick();
    Words mine(device, falling(count)), target(device, count), values(device, count), bins(device, 16);
    Words foreign(other, falling(count)), foreign_bins(other, 16), one(other, 1);
    Numbers counted(other, 1);
    Array<std::byte> foreign_scratch(other, 1 << 20);
    Array<std::uint32_t> offsets(device, std::vector<std::uint32_t>{0, 10, 20}), foreign_offsets(other, 3);
    const std::vector<std::function<void()>> calls{
        [&] { primitives::sort(device, foreign); },
        [&] { primitives::sort(device, mine, foreign); },
        [&] { primitives::sort(device, foreign, values); },
        [&] { primitives::segmented_sort(device, foreign, values, offsets); },
        [&] { primitives::segmented_sort(device, mine, foreign, offsets); },
        [&] { primitives::segmented_sort(device, mine, values, foreign_offsets); },
        [&] { primitives::sum(device, foreign); },
        [&] { primitives::minimum(device, foreign); },
        [&] { primitives::maximum(device, mine, one); },
        [&] { primitives::wide_sum(device, foreign); },
        [&] { primitives::exclusive_scan(device, foreign, target); },
        [&] { primitives::inclusive_scan(device, mine, foreign); },
        [&] { primitives::inclusive_max_scan(device, foreign, foreign); },
        [&] { primitives::select(device, foreign, mine, target); },
        [&] { primitives::select(device, mine, foreign, target); },
        [&] { primitives::select(device, mine, values, foreign); },
        [&] { primitives::select(device, mine, values, target, counted); },
        [&] { primitives::select_indices(device, foreign, target); },
        [&] { primitives::gather(device, foreign, values, target); },
        [&] { primitives::gather(device, mine, foreign, target); },
        [&] { primitives::scatter(device, mine, values, foreign); },
        [&] { primitives::iota(device, foreign); },
        [&] { primitives::histogram(device, foreign, bins); },
        [&] { primitives::histogram(device, mine, foreign_bins); },
        [&] { primitives::copy(device, foreign, target); },
        [&] { primitives::copy(device, mine, foreign); },
        [&] { primitives::copy(device, Span<std::uint32_t>(foreign.buffer()), target); },
        [&] { primitives::sort(device, mine, {}, {.scratch = foreign_scratch}); }};
    primitives::iota(device, values);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      CAPTURE(i);
      CHECK_THROWS_WITH_AS(calls[i](), doctest::Contains("another context"), InputError);
    }
    // A queue of the same context is no other context.
    const Device beside = device.with_own_queue();
    device.finish();
    CHECK_NOTHROW(primitives::sort(beside, mine));
    beside.finish();
    CHECK(std::ranges::is_sorted(mine.download()));
  }
}

namespace {

template <class T>
concept Sorts = requires(const Device& device, Array<T>& array) {
  primitives::sort(device, array);
};
template <class T>
concept Sums = requires(const Device& device, const Array<T>& array) {
  primitives::sum(device, array);
};
template <class T>
concept Minimises = requires(const Device& device, const Array<T>& array) {
  primitives::minimum(device, array);
};

// What a primitive cannot do is said where it is called, not by the linker.
static_assert(Sorts<std::uint32_t> && Sorts<std::int8_t> && Sorts<float> && Sorts<double>);
static_assert(!Sorts<bool> && !Sorts<long double> && !Sorts<std::array<int, 2>>);
static_assert(Sums<float> && Sums<std::int64_t> && Minimises<std::int32_t> && Minimises<double>);
static_assert(!Sums<bool> && !Sums<std::array<int, 2>> && !Minimises<long double>);

}  // namespace
