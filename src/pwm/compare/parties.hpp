// A matrix as one of the two that are compared, and what comes out of a comparison.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pwm/compare/compare_steps.hpp"

namespace genocl::pwm {

/// One strand of a matrix: its hits where they can be listed, and their probability.
struct Party {
  Side side;
  std::optional<std::vector<std::uint64_t>> hits;
  PValue p;

  std::uint32_t length() const { return static_cast<std::uint32_t>(side.matrix->length()); }
};

/// Of a matrix as it is, and of its reverse complement `turned`, of which hits are the reverse complements of hits, not
/// what its own score(), which adds in the other order, makes hits. Lists at most `most` hits.
using BothStrands = std::array<Party, 2>;
BothStrands parties_of(const ScoreMatrix& matrix, const ScoreMatrix& turned, double threshold, std::uint64_t most,
                       const Background& background);
/// Finds the probabilities of those that are not listed, which parties_of() leaves open.
void find_probabilities(Devices devices, std::span<BothStrands> parties, const CompareOptions& options);

/// Throw InputError for options, or a threshold, that cannot be compared by.
void check(const CompareOptions& options);
/// Throws InputError where that many slices are too few for a union of that many columns.
void check_slices(const CompareOptions& options, std::size_t longest_union);
void check_threshold(const ScoreMatrix& matrix, double threshold);

/// Whether lists of hits can be joined on the device.
bool can_list(const Device& device, const CompareOptions& options);

/// `words` among all words of a length.
PValue counted(std::uint64_t words, std::uint32_t length);
/// The probability itself.
PValue exactly(double p);
/// Where they share no position.
PValue joint_apart(const Party& a, const Party& b);

Overlap overlap_of(const Party& a, const Party& b, int shift, bool reverse, PValue both);
/// Similar, then near, then forward.
bool better(const Overlap& a, const Overlap& b);

/// All shifts of two parties in one orientation, in order, without lists.
void add_bounds(const Device& device, const Party& a, const Party& b, bool reverse, const CompareOptions& options,
                std::vector<Overlap>& overlaps);

}  // namespace genocl::pwm
