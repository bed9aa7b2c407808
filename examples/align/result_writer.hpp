// Output of genocl-align: one writer for each format, and their common functions.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "align/options.hpp"
#include "genocl/align.hpp"

namespace program {

/// This is a query and its hits, best first.
struct Result {
  std::string_view name, description;
  std::span<const genocl::Code> codes;
  std::span<const std::uint8_t> quality;  ///< empty, or one for each code
  std::span<const genocl::LetterRange> masked;
  std::span<const align::Hit> hits;
};

/// Inputs of a writer. They outlive it.
struct Context {
  const SearchSettings& settings;
  const align::Database& database;
  const Scoring& scoring;

  bool dna() const noexcept { return database.alphabet() == genocl::Alphabet::dna; }
  genocl::Alphabet alphabet() const noexcept { return database.alphabet(); }
};

/// Writes a file that is complete after finish(), and absent otherwise.
class ResultWriter {
 public:
  virtual ~ResultWriter() = default;
  /// Takes results in the order of the queries.
  virtual void write(const Result& result) = 0;
  virtual void finish() = 0;
};

/// A format is a row of output_formats() and a function that makes its writer.
struct OutputFormat {
  const char* name;  ///< of --format
  std::unique_ptr<ResultWriter> (*make)(const Context& context);
  bool needs_alignments;
  bool has_cigar;    ///< --cigar has an effect
  bool has_columns;  ///< --columns has an effect
};

/// All formats, the default one first.
std::span<const OutputFormat> output_formats();

std::unique_ptr<ResultWriter> make_table_writer(const Context& context);
std::unique_ptr<ResultWriter> make_blast6_writer(const Context& context);
std::unique_ptr<ResultWriter> make_blast7_writer(const Context& context);
std::unique_ptr<ResultWriter> make_csv_writer(const Context& context);
std::unique_ptr<ResultWriter> make_xml_writer(const Context& context);
std::unique_ptr<ResultWriter> make_sam_writer(const Context& context);
std::unique_ptr<ResultWriter> make_bam_writer(const Context& context);
std::unique_ptr<ResultWriter> make_pairwise_writer(const Context& context);
std::unique_ptr<ResultWriter> make_json_writer(const Context& context);

/// Makes the writer for the format of the settings.
std::unique_ptr<ResultWriter> make_writer(const Context& context);

/// Three digits, "2.48e-30"; "*" for one that is not known.
std::string evalue_text(double evalue);
/// One digit after the point.
std::string bits_text(double bits);

/// Writes numbers as BLAST's tables (outfmt 6) have them.
std::string blast_table_evalue(double evalue);
std::string blast_bits(double bits);
/// Writes an E-value as BLAST's reports have it, with fewer digits.
std::string blast_report_evalue(double evalue);
/// Writes a percentage with `digits` digits after the point, e.g. "87.500".
std::string percent(std::uint64_t part, std::uint64_t whole, int digits = 3);

/// Six significant digits, as BLAST's XML has numbers; "nan" for one that is not known.
std::string blast_xml_number(double number);

/// Positions count from 1, the last one included, on the plus strands of both.
struct Place {
  std::uint64_t query_start = 0, query_end = 0, subject_start = 0, subject_end = 0;
};
/// Says where a hit with an alignment lies.
Place place_of(const genocl::align::Hit& hit, std::uint64_t query_length);

/// The same as BLAST reports it: the subject of a hit on the reverse strand starts above its end.
Place blast_place_of(const genocl::align::Hit& hit, std::uint64_t query_length);

/// Returns the number of letters aligned with gaps.
std::uint64_t gap_letters(const genocl::align::Alignment& alignment);

/// Puts fields into lines, with tabs between.
class Lines {
 public:
  void field(std::string_view text) {
    if (!first_) text_ += '\t';
    first_ = false;
    text_ += text;
  }
  void field(std::uint64_t number) { field(std::to_string(number)); }
  void end() {
    text_ += '\n';
    first_ = true;
  }
  const std::string& text() const noexcept { return text_; }
  void clear() noexcept { text_.clear(); }

 private:
  std::string text_;
  bool first_ = true;
};

/// The first word of a header line may be missing.
inline std::string_view or_star(std::string_view name) { return name.empty() ? "*" : name; }

/// A string for each row holds the columns of an alignment; gaps are '-'. The query is as it was given, the subject
/// turned where they meet on opposite strands.
struct AlignedRows {
  std::string query, middle, subject;
};

/// `hit` has an alignment. `middle` shows equal letters, and + where different amino acids score above 0.
AlignedRows rows_of(const Context& context, const align::Hit& hit, std::span<const genocl::Code> query);

/// Returns the name and, after a blank, the description if it is not empty. Control characters become blanks.
std::string full_name(std::string_view name, std::string_view description);
/// The same, cut at each ^A, with which nr separates the headers of identical sequences; one at least.
std::vector<std::string> titles(std::string_view name, std::string_view description);
/// A name up to a ^A in it.
inline std::string_view first_id(std::string_view name) { return name.substr(0, name.find('\1')); }

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

/// Returns the columns of a list such as "qseqid,sseqid,std"; BLAST's default columns for an empty list. Throws
/// InputError, with the known columns, for an unknown one.
std::vector<const BlastColumn*> blast_columns(const std::string& list);

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
