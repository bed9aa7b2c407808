// A text on a device, as suffix arrays and all that follows from them read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// What of a record can match.
enum class Letters : std::uint8_t {
  bases,    ///< A, C, G and T; any other letter matches nothing, not even itself.
  written,  ///< Every letter of the DNA alphabet matches itself (N matches N).
};

/// Up to 2^32 - 2 symbols, packed into as few bits as the number of different ones allows: 2 (up to 4 symbols), 4 (up
/// to 16) or 8. Symbols compare as the bytes (upper-case letters) they were made from.
///
/// A text may have breaks: places that match nothing, neither a symbol nor one another. A break is smaller than any
/// symbol, and of two breaks the earlier one is smaller. The end is smaller than either.
///
/// Takes bits / 8 bytes a symbol on the device, and 1/8 more where there are breaks. Does not change; copies share the
/// memory, and any number of threads may use it at once. Making one costs a transfer of a byte a symbol and O(size) on
/// the device, which packs.
class GENOCL_EXPORT Text {
 public:
  static constexpr std::uint64_t longest = 0xffff'fffeu;

  /// Bytes as they are, every value a symbol, no breaks. Throws InputError for more than `longest`, CapacityError when
  /// it does not fit.
  Text(const Device& device, std::span<const std::uint8_t> bytes);

  /// The records' letters one after the other with nothing between them and no breaks: every letter is a symbol.
  static Text concatenated(const Device& device, const SequenceSet& records);

  /// The records of all sets, a break behind each: so record r begins at the sum of the lengths before it plus r, and
  /// size() is the sum of all lengths plus the number of records. Letters that match nothing are breaks too.
  static Text separated(const Device& device, std::span<const SequenceSet* const> sets,
                        Letters letters = Letters::bases);

  /// Byte strings, each a record, a break behind each.
  static Text separated(const Device& device, std::span<const std::span<const std::uint8_t>> records);

  const Device& device() const noexcept;
  /// Symbols and breaks.
  std::uint64_t size() const noexcept;
  unsigned bits() const noexcept;
  bool has_breaks() const noexcept;
  /// alphabet()[code] is the symbol's byte; ascending. At most 256.
  std::span<const std::uint8_t> alphabet() const noexcept;
  /// [record]: where it begins, and one more, size(), at the end. {0, size()} for a text that is not separated.
  std::span<const std::uint64_t> begins() const noexcept;

  /// For the library's own use.
  struct State;
  const State& state() const noexcept { return *state_; }
  static Text of(std::shared_ptr<const State> state) { return Text(std::move(state)); }

 private:
  explicit Text(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

}  // namespace genocl::overlap
