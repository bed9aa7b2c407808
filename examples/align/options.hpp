// Options of genocl-align, and its commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/common.hpp"
#include "genocl/align.hpp"

namespace program {

namespace align = genocl::align;

/// Conversion of FASTA to a database.
struct MakingSettings {
  bool dna = false;
  bool protein = false;          ///< proteins, even if the letters look like DNA
  bool replace_letters = false;  ///< letters outside the alphabet become X (N)
  bool strict = false;           ///< a record that would be repaired is an error
  std::string memory, temporary_folder;

  /// Throws InputError for contradictory options.
  void check() const;
  genocl::Alphabet alphabet() const { return dna ? genocl::Alphabet::dna : genocl::Alphabet::protein; }
};

struct MakedbSettings {
  MakingSettings making;
  bool quiet = false;
  bool append = false;  ///< extend the database that is the output
  std::vector<std::string> inputs;
  std::string output;
};

struct InfoSettings {
  std::string database, output = "-";
};

struct GetSettings {
  std::string database, output = "-";
  std::vector<std::string> ids;
};

struct OutputFormat;

/// Scoring options. Empty: not given.
struct ScoringSettings {
  std::string matrix;
  std::optional<int> match, mismatch;
  std::optional<int> gap_open, gap_extend;
  std::string gap_convention;

  /// Throws InputError for contradictory options.
  void check() const;
};

struct PairsSettings {
  Common common;
  MakingSettings making;
  ScoringSettings scoring;
  bool text = false;  ///< letters are bytes
  std::string queries, subjects;
  std::string mode = "global";
  std::vector<std::string> free;  ///< free ends, named as in FreeEnds, with dashes
  bool align = false;
  std::string cigar_style, output = "-";

  /// Throws InputError for contradictory options, except for contradictions that depend on the files.
  void check() const;
};

struct PssmSettings {
  std::string alignment, output = "-", format = "ascii";
  std::string matrix = "BLOSUM62";
  std::optional<int> gap_open, gap_extend;
};

/// Empty: not given.
struct SearchSettings {
  Common common;
  MakingSettings making;
  std::string queries;
  std::vector<std::string> pssm;       ///< files of profiles, in the place of queries
  std::vector<std::string> msa;        ///< files of alignments whose profiles are the queries
  std::optional<unsigned> iterations;  ///< searches with profiles of the hits; 0: until convergence
  std::optional<double> inclusion_evalue;
  std::string ascii_output, asn1_output;  ///< the profile of the last iteration
  std::vector<std::string> subjects;      ///< one database, or any number of FASTA files
  bool no_check = false;

  ScoringSettings scoring;

  std::optional<std::uint64_t> top, max_hsps;
  std::optional<std::int32_t> min_score;
  std::optional<double> evalue;
  std::optional<double> min_identity, query_coverage, subject_coverage;  ///< percentages
  std::optional<std::uint32_t> culling_limit;
  bool best_hit = false;                          ///< the best alignment of a query alone
  std::optional<std::uint64_t> dbsize, searchsp;  ///< effective sizes of E-values
  std::string include, exclude;                   ///< files of subject ids
  bool no_evalue = false;                         ///< neither E-values nor bit scores
  std::string statistics, mask = "none";
  bool mask_hard = false;
  int comp_based_stats = 0;
  std::optional<align::Strands> strands;
  std::string translate;  ///< "query", "database" or "both"
  std::optional<int> query_gencode, db_gencode;

  std::string kernel = "auto", chunk, schedule;
  std::optional<std::uint64_t> threshold;
  bool as_published = false;
  std::optional<std::uint64_t> batch_queries;

  bool align = false, all_scores = false, stats = false;
  std::string taxid_map;  ///< file
  std::string format, columns, cigar_style, output = "-";
  bool resume = false;
  std::string shard;               ///< "0/4", of a search in parts
  std::vector<std::string> parts;  ///< that are merged, in the place of a search
  std::string command_line;
  std::vector<std::string> arguments;  ///< the same, without the program

  /// Throws InputError for contradictory options, except for contradictions that depend on the files.
  void check() const;
  /// The format of the output; tsv by default.
  const OutputFormat& output_format() const;
  /// Whether profiles replace the queries.
  bool has_profiles() const { return !pssm.empty() || !msa.empty(); }
  bool has_filter() const { return min_identity || query_coverage || subject_coverage || culling_limit; }
  /// Whether alignments are to be computed.
  bool needs_alignments() const;
  bool match_as_m() const { return cigar_style == "m"; }
  align::Translation translation() const;
  /// Alphabets of the files and of the scores, for a database of `alphabet`.
  genocl::Alphabet query_alphabet(genocl::Alphabet alphabet) const {
    return translation().any() ? alphabet_of(translation().queries) : alphabet;
  }
  genocl::Alphabet scored_alphabet(genocl::Alphabet alphabet) const {
    return translation().any() ? genocl::Alphabet::protein : alphabet;
  }

 private:
  static genocl::Alphabet alphabet_of(bool dna) { return dna ? genocl::Alphabet::dna : genocl::Alphabet::protein; }
  void check_filters() const;
  void check_translation() const;
  void check_all_scores() const;
  void check_pssm() const;
  void check_iterations() const;
};

/// Scoring of pairs, for an alphabet.
struct Scoring {
  align::Matrix matrix = align::blosum62();
  align::GapPenalty gap;
  std::optional<align::KarlinAltschul> statistics;
  align::EdgeCorrection edge_correction = align::EdgeCorrection::finite_size;
  bool searchsp = false;  ///< --searchsp replaces the correction

  /// "BLOSUM62", "match 2, mismatch -3".
  std::string name;
  /// "finite-size", "length-adjustment" or "search-space", where statistics are known.
  std::string correction_name() const;
};

/// Returns matrix, name and gap penalties, without statistics. Throws InputError for options that contradict the
/// alphabet, a matrix that cannot be read, and invalid penalties.
Scoring pair_scoring(const ScoringSettings& settings, genocl::Alphabet alphabet);

/// Throws InputError for options that contradict the alphabet, a matrix that cannot be read, invalid penalties, and
/// penalties without known statistics unless the settings exclude E-values.
Scoring scoring_of(const SearchSettings& settings, genocl::Alphabet alphabet);

/// Sets all options but progress.
align::SearchOptions search_options(const SearchSettings& settings, const Scoring& scoring);

void make_database(const MakedbSettings& settings);
void show_database(const InfoSettings& settings);
void get_sequences(const GetSettings& settings);
void compare_pairs(const PairsSettings& settings);
void make_pssm(const PssmSettings& settings);
/// The profile of an alignment in a file, named after its first sequence. Throws InputError with the file's name.
align::MadeProfile profile_of_alignment(const std::string& file, const align::Matrix& matrix,
                                        const align::GapPenalty& gap);
void search_database(const SearchSettings& settings);

}  // namespace program
