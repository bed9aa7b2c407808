#include "genocl/array.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "random.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/helpers.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

using namespace genocl;
using namespace genocl_test;

namespace {

std::vector<std::uint32_t> random_words(std::size_t size, unsigned seed) {
  return Random(seed).values<std::uint32_t>(size);
}

void check_transfers(const Device& device) {
  // Around the direct limit (64 KiB), the staging slots (16 MiB), and several of them.
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{16384}, std::size_t{16385},
                                 std::size_t{4194304}, std::size_t{4194305}, std::size_t{13000001}}) {
    CAPTURE(size);
    const auto words = random_words(size, 5);
    Array<std::uint32_t> array(device, words);
    CHECK(array.size() == size);
    CHECK(array.download() == words);
    if (size < 10) continue;
    const auto piece = random_words(size / 3, 6);
    array.upload(piece, size / 2);
    std::vector<std::uint32_t> expected = words;
    std::copy(piece.begin(), piece.end(), expected.begin() + static_cast<std::ptrdiff_t>(size / 2));
    CHECK(array.download() == expected);
    std::vector<std::uint32_t> middle(size / 2);
    array.download(middle, size / 4);
    CHECK(std::equal(middle.begin(), middle.end(), expected.begin() + static_cast<std::ptrdiff_t>(size / 4)));
  }
}

}  // namespace

TEST_CASE("transfers: every size comes back as it went, mapped or staged") {
  {
    const Environment mapped("GENOCL_MAP", nullptr);
    check_transfers(Device::pick());
  }
  const Environment staged("GENOCL_MAP", "off");
  check_transfers(Device::pick());
}

TEST_CASE("staged transfers from several threads on one Device do not mix") {
  const Environment staged("GENOCL_MAP", "off");
  const Device device = Device::pick();
  std::vector<int> same(4, 0);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < same.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto words = random_words(5000000, t);
      const Array<std::uint32_t> array(device, words);
      same[t] = array.download() == words ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(same == std::vector<int>(4, 1));
}

TEST_CASE("fill, copy, move") {
  const Device device = Device::pick();
  Array<std::uint64_t> a(device, 1000);
  a.fill(42);
  CHECK(a.download() == std::vector<std::uint64_t>(1000, 42));
  std::vector<std::uint64_t> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0u);
  const Array<std::uint64_t> b(device, numbers);
  a.copy_from(b, 10, 5, 990);
  CHECK(a.download()[989] == 42);
  CHECK(a.download()[999] == 14);
  Array<std::uint64_t> c = std::move(a);
  CHECK(c.size() == 1000);
  CHECK(a.empty());  // NOLINT: what a moved-from array is, is documented
  CHECK(c.download()[500] == 42);
}

TEST_CASE("spans lie within their buffer") {
  const Device device = Device::pick();
  Array<std::uint64_t> array(device, 100);
  CHECK(Span<std::uint8_t>(array.buffer(), 800).size() == 800);
  CHECK(Span<std::uint64_t>(array.buffer()).size() == 100);
  CHECK(Span<const std::uint32_t>(array.buffer(), 5, 195).bytes() == 20);
  CHECK(Span<std::uint64_t>(array.buffer(), runtime::whole_buffer, 90).size() == 10);
  CHECK_THROWS_AS(Span<std::uint8_t>(array.buffer(), 801), InputError);
  CHECK_THROWS_AS(Span<std::uint8_t>(array.buffer(), 1, 800), InputError);
  CHECK_THROWS_AS(Span<std::uint64_t>(array.buffer(), std::size_t{1} << 61), InputError);  // 0 bytes, wrapped
  CHECK_THROWS_AS(Span<std::uint64_t>(array.buffer(), 1, std::size_t{1} << 61), InputError);
  CHECK_THROWS_AS(Span<std::uint64_t>(cl::Buffer(), 1), InputError);
  const Span<std::uint64_t> whole = array;
  CHECK(whole.subspan(10, 20).subspan(5, 15).view().offset == 120);
  CHECK(whole.first(0).empty());
  CHECK_THROWS_AS(whole.subspan(10, 91), InputError);
  CHECK_THROWS_AS(whole.subspan(std::size_t{1} << 61, 1), InputError);
  CHECK_THROWS_AS(array.first(101), InputError);
  const Array<std::uint64_t> moved = std::move(array);
  CHECK(array.span().empty());  // NOLINT: a moved-from array is empty
  CHECK(moved.span().size() == 100);
  CHECK(Span<int>().empty());
}

