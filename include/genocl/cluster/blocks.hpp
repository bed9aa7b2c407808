// Numbered pieces of work, taken by whoever is free; their results come together in order.
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

/// Numbers that all ranks take in turn, each number once (MPI one-sided: no rank has to answer).
class GENOCL_EXPORT SharedCounter {
 public:
  /// Collective. It begins at 0.
  explicit SharedCounter(const Communicator& ranks);
  SharedCounter(SharedCounter&&) noexcept;
  SharedCounter& operator=(SharedCounter&&) noexcept;
  /// Collective.
  ~SharedCounter();

  /// The counter before `count` is added to it. Any thread may call it.
  std::uint64_t take(std::uint64_t count = 1) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Blocks 0, 1, 2, ... are taken by the ranks as they become free. What each rank makes of its blocks reaches rank 0 as
/// bytes, in the order of the blocks.
class GENOCL_EXPORT OrderedBlocks {
 public:
  /// Rank 0 is called with the bytes of one block after the other, on a thread of its own.
  using Sink = std::function<void(std::uint64_t block, std::span<const std::byte> bytes)>;

  /// Collective. `sink` is rank 0's. No rank is further ahead of what the sink has had than `ahead` blocks: so much
  /// may wait on rank 0.
  explicit OrderedBlocks(const Communicator& ranks, Sink sink, std::uint64_t ahead = 0);
  OrderedBlocks(OrderedBlocks&&) noexcept;
  OrderedBlocks& operator=(OrderedBlocks&&) noexcept;
  /// Collective. Without finish(), what the sink has not had is dropped.
  ~OrderedBlocks();

  /// The next number that nobody has; any thread may call it. Each rank's numbers rise.
  std::uint64_t take() const;
  /// The result of a block that this rank took, of any length: one call for each block taken, one thread at a time, in
  /// the order in which they were taken (else two ranks may wait for one another). Returns when the bytes may go.
  /// Throws on rank 0 what the sink threw, and Error on the others: for a block behind it, soon.
  void put(std::uint64_t block, std::span<const std::byte> bytes);
  /// Whether rank 0's sink has thrown. Any thread may call it.
  bool failed() const;
  /// Collective. No block is put any more: returns when the sink has had all of them. Blocks that were taken and not
  /// put have to be the last ones. Throws on rank 0 what the sink threw, and Error on the others.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same where each rank writes the bytes of its blocks to one file itself, one block behind the other: they do not
/// go to rank 0, which gets what is said of each block.
class GENOCL_EXPORT FileBlocks {
 public:
  /// As that of OrderedBlocks, with what is said of the block.
  using Sink = OrderedBlocks::Sink;

  /// Collective. The first block begins at byte `begin` of the file; path, begin and sink are rank 0's. No value on any
  /// rank where one of them cannot write to that very file: machines that share no file system.
  static std::optional<FileBlocks> open(const Communicator& ranks, const std::string& path, std::uint64_t begin,
                                        Sink sink);
  FileBlocks(FileBlocks&&) noexcept;
  FileBlocks& operator=(FileBlocks&&) noexcept;
  /// Collective.
  ~FileBlocks();

  std::uint64_t take() const;
  /// As OrderedBlocks::put(), and throws Error on every rank that waits for its place in the file when the sink has
  /// thrown. Throws InputError where the file cannot be written.
  void put(std::uint64_t block, std::span<const std::byte> said, std::span<const std::byte> bytes);
  /// Collective: returns when all ranks have written all of their blocks, and the sink has had them. On rank 0 the end
  /// of the last block, else 0. Throws where the sink has thrown or a rank could not write, on every rank.
  std::uint64_t finish();

 private:
  struct State;
  explicit FileBlocks(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace genocl::cluster
