// What score_lanes() hands to its kernels, made on the host.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "align/on_device.hpp"
#include "align/score/score_lanes.hpp"
#include "genocl/opencl.hpp"

namespace genocl::align {

/// The queries of a launch, longest first: each has a slot.
struct LanesQueries {
  static constexpr std::uint32_t most_profile_rows = 32;  ///< one for each code
  std::vector<cl_uint4> slots;                            ///< first code, length, number in the batch, 0
  std::vector<std::uint8_t> codes;                        ///< rows of the profile, of all slots one after the other
  std::vector<std::uint32_t> bundles;  ///< first slot of each, most rows first; and the number of slots
  std::uint32_t bundle_most = 1;       ///< slots in one
  std::uint32_t most_rows = 0;         ///< of a bundle
  std::array<std::uint8_t, most_profile_rows> row_of = {};  ///< [query code]
  std::vector<Code> rows;                                   ///< the codes that occur: a row of the profile for each
};

/// `numbers`: of the queries in the batch. Slots are taken together up to `bundle_rows` rows.
LanesQueries make_lanes_queries(std::span<const Query> queries, std::span<const std::uint32_t> numbers,
                                std::uint32_t bundle_rows);

/// scores[row][class] for the rows of the profile, 32 classes each.
std::vector<std::int8_t> lanes_scores(const ScoringTable& table, std::span<const Code> rows);

/// Memory of each worker.
struct LanesMemory {
  std::uint32_t strip_rows = 0;
  std::uint32_t border_blocks = 0;                ///< 0: every query is one strip
  std::uint64_t cells = 0, border = 0, best = 0;  ///< in bytes
  std::uint64_t bytes() const noexcept { return cells + border + best; }
};

/// Queries of more than `strip_rows` rows are cut into strips; not where subjects are so long that the borders would
/// take four times the memory of all rows.
LanesMemory lanes_memory(unsigned vector_bits, const LanesQueries& queries, std::uint32_t longest_subject,
                         std::uint32_t strip_rows);

/// Subjects of one slot that are to be computed again, cut into units of `lanes`.
struct LanesList {
  std::vector<std::uint32_t> subjects;
  std::vector<cl_uint4> units;  ///< slot, first in subjects, count, 0; most work first
};

/// Of a pass over all pairs: unsure[(slot * count + subject) / masked], its bit subject % masked, rounded up to whole
/// pieces: `masks` of them for each slot.
LanesList list_unsure(std::span<const std::uint32_t> unsure, std::uint32_t masks, unsigned masked, unsigned lanes,
                      std::span<const cl_uint4> slots, std::span<const std::uint32_t> lengths);
/// Of a pass over a list: unsure[unit].
LanesList list_unsure(std::span<const std::uint32_t> unsure, const LanesList& before, unsigned lanes,
                      std::span<const cl_uint4> slots, std::span<const std::uint32_t> lengths);

}  // namespace genocl::align
