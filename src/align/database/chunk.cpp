// Cuts a database into chunks and brings them to a device.
#include <algorithm>
#include <cstring>
#include <limits>

#include "align/on_device.hpp"
#include "genocl/error.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;
using runtime::round_up;

constexpr std::uint64_t column_block = DeviceChunk::column_block;
constexpr std::uint64_t letter_block = 16;
constexpr std::uint64_t most_letters = std::uint64_t{1} << 31;

/// Counts a sequence's letters with its pads.
std::uint64_t plain_letters(std::uint64_t length) { return round_up(length + DeviceChunk::plain_margin, letter_block); }

/// Launches one of the kernels of lay_out.cl, which end with their share.
template <class... Arguments>
void launch(const Device& device, std::string_view name, std::uint64_t items, std::uint64_t bytes,
            const Arguments&... arguments) {
  runtime::Defines defines;
  defines.set("LANES", DeviceChunk::lanes);
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, items, 1, 256);
    defines.set("ONLY_CPU", 1);
    runtime::Kernel(device, "align/score/lay_out.cl", name, defines)
        .args(arguments..., shares.share)
        .run(shares.workers, 1, bytes);
  } else {
    const unsigned size = runtime::group_size(device);
    const std::size_t groups =
        static_cast<std::size_t>(std::min<std::uint64_t>(ceil_div(items, size), std::uint64_t{1} << 20));
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
    runtime::Kernel(device, "align/score/lay_out.cl", name, defines)
        .args(arguments..., std::uint64_t{groups} * size)
        .run(groups, size, bytes);
  }
}

/// The pieces' letters, one after the other. Whole sequences lie so in the database already.
void upload_codes(const Device& device, const Database& database, const ChunkRange& range,
                  std::span<const Piece> pieces, std::span<const std::uint32_t> offsets, std::uint64_t residues,
                  Array<std::uint8_t>& to) {
  const auto codes_of = [&](const Piece& piece) {
    return database.sequence_at(range.first + piece.subject).subspan(piece.begin, piece.length);
  };
  if (residues == 0) return;
  const Code* const first = codes_of(pieces[0]).data();
  bool as_they_lie = true;
  for (std::size_t s = 0; s < pieces.size() && as_they_lie; ++s)
    as_they_lie = codes_of(pieces[s]).data() == first + offsets[s];
  if (as_they_lie) return to.upload(std::span<const std::uint8_t>(first, residues));
  HostArray<std::uint8_t> staged(device, residues);
  for (std::size_t s = 0; s < pieces.size(); ++s)
    if (pieces[s].length > 0) std::memcpy(staged.data() + offsets[s], codes_of(pieces[s]).data(), pieces[s].length);
  to.upload(std::span<const std::uint8_t>(staged.data(), staged.size()));
}

}  // namespace

std::vector<ChunkRange> cut_into_chunks(const Database& database, std::uint64_t residues, std::uint64_t split) {
  // All chunks are of about the same size, rather than full but for the last.
  const std::uint64_t count =
      std::max<std::uint64_t>(1, ceil_div(database.residues(), std::max<std::uint64_t>(1, residues)));
  const std::uint64_t even = (database.residues() + count - 1) / count;
  std::vector<ChunkRange> chunks;
  ChunkRange chunk;
  std::uint64_t letters = 0, before = 0;  // residues of the chunks that are full
  std::uint64_t of_last = 0;              // letters of the chunk's last sequence
  for (std::size_t rank = 0; rank < database.size(); ++rank) {
    const std::uint64_t length = database.length_at(rank);
    const std::uint64_t parts = split != 0 ? std::max<std::uint64_t>(1, ceil_div(length, split)) : 1;
    const std::uint64_t step = ceil_div(length, parts);
    std::uint64_t from = 0;
    do {
      const std::uint64_t part = std::min(step, length - from);
      // Each ends where the even parts up to it do, as nearly as sequences allow.
      const bool even_full = before + chunk.residues + part / 2 >= (chunks.size() + 1) * even;
      const bool full =
          even_full || chunk.residues + part > residues || letters + plain_letters(part) > most_letters / 2;
      if (chunk.count > 0 && full) {
        before += chunk.residues;
        if (from > 0) chunk.behind = length - from;
        chunks.push_back(chunk);
        chunk = {.first = rank, .before = from};
        letters = 0;
      }
      const bool goes_on = chunk.count > 0 && from > 0;
      if (!goes_on) ++chunk.count;
      of_last = goes_on ? of_last + part : part;
      chunk.residues += part;
      chunk.longest = std::max(chunk.longest, of_last);
      letters += plain_letters(part);
      from += part;
    } while (from < length);
  }
  if (chunk.count > 0) chunks.push_back(chunk);
  return chunks;
}

