// Database chunks on a device, pieces of long sequences, and resident chunks.

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "align/database/resident.hpp"
#include "align/device_state.hpp"
#include "genocl/error.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;

/// Calls add(begin, length) for each piece of a sequence, in order.
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
  // The longest sequences are last. The first sequence may be incomplete at its beginning, the last one at its end.
  for (std::size_t s = range.count; s-- > 0;)
    if (add(s) <= cut.piece && s + 1 < range.count && s > 0) {
      if (range.before != 0) add(0);
      break;
    }
  return size;
}

namespace {

using runtime::ceil_div;
using runtime::round_up;

constexpr std::uint64_t column_block = DeviceChunk::column_block;
constexpr std::uint64_t letter_block = 16;
constexpr std::uint64_t max_letters = std::uint64_t{1} << 31;

/// The number of letters of a sequence with its pads.
std::uint64_t plain_letters(std::uint64_t length) { return round_up(length + DeviceChunk::plain_margin, letter_block); }

/// Launches a kernel of lay_out.cl; its last arguments are the work share.
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

/// Uploads the letters of the pieces, concatenated. For whole sequences the database already has this layout.
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
  // Chunks have about equal sizes, instead of full chunks with a small last one.
  const std::uint64_t count =
      std::max<std::uint64_t>(1, ceil_div(database.residues(), std::max<std::uint64_t>(1, residues)));
  const std::uint64_t even = (database.residues() + count - 1) / count;
  std::vector<ChunkRange> chunks;
  ChunkRange chunk;
  std::uint64_t letters = 0, before = 0;  // residues of the finished chunks
  std::uint64_t of_last = 0;              // letters of the chunk's last sequence
  for (std::size_t rank = 0; rank < database.size(); ++rank) {
    const std::uint64_t length = database.length_at(rank);
    const std::uint64_t parts = split != 0 ? std::max<std::uint64_t>(1, ceil_div(length, split)) : 1;
    const std::uint64_t step = ceil_div(length, parts);
    std::uint64_t from = 0;
    do {
      const std::uint64_t part = std::min(step, length - from);
      // A chunk ends as close to its even share as sequence boundaries permit.
      const bool even_full = before + chunk.residues + part / 2 >= (chunks.size() + 1) * even;
      const bool full =
          even_full || chunk.residues + part > residues || letters + plain_letters(part) > max_letters / 2;
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
  // In sorted order a full group is no wider than the shortest sequence of the next group. The bound adds the last two.
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
  if (residues + subjects * (DeviceChunk::plain_margin + letter_block) > max_letters)
    throw CapacityError("a chunk of the database", residues, max_letters);
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
  device.finish();  // other queues read the result
  return chunk;
}

ResidentChunks::ResidentChunks(const Device& device, DeviceChunk::Layout layout, const Database& database,
                               const std::vector<ChunkRange>& chunks, const ScoringTable& table)
    : device_(device), layout_(layout), database_(database), chunks_(chunks), table_(table) {
  entries_.reserve(chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) entries_.push_back(std::make_unique<Entry>());
}

bool ResidentChunks::has_room(std::uint64_t bytes) const {
  // Half of the memory is reserved for scores, borders and temporary chunks of all users of the device.
  return runtime::usable_memory(device_) >= bytes + device_.info().global_memory / 2;
}

bool ResidentChunks::holds_all() {
  std::uint64_t bytes = 0;
  for (const ChunkRange& chunk : chunks_) bytes += bytes_on_device(size_of(database_, chunk, {}), layout_);
  const std::lock_guard lock(mutex_);
  return bytes <= max_bytes_ && has_room(bytes - std::min(bytes, held_bytes_));
}

std::uint64_t ResidentChunks::drop(Entry& entry) {
  entry.chunk.reset();
  const std::uint64_t bytes = std::exchange(entry.bytes, 0);
  const std::lock_guard lock(mutex_);
  held_bytes_ -= bytes;
  return bytes;
}

std::shared_ptr<const DeviceChunk> ResidentChunks::get(const Device& device, std::size_t chunk, const Cut& cut) {
  const auto upload = [&] {
    return std::make_shared<const DeviceChunk>(upload_chunk(device, database_, chunks_[chunk], table_, layout_, cut));
  };
  const std::uint64_t bytes = bytes_on_device(size_of(database_, chunks_[chunk], cut), layout_);
  Entry& entry = *entries_[chunk];
  {
    const std::lock_guard entry_lock(entry.mutex);
    if (entry.chunk && entry.cut == cut) return entry.chunk;
    drop(entry);
    bool stays = false;
    {
      const std::lock_guard lock(mutex_);
      stays = held_bytes_ + bytes <= max_bytes_ && has_room(bytes);
      if (stays) held_bytes_ += bytes;
    }
    if (stays) {
      try {
        entry.chunk = upload();
        entry.cut = cut;
        entry.bytes = bytes;
        return entry.chunk;
      } catch (...) {
        const std::lock_guard lock(mutex_);
        held_bytes_ -= bytes;
        throw;
      }
    }
  }
  return upload();
}

bool ResidentChunks::give_up() {
  std::uint64_t given_up = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::lock_guard entry_lock(entries_[i]->mutex);
    if (entries_[i]->chunk) given_up += drop(*entries_[i]);
  }
  const std::lock_guard lock(mutex_);
  if (given_up > 0) max_bytes_ = given_up / 2;
  return given_up > 0;
}

}  // namespace genocl::align
