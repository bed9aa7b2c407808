// Memory that a primitive cannot work in: of another context, or shared by arrays that have to lie apart.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Device;
using genocl::InputError;
using Words = Array<std::uint32_t>;
using Numbers = Array<std::uint64_t>;

constexpr std::size_t count = 1000, bytes = 4 * count;

/// Elements from `offset` bytes on of a buffer, through a sub-buffer of it.
template <class T = std::uint32_t>
Array<T> part_of(const Device& device, const cl::Buffer& buffer, std::size_t offset, std::size_t size) {
  const cl_buffer_region region{offset, size * sizeof(T)};
  cl_int code = CL_SUCCESS;
  const cl::Buffer part(clCreateSubBuffer(buffer(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  REQUIRE(code == CL_SUCCESS);
  return Array<T>::adopt(device, part, size);
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
    // Equal handles; a parent and a part of it, either way round; two parts that overlap in a few bytes.
    for (int kind = 0; kind < 4; ++kind) {
      CAPTURE(kind);
      Words a = kind == 2   ? part_of(device, whole, 0, count)
                : kind == 3 ? part_of(device, whole, 4096, count)
                            : Words::adopt(device, whole, count);
      Words b = kind == 0   ? Words::adopt(device, whole, count)
                : kind == 1 ? part_of(device, whole, 0, count)
                : kind == 2 ? Words::adopt(device, whole, count)
                            : part_of(device, whole, 4096 + 3072, count);
      Words other(device, count), small(device, 16);
      Numbers wide(device, count);
      for (Words* const array : {&a, &b, &other}) array->fill(0);
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
      Numbers counted =
          kind == 3 ? part_of<std::uint64_t>(device, whole, 4096 + 3072, 1) : Numbers::adopt(device, whole, 1);
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
    Words keys = Words::adopt(device, whole, count), values = part_of(device, whole, 4096, count);
    Words more = part_of(device, whole, 2 * 4096, count);
    keys.upload(falling(count));
    primitives::iota(device, values);
    primitives::sort(device, keys, values);
    CHECK(std::ranges::is_sorted(keys.download()));
    CHECK((values.download() == falling(count)));
    primitives::gather(device, keys, values, more);
    CHECK((more.download() == falling(count)));
    primitives::exclusive_scan(device, keys, keys);  // in place
    CHECK(keys.download()[3] == 3);
    primitives::copy(device, values, values);
    CHECK((values.download() == falling(count)));
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
        [&] { primitives::copy(device, foreign.buffer(), target.buffer(), bytes); }};
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

TEST_CASE("a sort leaves memory where it is that the caller has a handle of") {
  const Device device = device_under_test().with_family(genocl::KernelFamily::gpu);
  for (const unsigned last_bit : {8u, 16u, 24u, 32u}) {  // odd and even numbers of passes
    CAPTURE(last_bit);
    Words keys(device, falling(200)), values(device, 200);
    primitives::iota(device, values);
    const cl::Buffer handle = keys.buffer();
    const Words view = Words::adopt(device, values.buffer(), 200);
    primitives::sort(device, keys, values, {.last_bit = last_bit});
    CHECK(keys.buffer()() == handle());
    CHECK((view.download() == falling(200)));
    CHECK((Words::adopt(device, handle, 200).download() == keys.download()));
    // One whose buffer nobody has sorts as well, and so does what it was moved to.
    Words free(device, falling(200));
    primitives::sort(device, free, {.last_bit = last_bit});
    Words moved = std::move(free);
    CHECK(std::ranges::is_sorted(moved.download()));
    primitives::sort(device, moved, {.last_bit = last_bit});
    CHECK(std::ranges::is_sorted(moved.download()));
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
static_assert(Sorts<std::uint32_t> && Sorts<std::uint64_t>);
static_assert(!Sorts<float> && !Sorts<std::int32_t> && !Sorts<std::uint8_t> && !Sorts<double>);
static_assert(Sums<float> && Sums<std::int64_t> && Minimises<std::int32_t>);
static_assert(!Sums<double> && !Sums<std::uint8_t> && !Minimises<double>);

}  // namespace
