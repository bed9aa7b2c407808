// A text with its suffix array and LCP values: what regions and overlaps are computed from.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "genocl/array.hpp"
#include "genocl/overlap/lcp.hpp"
#include "genocl/overlap/rmq.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "genocl/progress.hpp"
#include "overlap/text/text.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {

/// The values of Lcp for any array of positions that is a suffix array of the text. Does not wait.
Array<std::uint32_t> lcp_values(const Text& text, const Array<std::uint32_t>& positions);
/// The same by Kasai's method.
Array<std::uint32_t> kasai_values(const Text& text, const Array<std::uint32_t>& positions);

/// The progress of a computation with several stages: fractions that do not decrease.
class Stages {
 public:
  Stages(const Progress& progress, std::uint64_t items) : progress_(progress), items_(items) {}
  /// Throws Cancelled if the progress says so.
  void reach(double fraction) const;
  /// The progress of a stage that ends at `fraction`.
  Progress up_to(double fraction) const;

 private:
  const Progress& progress_;
  std::uint64_t items_;
};

/// A suffix array with LCP values and, if asked for, their range minima (Abouelhoda, Kurtz, Ohlebusch, "Replacing
/// suffix trees with enhanced suffix arrays", 2004), on the device of the text.
class EnhancedSuffixArray {
 public:
  /// The fraction of the progress that construction takes.
  static constexpr double built = 0.7;

  /// `bytes_per_symbol`: the peak of the later steps on the device, suffix array and LCP values included. Throws
  /// CapacityError before the start, with `purpose` in its message, and Cancelled.
  /// `algorithm`: of the suffix array; `published` also computes the LCP values by Kasai's method.
  EnhancedSuffixArray(const Text& text, const char* purpose, unsigned bytes_per_symbol, const Stages& stages,
                      Algorithm algorithm = Algorithm::automatic);
  /// From existing parts, which are not checked.
  EnhancedSuffixArray(SuffixArray suffixes, Array<std::uint32_t> lcp)
      : suffixes_(std::move(suffixes)), lcp_(std::move(lcp)) {}

  const Text::State& text() const { return runtime::state_of(suffixes_.text()); }
  const Device& device() const { return suffixes_.device(); }
  std::uint64_t size() const { return suffixes_.size(); }
  const Array<std::uint32_t>& positions() const { return suffixes_.positions(); }
  const Array<std::uint32_t>& lcp() const { return lcp_; }
  /// The number of records of the text.
  std::uint32_t records() const { return static_cast<std::uint32_t>(text().begins.size() - 1); }
  /// The number of bits of a position.
  unsigned position_bits() const { return static_cast<unsigned>(std::bit_width(size())); }

  /// Makes the range minima of the LCP values, if they do not exist yet. Not thread-safe.
  const Rmq& minima();

 private:
  SuffixArray suffixes_;
  Array<std::uint32_t> lcp_;
  std::optional<Rmq> minima_;
};

}  // namespace genocl::overlap
