// Halo buffers in memory that two processes share, as far as one process can test them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "device_under_test.hpp"
#include "jacobi/halo.hpp"

using namespace genocl;
using namespace genocl::jacobi;

namespace {

std::vector<double> halo_of(std::uint64_t exchange, std::size_t elements) {
  std::vector<double> halo(elements);
  std::iota(halo.begin(), halo.end(), static_cast<double>(exchange * elements));
  return halo;
}

}  // namespace

TEST_CASE("jacobi halos pass through shared memory, directly and by page-locked copies") {
  const Device device = genocl_test::device_under_test();
  constexpr std::size_t elements = 1000;
  for (const int copies : {0, 1, 2, 3}) {  // of the sender, of the receiver
    CAPTURE(copies);
    std::vector<std::uint64_t> memory(HaloBuffer<double>::shared_bytes(elements) / 8);
    auto* const shared = reinterpret_cast<std::byte*>(memory.data());
    HaloBuffer<double> sender(device, elements, shared, (copies & 1) != 0);
    HaloBuffer<double> receiver(device, elements, shared, (copies & 2) != 0);
    CHECK(!receiver.has());
    for (std::uint64_t exchange = 0; exchange < 5; ++exchange) {
      const std::vector<double> halo = halo_of(exchange, elements);
      std::ranges::copy(halo, sender.slot());
      CHECK(!receiver.has());
      sender.send();
      REQUIRE(receiver.has());
      CHECK(std::ranges::equal(std::span(receiver.take(), elements), halo));
      CHECK(!receiver.has());
    }
    // The sender may be one exchange ahead.
    for (const std::uint64_t exchange : {5, 6}) {
      std::ranges::copy(halo_of(exchange, elements), sender.slot());
      sender.send();
    }
    for (const std::uint64_t exchange : {5, 6})
      CHECK(std::ranges::equal(std::span(receiver.take(), elements), halo_of(exchange, elements)));
  }
}

TEST_CASE("jacobi cells of any number pass through a shared channel in both directions") {
  const Device device = genocl_test::device_under_test();
  using Channel = SharedChannel<float>;
  std::vector<std::uint64_t> memory(Channel::shared_bytes() / 8);
  auto* const shared = reinterpret_cast<std::byte*>(memory.data());
  Channel one(device, shared, true), other(device, shared, false);
  const StopFlag never = false;
  for (const std::size_t count : {std::size_t{1}, Channel::piece, 5 * Channel::piece + 17}) {
    CAPTURE(count);
    std::vector<float> there(count), back(count), again(count);
    std::iota(there.begin(), there.end(), 1.F);
    std::jthread thread([&] {
      other.receive(back, never);
      other.send(back, never);
    });
    one.send(there, never);
    one.receive(again, never);
    thread.join();
    CHECK(back == there);
    CHECK(again == there);
  }
  // A send of more than both slots waits for the receiver.
  StopFlag stop = true;
  CHECK_THROWS_AS(one.send(std::vector<float>(3 * Channel::piece), stop), Stopped);
}

TEST_CASE("jacobi halos of two threads arrive in order") {
  const Device device = genocl_test::device_under_test();
  constexpr std::size_t elements = 500;
  constexpr std::uint64_t exchanges = 300;
  std::vector<std::uint64_t> memory(HaloLink<double>::shared_bytes(elements) / 8);
  auto* const shared = reinterpret_cast<std::byte*>(memory.data());
  HaloLink<double> upper(device, elements, shared), lower(device, elements, shared);
  CHECK(upper.is_shared);
  const StopFlag stop = false;
  const auto exchange_all = [&](HaloBuffer<double>& out, HaloBuffer<double>& in) {
    std::uint64_t wrong = 0;
    for (std::uint64_t exchange = 0; exchange < exchanges; ++exchange) {
      const std::vector<double> halo = halo_of(exchange, elements);
      std::ranges::copy(halo, out.slot());
      out.send();
      wait_until(stop, [&] { return in.has(); });
      wrong += std::ranges::equal(std::span(in.take(), elements), halo) ? 0 : 1;
    }
    return wrong;
  };
  std::uint64_t wrong = 0;
  std::jthread other([&] { wrong = exchange_all(lower.up, lower.down); });
  CHECK(exchange_all(upper.down, upper.up) == 0);
  other.join();
  CHECK(wrong == 0);
}
