// Options of genocl-pwm, and its commands.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/common.hpp"
#include "genocl/pwm.hpp"

namespace program {

namespace pwm = genocl::pwm;

/// The default P-value of thresholds.
inline constexpr double usual_p = 1e-4;

/// Conversion of motifs to score matrices.
struct MatrixSettings {
  std::string option = "--background";  ///< the option that sets `background`
  std::string background = "uniform";   ///< uniform, input, motifs, four numbers, or a file
  unsigned background_order = 0;        ///< Markov order of `input`
  double pseudocount = 1;
  std::string log_base = "2";  ///< a number, or e

  double base() const;
  /// The file of the background; empty if it is not a file.
  std::string background_file() const {
    return background == "uniform" || background == "input" || background == "motifs" ? "" : background;
  }
};

/// Interpretation of motif files.
struct MotifReading {
  std::string motif_rows = "auto";  ///< rows of a matrix without labels: auto, letters, positions
  bool strict = false;              ///< a motif that would be left out or repaired is an error
};

/// Computation of P-values.
struct PValueSettings {
  std::string method = "certified";
  unsigned slices = 2, buckets = 3600;
  std::string convention = "at-most";
  pwm::Strands strands = pwm::Strands::forward;

  pwm::PValueOptions options(const pwm::Background& background) const;
};

/// A minimum score: a number, or a percentage of each matrix's range from its lowest to its highest score.
struct ScoreLimit {
  double value = 0;
  bool percent = false;

  /// Reads "8.5" or "80%". Throws InputError with the option's name.
  static ScoreLimit parse(const std::string& text);
  /// Throws InputError for a percentage of an infinite range.
  double of(const pwm::ScoreMatrix& matrix) const;
};
/// (score - lowest) / (highest - lowest), as relScore of TFBSTools; no value if a score is infinite or all are equal.
std::optional<double> relative_score(const pwm::ScoreMatrix& matrix, double score);

struct ScanSettings {
  Common common;
  MotifReading reading;
  MatrixSettings matrix;
  std::string motifs;
  std::vector<std::string> texts;
  std::optional<double> p;
  std::optional<std::string> score;  ///< see ScoreLimit
  std::string thresholds;
  pwm::Strands strands = pwm::Strands::both;
  std::string format = "tsv", method = "auto", output = "-";
  std::optional<unsigned> slice_columns;  ///< of the method slices
  std::optional<std::uint64_t> max_hits;
  std::vector<std::string> only;  ///< these motifs, by id or second name; empty: all
  std::string regions;            ///< a BED file
  std::string vcf;                ///< variants whose alleles are scanned instead of the text
  std::optional<double> q_threshold;
  bool q_values = false;
  bool exact = false;                ///< P-values are computed for the scores that were found
  bool best = false;                 ///< of each motif in each record or region
  bool genomic_coordinates = false;  ///< from names like chr1:101-200
  bool own_thresholds = false;       ///< those of the motif file
  bool average_strands = false;      ///< one threshold and one P-value for both
  bool replace_letters = false;      ///< letters outside the alphabet become N

  /// Throws InputError for contradictory options.
  void check() const;
  bool with_q_values() const { return q_values || q_threshold; }
};

/// Settings of pvalue, threshold and distribution.
struct ScoreSettings {
  Common common;
  MotifReading reading;
  MatrixSettings matrix;
  PValueSettings p_values;
  std::string motifs, output = "-", svg;
  std::string score;  ///< see ScoreLimit
  double p = usual_p;
};

struct CompareSettings {
  Common common;
  MotifReading reading;
  MatrixSettings matrix;
  std::string first, second;
  std::optional<double> p;
  std::string thresholds, method = "certified", output = "-";
  unsigned slices = 0, buckets = 0;
  bool all_shifts = false;
  std::string format = "tsv";         ///< tsv: similarity of hits; tomtom: similarity of columns
  std::string column_score;           ///< tomtom: euclidean, pearson
  std::optional<double> q_threshold;  ///< tomtom

