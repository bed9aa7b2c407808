// Search of patterns in a text by its suffix array, which a file can hold.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/overlap/suffix_array.hpp"

namespace genocl::overlap {

/// Patterns on a device, packed like the text. Takes bits / 8 bytes a symbol, rounded up to 8 for each pattern, and 16
/// more. Packing is O(symbols), on the host's threads.
class GENOCL_EXPORT Patterns {
 public:
  /// A pattern with a byte outside the alphabet of the text has no occurrence. Throws InputError for an empty pattern
  /// (with its number, from 1), for 2^32 - 1 symbols or more, and for more than 2^32 - 2 patterns.
  Patterns(const Text& text, std::span<const std::string_view> patterns);
  Patterns(Patterns&&) noexcept;
  Patterns& operator=(Patterns&&) noexcept;
  ~Patterns();

  std::uint64_t size() const noexcept;

  /// Defined in the library.
  struct State;

 private:
  friend struct runtime::StateAccess;
  std::unique_ptr<State> state_;
};

/// Occurrences of pattern p: positions[begins[p]] to positions[begins[p + 1] - 1], ascending.
struct Occurrences {
  std::vector<std::uint64_t> begins;
  std::vector<std::uint32_t> positions;
};

/// A suffix array with a table of the first rank of each short prefix, which leaves few steps of the binary search for
/// a pattern. The table takes up to a quarter of the array on the device, at most 1 GiB. Thread-safe.
///
/// Several devices may hold the whole index. count() and locate() then distribute patterns; results and order are the
/// same. If one of several devices fails during a search, the others do its patterns.
class GENOCL_EXPORT SuffixIndex {
 public:
  /// `names`: [record], or empty. O(size). Throws InputError for another number of names than records.
  explicit SuffixIndex(SuffixArray suffixes, std::vector<std::string> names = {});
  /// Copies text and array to `others` through host memory. Throws CapacityError if they do not fit.
  SuffixIndex(SuffixArray suffixes, std::vector<std::string> names, Devices others);
  /// Reads text, array and names from a file that save() wrote, and makes the table. `check`: first_error() checks the
  /// array. Throws InputError for another kind of file, version or byte order, and for a truncated or damaged file;
  /// CapacityError if it does not fit.
  static SuffixIndex open(Devices devices, const std::string& path, bool check = false);
  /// True if the file starts like an index.
  static bool is_index(const std::string& path);
  /// Writes the index to a file, 4 bytes a symbol and the packed text. The file appears whole or not at all.
  void save(const std::string& path) const;
  SuffixIndex(SuffixIndex&&) noexcept;
  SuffixIndex& operator=(SuffixIndex&&) noexcept;
  ~SuffixIndex();

  /// The array on the first device, which find() uses.
  const SuffixArray& suffixes() const noexcept;
  std::span<const std::string> names() const noexcept;
  /// The record that contains a position of the text. O(log records).
  std::uint64_t record_of(std::uint64_t position) const;

  /// Writes the rank of the first suffix that begins with pattern p to first[p], and their number to counts[p]. No
  /// occurrence spans a separator. Does not wait. O(log(size)) steps of the pattern's length each. Throws InputError
  /// unless both arrays have one element for each pattern.
  void find(const Patterns& patterns, Span<std::uint32_t> first, Span<std::uint32_t> counts) const;

  /// The number of occurrences of each pattern. Throws what Patterns throws.
  std::vector<std::uint32_t> count(std::span<const std::string_view> patterns) const;
  /// The positions of each pattern, at most `most` of it, the first ones in the order of the array. The device writes
  /// and sorts 2^26 occurrences at a time.
  Occurrences locate(std::span<const std::string_view> patterns, std::uint64_t most = ~std::uint64_t{0}) const;

  /// Defined in the library.
  struct State;

 private:
  friend struct runtime::StateAccess;
  explicit SuffixIndex(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace genocl::overlap