std::uint64_t bytes_on_device(const CutSize& size, DeviceChunk::Layout layout) {
  if (layout == DeviceChunk::Layout::plain)
    return size.residues + size.count * (DeviceChunk::plain_margin + letter_block + 8) + 256;
  // Sorted, a full group is no wider than the shortest sequence of the next; that leaves the last two.
  return size.residues + 2 * (size.longest + column_block) * DeviceChunk::lanes + size.count * (column_block + 8) + 256;
}

DeviceChunk upload_chunk(const Device& device, const Database& database, const ChunkRange& range,
                         const ScoringTable& table, DeviceChunk::Layout layout, const Cut& cut) {
  DeviceChunk chunk;
  chunk.layout = layout;
  chunk.range = range;
  const bool plain = layout == DeviceChunk::Layout::plain;

  std::vector<Piece> pieces = pieces_of(database, range, cut);
  const std::size_t subjects = pieces.size();
  std::vector<std::uint32_t> offsets(subjects);
  std::uint64_t residues = 0;
  for (std::size_t s = 0; s < subjects; ++s) {
    chunk.lengths.push_back(pieces[s].length);
    offsets[s] = static_cast<std::uint32_t>(residues);
    residues += pieces[s].length;
  }
  chunk.residues = residues;
  if (residues + subjects * (DeviceChunk::plain_margin + letter_block) > most_letters)
    throw CapacityError("a chunk of the database", residues, most_letters);
  std::vector<std::uint32_t> begin, columns;
  std::uint64_t end = 0;  // of the result, in letters or columns
  if (plain) {
    end = DeviceChunk::plain_margin;
    for (const std::uint32_t length : chunk.lengths) {
      begin.push_back(static_cast<std::uint32_t>(end));
      end += plain_letters(length);
    }
  } else {
    for (std::size_t first = 0; first < subjects; first += DeviceChunk::lanes) {
      const std::size_t last = std::min<std::size_t>(first + DeviceChunk::lanes, subjects);
      const std::uint32_t longest = *std::max_element(chunk.lengths.begin() + static_cast<std::ptrdiff_t>(first),
                                                      chunk.lengths.begin() + static_cast<std::ptrdiff_t>(last));
      begin.push_back(static_cast<std::uint32_t>(end));
      columns.push_back(static_cast<std::uint32_t>(round_up(longest, column_block)));
      end += columns.back();
    }
  }
  const std::uint64_t letters = plain ? end : end * DeviceChunk::lanes;
  runtime::check_capacity(device, "a chunk of the database", letters, letters + residues + subjects * 12);
  begin.push_back(static_cast<std::uint32_t>(end));

  Array<std::uint8_t> codes(device, std::max<std::uint64_t>(residues, 1));
  upload_codes(device, database, range, pieces, offsets, residues, codes);
  const Array<std::uint32_t> offset(device, std::span<const std::uint32_t>(offsets));
  const Array<std::uint8_t> class_of(device, std::span<const std::uint8_t>(table.class_of));
  Array<std::uint32_t> lengths(device, std::span<const std::uint32_t>(chunk.lengths));
  chunk.begin = Array<std::uint32_t>(device, std::span<const std::uint32_t>(begin));
  chunk.letters = Array<std::uint8_t>(device, letters);
  const std::uint64_t bytes = residues + letters;
  const auto count = static_cast<std::uint32_t>(subjects);
  const std::uint32_t pad = table.pad();
  if (plain) {
    const auto blocks = static_cast<std::uint32_t>(letters / letter_block);
    launch(device, "lay_out_plain", blocks, bytes, codes, offset, chunk.begin, lengths, class_of, chunk.letters, count,
           blocks, pad, DeviceChunk::plain_margin);
    chunk.length = std::move(lengths);
  } else {
    launch(device, "lay_out_interleaved", end, bytes, codes, offset, chunk.begin, lengths, class_of, chunk.letters,
           count, static_cast<std::uint32_t>(columns.size()), static_cast<std::uint32_t>(end), pad);
    chunk.length = Array<std::uint32_t>(device, std::span<const std::uint32_t>(columns));
  }
  if (cut.piece != 0 || range.before != 0 || range.behind != 0) chunk.pieces = std::move(pieces);
  device.finish();  // other queues go on with it
  return chunk;
}

}  // namespace genocl::align
