// Hits of a scan: formatted, collected for significance, or counted.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/files.hpp"
#include "genocl/packing.hpp"
#include "genocl/pwm.hpp"
#include "pwm/options.hpp"
#include "pwm/significance.hpp"

namespace program {

enum class Making : std::uint8_t {
  text,    ///< lines of the output
  packed,  ///< PackedHit
  best,    ///< PackedHit: the most significant one of each motif in each stretch
  counts,  ///< no bytes: counts() has the numbers
};

class HitMaker {
 public:
  /// `p_values` is null for counts.
  HitMaker(Making making, const pwm::HitFormatter& format, std::span<const pwm::ScoreMatrix> matrices,
           const pwm::HitPValues* p_values)
      : making_(making), format_(format), matrices_(matrices), p_values_(p_values), counts_(2 * matrices.size()) {}

  /// Returns the number of hits (8 bytes) and their rows.
  std::string operator()(const pwm::TextBatch& piece, std::span<const pwm::Hit> hits) const;
  /// [2 * motif + reverse]
  std::vector<std::uint64_t> counts() const { return {counts_.begin(), counts_.end()}; }

 private:
  Making making_;
  const pwm::HitFormatter& format_;
  std::span<const pwm::ScoreMatrix> matrices_;
  const pwm::HitPValues* p_values_;
  mutable std::vector<std::atomic<std::uint64_t>> counts_;
};

struct PackedHit {
  std::uint32_t motif = 0;
  bool reverse = false;
  std::uint64_t record = 0;  ///< SourceInterval::sequence
  std::uint64_t begin = 0;   ///< of the sequence, from 0
  double score = 0, p = 1;
  std::string_view name, letters;

  void add_to(genocl::Packer& packer) const;
  static PackedHit next(genocl::Unpacker& left);
};

/// Stores blocks of packed hits until all are known: in memory, and above a limit in a temporary file.
class HitSpill {
 public:
  /// Stores up to `memory` bytes in memory, the rest in a temporary file in TMPDIR, /var/tmp or /tmp.
  explicit HitSpill(std::uint64_t memory = std::uint64_t{256} << 20) : memory_(memory) {}

  /// Throws InputError with the folder's name if the temporary file cannot be written.
  void add(std::string bytes);
  /// Calls `use` for each block in the order of add().
  void read(const std::function<void(std::string_view)>& use) const;

 private:
  std::uint64_t memory_ = 0, held_bytes_ = 0;
  std::vector<std::string> held_;
  std::vector<std::uint64_t> in_file_;  ///< bytes of each block in the file; these blocks follow those in memory
  std::optional<genocl::files::SpillFile> file_;
};

/// Stores all hits. Their exact P-values and q-values are known after the last one only.
class CollectedHits {
 public:
  CollectedHits(std::size_t motifs, bool apart) : apart_(apart) {
    for (std::vector<ScoreTable>& of_strand : scores_) of_strand.resize(motifs);
  }
  /// Adds hits packed by HitMaker, in their order.
  void add(std::string bytes);
  /// Computes the exact P-value of every score that occurs. All members of the team call it.
  void compute_p(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
                 const StrandModel& model);
  /// Computes q-values. tests[motif]: number of words that were scored.
  void compute_q(const std::vector<double>& tests);
  /// Calls `use` for each hit with its significance, in order.
  void read(const std::function<void(const PackedHit&, const Significance&)>& use) const;

 private:
  std::size_t strand_of(bool reverse) const { return apart_ && reverse ? 1 : 0; }

  HitSpill spill_;
  bool apart_ = false;                             ///< each strand has its own P-values
  std::array<std::vector<ScoreTable>, 2> scores_;  ///< [strand][motif]; the first one for both unless `apart`
};

/// The most significant hit of each motif in each record or region.
class BestHits {
 public:
  explicit BestHits(std::function<void(const PackedHit&)> use) : use_(std::move(use)) {}
  /// Adds hits packed by HitMaker, in their order. The hits of a record are passed to `use`, by position and motif,
  /// when the next record begins.
  void add(std::string_view bytes);
  void finish();

 private:
  struct Kept {
    PackedHit hit;
    std::string name, letters;
  };
  std::function<void(const PackedHit&)> use_;
  std::uint64_t record_ = 0;
  std::map<std::uint32_t, Kept> best_;  ///< [motif], of that record
};

}  // namespace program
