#include "align/database/resident.hpp"

namespace genocl::align {

ResidentChunks::ResidentChunks(const Device& device, DeviceChunk::Layout layout, const Database& database,
                               const std::vector<ChunkRange>& chunks, const ScoringTable& table)
    : device_(device), layout_(layout), database_(database), chunks_(chunks), table_(table) {
  entries_.reserve(chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) entries_.push_back(std::make_unique<Entry>());
  // What is left is for scores, borders, and the chunks that come and go.
  const std::uint64_t room = device.info().global_memory / 2;
  std::uint64_t bytes = 0;
  while (held_chunks_ < chunks.size()) {
    bytes += bytes_on_device(chunks[chunks.size() - 1 - held_chunks_], layout);
    if (bytes > room) break;
    ++held_chunks_;
  }
}

std::shared_ptr<const DeviceChunk> ResidentChunks::get(const Device& device, std::size_t chunk) {
  const auto upload = [&] {
    return std::make_shared<const DeviceChunk>(upload_chunk(device, database_, chunks_[chunk], table_, layout_));
  };
  if (chunk + held_chunks_ < chunks_.size()) return upload();
  Entry& entry = *entries_[chunk];
  const std::lock_guard lock(entry.mutex);
  if (!entry.chunk) entry.chunk = upload();
  return entry.chunk;
}

}  // namespace genocl::align
