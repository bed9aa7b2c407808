// Numbered blocks of work, which free ranks take; rank 0 receives the results in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "genocl/cluster/communicator.hpp"

namespace genocl::cluster {

/// A counter from which all ranks take numbers, each number once. It uses one-sided communication if MPI has it for
/// the network; otherwise a thread of rank 0 answers.
class GENOCL_EXPORT SharedCounter {
 public:
  /// Collective. Starts at 0.
  explicit SharedCounter(const Communicator& ranks);
  SharedCounter(SharedCounter&&) noexcept;
  SharedCounter& operator=(SharedCounter&&) noexcept;
  /// Collective.
  ~SharedCounter();

  /// Adds `count` and returns the value before. Thread-safe.
  std::uint64_t take(std::uint64_t count = 1) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Free ranks take blocks 0, 1, 2, ... Rank 0 receives the result of each block as bytes, in the order of the blocks.
class GENOCL_EXPORT OrderedBlocks {
 public:
  /// Called on rank 0 with the bytes of each block in order, from one separate thread.
  using Sink = std::function<void(std::uint64_t block, std::span<const std::byte> bytes)>;

  /// Collective. `sink` is rank 0's. `ahead`: the maximum number of blocks between a block that is put and the last
  /// block that the sink received, hence the maximum number of blocks that rank 0 stores; 0: 8 for each rank.
  explicit OrderedBlocks(const Communicator& ranks, Sink sink, std::uint64_t ahead = 0);
  OrderedBlocks(OrderedBlocks&&) noexcept;
  OrderedBlocks& operator=(OrderedBlocks&&) noexcept;
  /// Collective. Without finish(), results that the sink has not received are dropped.
  ~OrderedBlocks();

  /// The next block that no rank has taken. The numbers of a rank ascend. Thread-safe.
  std::uint64_t take() const;
  /// Passes on the result of a block that this rank took, of any length. Requires one call for each block, in the order
  /// of take(), by one thread at a time; in another order two ranks may wait for each other. Returns when `bytes` may
  /// be reused. If the sink throws, rethrows its exception on rank 0 and throws Error on other ranks.
  void put(std::uint64_t block, std::span<const std::byte> bytes);
  /// Whether rank 0's sink has thrown. Thread-safe.
  bool failed() const;
  /// Collective, after the last put(). Returns when the sink has received all blocks. Only the last blocks may have
  /// been taken without put(). Throws as put() does.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same with results in one file: each rank writes the bytes of its blocks, consecutive in the file, and rank 0
/// receives only a summary of each block.
class GENOCL_EXPORT FileBlocks {
 public:
  /// As that of OrderedBlocks, with the summary of the block.
  using Sink = OrderedBlocks::Sink;

  /// Collective. The first block begins at byte `begin` of the file; path, begin and sink are rank 0's. Returns no
  /// value on all ranks if one of them cannot write to the same file, as on machines without a shared file system.
  static std::optional<FileBlocks> open(const Communicator& ranks, const std::string& path, std::uint64_t begin,
                                        Sink sink);
  FileBlocks(FileBlocks&&) noexcept;
  FileBlocks& operator=(FileBlocks&&) noexcept;
  /// Collective.
  ~FileBlocks();

  std::uint64_t take() const;
  /// As OrderedBlocks::put(). If the sink throws, also throws Error on each rank that waits for its offset in the file.
  /// Throws InputError if the file cannot be written.
  void put(std::uint64_t block, std::span<const std::byte> summary, std::span<const std::byte> bytes);
  /// Collective. Waits until all ranks have written their blocks and the sink has received all summaries. Returns the
  /// end of the last block on rank 0, and 0 on other ranks. Throws on every rank if the sink has thrown or a rank
  /// cannot write.
  std::uint64_t finish();

 private:
  struct State;
  explicit FileBlocks(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace genocl::cluster
