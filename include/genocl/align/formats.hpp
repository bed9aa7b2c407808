// Output formats of a search: BLAST's tables, XML and report, SAM, JSON.
//
//   align::HitFormatter formatter(align::Format::blast6, database, searcher.options());
//   std::string text;
//   searcher.search(queries, [&](std::size_t query, std::vector<align::Hit>&& hits) {
//     formatter.add(queries, query, hits, text);
//   });
//   formatter.finish(text);
//
// The text is that of genocl-align. Formatters append to a string and write no file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/align/searcher.hpp"
#include "genocl/align/subject_ids.hpp"
#include "genocl/error.hpp"
#include "genocl/sequence/sam.hpp"

namespace genocl::align {

/// - `tsv`: a table of genocl's with a header; the only one, with `json`, that needs no alignments.
/// - `blast6`, `blast7`, `csv`: BLAST's outfmt 6 (table), 7 (table with comments) and 10 (comma-separated values).
/// - `xml`: BLAST's outfmt 5, by its document type NCBI BlastOutput.
/// - `sam`: subjects are the references, queries the reads; not for translated searches. See SamRecords.
/// - `pairwise`: alignments to be read, as BLAST's reports (outfmt 0) show them.
/// - `json`: one object for the search, an array element for each query.
enum class Format : std::uint8_t { tsv, blast6, blast7, csv, xml, sam, pairwise, json };

/// Returns false for `tsv` and `json`, which also take hits without alignments.
GENOCL_EXPORT bool needs_alignments(Format format) noexcept;

/// A query and its hits, best first. The views must outlive the call that takes them.
struct QueryHits {
  std::string_view name = {}, description = {};
  std::span<const Code> codes = {};
  std::span<const std::uint8_t> quality = {};  ///< empty, or one Phred score for each code
  std::span<const Interval> masked = {};       ///< shown in lower case by Format::pairwise
  std::span<const Hit> hits = {};

  QueryHits() = default;
  /// Query i of a set.
  QueryHits(const SequenceSet& queries, std::size_t i, std::span<const Hit> found)
      : name(queries.name(i)),
        description(queries.description(i)),
        codes(queries[i]),
        quality(queries.quality(i)),
        masked(queries.masked(i)),
        hits(found) {}
};

struct FormatOptions {
  std::string program = "genocl-align";  ///< name in headers
  std::string program_version = {};      ///< empty: that of the library
  std::string command_line = {};         ///< for SAM's @PG; empty: omitted
  std::string database = "database";     ///< name of the database in headers and messages
  std::string queries = "queries";       ///< name of the queries in messages
  /// Columns of `blast6`, `blast7` and `csv`, see blast_columns(). Empty: BLAST's default.
  std::string columns = {};
  /// For the columns staxid, staxids, ssciname and sscinames; null: none are known. Unknown taxa are "N/A",
  /// in staxids "0", as in BLAST.
  std::shared_ptr<const TaxonomyMap> taxonomy = {};
  bool match_as_m = false;      ///< CIGAR with M instead of = and X, in `tsv`, `sam` and `json`
  bool masked_queries = false;  ///< the queries have masked letters; a parameter in the header of `xml`
  /// SAM: called for each name with bytes that SAM does not allow, and for a second subject of the same name. Such
  /// names are changed. An exception that it throws propagates.
  std::function<void(const InputError& why)> renamed = {};
};

/// Returns the names of the columns in a list such as "qseqid,sseqid,std", separated by commas or blanks; BLAST's
/// default columns for an empty list. Throws InputError, with the known names, for an unknown one.
GENOCL_EXPORT std::vector<std::string> blast_columns(std::string_view list);

/// Formats the hits of a search. The text depends on the arguments only. Not thread-safe: one thread at a time.
class GENOCL_EXPORT HitFormatter {
 public:
  /// Copies its arguments; copies of a database share memory. `database` is not a shard.
  ///
  /// @param search  the options of the search: scoring, E-values, `align`, `max_evalue`, `masking`
  /// @throws InputError for an unknown column; for `sam` if a subject has more than 2^31 - 1 letters, and for a
  /// translated search
  HitFormatter(Format format, const Database& database, const SearchOptions& search, const FormatOptions& options = {});
  HitFormatter(HitFormatter&&) noexcept;
  HitFormatter& operator=(HitFormatter&&) noexcept;
  ~HitFormatter();

