#include "files/checksum.hpp"

#include <algorithm>
#include <vector>

#include "runtime/parallel.hpp"

// Header-only mode: no library to link.
#define XXH_INLINE_ALL
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wundef"
#endif
#include <xxhash.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace genocl::runtime {
namespace {

constexpr std::size_t piece_size = std::size_t{4} << 20;
constexpr std::size_t max_threads = 64;

std::uint64_t sum_of(std::span<const std::byte> piece) { return XXH3_64bits(piece.data(), piece.size()); }

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.end();
}

void Checksum::add(std::span<const std::byte> bytes, const BeforePiece& before) {
  size_ += bytes.size();
  if (!rest_.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), piece_size - rest_.size()));
    rest_.insert(rest_.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
    if (rest_.size() < piece_size) return;
    sums_.push_back(sum_of(rest_));
    rest_.clear();
  }
  const std::size_t known = sums_.size(), pieces = bytes.size() / piece_size;
  sums_.resize(known + pieces);
  parallel_for(pieces, threads_for(pieces, 1, max_threads), [&](std::size_t i) {
    const auto piece = bytes.subspan(i * piece_size, piece_size);
    if (before) before(piece);
    sums_[known + i] = sum_of(piece);
  });
  bytes = bytes.subspan(pieces * piece_size);
  rest_.assign(bytes.begin(), bytes.end());
}

std::uint64_t Checksum::end() {
  sums_.push_back(sum_of(rest_));
  return XXH3_64bits_withSeed(sums_.data(), sums_.size() * sizeof sums_[0], size_);
}

}  // namespace genocl::runtime
