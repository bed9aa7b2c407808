// Cuts the sequences of a chunk into pieces that overlap.
#include <algorithm>

#include "align/on_device.hpp"
#include "runtime/launch.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;

/// Calls add(begin, length) for each piece of one sequence, in their order.
template <class Add>
void cut_one(std::uint64_t length, const ChunkRange& range, std::size_t subject, const Cut& cut, Add&& add) {
  const std::uint64_t from = subject == 0 ? range.before : 0;
  const std::uint64_t to = length - (subject + 1 == range.count ? range.behind : 0), own = to - from;
  const bool is_cut = cut.piece != 0 && own > cut.piece + cut.overlap;
  const std::uint64_t step = is_cut ? ceil_div(own, ceil_div(own, cut.piece)) : std::max<std::uint64_t>(own, 1);
  std::uint64_t begin = from;
  do {
    const std::uint64_t end = std::min(begin + step, to);
    const std::uint64_t with_overlap = begin - std::min(begin, cut.overlap);
    add(with_overlap, end - with_overlap);
    begin = end;
  } while (begin < to);
}

}  // namespace

std::vector<Piece> pieces_of(const Database& database, const ChunkRange& range, const Cut& cut) {
  std::vector<Piece> pieces;
  pieces.reserve(range.count);
  for (std::size_t s = 0; s < range.count; ++s)
    cut_one(database.length_at(range.first + s), range, s, cut, [&](std::uint64_t begin, std::uint64_t length) {
      pieces.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(length), begin});
    });
  if (pieces.size() > range.count || range.before != 0 || range.behind != 0)
    std::ranges::stable_sort(pieces, {}, &Piece::length);
  return pieces;
}

std::vector<Piece> pieces_of(std::uint64_t length, const Cut& cut) {
  std::vector<Piece> pieces;
  cut_one(length, {.count = 1}, 0, cut, [&](std::uint64_t begin, std::uint64_t letters) {
    pieces.push_back({0, static_cast<std::uint32_t>(letters), begin});
  });
  return pieces;
}

CutSize size_of(const Database& database, const ChunkRange& range, const Cut& cut) {
  CutSize size{.count = range.count, .residues = range.residues, .longest = range.longest};
  if (cut.piece == 0 && range.before == 0) return size;
  size.longest = 0;
  const auto add = [&](std::size_t s) {
    const std::uint64_t length = database.length_at(range.first + s);
    --size.count;
    size.residues -= length - (s == 0 ? range.before : 0) - (s + 1 == range.count ? range.behind : 0);
    cut_one(length, range, s, cut, [&](std::uint64_t, std::uint64_t letters) {
      ++size.count;
      size.residues += letters;
      size.longest = std::max(size.longest, letters);
    });
    return length;
  };
  // The longest come last; the first one may be the end of one, and the last one the beginning.
  for (std::size_t s = range.count; s-- > 0;)
    if (add(s) <= cut.piece && s + 1 < range.count && s > 0) {
      if (range.before != 0) add(0);
      break;
    }
  return size;
}

}  // namespace genocl::align
