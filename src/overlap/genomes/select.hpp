// The alignments of a query that are reported, primary alignments among them, and their mapping qualities.
#pragma once

#include <vector>

#include "genocl/overlap/genome_alignment.hpp"

namespace genocl::overlap {

/// Sets `primary` and `mapq`, drops alignments that lie in better ones, and sorts the others as GenomeAligner::Sink
/// receives them.
///
/// As in minimap2, an alignment is secondary if it shares half of the query's bases of the shorter one with a better
/// primary alignment. The MAPQ of a primary alignment of score s, whose best secondary alignment has score t, is
/// 40 (1 - t / s) ln s, at most 60. O(n log n + secondary alignments * runs).
void select_alignments(std::vector<GenomeAlignment>& alignments);

}  // namespace genocl::overlap
