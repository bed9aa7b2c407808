// Chunks of a database on one device. Used chunks stay within a memory limit; the others are temporary.
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
  /// `database`, `chunks` and `table` must outlive this object.
  ResidentChunks(const Device& device, DeviceChunk::Layout layout, const Database& database,
                 const std::vector<ChunkRange>& chunks, const ScoringTable& table);

  const Device& device() const noexcept { return device_; }
  DeviceChunk::Layout layout() const noexcept { return layout_; }
  /// Users of chunks hold it shared. A user that runs out of memory holds it exclusively.
  std::shared_mutex& at_work() noexcept { return at_work_; }
  /// Returns whether all chunks can stay, as far as currently known.
  bool holds_all();

  /// Returns the chunk on the device. The copy is complete on return. A chunk keeps its most recent cut.
  /// @param device The same device, with the queue of the calling thread.
  std::shared_ptr<const DeviceChunk> get(const Device& device, std::size_t chunk, const Cut& cut);

  /// Releases the kept chunks and halves their memory limit. Call it if a planned allocation fails because other
  /// programs use the memory. Returns whether chunks were kept.
  bool give_up();

 private:
  /// Returns whether `bytes` more bytes may stay.
  bool has_room(std::uint64_t bytes) const;

  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const DeviceChunk> chunk;
    Cut cut;
    std::uint64_t bytes = 0;
  };
  /// Requires the entry's mutex. Returns the number of released bytes.
  std::uint64_t drop(Entry& entry);

  Device device_;
  DeviceChunk::Layout layout_;
  const Database& database_;
  const std::vector<ChunkRange>& chunks_;
  const ScoringTable& table_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::shared_mutex at_work_;
  std::mutex mutex_;  ///< guards the following members
  std::uint64_t held_bytes_ = 0;
  std::uint64_t max_bytes_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace genocl::align
