#include "genocl/pwm/p_value.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "genocl/error.hpp"
#include "pwm/p_value.hpp"
#include "pwm/tail_table.hpp"
#include "runtime/chunks.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"

namespace genocl::pwm {
namespace {

void check(const PValueOptions& options) {
  if (options.method != PValueMethod::bucket) return;
  if (options.slices == 0) throw InputError("bucket: 0 slices; expected 1 or more");
  if (options.buckets == 0) throw InputError("bucket: 0 buckets; expected 1 or more");
}

/// results[i] = work(device, i); free devices take the next matrix.
template <class Result, class Work>
std::vector<Result> for_each_matrix(Devices devices, std::size_t count, const Progress& progress, Work&& work) {
  if (devices.empty()) throw InputError("no device given");
  std::vector<Result> results;
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<std::size_t> {
    return next < count ? std::optional(next++) : std::nullopt;
  };
  runtime::ChunkOptions chunk_options;
  // Host work for one matrix overlaps with device work for another.
  for (const Device& device : devices)
    chunk_options.workers_of.push_back(count < 2 ? 1 : device.info().type == DeviceType::cpu ? 2 : 4);
  chunk_options.items_total = count;
  chunk_options.progress = progress;
  runtime::for_each_chunk(
      devices, source, [&](const Device& device, std::size_t&& i) { return work(device, i); },
      [&](Result&& result) {
        results.push_back(std::move(result));
        return 1;
      },
      chunk_options);
  return results;
}

/// The options for words of one strand of a background; two, to be averaged, if the strands differ.
struct StrandBackgrounds {
  PValueOptions first;
  std::optional<PValueOptions> second;

