#include "overlap/pieces/host_positions.hpp"

#include <vector>

#include "runtime/host_memory.hpp"

namespace genocl::overlap {
namespace {

template <class Position>
HostPositions sorted(std::span<const Device> devices, const HostText& text, const PieceOptions& options) {
  const auto all = std::make_shared<std::vector<Position>>();
  runtime::check_host_memory("a suffix array", text.size() * sizeof(Position));
  all->reserve(text.size());
  sort_in_pieces(devices, text, PositionSink<Position>([&](std::span<const Position> some) {
                   all->insert(all->end(), some.begin(), some.end());
                 }),
                 options);
  HostPositions positions;
  if constexpr (sizeof(Position) == 8)
    positions.wide = *all;
  else
    positions.narrow = *all;
  positions.keeps = all;
  return positions;
}

}  // namespace

HostPositions sort_on_host(std::span<const Device> devices, const HostText& text, bool wide,
                           const PieceOptions& options) {
  return wide ? sorted<std::uint64_t>(devices, text, options) : sorted<std::uint32_t>(devices, text, options);
}

}  // namespace genocl::overlap
