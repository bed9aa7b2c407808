#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "cluster/shared_numbers.hpp"
#include "genocl/cluster.hpp"
#include "genocl/error.hpp"

using namespace genocl::cluster;

namespace {

/// The bytes of a block, the same on every rank.
std::vector<std::byte> bytes_of(std::uint64_t block, std::size_t most = 3000) {
  std::mt19937_64 random(block);
  std::vector<std::byte> bytes(random() % (most + 1));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

void nap(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
}

}  // namespace

TEST_CASE("cluster: what ranks tell one another") {
  const Communicator ranks(MPI_COMM_WORLD);
  CHECK(ranks.rank() < ranks.size());
  // On one machine, or one rank on each.
  const bool apart = std::getenv("GENOCL_TEST_MACHINES") != nullptr;
  CHECK(ranks.node_size() == (apart ? 1 : ranks.size()));
  CHECK(ranks.node_rank() == (apart ? 0 : ranks.rank()));
  const auto rank = static_cast<std::uint64_t>(ranks.rank()), size = static_cast<std::uint64_t>(ranks.size());
  for (int from = 0; from < ranks.size(); ++from)
    for (const std::size_t most : {0, 10, 1'000'000}) {
      std::vector<std::byte> bytes;
      if (ranks.rank() == from) bytes = bytes_of(7, most);
      ranks.broadcast(bytes, from);
      CHECK((bytes == bytes_of(7, most)));
    }
  const auto gathered = ranks.gather(bytes_of(rank, 100'000));
  REQUIRE(gathered.size() == (ranks.is_root() ? size : 0));
  for (std::size_t i = 0; i < gathered.size(); ++i) CHECK((gathered[i] == bytes_of(i, 100'000)));
  const auto everywhere = ranks.gather_everywhere(bytes_of(rank));
  REQUIRE(everywhere.size() == size);
  for (std::size_t i = 0; i < size; ++i) CHECK((everywhere[i] == bytes_of(i)));
  std::vector<std::uint64_t> sums = {1, rank, std::uint64_t{1} << 50};
  ranks.sum(sums);
  CHECK(sums == std::vector<std::uint64_t>{size, size * (size - 1) / 2, size << 50});
  std::vector<double> most = {static_cast<double>(rank), -1.0 - static_cast<double>(rank)};
  ranks.max(most);
  CHECK(most == std::vector<double>{static_cast<double>(size - 1), -1});
  const Communicator copy = ranks;  // NOLINT(performance-unnecessary-copy-initialization)
  copy.barrier();
}

TEST_CASE("cluster: each number of a counter is taken once, by several threads too") {
  const Communicator ranks(MPI_COMM_WORLD);
  const SharedCounter counter(ranks), other(ranks);
  constexpr std::uint64_t each = 200;
  std::vector<std::uint64_t> mine;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (std::uint64_t i = 0; i < each; ++i) {
        const std::uint64_t number = counter.take();
        const std::lock_guard lock(mutex);
        mine.push_back(number);
      }
    });
  for (std::thread& thread : threads) thread.join();
  const std::uint64_t five = other.take(5);
  CHECK(five % 5 == 0);
  const auto all = ranks.gather(std::as_bytes(std::span(mine)));
  std::set<std::uint64_t> numbers;
  for (const auto& one : all)
    for (std::size_t i = 0; i < one.size(); i += 8) {
      std::uint64_t number = 0;
      std::memcpy(&number, one.data() + i, 8);
      numbers.insert(number);
    }
  if (!ranks.is_root()) return;
  CHECK(numbers.size() == 3 * each * static_cast<std::uint64_t>(ranks.size()));
  CHECK(*numbers.rbegin() == numbers.size() - 1);
}

TEST_CASE("cluster: shared numbers where MPI has no windows") {
  const Communicator ranks(MPI_COMM_WORLD);
  SharedNumbers numbers(ranks, 2, false);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) numbers.add(t % 2, 1);
    });
  for (std::thread& thread : threads) thread.join();
  ranks.barrier();
  const auto size = static_cast<std::uint64_t>(ranks.size());
  CHECK(numbers.get(0) == 100 * size);
  CHECK(numbers.get(1) == 50 * size);
}

TEST_CASE("cluster: blocks arrive in order, for any rank and any delay") {
  const Communicator ranks(MPI_COMM_WORLD);
  for (const std::uint64_t count : {0, 1, 100})
    for (const std::uint64_t ahead : {0, 1, 2}) {
      std::uint64_t next = 0;
      bool right = true;
      OrderedBlocks blocks(
          ranks,
          [&](std::uint64_t block, std::span<const std::byte> bytes) {
            const std::vector<std::byte> expected = bytes_of(block, block % 10 == 3 ? 200'000 : 3000);
            right &= block == next++ && std::ranges::equal(bytes, expected);
            if (block % 7 == 0) nap(block);
          },
          ahead);
      while (true) {
        const std::uint64_t block = blocks.take();
        if (block >= count) break;
        nap(block + 1000 * static_cast<std::uint64_t>(ranks.rank()));
        blocks.put(block, bytes_of(block, block % 10 == 3 ? 200'000 : 3000));
      }
      blocks.finish();
      CHECK(right);
      CHECK(next == (ranks.is_root() ? count : 0));
    }
}

TEST_CASE("cluster: blocks that each rank writes into one file") {
  const Communicator ranks(MPI_COMM_WORLD);
  std::string path;
  if (ranks.is_root()) {
    path = (std::filesystem::temp_directory_path() / ("genocl-file-blocks-" + std::to_string(std::random_device()())))
               .string();
    std::ofstream(path) << "head";
  }
  {
    std::uint64_t next = 0;
    bool right = true;
    std::optional<FileBlocks> blocks =
        FileBlocks::open(ranks, path, 4, [&](std::uint64_t block, std::span<const std::byte> said) {
          right &= block == next++ && std::ranges::equal(said, bytes_of(block + 1000, 20));
        });
    REQUIRE(blocks.has_value());
    std::uint64_t size = 4;
    for (std::uint64_t block = 0; block < 60; ++block) size += bytes_of(block).size();
    for (std::uint64_t block = blocks->take(); block < 60; block = blocks->take()) {
      nap(block);
      blocks->put(block, bytes_of(block + 1000, 20), bytes_of(block));
    }
    CHECK(blocks->finish() == (ranks.is_root() ? size : 0));
    CHECK(right);
  }
  if (ranks.is_root()) {
    std::ifstream file(path, std::ios::binary);
    const std::string written{std::istreambuf_iterator<char>(file), {}};
    std::string expected = "head";
    for (std::uint64_t block = 0; block < 60; ++block)
      for (const std::byte byte : bytes_of(block)) expected += static_cast<char>(byte);
    CHECK((written == expected));
    std::filesystem::remove(path);
  }
  CHECK_FALSE(FileBlocks::open(ranks, "/nowhere/x", 0, {}).has_value());
}

TEST_CASE("cluster: what the sink throws is thrown on every rank") {
  const Communicator ranks(MPI_COMM_WORLD);
  OrderedBlocks blocks(ranks, [](std::uint64_t block, std::span<const std::byte>) {
    if (block == 5) throw genocl::InputError("the disk is full");
  });
  std::string wrong;
  try {
    for (std::uint64_t block = blocks.take(); block < 20; block = blocks.take())
      if (block < 6 || ranks.is_root()) blocks.put(block, bytes_of(block));
  } catch (const genocl::Error& error) {
    wrong = error.what();
  }
  CHECK_THROWS_AS(blocks.finish(), genocl::Error);
  if (ranks.is_root() && !wrong.empty()) CHECK(wrong == "the disk is full");
}

// Far more blocks than may wait, and of more bytes than a message takes without the other side: nobody waits for ever.
TEST_CASE("cluster: a sink that throws ends what every rank puts") {
  const Communicator ranks(MPI_COMM_WORLD);
  for (const std::uint64_t last : {0, 1, 7, 50})
    for (const std::uint64_t ahead : {1, 0}) {
      OrderedBlocks blocks(
          ranks,
          [last](std::uint64_t block, std::span<const std::byte>) {
            if (block == last) throw genocl::InputError("the disk is full");
          },
          ahead);
      std::string wrong;
      try {
        for (std::uint64_t block = blocks.take(); block < 400; block = blocks.take())
          blocks.put(block, bytes_of(block, 300'000));
      } catch (const genocl::Error& error) {
        wrong = error.what();
      }
      CAPTURE(wrong);
      CHECK_THROWS_AS(blocks.finish(), genocl::Error);
      CHECK(blocks.failed());
      if (ranks.is_root() && !wrong.empty()) CHECK(wrong == "the disk is full");
    }
}

TEST_CASE("cluster: a sink that throws ends what every rank writes into a file") {
  const Communicator ranks(MPI_COMM_WORLD);
  std::string path;
  if (ranks.is_root()) {
    path = (std::filesystem::temp_directory_path() / ("genocl-file-blocks-" + std::to_string(std::random_device()())))
               .string();
    std::ofstream(path) << "head";
  }
  for (const std::uint64_t last : {0, 1, 7, 50}) {
    std::optional<FileBlocks> blocks =
        FileBlocks::open(ranks, path, 4, [last](std::uint64_t block, std::span<const std::byte>) {
          if (block == last) throw genocl::InputError("the disk is full");
        });
    REQUIRE(blocks.has_value());
    bool thrown = false;
    try {
      for (std::uint64_t block = blocks->take(); block < 400; block = blocks->take())
        blocks->put(block, bytes_of(block, 10), bytes_of(block));
    } catch (const genocl::Error&) {
      thrown = true;
    }
    if (ranks.size() == 1) CHECK(thrown);
    CHECK_THROWS_AS(blocks->finish(), genocl::Error);
  }
  if (ranks.is_root()) std::filesystem::remove(path);
}

TEST_CASE("cluster: ranks of one machine share its devices and cores") {
  const Communicator ranks(MPI_COMM_WORLD);
  share_cores(ranks);
  const std::vector<genocl::Device> devices = pick_devices(ranks);
  REQUIRE(devices.size() == 1);
  if (devices.front().info().type == genocl::DeviceType::cpu && ranks.node_size() > 1) {
    std::vector<std::uint64_t> units = {devices.front().info().compute_units};
    ranks.sum(units);
    const std::uint64_t cores = std::thread::hardware_concurrency();
    CHECK(units[0] <= std::max(cores, static_cast<std::uint64_t>(ranks.size())));
  }
  CHECK_THROWS_AS(pick_devices(ranks, "no such device"), genocl::InputError);
}

TEST_CASE("cluster: devices that a spec names are distributed to the ranks of a machine, CPUs are for each rank") {
  const Communicator ranks(MPI_COMM_WORLD);
  if (ranks.node_size() != ranks.size()) return;
  const std::vector<genocl::DeviceInfo> all = genocl::Device::available();
  std::vector<std::uint64_t> users(all.size(), 0);
  for (const genocl::Device& device : pick_devices(ranks, "all")) ++users[device.info().index];
  ranks.sum(users);
  const auto size = static_cast<std::uint64_t>(ranks.size());
  std::uint64_t gpus = 0, gpu_users = 0;
  for (const genocl::DeviceInfo& info : all) {
    if (info.type == genocl::DeviceType::cpu) {
      CHECK(users[info.index] == size);
    } else {
      ++gpus;
      gpu_users += users[info.index];
      CHECK(users[info.index] >= 1);
    }
  }
  if (gpus > 0) CHECK(gpu_users == std::max(gpus, size));
}
