// What a scan makes of a piece's hits, on the threads that scan.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pwm/options.hpp"
#include "pwm/scan/hit_writer.hpp"

namespace program {

enum class Making : std::uint8_t {
  text,    ///< lines of the output
  packed,  ///< PackedHit
  best,    ///< PackedHit, of each stretch and motif the most significant one
  counts,  ///< nothing: counts() counts them
};

class HitMaker {
 public:
  /// `p_values` is null for counts.
  HitMaker(Making making, const HitFormat& format, std::span<const pwm::ScoreMatrix> matrices,
           const pwm::HitPValues* p_values)
      : making_(making), format_(format), matrices_(matrices), p_values_(p_values), counts_(2 * matrices.size()) {}

  /// How many hits there are (8 bytes), and what was made of them. The piece's records have their Place.
  std::string operator()(const genocl::SequenceSet& piece, std::span<const pwm::Hit> hits) const;
  /// [2 * motif + reverse]
  std::vector<std::uint64_t> counts() const { return {counts_.begin(), counts_.end()}; }

 private:
  Making making_;
  const HitFormat& format_;
  std::span<const pwm::ScoreMatrix> matrices_;
  const pwm::HitPValues* p_values_;
  mutable std::vector<std::atomic<std::uint64_t>> counts_;
};

}  // namespace program
