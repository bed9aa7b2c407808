// The alignments of a query that are reported, primary alignments among them, and their mapping qualities.
#pragma once

#include <vector>

#include "genocl/overlap/genome_alignment.hpp"

namespace genocl::overlap {

/// Sets `primary` and `mapq`, drops alignments inside better ones, and sorts the others as GenomeAligner::Sink
/// receives them.
///
/// As in minimap2, an alignment is secondary if a better primary alignment has half of the bases of the query that the
/// shorter one has. Here, bases in gaps of the primary alignment do not count. A secondary alignment is dropped if that
/// primary alignment contains both intervals, on the same strand. The MAPQ of a primary alignment of score s, whose
/// best secondary alignment has score t, is 40 (1 - t / s) ln s, at most 60. O(n log n + runs) time for n alignments,
/// if few of them are at the same place.
void select_alignments(std::vector<GenomeAlignment>& alignments);

}  // namespace genocl::overlap