  explicit StrandBackgrounds(const PValueOptions& options) : first(options) {
    const std::vector<Background> backgrounds = backgrounds_of(options);
    first.strands = Strands::forward;
    first.background = backgrounds[0];
    if (backgrounds.size() == 1) return;
    second = first;
    second->background = backgrounds[1];
  }
};

/// The distribution by buckets under one background, or the average of two: their edges are equal.
Distribution bucket_of(const Device& device, const ScoreMatrix& matrix, const PValueOptions& options,
                       std::span<const Background> backgrounds) {
  Distribution average;
  for (const Background& background : backgrounds) {
    if (background.order() != 0)
      throw InputError("bucket with a Markov background of order " + std::to_string(background.order()) +
                       "; expected order 0, or the method certified");
    Distribution one =
        bucket_distribution(device, matrix, background, options.slices, options.buckets, options.serialised_buckets);
    if (average.edge.empty()) {
      average = std::move(one);
      continue;
    }
    for (std::size_t i = 0; i < average.edge.size(); ++i) {
      average.low[i] = (average.low[i] + one.low[i]) / 2;
      average.high[i] = (average.high[i] + one.high[i]) / 2;
    }
  }
  return average;
}

/// The two halves of a work's progress.
void halve(const Progress& progress, Progress& first, Progress& second) {
  if (!progress) return;
  const auto half = [progress](double done) {
    return [progress, done](const ProgressState& state) {
      const auto before = static_cast<std::uint64_t>(2 * done) * state.items_total;
      return progress({done + state.fraction / 2, before + state.items_done, 2 * state.items_total});
    };
  };
  first = half(0);
  second = half(0.5);
}

std::vector<std::vector<PValue>> p_values_of_strand(Devices devices, std::span<const ScoreMatrix> matrices,
                                                    std::span<const std::vector<double>> scores,
                                                    const PValueOptions& options) {
  return for_each_matrix<std::vector<PValue>>(
      devices, matrices.size(), options.progress, [&](const Device& device, std::size_t i) {
        if (options.method == PValueMethod::certified)
          return certified_p_values(device, matrices[i], scores[i], options.background);
        const Distribution distribution = bucket_of(device, matrices[i], options, {&options.background, 1});
        std::vector<PValue> values;
        for (const double score : scores[i]) values.push_back(bucket_p_value(distribution, score));
        return values;
      });
}

}  // namespace

std::vector<std::vector<PValue>> p_values(Devices devices, std::span<const ScoreMatrix> matrices,
                                          std::span<const std::vector<double>> scores, const PValueOptions& options) {
  check(options);
  if (scores.size() != matrices.size())
    throw InputError(std::to_string(matrices.size()) + " matrices and scores for " + std::to_string(scores.size()));
  for (const std::vector<double>& of_matrix : scores)
    for (const double score : of_matrix)
      if (std::isnan(score)) throw InputError("a score that is no number");
  StrandBackgrounds of(options);
  if (!of.second) return p_values_of_strand(devices, matrices, scores, of.first);
  halve(options.progress, of.first.progress, of.second->progress);
  auto results = p_values_of_strand(devices, matrices, scores, of.first);
  const auto others = p_values_of_strand(devices, matrices, scores, *of.second);
  for (std::size_t i = 0; i < results.size(); ++i)
    for (std::size_t j = 0; j < results[i].size(); ++j) results[i][j] = average_of(results[i][j], others[i][j]);
  return results;
}

std::vector<std::vector<Threshold>> thresholds(Devices devices, std::span<const ScoreMatrix> matrices,
                                               std::span<const double> ps, const PValueOptions& asked) {
  check(asked);
  for (const double p : ps)
    if (!(p > 0 && p <= 1)) throw InputError("p = " + std::to_string(p) + "; expected above 0 and at most 1");
  if (devices.empty()) throw InputError("no device given");
  const StrandBackgrounds of(asked);
  const PValueOptions& options = of.first;
  const auto alone = [&](const Device& device, std::size_t i) {
    if (options.method == PValueMethod::certified && of.second)
      return certified_average_thresholds(device, matrices[i], ps, options.background, of.second->background,
                                          options.paper_convention);
    if (options.method == PValueMethod::certified)
      return certified_thresholds(device, matrices[i], ps, options.background, options.paper_convention);
    const std::vector<Background> backgrounds = backgrounds_of(asked);
    const Distribution distribution = bucket_of(device, matrices[i], options, backgrounds);
    std::vector<Threshold> results;
    for (const double p : ps)
      results.push_back(bucket_threshold(distribution, matrices[i], backgrounds, p, options.paper_convention));
    return results;
  };
  const std::size_t total = matrices.size();
  std::vector<std::optional<std::vector<Threshold>>> found(total);
  std::size_t done = 0;
  const auto progress_of_rest = [&](std::size_t before) -> Progress {
    if (!options.progress) return {};
    return [&, before](const ProgressState& state) {
      const std::uint64_t so_far = before + state.items_done;
      return options.progress({static_cast<double>(so_far) / static_cast<double>(total), so_far, total});
    };
  };
  const auto left_out = [&] {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < total; ++i)
      if (!found[i]) left.push_back(i);
    done = total - left.size();
    return left;
  };
  std::vector<std::size_t> left = left_out();
  // Rare words are listed by all cores of the host, which takes no device. The longest matrices take longest, and go
  // first.
  const auto on_host = [&](const std::function<std::optional<std::vector<Threshold>>(std::size_t)>& work) {
    constexpr std::size_t at_once = 512;  // between reports of progress
    std::ranges::stable_sort(left, std::greater(), [&](std::size_t i) { return matrices[i].length(); });
    for (std::size_t begin = 0; begin < left.size(); begin += at_once) {
      const std::size_t count = std::min(at_once, left.size() - begin);
      runtime::parallel_for(count, runtime::threads_for(count, 1, 64),
                            [&](std::size_t i) { found[left[begin + i]] = work(left[begin + i]); });
      for (std::size_t i = 0; i < count; ++i) done += found[left[begin + i]] ? 1 : 0;
      if (options.progress && !options.progress({static_cast<double>(done) / static_cast<double>(total), done, total}))
        throw Cancelled();
    }
    left = left_out();
  };
  if (options.method == PValueMethod::certified) {
    const std::vector<Background> backgrounds = backgrounds_of(asked);
    on_host([&](std::size_t i) { return listed_thresholds(matrices[i], ps, backgrounds, options.paper_convention); });
    if (!of.second && are_rare(ps)) on_host([&](std::size_t i) { return alone(devices.front(), i); });
  }
  if (!left.empty()) {
    auto alone_found = for_each_matrix<std::vector<Threshold>>(
        devices, left.size(), progress_of_rest(done),
        [&](const Device& device, std::size_t i) { return alone(device, left[i]); });
    for (std::size_t i = 0; i < left.size(); ++i) found[left[i]] = std::move(alone_found[i]);
  }
  std::vector<std::vector<Threshold>> results;
  for (std::optional<std::vector<Threshold>>& of_matrix : found) results.push_back(std::move(*of_matrix));
  return results;
}

PValue p_value(const Device& device, const ScoreMatrix& matrix, double score, const PValueOptions& options) {
  const std::vector<double> scores = {score};
  return p_values(std::span(&device, 1), std::span(&matrix, 1), std::span(&scores, 1), options)[0][0];
}

Threshold threshold(const Device& device, const ScoreMatrix& matrix, double p, const PValueOptions& options) {
  return thresholds(std::span(&device, 1), std::span(&matrix, 1), std::span(&p, 1), options)[0][0];
}

Distribution distribution(const Device& device, const ScoreMatrix& matrix, const PValueOptions& options) {
  check(options);
  if (options.buckets == 0) throw InputError("a distribution of 0 buckets; expected 1 or more");
  const StrandBackgrounds of(options);
  if (options.method == PValueMethod::bucket) return bucket_of(device, matrix, options, backgrounds_of(options));
  Distribution result = certified_distribution(matrix, of.first.background, options.buckets);
  if (!of.second) return result;
  const Distribution other = certified_distribution(matrix, of.second->background, options.buckets);
  for (std::size_t i = 0; i < result.edge.size(); ++i) {
    result.low[i] = (result.low[i] + other.low[i]) / 2;
    result.high[i] = (result.high[i] + other.high[i]) / 2;
  }
  result.error = std::max(result.error, other.error);
  return result;
}

}  // namespace genocl::pwm
