// Output of genocl-align: files, the summary.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>

#include "align/options.hpp"
#include "genocl/align.hpp"

namespace program {

/// Inputs of a writer. They outlive it.
struct Context {
  const SearchSettings& settings;
  const align::Database& database;
  const align::Database& searched;  ///< `database`, or the subset of --include or --exclude
  const Scoring& scoring;

  bool dna() const noexcept { return database.alphabet() == genocl::Alphabet::dna; }
  genocl::Alphabet query_alphabet() const { return settings.query_alphabet(database.alphabet()); }
};

/// Writes a file that is complete after finish(), and absent otherwise.
class ResultWriter {
 public:
  /// Writes the format of the settings.
  explicit ResultWriter(const Context& context);
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Takes queries in their order.
  void write(const align::QueryHits& query);
  void finish();

 private:
  struct Text;
  struct Records;

  std::unique_ptr<Text> text_;        ///< for SAM and BAM null
  std::unique_ptr<Records> records_;  ///< for other formats null
};

struct OutputFormat {
  const char* name;  ///< of --format
  align::Format format;
  bool bam;          ///< the records of SAM as BAM
  bool has_cigar;    ///< --cigar has an effect
  bool has_columns;  ///< --columns has an effect
};

/// All formats, the default one first.
std::span<const OutputFormat> output_formats();

struct Counts {
  std::uint64_t queries = 0, residues = 0, hits = 0;
  std::uint64_t cells = 0, computed_again = 0;
  double score_seconds = 0, alignment_seconds = 0;  ///< on the clock
  double kernel_seconds = 0;                        ///< of the slowest device, all kernels
  double search_seconds = 0;                        ///< with reading queries and writing results
  double whole_seconds = 0;                         ///< including the time to open the database

  void add(const align::SearchCounts& one);
};

/// Writes the sizes of queries and database, the scoring system and the rate.
void write_summary(std::ostream& out, const Context& context, const Counts& counts);
/// Writes a table of cells, seconds and GCUPS.
void write_stats(std::ostream& out, const Counts& counts);

}  // namespace program
