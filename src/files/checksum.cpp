#include "files/checksum.hpp"

#include <algorithm>
#include <vector>

#include "runtime/parallel.hpp"

// All of it is in the header: nothing to link.
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
constexpr std::size_t most_threads = 64;

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  const std::size_t pieces = bytes.size() / piece_size + 1;
  std::vector<std::uint64_t> sums(pieces);
  parallel_for(pieces, threads_for(pieces, 1, most_threads), [&](std::size_t i) {
    const std::size_t begin = i * piece_size;
    sums[i] = XXH3_64bits(bytes.data() + begin, std::min(piece_size, bytes.size() - begin));
  });
  return XXH3_64bits_withSeed(sums.data(), sums.size() * sizeof sums[0], bytes.size());
}

}  // namespace genocl::runtime
