// Maps what is kept of reads, and parts of those that have no hit as a whole.
#pragma once

#include <functional>

#include "genocl/marose/mapper.hpp"
#include "marose/clip/trimmer.hpp"

namespace genocl::marose {

/// Maps all reads of a set as they are.
using MapWhole = std::function<Hits(const SequenceSet& reads)>;

/// Maps reads [range.first, ...) of a set as `trimmer` and ClipOptions::ends have it, by calls of `map_whole`.
Hits map_parts(const SequenceSet& reads, RecordRange range, const Trimmer& trimmer, bool ends,
               const MapWhole& map_whole);

}  // namespace genocl::marose
