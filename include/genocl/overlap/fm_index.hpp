// Search of patterns in a text of four letters by its FM-index, in an eighth of the memory of the suffix array.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "genocl/overlap/pieces.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "genocl/overlap/suffix_index.hpp"

namespace genocl::overlap {

/// The Burrows-Wheeler transform of a text with at most four symbols, with ranks and every 32nd position of the suffix
/// array (Ferragina and Manzini, "Opportunistic data structures with applications", FOCS 2000). Takes 0.48 bytes a
/// letter, 8 bytes for each run of letters between separators, and on the device up to 1/16 byte a letter for a table
/// of short prefixes. The results are those of SuffixIndex. Thread-safe.
///
/// Several devices may hold the whole index. count() and locate() then distribute patterns; results and order are the
/// same. If one of several devices fails during a search, the others do its patterns.
class GENOCL_EXPORT FmIndex {
 public:
  /// `names`: [record], or empty. Does not keep the array. O(size). Throws InputError for a text of more than four
  /// symbols and for another number of names than records, CapacityError if the index does not fit.
  explicit FmIndex(const SuffixArray& suffixes, std::vector<std::string> names = {}, Devices others = {});
  /// The same of an array that sort_in_pieces() makes; the index is on the first device. `check`: first_error() checks
  /// the array, which then is in host memory. Throws also what sort_in_pieces() throws.
  static FmIndex in_pieces(Devices devices, const Text& text, std::vector<std::string> names = {}, bool check = false,
                           const PieceOptions& options = {});
  /// Reads a file that save() wrote. Throws InputError for another kind of file, version or byte order, and for a
  /// truncated or damaged file; CapacityError if it does not fit.
  static FmIndex open(Devices devices, const std::string& path);
  /// True if the file starts like an FM-index.
  static bool is_index(const std::string& path);
  /// Writes the index to a file, which appears whole or not at all.
  void save(const std::string& path) const;
  FmIndex(FmIndex&&) noexcept;
  FmIndex& operator=(FmIndex&&) noexcept;
  ~FmIndex();

  /// The number of letters and separators of the text.
  std::uint64_t size() const noexcept;
  /// The memory of the index on a device in bytes, without the table of prefixes.
  std::uint64_t bytes() const noexcept;
  std::span<const std::string> names() const noexcept;
  /// [record]: its first position, as Text::begins().
  std::span<const std::uint64_t> begins() const noexcept;
  /// The record that contains a position of the text. O(log records).
  std::uint64_t record_of(std::uint64_t position) const;

  /// The number of occurrences of each pattern. O(length of a pattern) each. Throws what Patterns throws.
  std::vector<std::uint32_t> count(std::span<const std::string_view> patterns) const;
  /// The positions of each pattern, at most `most` of it, as SuffixIndex::locate(). An occurrence takes 32 steps on
  /// average.
  Occurrences locate(std::span<const std::string_view> patterns, std::uint64_t most = ~std::uint64_t{0}) const;

  /// Defined in the library.
  struct State;

 private:
  friend struct runtime::StateAccess;
  explicit FmIndex(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace genocl::overlap
