// Aliases of genocl::pairwise names in genocl::align, for existing programs. Use genocl::pairwise in new code.
#pragma once

#include "genocl/pairwise/alignment.hpp"
#include "genocl/pairwise/edit_distance.hpp"
#include "genocl/pairwise/pairs.hpp"
#include "genocl/pairwise/scoring.hpp"

namespace genocl::align {

using pairwise::blosum62;
using pairwise::GapPenalty;
using pairwise::Matrix;

using pairwise::Alignment;
using pairwise::EditRun;
using pairwise::score_of;

using pairwise::align_pairs;
using pairwise::FreeEnds;
using pairwise::local_alignments;
using pairwise::LocalOptions;
using pairwise::PairMode;
using pairwise::PairOptions;
using pairwise::score_pairs;

using pairwise::edit_alignments;
using pairwise::edit_distances;
using pairwise::EditOptions;

}  // namespace genocl::align
