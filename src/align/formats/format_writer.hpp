// Common parts of the output formats: their input, their interface, numbers and names as BLAST writes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/align/formats.hpp"

namespace genocl::align {

/// Input that all formats share.
struct FormatContext {
  FormatContext(const Database& subjects, const SearchOptions& search, FormatOptions format);

  Database database;
  SearchOptions search;  ///< without its functions
  FormatOptions options;
  std::optional<KarlinAltschul> statistics;  ///< of the E-values; empty if unknown or not requested

  /// Whether DNA is aligned as such, not translated.
  bool dna() const noexcept { return database.alphabet() == Alphabet::dna && !search.translation.any(); }
  /// "genocl-align 0.2.0"
  std::string program() const { return options.program + " " + options.program_version; }
  /// "finite-size", "length-adjustment" or "search-space". Precondition: `statistics` is known.
  std::string correction() const;
  /// Letters of the query, or of its first frame, to which BLAST's search space refers.
  std::uint64_t effective_query_length(std::uint64_t letters) const noexcept {
    return search.translation.queries ? translated_length(letters, frames_of(search.strands).front()) : letters;
  }
  /// The coordinates of a hit of `query`.
  HspCoordinates coordinates(const QueryHits& query, const Hit& hit) const {
    return hsp_coordinates(hit, query.codes.size(), database.length(hit.subject));
  }
  AlignedRows rows(const QueryHits& query, const Hit& hit) const {
    return aligned_rows(hit, query.codes, database, search.matrix, search.translation);
  }
};

class HitFormatter::Writer {
 public:
  explicit Writer(FormatContext context) : context_(std::move(context)) {}
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Precedes all queries. `first`: the first query, or an empty one.
  virtual void begin(const QueryHits& first, std::string& text) = 0;
  virtual void add(const QueryHits& query, std::string& text) = 0;
  virtual void finish(std::string& text) = 0;

 protected:
  FormatContext context_;
};

std::unique_ptr<HitFormatter::Writer> make_table_writer(Format format, FormatContext context);
std::unique_ptr<HitFormatter::Writer> make_xml_writer(FormatContext context);
std::unique_ptr<HitFormatter::Writer> make_sam_writer(FormatContext context);
std::unique_ptr<HitFormatter::Writer> make_pairwise_writer(FormatContext context);
std::unique_ptr<HitFormatter::Writer> make_json_writer(FormatContext context);

/// Returns a number in printf's format.
std::string formatted(const char* format, double number);
/// Returns a number of BLAST's tables (outfmt 6); "nan" if unknown.
std::string blast_bits(double bits);
std::string blast_table_evalue(double evalue);
/// Returns an E-value of BLAST's reports, with fewer digits.
std::string blast_report_evalue(double evalue);
/// Returns a percentage with `digits` digits after the point, for example "87.500".
std::string percent(std::uint64_t part, std::uint64_t whole, int digits = 3);

/// BLAST's coordinates: the subject of a hit on the minus strand, and a sequence in a reverse frame, start above their
/// end.
HspCoordinates blast_coordinates(const Hit& hit, std::uint64_t query_length, std::uint64_t subject_length) noexcept;
/// Returns the number of letters aligned with gaps.
std::uint64_t gap_letters(const Alignment& alignment) noexcept;

/// A header line may have no name.
inline std::string_view or_star(std::string_view name) { return name.empty() ? "*" : name; }
/// Returns a name up to its first ^A, which separates the headers of identical sequences in nr.
inline std::string_view first_id(std::string_view name) { return name.substr(0, name.find('\1')); }
/// Returns name, blank and description. Control characters become blanks.
std::string full_name(std::string_view name, std::string_view description);
/// The same, divided at each ^A. Returns at least one element.
std::vector<std::string> titles(std::string_view name, std::string_view description);

}  // namespace genocl::align
