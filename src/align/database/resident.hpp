// A database on one device: chunks stay there once they were needed, as far as the memory goes; the others come and go.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "align/device_state.hpp"

namespace genocl::align {

class ResidentChunks {
 public:
  /// `database`, `chunks` and `table` must outlive this.
  ResidentChunks(const Device& device, DeviceChunk::Layout layout, const Database& database,
                 const std::vector<ChunkRange>& chunks, const ScoringTable& table);

  const Device& device() const noexcept { return device_; }
  DeviceChunk::Layout layout() const noexcept { return layout_; }
  /// Held by those who work with chunks: alone by one who has had too little memory beside others.
  std::shared_mutex& at_work() noexcept { return at_work_; }
  /// Whether all chunks stay, as far as can be told now.
  bool holds_all();

  /// `device`: the same one, with the queue of the calling thread. The copy is complete when this returns. A chunk
  /// stays as it was cut last.
  std::shared_ptr<const DeviceChunk> get(const Device& device, std::size_t chunk, const Cut& cut);

  /// Lets go of the chunks that are kept, and keeps half as many bytes of them at most from here on: for when memory
  /// that was planned with is not there, since others have it. Tells whether there were any.
  bool give_up();

 private:
  /// Whether so many bytes more may stay.
  bool has_room(std::uint64_t bytes) const;

  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const DeviceChunk> chunk;
    Cut cut;
    std::uint64_t bytes = 0;
  };
  /// With its mutex held. Tells the bytes that it had.
  std::uint64_t drop(Entry& entry);

  Device device_;
  DeviceChunk::Layout layout_;
  const Database& database_;
  const std::vector<ChunkRange>& chunks_;
  const ScoringTable& table_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::shared_mutex at_work_;
  std::mutex mutex_;  ///< guards what follows
  std::uint64_t held_bytes_ = 0;
  std::uint64_t most_bytes_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace genocl::align
