// The checksum of genocl's files: XXH3 of xxHash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace genocl::runtime {

/// XXH3 with 64 bits, over pieces of 4 MiB, then over their checksums and the size. Several threads compute it; the
/// result does not depend on their number. A change stays undetected with probability 2^-64.
std::uint64_t checksum(std::span<const std::byte> bytes);

/// Called by the thread that processes a piece, before it reads the piece.
using BeforePiece = std::function<void(std::span<const std::byte> piece)>;

/// Computes the same checksum incrementally. Threads share inputs of many times 4 MiB.
class Checksum {
 public:
  /// @param before Called for pieces that are completely in `bytes`.
  void add(std::span<const std::byte> bytes, const BeforePiece& before = {});
  /// Returns the checksum of all bytes. Call it once.
  std::uint64_t end();

 private:
  std::vector<std::uint64_t> sums_;
  std::vector<std::byte> rest_;  // an incomplete piece
  std::uint64_t size_ = 0;
};

}  // namespace genocl::runtime
