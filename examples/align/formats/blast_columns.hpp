// The columns of BLAST's tables (outfmt 6 and 7).
#pragma once

#include <string>
#include <vector>

#include "align/formats/result_writer.hpp"

namespace program {

/// What a column may look at: a hit that has an alignment, and all of its query's.
struct BlastRow {
  const Context& context;
  const Result& result;
  const align::Hit& hit;
};

/// A column under BLAST's name for it, and under the one that it has in the header of outfmt 7.
struct BlastColumn {
  const char* name;
  const char* title;
  std::string (*text)(const BlastRow& row);
};

/// The columns of a list like "qseqid,sseqid,std"; those that BLAST writes where nothing is said for an empty one.
/// Throws InputError, naming the columns there are, for another.
std::vector<const BlastColumn*> blast_columns(const std::string& list);

}  // namespace program
