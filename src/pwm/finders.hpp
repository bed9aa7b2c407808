// Finders of candidates: what they share, and tables of the default one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pwm/device_state.hpp"
#include "pwm/pipeline.hpp"
#include "runtime/defines.hpp"

namespace genocl::pwm {

struct CandidateMemory {
  /// Of more candidates than this the kernels do not keep count.
  static constexpr std::uint64_t most = std::uint64_t{1} << 31;

  CandidateMemory(const Device& device, std::uint64_t wanted)
      : room(static_cast<std::uint32_t>(std::min(wanted, most - 1))), keys(device, room), found(device, 1) {
    found.fill(0);
  }

  /// Waits for the kernels.
  Candidates take() {
    std::uint32_t count = 0;
    found.download(std::span(&count, 1));
    return {.keys = std::move(keys), .count = count};
  }

  std::uint32_t room;
  runtime::ScratchArray<std::uint64_t> keys;
  runtime::ScratchArray<std::uint32_t> found;
};

// What the finders `naive`, `lookahead` and `slices` share: a table of floats for each target, and the launch of a
// kernel that goes through the places of a text with them (cl/pwm/published/places.clh).

/// On the host.
struct PlaceTables {
  std::vector<float> tables;         ///< of one target after the other
  std::vector<std::uint64_t> begin;  ///< [target]
  std::vector<std::uint32_t> lengths;
  std::vector<float> thresholds;

  /// What is added to `tables` from here on is the target's.
  void add(const Target& target, float threshold) {
    begin.push_back(tables.size());
    lengths.push_back(static_cast<std::uint32_t>(target.scores->length()));
    thresholds.push_back(threshold);
  }
};

class PlaceFinder : public Finder {
 public:
  /// The kernel `name` of pwm/<name>.cl.
  PlaceFinder(const Device& device, std::string name, const PlaceTables& tables, bool packed,
              runtime::Defines defines = {});

  bool wants_packed() const override { return packed_; }
  Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                  std::uint64_t room) const override;

 private:
  std::string name_;
  runtime::Defines defines_;
  bool packed_;
  Array<std::uint64_t> begin_;
  Array<std::uint32_t> lengths_;
  Array<float> thresholds_, tables_;
};

// Losses in bytes that are added four to a word without carries: what the group form of `loss` looks up.
//
// The loss of a letter is its column's highest score less its own. A word scores at least the threshold only if its
// losses sum to at most the budget, highest score - threshold. Losses are rounded down to multiples of budget / B and
// clamped at B + 1, the sum begins at 127 - B, and B is as large as lets no sum pass 255: then bit 7 of a sum is clear
// for every word that is a hit, and for few others.

/// Columns [offset, offset + count) of a target: all, or where it is longer than `most` those that lose the most.
struct ColumnWindow {
  std::uint32_t offset = 0, count = 0;
};
ColumnWindow column_window(const Target& target, std::uint32_t most);

/// Tables for the letters of a word, one behind the other: first those of three letters, then those of two.
struct TableLetters {
  std::uint32_t threes = 0, twos = 0;

  std::uint32_t tables() const { return threes + twos; }
  std::uint32_t letters() const { return 3 * threes + 2 * twos; }
  std::uint32_t entries() const { return 64 * threes + 16 * twos; }
  std::uint32_t letters_of(std::uint32_t table) const { return table < threes ? 3 : 2; }
  bool operator==(const TableLetters&) const = default;
};

/// [entry], table behind table: what a table holds for its letters w, the first in the highest two bits. The window's
/// column c is letter shift + c. What begins the sum is in the first table.
std::vector<std::uint8_t> loss_bytes(const Target& target, const ColumnWindow& window, std::uint32_t shift,
                                     const TableLetters& tables);
/// Of a target that is none: the sum of every word has bit 7 set.
std::vector<std::uint8_t> no_loss_bytes(const TableLetters& tables);

// The forms of the `cpu` finder of losses, for tests and comparisons.

/// `defines`: of cl/pwm/loss_cpu.cl. BYTE_SHUFFLE = 0 is the form for every compiler, 32 the one for AVX2.
std::unique_ptr<Finder> make_loss_finder_cpu(const Device& device, std::span<const Target> targets,
                                             const runtime::Defines& defines);

/// Those by default: the portable form on a device without vendor paths.
runtime::Defines loss_cpu_defines(const Device& device);

}  // namespace genocl::pwm
