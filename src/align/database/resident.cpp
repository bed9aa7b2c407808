#include "align/database/resident.hpp"

#include <algorithm>
#include <utility>

#include "runtime/scratch.hpp"

namespace genocl::align {

ResidentChunks::ResidentChunks(const Device& device, DeviceChunk::Layout layout, const Database& database,
                               const std::vector<ChunkRange>& chunks, const ScoringTable& table)
    : device_(device), layout_(layout), database_(database), chunks_(chunks), table_(table) {
  entries_.reserve(chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) entries_.push_back(std::make_unique<Entry>());
}

bool ResidentChunks::has_room(std::uint64_t bytes) const {
  // Half of the memory is for scores, borders, and the chunks that come and go: of all who share the device.
  return runtime::usable_memory(device_) >= bytes + device_.info().global_memory / 2;
}

bool ResidentChunks::holds_all() {
  std::uint64_t bytes = 0;
  for (const ChunkRange& chunk : chunks_) bytes += bytes_on_device(size_of(database_, chunk, {}), layout_);
  const std::lock_guard lock(mutex_);
  return bytes <= most_bytes_ && has_room(bytes - std::min(bytes, held_bytes_));
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
      stays = held_bytes_ + bytes <= most_bytes_ && has_room(bytes);
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
  if (given_up > 0) most_bytes_ = given_up / 2;
  return given_up > 0;
}

}  // namespace genocl::align
