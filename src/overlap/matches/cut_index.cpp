#include "overlap/matches/cut_index.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "overlap/text/host_text_state.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

/// Fewer to a piece are not worth a device.
constexpr std::uint64_t least_suffixes = 4096;
/// What queries, and what is found, need of a device's memory at most.
constexpr std::uint64_t kept_free = std::uint64_t{3} << 30;

}  // namespace

std::uint64_t suffixes_beside(const Device& device, std::uint64_t text_bytes, std::uint64_t size, std::uint64_t width) {
  const std::uint64_t usable = runtime::usable_memory(device), left = usable - std::min(usable, text_bytes);
  const std::uint64_t room = left - std::min(left / 2, kept_free);
  const auto needed = [width](std::uint64_t suffixes) { return width * suffixes + prefix_table_bytes(suffixes); };
  const std::uint64_t largest = std::min({size, Text::longest, device.info().max_allocation / width});
  const std::uint64_t least = std::min(least_suffixes, largest);
  if (needed(least) > room)
    throw CapacityError("a piece of a suffix index on " + device.info().name, text_bytes + 2 * needed(least), usable);
  std::uint64_t fits = least, not_any_more = largest + 1;
  while (not_any_more - fits > 1) {
    const std::uint64_t middle = fits + (not_any_more - fits) / 2;
    (needed(middle) <= room ? fits : not_any_more) = middle;
  }
  return fits;
}

CutIndex::CutIndex(std::span<const Device> devices, HostText text, HostPositions positions, std::uint64_t most)
    : devices_(devices.begin(), devices.end()),
      text_(std::move(text)),
      positions_(std::move(positions)),
      residents_(devices.size()) {
  const std::uint64_t size = text_.size();
  if (most == 0) {
    most = size;
    for (const Device& device : devices_)
      most = std::min(most, suffixes_beside(device, text_.bytes(), size, positions_.width()));
  }
  pieces_ = std::max<std::uint64_t>(1, runtime::ceil_div(size, std::max<std::uint64_t>(most, 1)));
  if (size >= least_suffixes * devices_.size()) pieces_ = runtime::round_up(pieces_, devices_.size());
  for (std::size_t number = 0; number < devices_.size(); ++number) {
    residents_[number].text = bring_to(devices_[number], text_);
    devices_[number].finish();
  }
}

std::uint64_t CutIndex::begin(std::uint64_t piece) const {
  const std::uint64_t size = positions_.size();
  return size / pieces_ * piece + size % pieces_ * piece / pieces_;
}

const CutIndex::Resident& CutIndex::bring(const Device& device, std::size_t number, std::uint64_t piece) {
  Resident& resident = residents_[number];
  if (resident.piece == piece) return resident;
  // What was there goes first.
  resident.piece = ~std::uint64_t{0};
  resident.narrow = {};
  resident.wide = {};
  resident.table = {};
  device.release_scratch();
  const std::uint64_t first = begin(piece), count = begin(piece + 1) - first;
  if (positions_.is_wide()) {
    resident.wide = Array<std::uint64_t>(device, positions_.wide.subspan(first, count));
    resident.table = prefix_table(device, *resident.text, resident.wide);
  } else {
    resident.narrow = Array<std::uint32_t>(device, positions_.narrow.subspan(first, count));
    resident.table = prefix_table(device, *resident.text, resident.narrow);
  }
  resident.piece = piece;
  return resident;
}

}  // namespace genocl::overlap
