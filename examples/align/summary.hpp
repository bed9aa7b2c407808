// What is counted while queries are searched, and said in the end.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "align/formats/result_writer.hpp"

namespace program {

struct Counts {
  std::uint64_t queries = 0, residues = 0, hits = 0;
  std::uint64_t cells = 0, computed_again = 0;
  double score_seconds = 0, alignment_seconds = 0;  ///< on the clock
  double kernel_seconds = 0;                        ///< of the slowest device, all kernels
  double search_seconds = 0;                        ///< with reading queries and writing results
  double whole_seconds = 0;                         ///< with the database, too

  void add(const align::SearchCounts& one);
};

/// What was searched, how it was scored, and how fast.
void write_summary(std::ostream& out, const Context& context, const Counts& counts);
/// Writes a table of the cells and of what took how long.
void write_stats(std::ostream& out, const Counts& counts);

}  // namespace program
