// CIGAR: the operations of an alignment, as SAM and BAM define them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"

namespace genocl {

/// A run of one CIGAR operation, encoded as in BAM: length << 4 | operation.
struct CigarRun {
  static constexpr std::string_view letters = "MIDNSHP=X";

  std::uint32_t encoded = 0;

  constexpr CigarRun() = default;
  /// @param letter  one of MIDNSHP=X
  constexpr CigarRun(std::uint32_t length, char letter)
      : encoded(length << 4 | static_cast<std::uint32_t>(letters.find(letter))) {}

  constexpr std::uint32_t length() const noexcept { return encoded >> 4; }
  constexpr char letter() const noexcept { return letters[encoded & 15]; }
  constexpr bool uses_query() const noexcept { return (0x193u >> (encoded & 15) & 1) != 0; }      // MIS=X
  constexpr bool uses_reference() const noexcept { return (0x18du >> (encoded & 15) & 1) != 0; }  // MDN=X

  friend constexpr bool operator==(const CigarRun&, const CigarRun&) = default;
};

/// Runs in the order of the reference's forward strand. No run is empty and neighbours differ in their operation.
class Cigar {
 public:
  /// Appends a run, joined with the last one where the operations agree. A length of 0 changes nothing.
  void append(std::uint32_t length, char letter) {
    if (length == 0) return;
    const CigarRun run(length, letter);
    if (!runs_.empty() && ((runs_.back().encoded ^ run.encoded) & 15) == 0)
      runs_.back().encoded += length << 4;
    else
      runs_.push_back(run);
  }
  void append(const Cigar& other) {
    for (const CigarRun& run : other.runs_) append(run.length(), run.letter());
  }
  void clear() noexcept { runs_.clear(); }
  GENOCL_EXPORT void reverse() noexcept;

  bool empty() const noexcept { return runs_.empty(); }
  std::span<const CigarRun> runs() const noexcept { return runs_; }
  /// Bases of the query, soft-clipped ones included, hard-clipped ones not.
  GENOCL_EXPORT std::uint64_t query_length() const noexcept;
  GENOCL_EXPORT std::uint64_t reference_length() const noexcept;

  /// "100M2D50M", "*" without runs.
  GENOCL_EXPORT std::string str() const;

  friend bool operator==(const Cigar&, const Cigar&) = default;

 private:
  std::vector<CigarRun> runs_;
};

}  // namespace genocl
