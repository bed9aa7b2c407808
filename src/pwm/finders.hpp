// Finders of candidates: shared parts, and tables of the default finder. Kernels store candidates as in
// cl/pwm/keep_candidate.clh.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pwm/device_state.hpp"
#include "pwm/pipeline.hpp"
#include "pwm/scores.hpp"
#include "runtime/defines.hpp"

namespace genocl::pwm {

struct CandidateMemory {
  /// Kernels do not count beyond this number of candidates.
  static constexpr std::uint64_t most = std::uint64_t{1} << 31;

  CandidateMemory(const Device& device, std::uint64_t wanted)
      : capacity(static_cast<std::uint32_t>(std::min(wanted, most - 1))), keys(device, capacity), found(device, 1) {
    found.fill(0);
  }

  /// Waits for the kernels.
  Candidates take() {
    std::uint32_t count = 0;
    found.download(std::span(&count, 1));
    return {.keys = std::move(keys), .count = count};
  }

  std::uint32_t capacity;
  runtime::ScratchArray<std::uint64_t> keys;
  runtime::ScratchArray<std::uint32_t> found;
};

// Shared by the finders `naive`, `naive_matrix`, `lookahead`, `kmp` and `slices`: a table of floats for each target,
// and the launch of a kernel that visits all places of a text (cl/pwm/published/places.clh).

/// Tables on the host.
struct PlaceTables {
  std::vector<float> tables;         ///< concatenated
  std::vector<std::uint64_t> begin;  ///< [target]
  std::vector<std::uint32_t> lengths;
  std::vector<float> thresholds;

  /// Begins a target: subsequent elements of `tables` belong to it.
  void add(const Target& target, float threshold) {
    begin.push_back(tables.size());
    lengths.push_back(static_cast<std::uint32_t>(target.scores->length()));
    thresholds.push_back(threshold);
  }
};

class PlaceFinder : public Finder {
 public:
  /// @param name  kernel `name` of pwm/published/<name>.cl
  PlaceFinder(const Device& device, std::string name, const PlaceTables& tables, bool packed,
              runtime::Defines defines = {});

  bool wants_packed() const override { return packed_; }
  Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                  std::uint64_t capacity) const override;

 private:
  std::string name_;
  runtime::Defines defines_;
  bool packed_;
  Array<std::uint64_t> begin_;
  Array<std::uint32_t> lengths_;
  Array<float> thresholds_, tables_;
};

/// [column]: the smallest sum of the columns up to it with which a word can reach the threshold.
std::vector<double> min_sums(const FloatScores& scores);

// Losses in bytes, added four to a word without carries: the tables of the GPU form of `loss`.
//
// The loss of a letter is the highest score of its column minus its own. A word scores at least the threshold only if
// its losses sum to at most the budget, highest score - threshold. Losses are rounded down to multiples of budget / B
// and clamped at B + 1. The sum begins at 127 - B, and B is the largest number for which no sum exceeds 255: bit 7 of
// a sum is then clear for every hit, and for few other words.

/// Columns [offset, offset + count) of a target: all, or if it is longer than `most` those with the highest losses.
struct ColumnWindow {
  std::uint32_t offset = 0, count = 0;
};
ColumnWindow column_window(const Target& target, std::uint32_t most);

/// Share of the words of equally frequent letters that are candidates if only the columns of `window` are evaluated;
/// at most too large by the rounding of losses.
double candidate_share(const Target& target, const ColumnWindow& window);

/// Consecutive tables for the letters of a word: first those of three letters, then those of two.
struct TableLetters {
  std::uint32_t threes = 0, twos = 0;

  std::uint32_t tables() const { return threes + twos; }
  std::uint32_t letters() const { return 3 * threes + 2 * twos; }
  std::uint32_t entries() const { return 64 * threes + 16 * twos; }
  std::uint32_t letters_of(std::uint32_t table) const { return table < threes ? 3 : 2; }
  bool operator==(const TableLetters&) const = default;
};

/// [entry], for consecutive tables: the sum of losses for the letters w of a table, the first in the highest two
/// bits. Column c of the window is letter shift + c. The first table includes the initial value of the sum.
std::vector<std::uint8_t> loss_bytes(const Target& target, const ColumnWindow& window, std::uint32_t shift,
                                     const TableLetters& tables);
/// For an unused target: bit 7 of the sum of every word is set.
std::vector<std::uint8_t> no_loss_bytes(const TableLetters& tables);

// The forms of the CPU finder of losses, for tests and comparisons.

/// @param defines  of cl/pwm/loss_cpu.cl: BYTE_SHUFFLE = 0 is the portable form, 32 the one for AVX2
std::unique_ptr<Finder> make_loss_finder_cpu(const Device& device, std::span<const Target> targets,
                                             const runtime::Defines& defines);

/// The default defines: the portable form on a device without vendor paths.
runtime::Defines loss_cpu_defines(const Device& device);

}  // namespace genocl::pwm
