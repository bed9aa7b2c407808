// Output formats of a scan: FIMO's table, BED, GFF3.
//
//   pwm::HitFormatter formatter(pwm::Format::bed);
//   std::string text = formatter.header();
//   pwm::scan(devices, motifs, source, options, [&](const SequenceSet& batch, std::span<const pwm::MotifHit> hits) {
//     for (const pwm::MotifHit& hit : hits) formatter.append(batch, motifs, hit, text);
//   });
//
// The text is that of genocl-pwm scan. Formatters append to a string and write no file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "genocl/export.hpp"
#include "genocl/pwm/motif.hpp"
#include "genocl/pwm/motif_scan.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::pwm {

/// - `tsv`: the columns of FIMO, positions from 1.
/// - `bed`: six columns, positions from 0, the end not included; the score is -10 log10 P, at most 1000.
/// - `gff3`: nucleotide_motif features, positions from 1; id, second name, P-value, q-value and word as attributes.
enum class Format : std::uint8_t { tsv, bed, gff3 };

/// A hit as it is written.
struct HitRow {
  std::string_view motif_id = {}, motif_alt_id = {};
  std::string_view sequence = {};  ///< name; empty: '*'
  std::uint64_t begin = 0;         ///< leftmost letter of the sequence, 0-based
  bool reverse = false;
  double score = 0;
  std::string_view word = {};  ///< letters in the direction of the motif; their number is the length of the hit
  double p = 1;
  double q = -1;  ///< below 0: not computed
};

/// Const members may be called concurrently.
class GENOCL_EXPORT HitFormatter {
 public:
  explicit HitFormatter(Format format) noexcept : format_(format) {}

  /// Returns the lines that precede the hits; empty for `bed`.
  std::string header() const;
  /// Appends a line. O(length of the line).
  void append(const HitRow& row, std::string& text) const;
  /// Appends the line of a hit of scan(). The P-value is its upper bound, which is never too significant.
  ///
  /// @param batch  the records; `hit.hit.record` counts from `first_record`
  void append(const SequenceSet& batch, std::span<const Motif> motifs, const MotifHit& hit, std::string& text,
              std::uint64_t first_record = 0) const;

 private:
  Format format_;
};

/// Returns the word of a hit in the direction of the motif. `letters` is overwritten. Precondition: the word contains
/// only A, C, G and T, as each hit does. O(length).
GENOCL_EXPORT void hit_word(std::span<const Code> record, std::uint64_t position, std::size_t length, bool reverse,
                            std::string& letters);

}  // namespace genocl::pwm
