// Output formats of alignments of genomes: delta, coords and snps of MUMmer, PAF.
//
//   overlap::GenomeFormatter formatter(overlap::GenomeFormat::paf, reference);
//   std::string text = formatter.header();
//   aligner.align(queries, [&](std::uint64_t query, std::span<const overlap::GenomeAlignment> alignments) {
//     formatter.append(queries, query, alignments, text);
//   });
//
// The text is that of genocl-overlap align. Formatters append to a string and write no file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/overlap/genome_alignment.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// - `delta`: the format of nucmer, which show-coords, show-snps, delta-filter, dnadiff and mummerplot read. Errors are
///   mismatches and letters in gaps.
/// - `coords`: the table of `show-coords -T -l`. Positions count from 1. A begin above the end denotes the reverse
///   strand.
/// - `paf`: the 12 columns of PAF and the tags NM, AS, tp (P or S), de, cg and, if requested, cs, as minimap2 -c.
/// - `snps`: the table of `show-snps -T -C` without the columns of repeats, of primary alignments: a line for each
///   mismatch of two of A, C, G and T, and for each letter in a gap.
enum class GenomeFormat : std::uint8_t { delta, coords, paf, snps };

struct GenomeFormatOptions {
  std::string reference_file = "reference";  ///< first line of delta, coords and snps; show-snps opens the file
  std::string query_file = "queries";
  bool match_as_m = false;  ///< paf: M instead of = and X
  bool cs = false;          ///< paf: add the short form of the tag cs, which paftools.js call reads
};

/// Const members may be called concurrently.
class GENOCL_EXPORT GenomeFormatter {
 public:
  /// Keeps a view of `reference`, which must outlive this object. Records without a name are called by their numbers,
  /// from 1.
  GenomeFormatter(GenomeFormat format, const SequenceSet& reference, GenomeFormatOptions options = {});

  /// Returns the lines that precede the alignments; empty for `paf`.
  std::string header() const;
  /// Appends the lines of the alignments of a query, sorted by reference record. O(columns).
  ///
  /// @param first_query  number of the first record of `queries` in its file, for records without a name
  void append(const SequenceSet& queries, std::uint64_t query, std::span<const GenomeAlignment> alignments,
              std::string& text, std::uint64_t first_query = 0) const;

 private:
  struct Query;

  void append_delta(const Query& query, const GenomeAlignment& alignment, std::string& text) const;
  void append_coords(const Query& query, const GenomeAlignment& alignment, std::string& text) const;
  void append_paf(const Query& query, const GenomeAlignment& alignment, std::string& text) const;
  void append_snps(const Query& query, const GenomeAlignment& alignment, std::string& text) const;
  std::string_view name(std::uint64_t record) const { return names_[record]; }

  GenomeFormat format_;
  const SequenceSet* reference_;
  GenomeFormatOptions options_;
  std::vector<std::string> names_;
};

}  // namespace genocl::overlap
