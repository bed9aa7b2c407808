// Scores by `cpu` kernels (cl/align/score/score_cpu.cl): how wide the numbers are and how the work is cut.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/on_device.hpp"
#include "align/score/query_rows.hpp"
#include "align/scoring/scoring_table.hpp"

namespace genocl::align {

/// The numbers that a launch computes with. H is kept as H + zero; a score above cap - zero may be too low.
struct LanesWidth {
  unsigned bits = 8;        ///< 8, 16, 32
  bool saturating = false;  ///< 8 bits: saturating operations
  std::int32_t zero = 0, cap = 0;

  friend bool operator==(const LanesWidth&, const LanesWidth&) = default;
};

/// The form that suits a processor.
struct CpuForm {
  unsigned vector_bits = 256;  ///< of a register: 256 or 512
  bool saturating = true;      ///< 8-bit numbers should be, where there is a choice

  /// So many subjects go in lock-step.
  unsigned lanes(const LanesWidth& width) const noexcept { return vector_bits / width.bits; }

  friend bool operator==(const CpuForm&, const CpuForm&) = default;
};
CpuForm cpu_form(const Device& device);

/// Widths to try one after the other; the last one is never exceeded. `range`: of the scores; `first_bits`: no
/// narrower.
std::vector<LanesWidth> lanes_widths(const ScoringTable& table, const ScoreRange& range, unsigned first_bits,
                                     bool saturating);

/// Tests and measurements choose by these.
struct CpuOptions {
  unsigned first_bits = 8;
  std::optional<CpuForm> form;
  /// Rows of a query that are a strip, worked on together with all columns; 0: chosen.
  std::uint32_t strip_rows = 0;
  /// Short queries of a batch are stacked up to so many rows; 0: chosen.
  std::uint32_t stack_rows = 0;
  /// Scores above this are computed again, as if they did not fit 8 or 16 bits; 0: only those that do not.
  std::int32_t highest_sure = 0;
};

/// score_cpu() of steps.hpp with choices.
std::uint64_t score_cpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores, const CpuOptions& options);

}  // namespace genocl::align
