// `loss` on CPUs: losses in bytes, two columns for each look-up (cl/pwm/find/loss_cpu.cl).
#include "pwm/find/finder_loss_cpu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "pwm/motif/float_scores.hpp"
#include "pwm/scan/candidate_memory.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

using runtime::ceil_div;

/// TILE of cl/pwm/find/loss_cpu.cl.
constexpr std::uint32_t tile = 8192;
/// A sum of losses that is below 255 makes a candidate.
constexpr double most_steps = 254;
/// A worker lays the text out for all its targets: fewer are not worth that.
constexpr std::uint32_t fewest_targets = 32;

using Table = std::array<std::uint8_t, 16>;

/// losses[i][letter 2 i | letter 2 i + 1 << 2], rounded down; empty for a target that nothing hits.
///
/// Why every hit's sum is at most 254. The exact losses of a hit add up to the best letters' sum less its own exact
/// sum, which FloatScores has below: by enough for floats, so what doubles do to the sums and differences of scores
/// here (2^-29 of it) is covered, and they add up to `may_lose` at most. What remains are roundings of a number by
/// 2^-53 of itself: of may_lose, the step and the quotients; the step is 2^-49 of itself larger for them. So the
/// quotients add up to 254 at most, and rounded down to no more. A forbidden letter loses more than 255 steps: no step
/// is above 1.
std::vector<Table> quantise(const Target& target) {
  const FloatScores scores(target);
  if (scores.threshold == FloatScores::nowhere) return {};
  const std::size_t length = scores.columns.size();
  std::vector<Table> tables((length + 1) / 2, Table{});
  if (scores.threshold == FloatScores::everywhere) return tables;

  std::vector<double> best;
  for (const std::array<double, 4>& column : scores.columns)
    best.push_back(*std::max_element(column.begin(), column.end()));
  const double may_lose = std::accumulate(best.begin(), best.end(), 0.0) - scores.threshold;
  // Where all scores are 0, nothing may be lost.
  const double step = std::max(may_lose / most_steps * (1 + 0x1p-49), 0x1p-100);
  for (std::size_t i = 0; i < length; i += 2)
    for (unsigned letters = 0; letters < 16; ++letters) {
      double lost = best[i] - scores.columns[i][letters & 3];
      if (i + 1 < length) lost += best[i + 1] - scores.columns[i + 1][letters >> 2];
      tables[i / 2][letters] = static_cast<std::uint8_t>(std::min(255.0, std::floor(lost / step)));
    }
  return tables;
}

class LossFinderCpu : public Finder {
 public:
  LossFinderCpu(const Device& device, std::span<const Target> targets, const runtime::Defines& defines)
      : defines_(defines) {
    std::vector<Table> losses;
    std::vector<std::uint32_t> begin = {0}, lengths;
    for (const Target& target : targets) {
      const std::vector<Table> own = quantise(target);
      losses.insert(losses.end(), own.begin(), own.end());
      begin.push_back(static_cast<std::uint32_t>(losses.size()));
      lengths.push_back(static_cast<std::uint32_t>(target.scores->length()));
    }
    defines_.set("ONLY_CPU", 1).set("TILE", tile);
    losses_ = Array<Table>(device, std::span<const Table>(losses));
    begin_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(begin));
    lengths_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(lengths));
  }

  bool wants_packed() const override { return false; }

  Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                  std::uint64_t room) const override {
    if (count == 0 || text.own_begin >= text.own_end) return {};
    const std::uint64_t places = text.own_end - text.own_begin;
    const runtime::Shares shares = runtime::share_out(device, {}, places, tile, tile);
    // Of a text too short for all workers, each takes a part of the targets.
    const std::uint64_t wanted = ceil_div(runtime::workers_that_fill(device), shares.workers);
    const auto each = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count, std::max<std::uint64_t>(fewest_targets, ceil_div(count, wanted))));
    CandidateMemory memory(device, room);
    runtime::Kernel(device, "pwm/find/loss_cpu.cl", "loss_cpu", defines_)
        .args(text.codes, losses_, begin_, lengths_, first, count, each, static_cast<std::uint32_t>(text.codes.size()),
              text.size, text.own_begin, text.own_end, shares.share, memory.room, memory.found, memory.keys)
        .run({.x = shares.workers, .y = static_cast<std::size_t>(ceil_div(count, each))}, {}, places * count);
    return memory.take();
  }

 private:
  runtime::Defines defines_;
  Array<Table> losses_;
  /// [target], and an end.
  Array<std::uint32_t> begin_, lengths_;
};

}  // namespace

runtime::Defines loss_cpu_defines(const Device& device) {
  runtime::Defines defines;
  if (!device.vendor_paths()) defines.set("BYTE_SHUFFLE", 0);
  return defines;
}

std::unique_ptr<Finder> make_loss_finder_cpu(const Device& device, std::span<const Target> targets,
                                             const runtime::Defines& defines) {
  return std::make_unique<LossFinderCpu>(device, targets, defines);
}

std::unique_ptr<Finder> make_loss_finder_cpu(const Device& device, std::span<const Target> targets) {
  return make_loss_finder_cpu(device, targets, loss_cpu_defines(device));
}

}  // namespace genocl::pwm
