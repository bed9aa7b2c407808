// Texts in records, and what the tests of `hybrid` start from.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "genocl/overlap/text.hpp"
#include "overlap/cases.hpp"
#include "reference/overlap/suffix_array.hpp"

namespace overlap_test {

using Positions = std::vector<std::uint32_t>;

/// Bytes in `count` records, a break behind each, as the oracle wants them.
struct Separated {
  Bytes bytes;
  std::vector<bool> broken;
  genocl::overlap::Text text;

  Separated(const genocl::Device& device, const Bytes& whole, std::size_t count)
      : text(genocl::overlap::Text::separated(device, cut(whole, count))) {}

 private:
  std::vector<std::span<const std::uint8_t>> cut(const Bytes& whole, std::size_t count) {
    std::vector<std::span<const std::uint8_t>> records;
    for (std::size_t record = 0; record < count; ++record) {
      const std::size_t begin = whole.size() * record / count, end = whole.size() * (record + 1) / count;
      records.push_back(std::span(whole).subspan(begin, end - begin));
      bytes.insert(bytes.end(), records.back().begin(), records.back().end());
      broken.resize(bytes.size(), false);
      bytes.push_back(0);
      broken.push_back(true);
    }
    return records;
  }
};

}  // namespace overlap_test
