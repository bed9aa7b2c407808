// CIGAR: the operations of an alignment, as SAM and BAM define them.
#pragma once

#include <array>
#include <cstddef>
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

/// Runs in the order of the reference's forward strand. No run is empty, and adjacent runs differ in their operation.
/// Up to four runs are stored without an allocation.
/// Const members may be called concurrently.
class Cigar {
 public:
  Cigar() = default;
  Cigar(const Cigar&) = default;
  Cigar& operator=(const Cigar&) = default;
  ~Cigar() = default;
  /// A CIGAR that was moved from has no runs.
  GENOCL_EXPORT Cigar(Cigar&& other) noexcept;
  GENOCL_EXPORT Cigar& operator=(Cigar&& other) noexcept;

  /// Appends a run, joined with the last one where the operations agree. A length of 0 changes nothing.
  void append(std::uint32_t length, char letter) { append(CigarRun(length, letter)); }
  GENOCL_EXPORT void append(const Cigar& other);
  GENOCL_EXPORT void append(const CigarRun& run);
  void clear() noexcept { size_ = 0; }
  GENOCL_EXPORT void reverse() noexcept;

  bool empty() const noexcept { return size_ == 0; }
  std::span<const CigarRun> runs() const noexcept { return {size_ <= few ? few_.data() : many_.data(), size_}; }
  /// Number of query bases, including soft-clipped and excluding hard-clipped ones.
  GENOCL_EXPORT std::uint64_t query_length() const noexcept;
  GENOCL_EXPORT std::uint64_t reference_length() const noexcept;

  /// "100M2D50M", "*" without runs.
  GENOCL_EXPORT std::string str() const;

  GENOCL_EXPORT friend bool operator==(const Cigar& a, const Cigar& b) noexcept;

 private:
  static constexpr std::size_t few = 4;

  std::array<CigarRun, few> few_ = {};
  std::size_t size_ = 0;
  std::vector<CigarRun> many_;  ///< all runs if more than `few`
};

}  // namespace genocl
