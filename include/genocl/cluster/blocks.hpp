// Numbered pieces of work, taken by whoever is free; their results come together in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

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
  /// Rethrows on rank 0 what the sink threw.
  void put(std::uint64_t block, std::span<const std::byte> bytes);
  /// Collective. No block is put any more: returns when the sink has had all of them. Blocks that were taken and not
  /// put have to be the last ones. Throws on rank 0 what the sink threw, and Error on the others.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::cluster
