// Exact scores of candidates.

#include <algorithm>
#include <bit>

#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/sort.hpp"
#include "primitives/sort_replacing.hpp"
#include "pwm/device_state.hpp"
#include "pwm/pipeline.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {

double Target::score(std::span<const Code> word) const {
  if (!reverse) return scores->score(word);
  double sum = 0;
  for (std::size_t i = scores->length(); i-- > 0;) sum += (*scores)(i, word[i]);
  return sum;
}

// Rounding is monotonic: the best letters are summed like every word, so no word is above their sum.
double Target::highest() const {
  if (!reverse) return scores->highest();
  double sum = 0;
  for (std::size_t i = scores->length(); i-- > 0;) sum += *std::ranges::max_element(scores->columns()[i]);
  return sum;
}

DeviceTargets upload_targets(const Device& device, std::span<const Target> targets) {
  DeviceTargets result;
  result.targets.assign(targets.begin(), targets.end());
  if (!device.info().fp64) return result;
  std::vector<std::uint32_t> first, length;
  std::vector<std::int32_t> step;
  std::vector<double> scores, threshold;
  for (const Target& target : targets) {
    first.push_back(static_cast<std::uint32_t>(scores.size() / 4));
    length.push_back(static_cast<std::uint32_t>(target.scores->length()));
    step.push_back(target.reverse ? -1 : 1);
    const std::size_t columns = target.scores->length();
    for (std::size_t i = 0; i < columns; ++i) {
      const std::array<double, 4>& column = target.scores->columns()[target.reverse ? columns - 1 - i : i];
      scores.insert(scores.end(), column.begin(), column.end());
    }
    threshold.push_back(target.threshold);
  }
  result.first = Array<std::uint32_t>(device, std::span<const std::uint32_t>(first));
  result.length = Array<std::uint32_t>(device, std::span<const std::uint32_t>(length));
  result.step = Array<std::int32_t>(device, std::span<const std::int32_t>(step));
  result.scores = Array<double>(device, std::span<const double>(scores));
  result.threshold = Array<double>(device, std::span<const double>(threshold));
  return result;
}

// Rescoring of candidates, on devices with fp64; otherwise on the host.

namespace {

/// Approximate bytes of a candidate for the profile: code, score and columns of the target.
constexpr std::uint64_t bytes_of_candidate = 64;
/// Counters of count_hits() in local memory: 32 KiB of them.
constexpr std::uint32_t max_local_targets = 8192;

/// Number of candidates that were written.
std::uint64_t written(const Candidates& candidates) {
  return std::min<std::uint64_t>(candidates.count, candidates.keys.size());
}

bool on_host(const DeviceTargets& targets) { return targets.threshold.empty(); }

/// Launches a kernel of verify.cl that ends with `arguments`, a count and its share.
template <class... Arguments>
void launch(const Device& device, std::string_view name, const DeviceText& text, const DeviceTargets& targets,
            std::uint64_t count, const Arguments&... arguments) {
  runtime::launch_items(device, "pwm/verify.cl", name, {}, {.items = count, .bytes = count * bytes_of_candidate},
                        text.codes, text.size, text.own.begin, text.own.end, targets.first, targets.length,
                        targets.step, targets.scores, targets.threshold, arguments..., count);
}

struct ScoredKey {
  std::uint64_t key;
  double score;
};

/// is_hit() of cl/pwm/verify.cl for all candidates, in their order.
std::vector<ScoredKey> hits_on_host(const DeviceText& text, const DeviceTargets& targets,
                                    const Candidates& candidates) {
  std::vector<std::uint64_t> keys(written(candidates));
  candidates.keys.download(std::span<std::uint64_t>(keys));
  const std::vector<std::uint8_t> codes = text.codes.download();
  std::vector<ScoredKey> hits;
  for (const std::uint64_t key : keys) {
    const Target& target = targets.targets[key >> 32];
    const auto letter = static_cast<std::uint32_t>(key);
    const std::size_t length = target.scores->length();
    if (letter < text.own.begin || letter >= text.own.end || length > text.size - letter) continue;
    const std::span<const Code> word(codes.data() + letter, length);
    if (std::any_of(word.begin(), word.end(), [](Code code) { return code >= 4; })) continue;
    const double score = target.score(word);
    if (score >= target.threshold) hits.push_back({key, score});
  }
  return hits;
}

DeviceHits upload_hits(const Device& device, std::vector<ScoredKey> hits) {
  std::sort(hits.begin(), hits.end(), [](const ScoredKey& a, const ScoredKey& b) { return a.key < b.key; });
  std::vector<std::uint64_t> keys;
  std::vector<double> scores;
  for (const ScoredKey& hit : hits) {
    keys.push_back(hit.key);
    scores.push_back(hit.score);
  }
  DeviceHits result;
  result.keys = Array<std::uint64_t>(device, std::span<const std::uint64_t>(keys));
  result.scores = Array<double>(device, std::span<const double>(scores));
  result.count = hits.size();
  return result;
}

}  // namespace

