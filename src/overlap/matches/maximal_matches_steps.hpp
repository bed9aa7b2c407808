// Finds maximal matches within a sorted text (cl/overlap/matches/maximal.cl).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "genocl/overlap/rmq.hpp"
#include "overlap/text/sorted_text.hpp"

namespace genocl::overlap {

/// A symbol takes so many bytes on the device, suffix array, LCPs and range minima included, where every suffix

/// matches.
constexpr unsigned bytes_of_matching = 72;
/// A match of a piece takes so many bytes on the device.
constexpr unsigned bytes_of_match = 48;

/// Matches by position behind the border, then by position before it: keys[i] holds both, the first above
/// SortedText::position_bits() bits of the second.
using MatchSink = std::function<void(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> lengths)>;

/// Every maximal match of at least `min_length` symbols between what stands before `border` and what stands from there
/// on. The sink is called for up to `most` matches at a time, or those of one position; in order. `minima`: over the
/// LCPs. `stages` go up to 1.
void maximal_matches_of_text(const SortedText& sorted, const Rmq& minima, std::uint32_t border,
                             std::uint32_t min_length, std::uint64_t most, const Stages& stages, const MatchSink& sink);

}  // namespace genocl::overlap
