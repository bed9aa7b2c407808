#include "pwm/scan/piece_scan.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace genocl::pwm {
namespace {

/// To begin with.
constexpr std::uint32_t first_batch = 1024;
/// Batches are multiples of it where they are larger: what finders look for together.
constexpr std::uint32_t batch_unit = 128;

std::uint32_t whole_units(std::uint64_t targets) {
  const std::uint64_t count = targets < batch_unit ? targets : targets / batch_unit * batch_unit;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(count, 1, std::uint64_t{1} << 20));
}

/// That many targets had so many candidates: how many fit, with some to spare.
std::uint32_t smaller_batch(std::uint32_t targets, std::uint64_t candidates, std::uint64_t room) {
  const double share = 0.75 * static_cast<double>(room) / static_cast<double>(candidates);
  return std::min(whole_units(static_cast<std::uint64_t>(targets * share)), std::max(1u, targets / 2));
}

}  // namespace

PreparedTargets::PreparedTargets(const Device& d, std::span<const Target> targets, Method method)
    : device(d), finder(make_finder(d, targets, method)), exact(upload_targets(d, targets)), batch(first_batch) {
  device.finish();  // other queues read it
}

std::uint64_t candidate_room(const Device& device) {
  // Rescoring takes about 40 bytes for each, two pieces are in work.
  return std::clamp<std::uint64_t>(device.info().global_memory / 1024, std::uint64_t{1} << 16, std::uint64_t{1} << 25);
}

void throw_too_many_hits(std::uint64_t max_hits) {
  throw InputError("there are more than " + std::to_string(max_hits) +
                   " hits, the most that were asked for; expected a higher limit or a higher threshold");
}

PieceHits scan_piece(const Device& device, const PreparedTargets& prepared, const SequenceSet& text,
                     const TextPiece& piece, const PieceOptions& options) {
  if (prepared.exact.targets.empty() || piece.parts.empty())
    return {.counts = std::vector<std::uint64_t>(prepared.exact.targets.size()), .keys = {}, .scores = {}};
  const StreamedText streamed = stream_text(device, text, piece, prepared.finder->wants_packed());
  return scan_on_device(device, prepared, streamed.text, options);
}

PieceHits scan_on_device(const Device& device, const PreparedTargets& prepared, const DeviceText& text,
                         const PieceOptions& options) {
  const auto targets = static_cast<std::uint32_t>(prepared.exact.targets.size());
  PieceHits result;
  result.counts.resize(targets);
  if (targets == 0) return result;
  Array<std::uint64_t> counts;
  if (options.counts_only) {
    counts = Array<std::uint64_t>(device, targets);
    counts.fill(0);
  }
  std::uint32_t wanted = prepared.batch;
  std::uint64_t room = options.room;
  for (std::uint32_t first = 0; first < targets;) {
    const std::uint32_t count = std::min(wanted, targets - first);
    const Candidates candidates = prepared.finder->find(device, text, first, count, room);
    if (candidates.count > room) {
      if (count > 1)
        prepared.batch = wanted = smaller_batch(count, candidates.count, room);
      else
        room = candidates.count;
      continue;
    }
    if (options.counts_only) {
      count_hits(device, text, prepared.exact, candidates, counts);
    } else {
      const DeviceHits hits = verify(device, text, prepared.exact, candidates);
      const std::size_t before = result.keys.size();
      if (hits.count > options.max_hits - before) throw_too_many_hits(options.max_hits);
      result.keys.resize(before + hits.count);
      result.scores.resize(before + hits.count);
      if (hits.count != 0) {
        hits.keys.download(std::span(result.keys).subspan(before));
        hits.scores.download(std::span(result.scores).subspan(before));
      }
    }
    first += count;
    room = options.room;
    if (candidates.count < room / 4 && count == wanted)
      prepared.batch = wanted = whole_units(std::uint64_t{wanted} * 2);
  }
  if (options.counts_only)
    result.counts = counts.download();
  else
    for (const std::uint64_t key : result.keys) ++result.counts[key >> 32];
  return result;
}

}  // namespace genocl::pwm
