// Where the suffixes that begin with the same few symbols begin in a suffix array, or in a piece of one
// (cl/overlap/find/prefix_table.cl).
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

namespace genocl::overlap {

struct PrefixTable {
  std::uint32_t symbols = 1;  ///< that the table goes by
  Array<std::uint32_t> starts;
};

/// `positions`: suffixes of the text in their order; 32 or 64 bits, unsigned. Nothing is waited for.
template <class Position>
PrefixTable prefix_table(const Device& device, const Text::State& text, const Array<Position>& positions);

/// What that of so many suffixes takes on a device, at most.
std::uint64_t prefix_table_bytes(std::uint64_t suffixes);

struct Patterns::State {
  /// Of a pattern with a byte that the text has not.
  static constexpr std::uint32_t nowhere = 0xffff'ffffu;

  std::uint64_t count = 0;
  Array<std::uint64_t> words, begins;
  Array<std::uint32_t> lengths;
};

/// Throws what Patterns throws for patterns that cannot be looked for.
void check_patterns(std::span<const std::string_view> patterns);

/// Patterns as the text is packed, on a device with any queue of the text's context. Throws what check_patterns() does.
Patterns::State pack_patterns(const Device& device, const Text::State& text,
                              std::span<const std::string_view> patterns);

/// As SuffixIndex::find() says; enqueued only.
void find_by(const Device& device, const SuffixIndex::State& index, const Patterns::State& patterns,
             Span<std::uint32_t> first, Span<std::uint32_t> counts);

/// As SuffixIndex::count() and locate() say.
std::vector<std::uint32_t> count_by(const Device& device, const SuffixIndex::State& index,
                                    std::span<const std::string_view> patterns);
Occurrences locate_by(const Device& device, const SuffixIndex::State& index, std::span<const std::string_view> patterns,
                      std::uint64_t most);

struct IndexFile {
  std::shared_ptr<const runtime::SectionFile> file;
  TextShape shape;
  std::vector<std::string> names;
  // As in Text::State, of `file`.
  std::span<const std::uint64_t> words;
  std::span<const std::uint32_t> breaks, positions;

  /// Throws what SuffixIndex::open() throws, but where a device has too little memory.
  explicit IndexFile(const std::string& path);

  Text text(const Placement& where) const { return Text::of(stored(where, shape, words, breaks)); }
  /// The index on a device. Throws CapacityError.
  SuffixIndex on(const Device& device) const;
};

/// Writes the file of a text's index, whose positions are of 32 bits. Throws InputError for other names than
/// SuffixIndex takes, and for a text that is too long.
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
