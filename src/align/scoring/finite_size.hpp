// The finite-size correction of local alignment statistics: Park, Sheetlin, Ma, Madden and Spouge 2012 (BMC Research
// Notes 5, 286).
#pragma once

#include "genocl/align/statistics.hpp"

namespace genocl::align {

/// What one of the two sequences has to say of alignments of a score, whose length in it is taken for normal.
struct LengthTerms {
  double room = 0;         ///< letters that are left beside the alignment, in the mean; not below 0
  double probability = 0;  ///< that the alignment fits
};

/// `parameters.finite_size` is known. `length`: of the sequence. Both terms rise with it.
LengthTerms length_terms(const KarlinAltschul& parameters, double score, double length);

/// Pairs of places where an alignment of the score can begin or end, in the mean.
double search_area(const KarlinAltschul& parameters, double score, const LengthTerms& query,
                   const LengthTerms& subject);

}  // namespace genocl::align
