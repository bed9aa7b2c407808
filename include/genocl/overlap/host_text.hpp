// Holds a text of any length in the host's memory, packed as devices read it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "genocl/overlap/text.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// How records become a HostText.
struct HostTextOptions {
  Letters letters = Letters::bases;
  /// Behind each record its reverse complement, a record of its own.
  bool both_strands = false;
};

/// Symbols and breaks as Text has them, of any number (past 2^32), in the host's memory: bits / 8 bytes a symbol, and
/// 1/8 more where there are breaks. Does not change; copies share the memory, and any number of threads may use it at
/// once. Making one costs O(size) on the host's cores. Throws CapacityError where the host has not so much memory.
class GENOCL_EXPORT HostText {
 public:
  /// Bytes as they are, every value a symbol, no breaks.
  explicit HostText(std::span<const std::uint8_t> bytes);

  /// The records' letters one after the other with nothing between them and no breaks: every letter is a symbol.
  static HostText concatenated(const SequenceSet& records);

  /// The records of all sets, a break behind each. Throws InputError for sets of different alphabets, and for both
  /// strands of anything but DNA.
  static HostText separated(std::span<const SequenceSet* const> sets, const HostTextOptions& options = {});

  /// Byte strings, each a record, a break behind each.
  static HostText separated(std::span<const std::span<const std::uint8_t>> records);

  /// Symbols and breaks.
  std::uint64_t size() const noexcept;
  unsigned bits() const noexcept;
  bool has_breaks() const noexcept;
  /// alphabet()[code] is the symbol's byte; ascending. At most 256.
  std::span<const std::uint8_t> alphabet() const noexcept;
  /// [record]: where it begins, and one more, size(), at the end. {0, size()} for a text that is not separated.
  std::span<const std::uint64_t> begins() const noexcept;
  /// The bytes that it takes, on the host and on each device that it is brought to.
  std::uint64_t bytes() const noexcept;

  /// For the library's own use.
  struct State;
  const State& state() const noexcept { return *state_; }
  static HostText of(std::shared_ptr<const State> state) { return HostText(std::move(state)); }

 private:
  explicit HostText(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

}  // namespace genocl::overlap
