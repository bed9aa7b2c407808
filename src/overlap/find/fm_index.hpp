// An FM-index: its memory on a device, and how it is made from a suffix array.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/fm_index.hpp"
#include "overlap/text/text.hpp"
#include "runtime/defines.hpp"

namespace genocl::overlap {

/// Of cl/overlap/find/fm.clh.
inline constexpr std::uint64_t fm_rows = 192, fm_words = 8, fm_sample = 32;
/// Patterns or occurrences of an item of a `cpu` kernel.
inline constexpr std::uint64_t fm_together = 8;

/// The arrays of cl/overlap/find/fm.clh on a device.
struct FmArrays {
  std::uint64_t rows = 0;
  std::array<std::uint32_t, 5> firsts{};  ///< [letter]: the first row that begins with it; [4]: the number of rows
  Array<std::uint64_t> blocks;
  Array<std::uint32_t> skips;  ///< [block]: the number of skips before it; the last element is the number of all
  Array<std::uint32_t> skip_rows, skip_positions, samples;  ///< at least one element

  std::uint64_t block_count() const { return rows / fm_rows + 1; }
  std::uint64_t bytes() const {
    return blocks.bytes() + skips.bytes() + skip_rows.bytes() + skip_positions.bytes() + samples.bytes();
  }
};

/// Makes the arrays on the device of a text, from its suffix array in parts.
class FmBuilder {
 public:
  /// Rows of a part except the last.
  static constexpr std::uint64_t part_rows = fm_rows << 16;

  /// Throws InputError for a text in host memory or of more than 4 symbols, CapacityError if the index does not fit.
  explicit FmBuilder(const Text& text);

  /// The number of positions before the first row: those of separators.
  std::uint64_t skipped() const { return skipped_; }
  std::uint64_t rows() const { return arrays_.rows; }
  /// Takes the next `rows` rows: part_rows, or all that are left. Their positions begin at `offset`.
  void add(const Array<std::uint32_t>& positions, std::uint64_t offset, std::uint64_t rows);
  /// Only after all rows.
  FmArrays finish();

 private:
  Text text_;
  FmArrays arrays_;
  std::uint64_t skipped_ = 0, taken_ = 0;
  std::array<std::uint32_t, 5> before_{};  ///< how often each letter, and skips, occur in the rows taken
  std::vector<std::uint32_t> skip_rows_, skip_positions_;
};

struct FmIndex::State {
  Device device;
  TextShape shape;
  std::vector<std::string> names;
  FmArrays arrays;
  Array<std::uint32_t> firsts, table;
  std::uint32_t table_symbols = 1;
  std::vector<FmIndex> others;  ///< the same on further devices

  /// Makes the table. Throws InputError for another number of names than records.
  State(Device device, TextShape shape, std::vector<std::string> names, FmArrays arrays);
  runtime::Defines defines() const {
    return runtime::Defines().set("TEXT_BITS", 2u).set("TEXT_SEPARATORS", shape.has_separators ? 1 : 0);
  }
  auto rank_arguments() const { return std::tie(arrays.blocks, arrays.skips, arrays.skip_rows); }
};

}  // namespace genocl::overlap
