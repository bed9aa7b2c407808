// The halves of words on a device: built, and counted, by cl/pwm/halves/half_words.cl and cl/pwm/halves/tail_count.cl.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "pwm/halves/half_words.hpp"

namespace genocl::pwm {

/// Every word weighs 1. Equal sums of different words stay apart, but letters of a column that score alike are one, as
/// heavy as they are many.
class DeviceHalves {
 public:
  DeviceHalves(const Device& device, const FixedPoint& matrix, std::size_t cut);

  struct Count {
    std::uint64_t words = 0, pairs = 0;
  };
  /// Counts the words with Q >= q, for each q. O(sums of both halves), shared by all items.
  std::vector<Count> at_least(std::span<const std::int64_t> q) const;
  /// The same lists for the host, with all levels.
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
  std::vector<List> prefix_, suffix_;  ///< [letters] from the word's begin, and from its end
  Array<std::uint64_t> before_;        ///< [i]: weights of the first i ends
};

}  // namespace genocl::pwm