TEST_CASE("more elements than a size can count in bytes") {
  const Device device = Device::pick();
  for (const std::size_t size : {(std::size_t{1} << 61) + 1, (std::size_t{1} << 62) + 1, SIZE_MAX, SIZE_MAX / 8 + 1}) {
    CHECK_THROWS_AS(Array<std::uint64_t>(device, size), genocl::CapacityError);
    CHECK_THROWS_AS(HostArray<std::uint64_t>(device, size), genocl::CapacityError);
    CHECK_THROWS_AS(Array<cl_uint4>(device, size), genocl::CapacityError);
  }
  CHECK_THROWS_AS(Array<std::uint64_t>(device, SIZE_MAX / 8), genocl::CapacityError);
}

TEST_CASE("copies between contexts, and of elements onto one another") {
  const Device device = Device::pick(), other = Device::pick();
  std::vector<std::uint32_t> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0u);
  Array<std::uint32_t> array(device, numbers), foreign(other, numbers);
  CHECK_THROWS_AS(array.copy_from(foreign, 10), InputError);
  CHECK_THROWS_AS(foreign.copy_from(array, 1), InputError);
  CHECK_THROWS_AS(array.copy_from(array, 10, 0, 9), InputError);
  CHECK_THROWS_AS(array.copy_from(array, 10, 9, 0), InputError);
  CHECK_THROWS_AS(array.copy_from(array, 10, 5, 5), InputError);
  CHECK_NOTHROW(array.copy_from(array, 10, 0, 10));
  const Device same = device.with_own_queue();
  Array<std::uint32_t> beside(same, 1000);
  device.finish();
  CHECK_NOTHROW(beside.copy_from(array, 1000));
  CHECK(beside.download()[12] == 2);
  CHECK(array.download()[12] == 2);
}

TEST_CASE("ranges past the end are errors") {
  const Device device = Device::pick();
  Array<std::uint32_t> array(device, 10);
  std::vector<std::uint32_t> host(11);
  CHECK_THROWS_AS(array.upload(host), InputError);
  CHECK_THROWS_AS(array.download(std::span(host).first(2), 9), InputError);
  CHECK_THROWS_AS(array.download(std::span(host).first(1), SIZE_MAX), InputError);
  CHECK_THROWS_AS(array.copy_from(array, 5, 6, 0), InputError);
  CHECK_NOTHROW(array.download(std::span(host).first(0), 10));
}

TEST_CASE("host arrays are known as page-locked until they go") {
  const Device device = Device::pick();
  const auto words = random_words(1000003, 9);
  {
    HostArray<std::uint32_t> host(device, words.size());
    CHECK(genocl::runtime::core_of(device).is_pinned(host.data(), host.size() * 4));
    CHECK(genocl::runtime::core_of(device).is_pinned(host.data() + 10, 40));
    CHECK_FALSE(genocl::runtime::core_of(device).is_pinned(host.data() + 10, host.size() * 4));
    CHECK_FALSE(genocl::runtime::core_of(device).is_pinned(words.data(), 4));
    std::copy(words.begin(), words.end(), host.begin());
    const Array<std::uint32_t> array(device, std::span<const std::uint32_t>(host.data(), host.size()));
    HostArray<std::uint32_t> back(device, words.size());
    array.download(std::span(back.data(), back.size()));
    CHECK(std::equal(words.begin(), words.end(), back.begin()));
    const HostArray<std::uint32_t> moved = std::move(back);
    CHECK(moved[5] == words[5]);
    CHECK(back.data() == nullptr);  // NOLINT
  }
  const HostArray<std::uint32_t> empty(device, 0);
  CHECK(empty.size() == 0);
}

TEST_CASE("page-locked memory goes in parts where there is much of it") {
  const Environment staged("GENOCL_MAP", "off");
  const Device device = Device::pick();
  const std::size_t size = (std::size_t{150} << 20) / 4 + 3, before = 5;
  if (device.info().max_allocation < 4 * (size + before)) return;
  const auto words = random_words(1000003, 10);
  HostArray<std::uint32_t> host(device, size), back(device, size);
  for (std::size_t i = 0; i < size; ++i) host[i] = words[i % words.size()] + static_cast<std::uint32_t>(i);
  Array<std::uint32_t> array(device, size + before);
  array.fill(7);
  array.upload(std::span<const std::uint32_t>(host.data(), size), before);
  array.download(std::span(back.data(), size), before);
  CHECK(std::equal(host.begin(), host.end(), back.begin()));
  std::vector<std::uint32_t> front(before);
  array.download(std::span(front), 0);
  CHECK(front == std::vector<std::uint32_t>(before, 7));
}

