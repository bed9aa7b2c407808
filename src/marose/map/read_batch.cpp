#include <algorithm>
#include <bit>

#include "genocl/error.hpp"
#include "marose/on_device.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

ReadBatch pack_reads(const Device& device, const SequenceSet& reads, std::span<const std::uint32_t> which,
                     std::span<const std::uint32_t> plans, std::uint32_t min_words) {
  ReadBatch batch;
  batch.count = static_cast<std::uint32_t>(which.size());
  std::vector<std::uint32_t> offsets(which.size() + 1);
  std::uint64_t longest = 1, total = 0;
  bool consecutive = true;
  for (std::size_t i = 0; i < which.size(); ++i) {
    longest = std::max(longest, reads.length(which[i]));
    offsets[i] = static_cast<std::uint32_t>(total);
    total += reads.length(which[i]);
    consecutive = consecutive && which[i] == which[0] + i;
  }
  if (total > 0xffffffffu) throw InputError("more than 2^32 bases in one batch of reads");
  offsets[which.size()] = static_cast<std::uint32_t>(total);
  batch.words = std::max(min_words, static_cast<std::uint32_t>(std::bit_ceil((longest + 31) / 32)));

  Array<Code> codes(device, std::max<std::uint64_t>(total, 1));
  if (which.empty()) {
  } else if (consecutive) {
    codes.upload(reads.codes({which[0], which.size(), 0}));
  } else {
    std::vector<Code> gathered;
    gathered.reserve(total);
    for (const std::uint32_t read : which) gathered.insert(gathered.end(), reads[read].begin(), reads[read].end());
    codes.upload(gathered);
  }
  for (const std::uint32_t read : which) {
    Code most = 0;
    for (const Code code : reads[read]) most = std::max(most, code);  // without an early end it is vector code
    if (most > 3) {
      batch.has_unknown = true;
      break;
    }
  }
  batch.one_plan = std::all_of(plans.begin(), plans.end(), [](std::uint32_t plan) { return plan == 0; });

  const std::uint64_t words = std::uint64_t{2} * batch.words * batch.count;
  batch.bases = Array<std::uint64_t>(device, std::max<std::uint64_t>(words, 1));
  batch.unknown = Array<std::uint64_t>(device, batch.has_unknown ? words : 1);
  batch.plan = Array<std::uint32_t>(device, plans);
  const Array<std::uint32_t> device_offsets(device, std::span<const std::uint32_t>(offsets));
  runtime::launch_items(device, "marose/map/pack_reads.cl", "pack_reads", {},
                        {.items = words, .bytes = total + 16 * words, .least = 1024}, codes, device_offsets,
                        batch.count, batch.words, std::uint32_t{batch.has_unknown}, batch.bases, batch.unknown);
  return batch;
}

}  // namespace genocl::marose
