// From the hits of a batch of reads to what is reported of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "genocl/marose/read_alignment.hpp"
#include "marose/align/choose.hpp"

namespace genocl::marose {

struct ReadAlignerOptions {
  AlignOptions align;
  Report report;
  bool pairs = false;  ///< reads 2 i and 2 i + 1 are mates
  PairGeometry geometry;
  bool rescue = true;
};

/// Maps parts of reads: Hits of a set, each record a part.
using MapSet = std::function<Hits(const SequenceSet& parts)>;

/// Aligns reads [first, first + hits.reads.size()) of a set in steps, each for all of them at once: the hits of whole
/// reads; mates beside their reads; parts of reads that lie nowhere as a whole, and what alignments leave out; mates of
/// those. Then it chooses.
std::vector<AlignedRead> align_reads(const Device& device, const Index& index, const ReadAlignerOptions& options,
                                     const SequenceSet& reads, std::size_t first, const Hits& hits,
                                     const MapSet& map_parts);

}  // namespace genocl::marose
