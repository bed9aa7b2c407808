// The options of genocl-overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/common.hpp"
#include "genocl/overlap.hpp"

namespace program {

namespace overlap = genocl::overlap;

/// Settings of the commands that build the suffix array of one text.
struct BuildSettings {
  Common common;
  std::string text, output = "-";
  bool bytes = false;    ///< the text is the bytes of the file
  bool records = false;  ///< records are separated
  bool n_break = false;  ///< letters other than A, C, G and T also separate
  std::string algorithm = "auto";
  std::string report;  ///< "", or json
};

struct ArraySettings : BuildSettings {
  std::string what;  ///< sa, isa, lcp, da or bwt
  bool wide = false, as_unsigned = false, check = false;
  bool both_strands = false;            ///< of records, which are then separated
  std::optional<std::uint64_t> pieces;  ///< of the array, on all devices; none: the necessary number
  std::string lcp_method = "irreducible";
};

struct InverseSettings {
  Common common;
  std::string transform, output = "-";
  std::optional<std::uint64_t> primary;
  bool records = false;  ///< the transform is that of records
};

struct MergeSettings {
  std::vector<std::string> transforms;
  std::string output = "-";
  bool quiet = false;
};

struct QuerySettings : BuildSettings {
  std::string queries, structure = "block";
};

/// The commands about records have these settings.
struct RecordSettings {
  Common common;
  std::string output = "-";
  bool n_match = false;

  overlap::Letters letters() const { return n_match ? overlap::Letters::written : overlap::Letters::bases; }
};

struct CommonSettings : RecordSettings {
  std::string a, b, algorithm = "auto";
  bool reverse_complement = false, bytes = false;
};

struct SharedSettings : RecordSettings {
  std::vector<std::string> files;
  std::optional<std::uint64_t> quorum;  ///< none: all records
  bool bytes = false;
};

struct RepeatedSettings : RecordSettings {
  std::vector<std::string> files;
  bool bytes = false, later = false;
  std::string separator;    ///< of the records of a file of bytes, as written on the command line; empty: one record
  std::string kept;         ///< file of the text without the spans; empty: none
  bool drop_empty = false;  ///< do not write records that the spans cover
  std::optional<std::uint64_t> min_length;  ///< of spans; none: the longest regions
  std::string memory, temporary_folder;     ///< of a search in passes; empty: not given
};

struct IndexSettings : RecordSettings {
  std::vector<std::string> files;
  std::optional<std::uint64_t> pieces;  ///< of the array, as in ArraySettings
  bool bytes = false, check = false;
  bool fm = false;  ///< an FM-index instead of a suffix array
};

struct FindSettings : RecordSettings {
  std::string text, patterns;              ///< text: an index, or a file of records
  std::vector<std::string> pattern_files;  ///< each file is a pattern
  bool bytes = false, lines = false, both_strands = false, count = false;
  std::optional<std::uint64_t> most;  ///< places of each pattern and strand
};

struct MatchSettings : RecordSettings {
  std::string reference, queries;  ///< reference: an index, or a file of records
  std::uint64_t least = 20;
  bool both_strands = false, mum = false, mam = false;
  std::string format = "mummer";  ///< or paf
  bool four_columns = false, lengths = false;
};

struct GenomeSettings : RecordSettings {
  std::string reference, queries;
  overlap::GenomeAlignOptions options;
  bool mum = false, all = false;  ///< anchors
  std::string scoring;            ///< A,B,O,E; empty: the default
  std::string format = "paf";     ///< or delta, coords, snps
  std::string cigar = "x";        ///< or m
  bool cs = false;
};

struct PlotSettings {
  std::string input, output;
  std::string format;            ///< svg or png; empty: by the name of the output
  std::string reference, query;  ///< only these records; empty: all
  std::uint64_t min_length = 0;  ///< of a match
  std::uint32_t size = 800;      ///< pixels of the longer side
};

struct ReadSettings : RecordSettings {
  std::string reads;
  std::uint32_t least = 20, errors = 0;
  bool best = false, both_strands = false;
  std::string format = "tsv";  ///< or paf, gfa
  bool strict = false;         ///< a name that would be changed is an error
};

}  // namespace program
