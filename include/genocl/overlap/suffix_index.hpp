// Searches a text by its suffix array: how often patterns occur, and where; kept in a file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/overlap/suffix_array.hpp"

namespace genocl::overlap {

/// Patterns on a device, packed as the text that they are looked for in. Takes bits / 8 bytes a symbol, rounded up to 8
/// for each pattern, and 16 more. Packing is O(symbols), on the host's threads.
class GENOCL_EXPORT Patterns {
 public:
  /// Bytes of the text's alphabet; one with another byte occurs nowhere. Throws InputError for an empty pattern (with
  /// its number, from 1), for one of 2^32 - 1 symbols or more, and for more than 2^32 - 2 patterns.
  Patterns(const Text& text, std::span<const std::string_view> patterns);
  Patterns(Patterns&&) noexcept;
  Patterns& operator=(Patterns&&) noexcept;
  ~Patterns();

  std::uint64_t size() const noexcept;

  /// For the library's own use.
  struct State;
  const State& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Where patterns occur: of pattern p positions[begins[p]] to positions[begins[p + 1] - 1], ascending.
struct Occurrences {
  std::vector<std::uint64_t> begins;
  std::vector<std::uint32_t> positions;
};

/// A suffix array with a table of the places where suffixes with the same first symbols begin, so that few steps of a
/// binary search are left for each pattern. Takes at most as much again as the array's fourth part on the device, 1 GiB
/// at most. Any number of threads may use it at once.
///
/// Several devices may have it, each as a whole: count() and locate() then deal patterns out to them, and what they
/// find is the same, in the same order. Where one of these fails while it searches, the others do its patterns.
class GENOCL_EXPORT SuffixIndex {
 public:
  /// `names`: of the records, [record]; none, or as many as text().begins() tells of. O(size).
  explicit SuffixIndex(SuffixArray suffixes, std::vector<std::string> names = {});
  /// On `others` too: text and array are copied there, through the host's memory. Throws CapacityError where they do
  /// not fit.
  SuffixIndex(SuffixArray suffixes, std::vector<std::string> names, Devices others);
  /// A file that save() wrote: text, array and names come from it, the table is made anew. `check` looks at the array
  /// by first_error() too. Throws InputError for a file that is none of ours, cut off, of another version or byte
  /// order, or damaged; CapacityError where it does not fit.
  static SuffixIndex open(Devices devices, const std::string& path, bool check = false);
  /// Whether a file begins as an index does.
  static bool is_index(const std::string& path);
  /// Writes the index to a file, whole or not at all: 4 bytes a symbol and the packed text.
  void save(const std::string& path) const;
  SuffixIndex(SuffixIndex&&) noexcept;
  SuffixIndex& operator=(SuffixIndex&&) noexcept;
  ~SuffixIndex();

  /// On the first device, as find() takes it.
  const SuffixArray& suffixes() const noexcept;
  std::span<const std::string> names() const noexcept;
  /// The record that holds a position of the text, by text().begins(). O(log records).
  std::uint64_t record_of(std::uint64_t position) const;

  /// first[p], counts[p]: the suffixes suffixes().positions()[first[p]] and the counts[p] - 1 behind it are those that
  /// begin with pattern p. No match goes over a break. Enqueued only. O(log(size)) steps of the pattern's length each.
  /// Throws InputError where the arrays have not as many elements as there are patterns.
  void find(const Patterns& patterns, Span<std::uint32_t> first, Span<std::uint32_t> counts) const;

  /// How often each pattern occurs. Throws InputError as Patterns does.
  std::vector<std::uint32_t> count(std::span<const std::string_view> patterns) const;
  /// Where: at most `most` places of each pattern, the first ones in the array's order. Hits are made and sorted on the
  /// device, 2^26 at a time.
  Occurrences locate(std::span<const std::string_view> patterns, std::uint64_t most = ~std::uint64_t{0}) const;

  /// For the library's own use.
  struct State;
  const State& state() const noexcept { return *state_; }

 private:
  explicit SuffixIndex(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace genocl::overlap
