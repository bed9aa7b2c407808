// SAM records of mapped reads.
//
//   marose::SamFormatter formatter(index, options);
//   std::string text = genocl::sam::header_text(formatter.header());
//   mapper.map(source, {}, [&](marose::Mapper::Batch& batch) { formatter.append(batch, text); });
//
// The text is that of genocl-marose map. Formatters write no file; genocl::io writes the same records as BAM and CRAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/marose/mapper.hpp"
#include "genocl/marose/pair_mapper.hpp"
#include "genocl/sequence/sam.hpp"

namespace genocl::marose {

struct SamOptions {
  bool unmapped = true;             ///< records of unmapped reads
  bool secondary = false;           ///< a secondary record for each further place; false: tag XA of the primary record
  std::size_t max_xa = 5;           ///< XA is omitted if it would have more places
  bool secondary_letters = true;    ///< SEQ and QUAL also in secondary records
  bool soft_supplementary = false;  ///< supplementary records with soft clips and all of SEQ, as bwa mem -Y
  bool match_as_m = true;           ///< CIGAR with M; false: = and X
  std::string read_group = {};      ///< ID for the tag RG; empty: no tag
  /// Maximum number of hits of a read without MapOptions::align that have records. With Report::best and without
  /// `secondary` max_xa applies.
  std::uint64_t max_hits = 1000;
};

/// A read as its records show it. The views must outlive the call that takes them.
struct SamRead {
  std::string_view name = {};                  ///< a suffix /1 or /2 is not part of QNAME
  std::span<const Code> codes = {};            ///< the whole read, as it was sequenced
  std::span<const std::uint8_t> quality = {};  ///< Phred scores, one for each base, or none
  std::string_view tags = {};                  ///< further optional fields, see sam::check_tags()
  const AlignedRead* aligned = nullptr;        ///< null: unmapped
  bool not_searched = false;                   ///< unmapped because of its length: tag YF:Z:LN, as bowtie2
};

/// Returns the name of a template: the name of a read without '/' and a digit at its end.
GENOCL_EXPORT std::string_view template_name(std::string_view read_name) noexcept;
/// Returns the template name of two mates, whose names may also end in .1 and .2, or _1 and _2. No value if the reads
/// are not mates.
GENOCL_EXPORT std::optional<std::string_view> template_name(std::string_view first, std::string_view second) noexcept;

/// Returns a header with the contigs of an index as references. O(contigs).
GENOCL_EXPORT sam::Header sam_header(const Index& index);

/// The hits of a read that are reported, for batches without MapOptions::align.
struct ReportedHits {
  std::vector<std::uint64_t> numbers;  ///< indices of hits, the primary one first
  std::uint64_t best_count = 0;        ///< X0: number of hits with the fewest errors
  std::uint64_t next_count = 0;        ///< X1: number of known hits with more errors
  bool all = true;                     ///< no hit that the report asks for is left out
};

/// Makes SAM records of reads, as bwa mem does: QNAME, FLAG, MAPQ, CIGAR with clips, mates, and the tags NM, MD, AS,
/// XS, MC, MQ, ms, SA, NH, HI, X0, X1, XA, RG, YF.
///
/// The records depend on the arguments only. Not thread-safe: one thread at a time; each thread has its own formatter.
class GENOCL_EXPORT SamFormatter {
 public:
  /// Receives records in the order of the output. A record is valid during the call.
  using Sink = std::function<void(const sam::Record&)>;

  /// @param map  the options of the mapper, PairOptions::map for pairs. `report` is what records show.
  SamFormatter(const Index& index, const MapOptions& map, const SamOptions& options = {});
  SamFormatter(SamFormatter&&) noexcept;
  SamFormatter& operator=(SamFormatter&&) noexcept;
  ~SamFormatter();

  /// The tags that records may have besides SamRead::tags. `read_group`: with RG.
  static std::vector<std::string_view> tags(bool read_group);
  /// As sam_header().
  const sam::Header& header() const noexcept;

  /// The records of a single read: primary, supplementary, then secondary ones. O(length of the records). Throws
  /// InputError for an alignment past the end of its contig.
  void add(const SamRead& read, const Sink& sink);
  /// The records of two mates, those of the first read first. Throws as above.
  void add(const SamRead& first, const SamRead& second, const Sink& sink);
  /// The records of a batch. Descriptions of reads are further tags. Throws as above.
  void add(const Mapper::Batch& batch, const Sink& sink);
  void add(const PairMapper::Batch& batch, const Sink& sink);
  /// Appends the records of a batch as lines. Throws as above and as sam::check_record().
  void append(const Mapper::Batch& batch, std::string& lines);
  void append(const PairMapper::Batch& batch, std::string& lines);

  /// Selects the reported hits of a read of a batch without MapOptions::align.
  ///
  /// @param hits       of the read, in the order of Hits
  /// @param primary    index of the primary hit; ignored without hits
  /// @param of_pair    hits of a mate, which are all known ones; the mapper has selected those of a single read
  /// @param for_table  each reported hit has a line; false: records, with XA
  /// @return           valid until the next call
  const ReportedHits& report_hits(const ReadSummary& summary, std::span<const Hit> hits, std::uint64_t primary,
                                  bool of_pair, bool rescued, bool for_table);
  /// Aligns the hits that report_hits() selects for records. `mapq`: of the primary alignment. O(hits * length). The
  /// result in `aligned` has `proper_pair` and `rescued` unchanged.
  const ReportedHits& align_hits(std::span<const Code> read, const ReadSummary& summary, std::span<const Hit> hits,
                                 std::uint64_t primary, std::uint8_t mapq, bool of_pair, AlignedRead& aligned);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::marose
