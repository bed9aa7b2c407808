// A packed text on a device or in host memory: the input of suffix arrays and of everything derived from them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "genocl/device.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// The letters of a DNA record that can match.
enum class Letters : std::uint8_t {
  bases,    ///< A, C, G and T; any other letter matches nothing, not even itself
  written,  ///< every letter of the DNA alphabet matches itself (N matches N)
};

struct TextOptions {
  Letters letters = Letters::bases;  ///< of DNA records
  bool both_strands = false;         ///< The reverse complement follows each record, as a separate record. DNA only.
};

/// Host memory as the placement of a text.
struct OnHost {};
inline constexpr OnHost on_host;

/// Where a text is stored: on a device or in host memory (on_host).
class Placement {
 public:
  Placement(const Device& device) : device_(device) {}
  Placement(OnHost) noexcept {}

  bool is_host() const noexcept { return !device_; }
  /// The device; only if !is_host().
  const Device& device() const noexcept { return *device_; }

 private:
  std::optional<Device> device_;
};

/// Records: the sequences of a set, or byte strings, in which every byte matches itself. Does not own them.
using ByteStrings = std::span<const std::span<const std::uint8_t>>;
class RecordsView {
 public:
  RecordsView(const SequenceSet& set) noexcept : set_(&set) {}
  template <class Strings>
  requires std::convertible_to<const Strings&, ByteStrings> RecordsView(const Strings& strings)
  noexcept : strings_(strings) {}

  std::size_t size() const noexcept { return set_ != nullptr ? set_->size() : strings_.size(); }
  /// Null for byte strings.
  const SequenceSet* set() const noexcept { return set_; }
  ByteStrings strings() const noexcept { return strings_; }

 private:
  const SequenceSet* set_ = nullptr;
  ByteStrings strings_;
};

/// Symbols packed into as few bits as the number of different symbols allows: 2 (up to 4 symbols), 4 (up to 16) or 8.
/// Symbols compare as the bytes (upper-case letters) that they represent. A text on a device has at most 2^32 - 2
/// symbols; a text in host memory has any number.
///
/// A text may have separators: positions that match nothing, neither a symbol nor one another. One follows each record
/// of a separated text; letters that match nothing are the others. A separator is smaller than any symbol; of two
/// separators the earlier one is smaller. The end is smaller than both.
///
/// Takes bits / 8 bytes a symbol, and 1/8 more with separators. Immutable; copies share the memory. Thread-safe.
/// Construction is O(size): on a device after the transfer of one byte a symbol, in host memory on the host's threads.
/// All functions that make a text throw InputError for more than `longest` symbols on a device, and CapacityError if
/// the text does not fit.
class GENOCL_EXPORT Text {
 public:
  static constexpr std::uint64_t longest = 0xffff'fffeu;

  /// All bytes as symbols, without separators.
  Text(const Placement& where, std::span<const std::uint8_t> bytes);

  /// The letters of all records without anything between them and without separators: every letter is a symbol.
  static Text concatenated(const Placement& where, const SequenceSet& records);

  /// The records, each followed by a separator. Record r begins at the sum of the lengths before it plus r.
  /// Throws InputError for both strands of anything but DNA.
  static Text separated(const Placement& where, const RecordsView& records, const TextOptions& options = {});
  /// The same of the records of several sets, in order. Throws InputError for different alphabets.
  static Text separated(const Placement& where, std::span<const SequenceSet* const> sets,
                        const TextOptions& options = {});
  [[deprecated("pass TextOptions")]] static Text separated(const Placement& where,
                                                           std::span<const SequenceSet* const> sets, Letters letters) {
    return separated(where, sets, TextOptions{.letters = letters});
  }

  /// The same text at another placement; shares the memory if the text is already there. Waits for the copy.
  Text copy_to(const Placement& where) const;

  bool is_on_host() const noexcept;
  /// Throws InputError for a text in host memory.
  const Device& device() const;
  /// The number of symbols and separators.
  std::uint64_t size() const noexcept;
  unsigned bits() const noexcept;
  bool has_separators() const noexcept;
  [[deprecated("use has_separators()")]] bool has_breaks() const noexcept { return has_separators(); }
  /// alphabet()[code] is the byte of the symbol; ascending. At most 256.
  std::span<const std::uint8_t> alphabet() const noexcept;
  /// [record]: its first position; the last element is size(). {0, size()} for a text that is not separated.
  std::span<const std::uint64_t> begins() const noexcept;
  /// The memory of symbols and separators in bytes.
  std::uint64_t bytes() const noexcept;

  /// Defined in the library.
  struct State;

 private:
  friend struct runtime::StateAccess;
  explicit Text(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

}  // namespace genocl::overlap
