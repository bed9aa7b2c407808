#include "genocl/overlap/bwt_merge.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

#include "genocl/error.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/parallel.hpp"

namespace genocl::overlap {
namespace {

/// Ranks in a transform in host memory.
class HostRanks {
 public:
  HostRanks(std::span<const std::uint8_t> symbols, std::uint8_t terminator)
      : symbols_(symbols), terminator_(terminator) {
    std::array<std::uint64_t, 256> numbers{};
    for (const std::uint8_t symbol : symbols) ++numbers[symbol];
    terminators_ = numbers[terminator];
    std::uint64_t smaller = terminators_;
    for (std::size_t symbol = 0; symbol < 256; ++symbol) {
      if (numbers[symbol] == 0 || symbol == terminator) continue;
      column_[symbol] = static_cast<std::uint16_t>(used_++);
      first_[symbol] = smaller;
      smaller += numbers[symbol];
    }
    count_blocks();
  }

  std::uint64_t terminators() const { return terminators_; }

  /// The first row after those of the suffixes that consist of the symbol and a suffix before the row.
  std::uint64_t rank(std::uint8_t symbol, std::uint64_t row) const {
    if (column_[symbol] == none) return smaller_than(symbol);
    const std::uint64_t block = row / block_rows;
    std::uint64_t number = first_[symbol] + counts_[block * used_ + column_[symbol]];
    for (std::uint64_t i = block * block_rows; i < row; ++i) number += symbols_[i] == symbol ? 1 : 0;
    return number;
  }

 private:
  static constexpr std::uint64_t block_rows = 128;
  static constexpr std::uint16_t none = 0xffff;

  void count_blocks() {
    std::vector<std::uint64_t> numbers(used_);
    counts_.reserve((symbols_.size() / block_rows + 1) * used_);
    for (std::uint64_t i = 0; i <= symbols_.size(); ++i) {
      if (i % block_rows == 0) counts_.insert(counts_.end(), numbers.begin(), numbers.end());
      if (i < symbols_.size() && symbols_[i] != terminator_) ++numbers[column_[symbols_[i]]];
    }
  }

  /// The number of rows of suffixes that begin with a smaller symbol than one that does not occur.
  std::uint64_t smaller_than(std::uint8_t symbol) const {
    for (std::size_t larger = symbol; larger < 256; ++larger)
      if (column_[larger] != none) return first_[larger];
    return symbols_.size();
  }

  std::span<const std::uint8_t> symbols_;
  std::uint8_t terminator_;
  std::uint64_t terminators_ = 0;
  std::size_t used_ = 0;
  std::array<std::uint16_t, 256> column_ = [] {
    std::array<std::uint16_t, 256> columns{};
    columns.fill(none);
    return columns;
  }();
  std::array<std::uint64_t, 256> first_{};
  std::vector<std::uint64_t> counts_;  ///< [block][column]: occurrences before the block
};

[[noreturn]] void no_transform() { throw InputError("a Burrows-Wheeler transform that no set of records has"); }

/// [row of b]: the number of rows of a before it.
template <class Row>
std::vector<Row> rows_before(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                             std::uint8_t terminator) {
  const HostRanks ranks_a(a, terminator), ranks_b(b, terminator);
  const std::uint64_t records = ranks_b.terminators();
  std::vector<Row> before(b.size());
  std::atomic<std::uint64_t> visited = 0;
  constexpr std::uint64_t together = 64;
  const std::size_t tasks = static_cast<std::size_t>((records + together - 1) / together);
  runtime::parallel_for(tasks, runtime::threads_for(tasks, 1, 256), [&](std::size_t task) {
    std::uint64_t steps = 0;
    for (std::uint64_t r = task * together, end = std::min(records, r + together); r < end; ++r) {
      // No row leads to that of a terminator, and no two rows to the same: the walk ends.
      std::uint64_t row_a = ranks_a.terminators(), row_b = r;
      for (;; ++steps) {
        before[row_b] = static_cast<Row>(row_a);
        const std::uint8_t symbol = b[row_b];
        if (symbol == terminator) break;
        row_a = ranks_a.rank(symbol, row_a);
        row_b = ranks_b.rank(symbol, row_b);
      }
      ++steps;
    }
    visited += steps;
  });
  if (visited != b.size() || !std::ranges::is_sorted(before)) no_transform();
  return before;
}

template <class Row>
std::vector<std::uint8_t> merge(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                                std::uint8_t terminator) {
  const std::vector<Row> before = rows_before<Row>(a, b, terminator);
  std::vector<std::uint8_t> all;
  all.reserve(a.size() + b.size());
  std::size_t taken = 0;
  for (std::size_t row = 0; row < b.size(); ++row) {
    const auto until = static_cast<std::size_t>(before[row]);
    all.insert(all.end(), a.begin() + static_cast<std::ptrdiff_t>(taken),
               a.begin() + static_cast<std::ptrdiff_t>(until));
    taken = until;
    all.push_back(b[row]);
  }
  all.insert(all.end(), a.begin() + static_cast<std::ptrdiff_t>(taken), a.end());
  return all;
}

}  // namespace

std::vector<std::uint8_t> merge_bwt_of_records(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                                               std::uint8_t terminator) {
  const bool wide = a.size() + b.size() > std::numeric_limits<std::uint32_t>::max();
  // Ranks of four letters take a quarter of a byte a symbol.
  runtime::check_host_memory("the merging of Burrows-Wheeler transforms",
                             a.size() + b.size() + b.size() * (wide ? 8 : 4) + (a.size() + b.size()) / 4);
  return wide ? merge<std::uint64_t>(a, b, terminator) : merge<std::uint32_t>(a, b, terminator);
}

}  // namespace genocl::overlap
