// Arrays made in pieces, against the oracle.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "genocl/overlap/pieces.hpp"
#include "overlap/cases.hpp"
#include "overlap/pieces/sort_in_pieces.hpp"
#include "reference/overlap/suffix_array.hpp"

namespace overlap_test {

/// The base of positions in tests of 64 bits: a step that stores them in 32 bits loses it.
constexpr std::uint64_t far = (std::uint64_t{1} << 33) + (std::uint64_t{5} << 16);

struct SortedPieces {
  std::vector<std::uint64_t> positions;
  std::vector<std::uint64_t> sizes;  ///< of what the sink was given
  genocl::overlap::PieceReport report;
};

inline SortedPieces sorted_in_pieces(std::span<const genocl::Device> devices, const genocl::overlap::Text& text,
                                     const genocl::overlap::pieces::Width& width,
                                     const genocl::overlap::PieceOptions& options) {
  SortedPieces sorted;
  sorted.report = genocl::overlap::pieces::sort(
      devices, text, width,
      [&](const std::byte* bytes, std::uint64_t count) {
        sorted.sizes.push_back(count);
        for (std::uint64_t i = 0; i < count; ++i) {
          std::uint64_t position = 0;
          std::uint32_t narrow = 0;
          if (width.wide) {
            std::memcpy(&position, bytes + 8 * i, 8);
          } else {
            std::memcpy(&narrow, bytes + 4 * i, 4);
            position = narrow;
          }
          // Where something was lost it is far away now.
          sorted.positions.push_back(position - width.base);
        }
      },
      options);
  return sorted;
}

/// The pieces are one after the other the suffix array; `most`: of a piece.
inline void check_pieces(const SortedPieces& sorted, std::span<const std::uint8_t> bytes,
                         const std::vector<bool>& separated, std::uint64_t most) {
  std::vector<std::uint32_t> narrow;
  bool fits = true;
  for (const std::uint64_t position : sorted.positions) {
    fits = fits && position < bytes.size();
    narrow.push_back(static_cast<std::uint32_t>(position));
  }
  CHECK(fits);
  CHECK(narrow.size() == bytes.size());
  const std::optional<std::size_t> error = reference::first_error(bytes, separated, narrow);
  CAPTURE(error.value_or(0));
  CHECK_FALSE(error.has_value());
  CHECK(sorted.report.pieces == sorted.sizes.size());
  for (const std::uint64_t size : sorted.sizes) CHECK(size <= most);
}

}  // namespace overlap_test
