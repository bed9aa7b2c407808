// A database on one device: chunks stay there once they were needed, as far as the memory goes; the others come and go.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "align/on_device.hpp"

namespace genocl::align {

class ResidentChunks {
 public:
  /// `database`, `chunks` and `table` must outlive this.
  ResidentChunks(const Device& device, DeviceChunk::Layout layout, const Database& database,
                 const std::vector<ChunkRange>& chunks, const ScoringTable& table);

  const Device& device() const noexcept { return device_; }
  DeviceChunk::Layout layout() const noexcept { return layout_; }
  /// Whether all chunks stay.
  bool holds_all() const noexcept { return held_chunks_ == chunks_.size(); }

  /// `device`: the same one, with the queue of the calling thread. The copy is complete when this returns.
  std::shared_ptr<const DeviceChunk> get(const Device& device, std::size_t chunk);

 private:
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const DeviceChunk> chunk;
  };

  Device device_;
  DeviceChunk::Layout layout_;
  const Database& database_;
  const std::vector<ChunkRange>& chunks_;
  const ScoringTable& table_;
  /// The last ones, which have the longest sequences and are needed first.
  std::size_t held_chunks_ = 0;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace genocl::align
