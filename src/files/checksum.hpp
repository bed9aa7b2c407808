// The checksum of what genocl writes and reads again: XXH3 of xxHash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace genocl::runtime {

/// XXH3 with 64 bits, over pieces of 4 MiB and then over their sums and the size, so that several threads can share the
/// work; the result does not depend on their number. Any change is seen but for one in 2^64.
std::uint64_t checksum(std::span<const std::byte> bytes);

/// Called by the thread that takes up a piece, before it looks at it.
using BeforePiece = std::function<void(std::span<const std::byte> piece)>;

/// The same of bytes that come one piece after the other. Pieces of many times 4 MiB are shared by threads.
class Checksum {
 public:
  /// `before` is told of pieces that lie in `bytes` whole.
  void add(std::span<const std::byte> bytes, const BeforePiece& before = {});
  /// Of all that was added. Called once.
  std::uint64_t end();

 private:
  std::vector<std::uint64_t> sums_;
  std::vector<std::byte> rest_;  // less than a piece
  std::uint64_t size_ = 0;
};

}  // namespace genocl::runtime
