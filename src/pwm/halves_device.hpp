// Halves of words on a device: built and counted by cl/pwm/half_words.cl and cl/pwm/tail_count.cl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "pwm/halves.hpp"

namespace genocl::pwm {

/// Every word has weight 1. Equal sums of different words stay separate, but letters of a column with equal scores
/// become one letter, weighted by their number.
class DeviceHalves {
 public:
  DeviceHalves(const Device& device, const FixedPoint& matrix, std::size_t cut);

  struct Count {
    std::uint64_t words = 0, pairs = 0;
  };
  /// Number of words with Q >= q, for each q. O(sums of both halves), divided among all items.
  std::vector<Count> at_least(std::span<const std::int64_t> q) const;
  /// The same lists on the host, with all levels.
  HalfWords<std::uint64_t> download() const;

 private:
  struct List {
    Array<std::int64_t> sum;
    Array<std::uint64_t> weight;
  };
  List merge(const List& a, std::int64_t add_a, std::uint64_t times_a, const List& b, std::int64_t add_b,
             std::uint64_t times_b) const;
  List grow(const List& list, const std::array<std::int64_t, 4>& column) const;

  Device device_;
  std::size_t length_, cut_;
  std::vector<List> prefix_, suffix_;  ///< [letters] from the begin of the word, and from its end
  Array<std::uint64_t> before_;        ///< [i]: sum of the weights of the first i ends
};

}  // namespace genocl::pwm