  /// Appends the text of the next query, after the header of the format if this is the first one. Hits have alignments
  /// if needs_alignments() or SearchOptions::align says so; hits of one subject are adjacent for `xml` and `pairwise`
  /// (SearchOptions::by_subject). O(length of the text).
  void add(const QueryHits& query, std::string& text);
  void add(const SequenceSet& queries, std::size_t query, std::span<const Hit> hits, std::string& text) {
    add(QueryHits(queries, query, hits), text);
  }
  /// Appends the end of the format; also the header if no query was added. Nothing may be added afterwards.
  void finish(std::string& text);

  /// Interface of the formats.
  class Writer;

 private:
  std::unique_ptr<Writer> writer_;
  bool begun_ = false;
};

/// SAM records of hits, for text or BAM: subjects are the references, queries the reads.
///
/// The best hit of a query is the primary record, the others are secondary. A query without a hit is an unmapped
/// record. DNA has its letters. SEQ of proteins is '*', because readers of SAM take it for DNA. MAPQ is 255 (unknown).
/// Tags: AS, NM, NH, HI; BS (bit score) and EV (E-value) if known. N aligned with N is a mismatch, as for `samtools
/// calmd`.
///
/// Not thread-safe: one thread at a time.
class GENOCL_EXPORT SamRecords {
 public:
  /// O(number of subjects). Copies its arguments. `database` is not a shard. Throws InputError for a translated search.
  SamRecords(const Database& database, const SearchOptions& search, const FormatOptions& options = {});
  SamRecords(SamRecords&&) noexcept;
  SamRecords& operator=(SamRecords&&) noexcept;
  ~SamRecords();

  /// The references are the subjects that are not empty. Their names are first words of at most 254 bytes, unique by a
  /// suffix "_2", "_3" and so on.
  const sam::Header& header() const noexcept;
  /// Passes the records of a query to `sink`. A record is valid during the call. Hits must have alignments.
  void add(const QueryHits& query, const std::function<void(const sam::Record&)>& sink);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Coordinates of an alignment: from 1, both ends included, on the plus strands of both. Those of a translated sequence
/// count nucleotides. BLAST prints the larger one first if the strand or frame is a reverse one.
struct HspCoordinates {
  std::uint64_t query_start = 0, query_end = 0, subject_start = 0, subject_end = 0;
};

/// Returns the coordinates of a hit with an alignment. O(1).
///
/// @param query_length    letters of the query; nucleotides if it is translated
/// @param subject_length  nucleotides of the subject if it is translated; otherwise not used
GENOCL_EXPORT HspCoordinates hsp_coordinates(const Hit& hit, std::uint64_t query_length,
                                             std::uint64_t subject_length) noexcept;

/// Columns of an alignment as text, one string for each row; gaps are '-'. The query is as it was given. The subject is
/// reverse-complemented if the hit is on the minus strand.
struct AlignedRows {
  std::string query, middle, subject;
};

/// Returns the rows of a hit with an alignment. `middle` has the letter (DNA: '|') for equal letters, '+' for different
/// amino acids that score above 0, and blanks. Rows of a translated search are amino acids. O(columns).
///
/// @param query        letters of the query, as it was given
/// @param translation  that of the search
GENOCL_EXPORT AlignedRows aligned_rows(const Hit& hit, std::span<const Code> query, const Database& database,
                                       const Matrix& matrix, const Translation& translation = {});

/// Returns "match 2, mismatch -3" for Matrix::dna(), otherwise the name of the matrix.
GENOCL_EXPORT std::string scoring_name(const Matrix& matrix);
/// Returns one line with a gap penalty in both conventions, see GapPenalty.
GENOCL_EXPORT std::string gap_text(const GapPenalty& gap);

}  // namespace genocl::align
