#include <algorithm>

#include "marose/on_device.hpp"

namespace genocl::marose {
namespace {

constexpr std::uint32_t block_bases = DeviceReference::block_bases;

void mark(std::vector<std::uint32_t>& special, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t block = first / block_bases; block <= (last - 1) / block_bases; ++block)
    special[block / 32] |= std::uint32_t{1} << (block % 32);
}

}  // namespace

DeviceReference upload_reference(const Device& device, const ReferenceView& reference, const Segment& segment) {
  DeviceReference result;
  result.length = static_cast<std::uint32_t>(segment.length);
  const std::uint64_t words = segment.length / 32 + 1;
  std::vector<std::uint64_t> text(words + 4);
  const std::uint64_t end = segment.begin + segment.length;
  for (std::uint64_t w = 0; w < words; ++w) {
    const std::uint64_t at = segment.begin + 32 * w;
    if (at >= end) break;
    std::uint64_t word = reference.window(at);
    if (end - at < 32) word &= ~std::uint64_t{0} << (64 - 2 * (end - at));
    text[w + 1] = word;
  }
  result.words = Array<std::uint64_t>(device, std::span<const std::uint64_t>(text));

  std::vector<std::uint32_t> special((segment.length / block_bases + 1) / 32 + 1), begins, ends, contigs;
  for (const AmbiguousRun& run : reference.runs) {
    const std::uint64_t first = std::max(run.position, segment.begin), last = std::min(run.position + run.length, end);
    if (first >= last) continue;
    mark(special, first - segment.begin, last - segment.begin);
    if (!ends.empty() && ends.back() == first - segment.begin) {  // another letter beside it
      ends.back() = static_cast<std::uint32_t>(last - segment.begin);
      continue;
    }
    begins.push_back(static_cast<std::uint32_t>(first - segment.begin));
    ends.push_back(static_cast<std::uint32_t>(last - segment.begin));
  }
  result.unknown_count = static_cast<std::uint32_t>(begins.size());
  if (begins.empty()) begins.push_back(0), ends.push_back(0);
  contigs.push_back(0);
  for (const std::uint64_t border : reference.offsets) {
    if (border <= segment.begin || border >= end) continue;
    const std::uint64_t at = border - segment.begin;
    if (at == contigs.back()) continue;  // an empty contig
    contigs.push_back(static_cast<std::uint32_t>(at));
    mark(special, at - 1, at + 1);
  }
  result.contig_count = static_cast<std::uint32_t>(contigs.size());
  contigs.push_back(result.length);
  result.special = Array<std::uint32_t>(device, std::span<const std::uint32_t>(special));
  result.unknown_begin = Array<std::uint32_t>(device, std::span<const std::uint32_t>(begins));
  result.unknown_end = Array<std::uint32_t>(device, std::span<const std::uint32_t>(ends));
  result.contig_begin = Array<std::uint32_t>(device, std::span<const std::uint32_t>(contigs));
  return result;
}

}  // namespace genocl::marose
