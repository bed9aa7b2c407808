// Finds diagonals of a text on which a read may align, by k-mers that both have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/sequence/alphabet.hpp"

namespace genocl::marose {

/// Holds the k-mers of a read; texts are compared with them.
class DiagonalSearch {
 public:
  static constexpr unsigned k = 9;
  /// Diagonals that are counted together.
  static constexpr std::int64_t bin = 16;

  struct Diagonal {
    std::int64_t shift = 0;   ///< text position - read position
    std::uint32_t kmers = 0;  ///< k-mers in common on it and its neighbours within a bin
  };

  DiagonalSearch() : first_(std::size_t{1} << (2 * k), none) {}

  /// @param query  at most 65,535 bases
  void set_query(std::span<const Code> query);

  /// The diagonals with most k-mers in common, at least `min_kmers`, at most `most` of them, best first and no two
  /// within two bins of each other. O(text length + matches).
  std::vector<Diagonal> find(std::span<const Code> text, std::uint32_t min_kmers, std::size_t most);

 private:
  static constexpr std::uint16_t none = 0xffff;

  std::vector<std::uint16_t> first_;  ///< [k-mer]: its first position in the read
  std::vector<std::uint16_t> next_;   ///< [position]: the next one of the same k-mer
  std::vector<std::uint32_t> used_, counts_;
  std::size_t length_ = 0;
};

}  // namespace genocl::marose