TEST_CASE("an array over memory of the host's, where the device computes in it") {
  const Device device = Device::pick();
  const auto words = random_words(100'003, 8);
  const std::uint64_t free = runtime::core_of(device).free_memory();
  const auto view = runtime::view_of_host(device, std::span<const std::uint32_t>(words).subspan(3));
  REQUIRE(view.has_value() == runtime::computes_in_host_memory(device));
  CHECK_FALSE(runtime::view_of_host(device, std::span<const std::uint32_t>()).has_value());
  if (!view) return;
  CHECK(runtime::core_of(device).free_memory() == free);
  REQUIRE(view->size() == words.size() - 3);
  Array<std::uint32_t> copy(device, view->size());
  copy.copy_from(*view, view->size());
  CHECK((copy.download() == std::vector(words.begin() + 3, words.end())));
}

TEST_CASE("too much memory is a CapacityError with both figures, before anything is allocated") {
  const Device device = Device::pick();
  const std::uint64_t limit = device.info().max_allocation;
  try {
    const Array<std::uint8_t> array(device, limit + 1);
    FAIL("it was allocated");
  } catch (const CapacityError& error) {
    CHECK(error.needed() == limit + 1);
    CHECK(error.available() == limit);
    CHECK(contains(error.what(), std::to_string(limit + 1)));
    CHECK(contains(error.what(), std::to_string(limit)));
  }
  CHECK_THROWS_AS(runtime::check_capacity(device, "a test", 1, device.info().global_memory + 1), CapacityError);
  CHECK_THROWS_AS(runtime::check_capacity(device, "a test", limit + 1, limit + 1), CapacityError);
  CHECK_NOTHROW(runtime::check_capacity(device, "a test", 1024, 1024));
}

TEST_CASE("memory is counted while it is held") {
  const Device device = Device::pick();
  const std::uint64_t before = genocl::runtime::core_of(device).free_memory();
  {
    const Array<std::uint8_t> array(device, 1 << 20);
    CHECK(genocl::runtime::core_of(device).free_memory() == before - (1 << 20));
  }
  device.finish();
  CHECK(genocl::runtime::core_of(device).free_memory() == before);
}

TEST_CASE("scratch memory is used again and given back") {
  const Device device = Device::pick();
  cl_mem first = nullptr;
  {
    const runtime::Scratch scratch(device, 100000);
    CHECK(scratch.bytes() >= 100000);
    first = scratch.buffer()();
    const runtime::Scratch other(device, 100000);
    CHECK(other.buffer()() != first);
  }
  {
    const runtime::Scratch again(device, 90000);
    const runtime::Scratch large(device, 10000000);
    CHECK(again.bytes() >= 90000);
    CHECK(large.bytes() >= 10000000);
    CHECK(large.buffer()() != first);
  }
  {
    const runtime::Scratch small(device, 10);  // not out of a buffer a thousand times as large
    CHECK(small.bytes() < 100000);
  }
  device.release_scratch();
  device.finish();
  const Array<std::uint8_t> array(device, 1);
  const std::uint64_t taken = device.info().global_memory - genocl::runtime::core_of(device).free_memory();
  CHECK(taken < 1000);
}

TEST_CASE("zeroed scratch memory is zero and kept apart from other scratch memory") {
  const Device device = Device::pick();
  const auto is_zero = [](const Device& on, const runtime::Scratch& scratch) {
    std::vector<std::uint8_t> bytes(scratch.bytes());
    runtime::download(on, scratch.buffer(), 0, bytes.data(), bytes.size());
    return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
  };
  const std::uint32_t ones = ~0u;
  const auto make_dirty = [&](const Device& on, const cl::Buffer& buffer, std::size_t bytes) {
    runtime::fill(on, buffer, &ones, sizeof ones, bytes);
  };
  {
    const runtime::Scratch scratch(device, 50000);
    make_dirty(device, scratch.buffer(), 50000);
  }
  cl_mem zeroed = nullptr;
  {
    const runtime::Scratch scratch(device, 50000, runtime::ScratchContents::zero);
    CHECK(is_zero(device, scratch));
    zeroed = scratch.buffer()();
  }
  const runtime::Scratch plain(device, 50000);
  CHECK(plain.buffer()() != zeroed);
  {
    const runtime::Scratch again(device, 100, runtime::ScratchContents::zero);
    CHECK(again.buffer()() == zeroed);
    const runtime::Scratch other(device, 100, runtime::ScratchContents::zero);
    CHECK(other.buffer()() != zeroed);
    CHECK(is_zero(device, other));
  }
  Array<std::byte> memory(device, 10000);
  make_dirty(device, memory.buffer(), 10000);
  runtime::ScratchArena arena(device, memory.span());
  const Device with_arena = runtime::DeviceAccess::with_arena(device, &arena);
  const runtime::Scratch from_caller(with_arena, 5000, runtime::ScratchContents::zero);
  CHECK(is_zero(with_arena, from_caller));
  device.release_scratch();
}
