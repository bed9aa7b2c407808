// Packed texts: their memory, and the packer of letters.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "runtime/defines.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {

/// The number of bits of a symbol for that many different symbols: 2, 4 or 8.
unsigned bits_for(std::size_t symbols);

/// The symbols that records of an alphabet can contain, ascending. `letters` applies to DNA.
std::vector<std::uint8_t> symbols_of(Alphabet alphabet, Letters letters);

/// The number of bits of a sort key up to `largest`, at least 1.
inline unsigned sort_key_bits(std::uint64_t largest) {
  return std::max(1u, static_cast<unsigned>(std::bit_width(largest)));
}

/// The description of a packed text, wherever its symbols are stored.
struct TextShape {
  /// Words after the last one with a symbol, all 0: a kernel may read windows up to 128 symbols after the end.
  static constexpr std::uint64_t margin_words = 20;

  std::uint64_t size = 0;
  unsigned bits = 2;
  bool has_separators = false;
  std::vector<std::uint8_t> alphabet;
  std::vector<std::uint64_t> begins;

  unsigned symbols_per_word() const { return 64 / bits; }
  std::uint64_t words_needed() const { return (size + 31) / 32 * bits / 2 + margin_words; }
  std::uint64_t separator_words_needed() const { return has_separators ? (size + 31) / 32 + 6 : 1; }
  std::uint64_t bytes() const { return words_needed() * 8 + separator_words_needed() * 4; }
};

/// Symbol i is bits [i * bits, i * bits + bits) of the words, counted from the highest bit of the first word; the code
/// of a separator is 0. Separator i is bit 31 - i % 32 of word i / 32, 0 after the end; without separators there is one
/// word.
struct Text::State : TextShape {
  std::optional<Device> placement;  ///< nullopt: host memory
  runtime::ScratchArray<std::uint64_t> words;
  runtime::ScratchArray<std::uint32_t> separators;
  std::vector<std::uint64_t> host_words;
  std::vector<std::uint32_t> host_separators;

  State() = default;
  /// Memory for a text of this shape, not initialised on a device, 0 in host memory. Throws CapacityError.
  State(const Placement& where, TextShape shape);

  /// Throws InputError for a text in host memory.
  const Device& device() const {
    if (!placement) throw InputError("a text in host memory: copy it to a device (Text::copy_to)");
    return *placement;
  }
  /// Sets TEXT_BITS and TEXT_SEPARATORS.
  runtime::Defines defines() const {
    return runtime::Defines().set("TEXT_BITS", bits).set("TEXT_SEPARATORS", has_separators ? 1 : 0);
  }

  // Of a text in host memory.
  unsigned code_at(std::uint64_t position) const {
    const std::uint64_t bit = position * bits;
    return static_cast<unsigned>(host_words[bit / 64] << bit % 64 >> (64 - bits));
  }
  bool is_separator(std::uint64_t position) const {
    return has_separators && (host_separators[position / 32] << position % 32) >> 31 != 0;
  }
};

/// A text from words and separators in host memory. Waits for the copy. Throws CapacityError.
std::shared_ptr<const Text::State> stored(const Placement& where, TextShape shape, std::span<const std::uint64_t> words,
                                          std::span<const std::uint32_t> separators);

/// Writes the codes of `count` symbols, the first in the highest bits, and 0 after the last.
template <class CodeAt>
void pack_codes(std::uint64_t count, unsigned bits, const CodeAt& code_at, std::uint64_t* words) {
  const unsigned per_word = 64 / bits;
  for (std::uint64_t first = 0; first < count; first += per_word) {
    const auto here = static_cast<unsigned>(std::min<std::uint64_t>(per_word, count - first));
    std::uint64_t word = 0;
    for (unsigned k = 0; k < here; ++k) word = word << bits | code_at(first + k);
    *words++ = word << (64 - bits * here);
  }
}

/// Collects letters for a text and packs them. Does not own the letters.
class TextPacker {
 public:
  /// `bases_only` applies to DNA: letters other than A, C, G and T become separators.
  TextPacker(Alphabet alphabet, bool bases_only);

  /// Only these symbols, ascending, get codes; others become separators. The default: the symbols that occur.
  void restrict_to(std::span<const std::uint8_t> symbols) { symbols_.emplace(symbols.begin(), symbols.end()); }

  /// `reverse`: the reverse complement of `letters`, which are DNA.
  void append(std::span<const std::uint8_t> letters, bool reverse = false);
  /// Appends a separator.
  void end_record() { separators_.push_back(size_++); }
  /// Appends the records of a set, each followed by a separator, with `both_strands` also by its reverse complement.
  void append_records(const SequenceSet& set, bool both_strands = false);

  /// The number of letters and separators.
  std::uint64_t size() const { return size_; }

  /// Waits for the device. Throws InputError for more than Text::longest symbols on a device, and CapacityError.
  std::shared_ptr<const Text::State> pack(const Placement& where) const;

 private:
  /// The letters from position `begin` on, or their reverse complement.
  struct Part {
    std::uint64_t begin = 0;
    std::span<const std::uint8_t> letters;
    bool reverse = false;
  };

  /// Calls `take` with each part of which positions [first, end) hold letters, and with these positions.
  template <class Take>
  void for_each_part(std::uint64_t first, std::uint64_t end, const Take& take) const;
  TextShape shape_of(const std::array<bool, 256>& present) const;
  std::array<bool, 256> bytes_present() const;
  std::array<std::uint16_t, 256> codes_of(std::span<const std::uint8_t> alphabet) const;
  std::shared_ptr<const Text::State> pack_on_host() const;
  void pack_block(Text::State& state, const std::array<std::uint16_t, 256>& codes, std::uint64_t first) const;
  std::shared_ptr<const Text::State> pack_on_device(const Device& device) const;
  runtime::Scratch upload(const Device& device) const;

  /// [byte]: its symbol, in the order of symbols, and whether it matches anything.
  std::array<std::uint8_t, 256> symbol_{};
  std::array<bool, 256> matches_{};
  bool letters_are_codes_;
  std::optional<std::vector<std::uint8_t>> symbols_;
  std::vector<Part> parts_;
  std::vector<std::uint64_t> separators_;
  std::uint64_t size_ = 0;
};

/// Finds the record of a position; fastest for positions that mostly ascend.
class RecordLocator {
 public:
  explicit RecordLocator(std::span<const std::uint64_t> begins) : begins_(begins) {}
  /// The record that contains the position.
  std::uint64_t record(std::uint64_t position);
  std::uint64_t begin(std::uint64_t record) const { return begins_[record]; }
  /// The number of letters of the record.
  std::uint64_t length(std::uint64_t record) const { return begins_[record + 1] - begins_[record] - 1; }

 private:
  std::span<const std::uint64_t> begins_;
  std::uint64_t last_ = 0;
};

/// Text::begins() on a device.
Array<std::uint32_t> upload_begins(const Text::State& text);

/// Packs records with the symbols and codes of another text, for instance queries of an index.
std::shared_ptr<const Text::State> pack_as(const TextShape& coding, const Device& device, const SequenceSet& records,
                                           bool both_strands);

}  // namespace genocl::overlap
