#include "pwm/scan/hit_order.hpp"

#include <algorithm>
#include <cstdint>

namespace genocl::pwm {
namespace {

/// Hits that are sorted at a time: they stay in the first level's cache.
constexpr std::size_t hits_of_bucket = 256;
constexpr std::size_t most_buckets = std::size_t{1} << 16;

}  // namespace

void sort_by_letter(std::vector<PieceHit>& hits, std::uint32_t letters) {
  unsigned shift = 0;
  const std::size_t wanted = std::clamp<std::size_t>(hits.size() / hits_of_bucket, 1, most_buckets);
  while ((letters >> shift) >= wanted) ++shift;
  const std::size_t buckets = (std::size_t{letters} >> shift) + 1;
  std::vector<std::size_t> begin(buckets + 1);
  const auto bucket = [&](const PieceHit& hit) { return static_cast<std::size_t>(hit.key >> 32 >> shift); };
  for (const PieceHit& hit : hits) ++begin[bucket(hit) + 1];
  for (std::size_t i = 0; i < buckets; ++i) begin[i + 1] += begin[i];
  std::vector<PieceHit> sorted(hits.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const PieceHit& hit : hits) sorted[next[bucket(hit)]++] = hit;
  for (std::size_t i = 0; i < buckets; ++i)
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin[i]),
              sorted.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]),
              [](const PieceHit& a, const PieceHit& b) { return a.key < b.key; });
  hits = std::move(sorted);
}

}  // namespace genocl::pwm
