// Scores and places as they are written.
#pragma once

#include <cstdint>
#include <string>

#include "genocl/align.hpp"

namespace program {

/// Three digits, "2.48e-30"; "*" for one that is not known.
std::string evalue_text(double evalue);
/// One digit after the point.
std::string bits_text(double bits);

/// Writes numbers as BLAST's tables (outfmt 6) have them.
std::string blast_table_evalue(double evalue);
std::string blast_bits(double bits);
/// Writes an E-value as BLAST's reports have it, with fewer digits.
std::string blast_report_evalue(double evalue);
/// Writes a share of 100 with so many digits after the point, like "87.500".
std::string percent(std::uint64_t part, std::uint64_t whole, int digits = 3);

/// Positions count from 1, the last one included, on the plus strands of both.
struct Place {
  std::uint64_t query_start = 0, query_end = 0, subject_start = 0, subject_end = 0;
};
/// Says where a hit with an alignment lies.
Place place_of(const genocl::align::Hit& hit, std::uint64_t query_length);

/// Letters that stand beside gaps.
std::uint64_t gap_letters(const genocl::align::Alignment& alignment);

}  // namespace program
