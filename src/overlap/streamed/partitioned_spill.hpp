// Records of one type in a temporary file, in numbered partitions of any size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "genocl/files.hpp"

namespace genocl::overlap {

/// Each partition has a buffer; a full one is appended to the file as a block. The records of a partition keep their
/// order. One file serves all partitions. Not thread-safe, except for_each_block() after finish().
template <class Record>
requires std::is_trivially_copyable_v<Record>
class PartitionedSpill {
 public:
  /// `buffer_bytes`: bound of all buffers together, if it leaves at least 64 records for each partition.
  PartitionedSpill(const std::string& folder, std::size_t partitions, std::uint64_t buffer_bytes)
      : file_(folder),
        partitions_(partitions),
        block_(std::clamp<std::uint64_t>(buffer_bytes / partitions / sizeof(Record), 64, 1 << 16)) {}

  std::size_t partitions() const noexcept { return partitions_.size(); }
  std::uint64_t size(std::size_t partition) const noexcept { return partitions_[partition].records; }

  void append(std::size_t partition, const Record& record) {
    Partition& to = partitions_[partition];
    if (to.buffer.capacity() == 0) to.buffer.reserve(block_);
    to.buffer.push_back(record);
    ++to.records;
    if (to.buffer.size() == block_) flush(to);
  }

  /// Writes and frees all buffers. No record may follow.
  void finish() {
    for (Partition& partition : partitions_) {
      flush(partition);
      std::vector<Record>().swap(partition.buffer);  // assignment of {} keeps the memory
    }
  }

  /// Calls use(std::span<const Record>) for the records of a partition, in order. After finish().
  template <class Use>
  void for_each_block(std::size_t partition, Use&& use) const {
    std::vector<Record> records;
    for (const Block& block : partitions_[partition].blocks) {
      records.resize(block.records);
      file_.read(block.begin, std::as_writable_bytes(std::span(records)));
      use(std::span<const Record>(records));
    }
  }

 private:
  struct Block {
    std::uint64_t begin;
    std::uint32_t records;
  };
  struct Partition {
    std::vector<Record> buffer;
    std::vector<Block> blocks;
    std::uint64_t records = 0;
  };

  void flush(Partition& partition) {
    if (partition.buffer.empty()) return;
    partition.blocks.push_back({file_.size(), static_cast<std::uint32_t>(partition.buffer.size())});
    file_.append(std::as_bytes(std::span(partition.buffer)));
    partition.buffer.clear();
  }

  files::SpillFile file_;
  std::vector<Partition> partitions_;
  std::uint64_t block_;
};

}  // namespace genocl::overlap
