// A suffix index: the table of prefixes, the search of patterns, and the file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/section_file.hpp"
#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "genocl/overlap/text.hpp"
#include "overlap/text/text.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {

struct PrefixTable {
  std::uint32_t symbols = 1;  ///< of a prefix
  Array<std::uint32_t> starts;
};

/// The first rank of each short prefix (cl/overlap/find/prefix_table.cl). `positions`: suffixes of the text in order,
/// unsigned with 32 or 64 bits. Does not wait.
template <class Position>
PrefixTable prefix_table(const Device& device, const Text::State& text, const Array<Position>& positions);

/// Maximum bytes of a table for that many suffixes on a device.
std::uint64_t prefix_table_bytes(std::uint64_t suffixes);

struct Patterns::State {
  /// The length of a pattern with a byte outside the text's alphabet.
  static constexpr std::uint32_t nowhere = 0xffff'ffffu;

  std::uint64_t count = 0;
  Array<std::uint64_t> words, begins;
  Array<std::uint32_t> lengths;
};

/// Throws what Patterns throws for invalid patterns.
void check_patterns(std::span<const std::string_view> patterns);

/// Patterns as the text is packed, on a device with any queue of the text's context. Throws what check_patterns() does.
Patterns::State pack_patterns(const Device& device, const TextShape& text, std::span<const std::string_view> patterns);

/// The record that contains a position. O(log records).
std::uint64_t record_at(std::span<const std::uint64_t> begins, std::uint64_t position);

/// SuffixIndex::find() of packed patterns. Does not wait.
void find_by(const Device& device, const SuffixIndex::State& index, const Patterns::State& patterns,
             Span<std::uint32_t> first, Span<std::uint32_t> counts);

/// SuffixIndex::count() and locate() on one device.
std::vector<std::uint32_t> count_by(const Device& device, const SuffixIndex::State& index,
                                    std::span<const std::string_view> patterns);
Occurrences locate_by(const Device& device, const SuffixIndex::State& index, std::span<const std::string_view> patterns,
                      std::uint64_t most);

/// A name a line, as files hold them.
std::string lines_of(const std::vector<std::string>& names);
std::vector<std::string> names_of_lines(std::string_view lines);

struct IndexFile {
  std::shared_ptr<const runtime::SectionFile> file;
  TextShape shape;
  std::vector<std::string> names;
  // As in Text::State, of `file`.
  std::span<const std::uint64_t> words;
  std::span<const std::uint32_t> separators, positions;

  /// Throws what SuffixIndex::open() throws, except CapacityError of a device.
  explicit IndexFile(const std::string& path);

  Text text(const Placement& where) const {
    return runtime::StateAccess::make<Text>(stored(where, shape, words, separators));
  }
  /// The index on a device. Throws CapacityError.
  SuffixIndex on(const Device& device) const;
};

/// Writes the file of a text's index with 32-bit positions. Throws InputError for invalid names and for a text that is
/// too long.
void save_index(const std::string& path, const Text& text, const std::vector<std::string>& names,
                runtime::Section positions);

/// Throws InputError: positions of the index at `path` are in another order.
[[noreturn]] void wrong_order(const std::string& path);

struct SuffixIndex::State {
  SuffixArray suffixes;
  std::vector<std::string> names;
  PrefixTable table;
  std::vector<SuffixIndex> others;  ///< the same on further devices

  State(SuffixArray of, std::vector<std::string> record_names);
};

}  // namespace genocl::overlap