DeviceHits verify(const Device& device, const DeviceText& text, const DeviceTargets& targets,
                  const Candidates& candidates) {
  const std::uint64_t count = written(candidates);
  if (count == 0) return {};
  if (on_host(targets)) return upload_hits(device, hits_on_host(text, targets, candidates));

  Array<std::uint8_t> flags(device, count);
  launch(device, "flag_hits", text, targets, count, candidates.keys, flags);
  Array<std::uint64_t> selected(device, count);
  DeviceHits hits;
  hits.count = primitives::select(device, candidates.keys.first(count), flags, selected);
  if (hits.count == 0) return hits;
  hits.keys = Array<std::uint64_t>(device, hits.count);
  hits.keys.copy_from(selected, hits.count);
  const auto target_bits = static_cast<unsigned>(std::bit_width(targets.targets.size() - 1));
  primitives::sort_replacing(device, hits.keys, {.last_bit = 32 + target_bits});
  // Scored again: cheaper than moving scores with their keys.
  hits.scores = Array<double>(device, hits.count);
  launch(device, "score_hits", text, targets, hits.count, hits.keys, hits.scores);
  return hits;
}

void count_hits(const Device& device, const DeviceText& text, const DeviceTargets& targets,
                const Candidates& candidates, Array<std::uint64_t>& counts) {
  const std::uint64_t count = written(candidates);
  if (count == 0) return;
  if (on_host(targets)) {
    std::vector<std::uint64_t> totals = counts.download();
    for (const ScoredKey& hit : hits_on_host(text, targets, candidates)) ++totals[hit.key >> 32];
    counts.upload(totals);
    return;
  }
  const auto target_count = static_cast<std::uint32_t>(targets.targets.size());
  Array<std::uint32_t> found(device, target_count);
  found.fill(0);
  const std::uint64_t bytes = count * bytes_of_candidate;
  const auto run = [&](const char* kernel, const runtime::Defines& defines, std::size_t groups, std::size_t group_size,
                       std::uint64_t share) {
    runtime::Kernel(device, "pwm/verify.cl", kernel, defines)
        .args(text.codes, text.size, text.own.begin, text.own.end, targets.first, targets.length, targets.step,
              targets.scores, targets.threshold, candidates.keys, found, target_count, count, share)
        .run(groups, group_size, bytes);
  };
  runtime::Defines defines;
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, count, 1, 256);
    run("count_hits", defines.set("ONLY_CPU", 1), shares.workers, 1, shares.share);
  } else {
    // Few groups with much work each: their local counters are added to the global ones once.
    const unsigned size = runtime::group_size(device);
    const std::uint64_t wanted = runtime::ceil_div(runtime::groups_that_fill(device), 2);
    const std::uint64_t groups = std::clamp<std::uint64_t>(runtime::ceil_div(count, size), 1, wanted);
    // A power of two: few programs serve all collections.
    const std::uint32_t local = std::max(256u, std::bit_ceil(target_count));
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
    const bool fits = local <= max_local_targets;
    run(fits ? "count_hits_locally" : "count_hits", defines.set("LOCAL_TARGETS", fits ? local : 0), groups, size,
        groups * size);
  }
  runtime::launch_items(device, "pwm/verify.cl", "add_counts", {},
                        {.items = target_count, .bytes = std::uint64_t{target_count} * 20}, found, counts,
                        std::uint64_t{target_count});
}

}  // namespace genocl::pwm
