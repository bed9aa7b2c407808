// Enrichment of motifs: the number of sequences with a hit against control sequences. The statistics are those of SEA
// and AME (Bailey and Grant 2021; McLeay and Bailey 2010) and of HOMER's known motifs (Heinz et al. 2010).
//
//   const SequenceSet controls = pwm::shuffled(peaks, {.kmer = 2, .seed = 1});
//   for (const pwm::MotifEnrichment& row : pwm::enrichment(devices, motifs, peaks, controls))
//     std::cout << motifs[row.motif].id << '\t' << std::exp(row.log_p) << '\n';
//
// P-values, E-values and q-values are natural logarithms: those of large sets are below the smallest double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/export.hpp"
#include "genocl/progress.hpp"
#include "genocl/pwm/motif.hpp"
#include "genocl/pwm/scan.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::pwm {

/// One-sided Fisher's exact test: the natural logarithm of P(X >= true_positives). X is the hypergeometric number of
/// sequences with a hit if true_positives + false_positives of all sequences and controls have one. Terms are computed
/// as by Loader 2000, without logarithms of factorials. The error is below 1e-13, relative to the result or, above -1,
/// absolute. O(standard deviation of X). Thread-safe.
///
/// @throws InputError if true_positives > sequences or false_positives > controls
GENOCL_EXPORT double log_fisher_exact(std::uint64_t true_positives, std::uint64_t sequences,
                                      std::uint64_t false_positives, std::uint64_t controls);

/// One-sided rank-sum test (Wilcoxon, Mann and Whitney): the natural logarithm of the probability that scores of
/// sequences rank so high above those of controls by chance. Normal approximation with correction for ties and for
/// continuity, as scipy's mannwhitneyu(method='asymptotic', alternative='greater'). 0 if all scores are equal or a
/// side is empty. Minus infinity is a valid score. O(n log n). Thread-safe.
///
/// @throws InputError for NaN
GENOCL_EXPORT double log_rank_sum(std::span<const double> sequences, std::span<const double> controls);

/// [i]: the natural logarithm of the q-value of the test with log_p[i]: the smallest false discovery rate at which it
/// is significant (Benjamini and Hochberg 1995). O(n log n). Thread-safe.
GENOCL_EXPORT std::vector<double> benjamini_hochberg(std::span<const double> log_p);

/// `fisher`: counts of sequences with a hit, by log_fisher_exact(). `rank_sum`: the best score of each sequence, by
/// log_rank_sum(); sequences without a hit have equal ranks below all others.
enum class EnrichmentTest : std::uint8_t { fisher, rank_sum };

struct EnrichmentOptions {
  EnrichmentTest test = EnrichmentTest::fisher;
  double p_value = 1e-4;       ///< maximum of a hit, above 0, up to 1
  LogOddsOptions scores = {};  ///< the background is also that of the P-values
  Strands strands = Strands::both;
  Method method = Method::automatic;
  Progress progress = {};  ///< in letters of the sequences and controls
};

struct MotifEnrichment {
  std::size_t motif = 0;              ///< index of the motif
  std::uint64_t true_positives = 0;   ///< number of sequences with a hit
  std::uint64_t false_positives = 0;  ///< number of controls with a hit
  /// ((true_positives + 1) / (sequences + 1)) / ((false_positives + 1) / (controls + 1)), as SEA
  double ratio = 1;
  double threshold = 0;  ///< minimum score of a hit
  /// The best word is more probable than p_value: only this word is a hit.
  bool best_word = false;
  double log_p = 0;  ///< of the test
  double log_e = 0;  ///< log_p + log(number of motifs); above 0 for E-values above 1
  double log_q = 0;  ///< benjamini_hochberg() over all motifs
};

/// Tests each motif for enrichment in sequences against controls. A sequence has a hit if its best word, on either
/// strand, has a P-value of at most p_value. Rows are in the order of P-values, of equal ones in that of the motifs.
/// The result does not depend on the devices or their number.
///
/// Memory: the hits of some pieces of the sequences, and with rank_sum 8 bytes for each sequence and motif, up to
/// 256 MB: more motifs are scanned in several passes.
///
/// @throws InputError for a set that is not DNA or without records, no motif, p_value outside (0, 1], a motif that is
///   longer than all controls, and as log_odds(); Cancelled
GENOCL_EXPORT std::vector<MotifEnrichment> enrichment(Devices devices, std::span<const Motif> motifs,
                                                      const SequenceSet& sequences, const SequenceSet& controls,
                                                      const EnrichmentOptions& options = {});

/// The IUPAC consensus of a motif by MEME's 50% rule: the code of all bases that are at least half as frequent in the
/// column as the most frequent one. O(length).
GENOCL_EXPORT std::string consensus(const Motif& motif);

}  // namespace genocl::pwm
