#include "runtime/parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

using namespace genocl::runtime;

TEST_CASE("parallel_for: every task once, with any number of threads") {
  for (const std::size_t tasks : {0u, 1u, 2u, 7u, 1000u}) {
    for (const std::size_t threads : {0u, 1u, 2u, 5u, 64u}) {
      CAPTURE(tasks);
      CAPTURE(threads);
      std::vector<std::atomic<int>> calls(tasks);
      parallel_for(tasks, threads, [&](std::size_t i) { ++calls[i]; });
      for (const auto& count : calls) CHECK(count == 1);
    }
  }
}

TEST_CASE("parallel_for: the exception of a task comes out, and what has not begun is left out") {
  for (const std::size_t threads : {1u, 4u}) {
    std::atomic<int> begun = 0;
    CHECK_THROWS_AS(parallel_for(100'000, threads,
                                 [&](std::size_t i) {
                                   ++begun;
                                   if (i == 10) throw std::runtime_error("ten");
                                 }),
                    std::runtime_error);
    CHECK(begun >= 11);
    CHECK(begun < 100'000);
  }
}

TEST_CASE("threads_for: at least one, no more than is worth it") {
  CHECK(threads_for(0, 100) == 1);
  CHECK(threads_for(199, 100) == 1);
  CHECK(threads_for(1'000'000, 1, 3) <= 3);
  CHECK(threads_for(1'000'000, 1, 0) == 1);
}