  /// Throws InputError for options that contradict each other; `own_method`: whether one was given.
  void check(bool own_method) const;
};

struct LogoSettings {
  MotifReading reading;
  std::string motifs, svg;
  bool correct = false;  ///< for small samples
  bool quiet = false;
};

struct ConvertSettings {
  Common common;
  MotifReading reading;
  std::string motifs, output = "-", format;
  std::vector<std::string> only;          ///< these motifs, by id or second name; empty: all
  std::optional<std::string> background;  ///< of MEME's format
  std::optional<double> pseudocount, p;   ///< of log-odds scores; of HOMER's thresholds
};

struct ClusterSettings {
  Common common;
  MotifReading reading;
  MatrixSettings matrix;
  std::string motifs, output = "-", newick, svg, family_motifs, families;
  std::string by = "columns";    ///< columns, hits
  std::optional<double> cut, p;  ///< cut: maximum distance of a merge within a group
};

struct EnrichSettings {
  EnrichSettings() {
    matrix.option = "--bfile";
    matrix.background = "input";
  }

  Common common;
  MotifReading reading;
  MatrixSettings matrix;
  std::string motifs, sequences, output = "-", html;
  std::vector<std::string> only;          ///< these motifs, by id or second name; empty: all
  std::string background = "shuffled";    ///< shuffled, matched, or a file
  std::string genome;                     ///< of matched controls
  std::optional<std::uint64_t> controls;  ///< for each sequence
  std::optional<std::uint64_t> seed;
  std::optional<unsigned> kmer;       ///< of shuffled controls
  std::optional<double> max_n;        ///< maximum fraction of N in matched controls
  bool keep_lengths = false;          ///< of a file of controls
  std::string test = "fisher";        ///< fisher, rank-sum
  std::optional<double> p;            ///< maximum P-value of a hit
  double evalue = 10;                 ///< maximum of a row
  std::optional<double> q_threshold;  ///< maximum of a row
  pwm::Strands strands = pwm::Strands::both;
  bool replace_letters = false;  ///< letters outside the alphabet become N

  /// Throws InputError for contradictory options.
  void check() const;
  bool has_file_of_controls() const { return background != "shuffled" && background != "matched"; }
  double hit_p() const { return p.value_or(test == "rank-sum" ? 1e-3 : usual_p); }
};

/// The result of a run of enrich.
struct EnrichmentReport {
  std::span<const pwm::Motif> motifs;              ///< tested
  std::span<const pwm::MotifEnrichment> rows;      ///< within the limits, by P-value
  std::uint64_t sequences = 0, controls = 0;       ///< number of each
  double sequence_length = 0, control_length = 0;  ///< means
};
/// The table with logos as one page of HTML without other files. It is also well-formed XML.
std::string enrichment_page(const EnrichSettings& settings, const EnrichmentReport& report);
/// An E-value or another number as SEA writes it, "3.95e-10", from its natural logarithm.
std::string exponent_text(double logarithm);

/// Maximum number of logos of a picture.
inline constexpr std::size_t max_logos = 1000;
/// Sequence logos below each other, as SVG.
std::string logos_of(std::span<const pwm::Motif> motifs, bool correct);
/// Paths of the four letters with ids, once for all logos of a page.
std::string logo_letters();
/// A sequence logo without axes for a page with logo_letters().
std::string small_logo(const pwm::Motif& motif);

/// Finds hits, or with --vcf the changed ones.
void scan_text(const ScanSettings& settings);
void scan_variants(const ScanSettings& settings);
void write_p_values(const ScoreSettings& settings);
void write_thresholds(const ScoreSettings& settings);
void write_distributions(const ScoreSettings& settings);
void compare_motifs(const CompareSettings& settings);
void draw_logos(const LogoSettings& settings);
void convert_motifs(const ConvertSettings& settings);
void cluster_motifs(const ClusterSettings& settings);
void test_enrichment(const EnrichSettings& settings);

}  // namespace program
