// Texts whose suffix arrays are made by the benchmarks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace genocl_bench {

using Bytes = std::vector<std::uint8_t>;

/// A text and the name its benchmarks carry; made when the first of them runs.
struct Source {
  std::string name;
  std::uint64_t size = 0;
  std::function<Bytes()> make;
  double paper_cpu = 0, paper_gpu = 0;  ///< ms
};

std::vector<Source> suffix_texts();

}  // namespace genocl_bench
