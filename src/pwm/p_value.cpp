#include "genocl/pwm/p_value.hpp"

#include <cmath>
#include <optional>
#include <string>

#include "genocl/error.hpp"
#include "pwm/p_value.hpp"
#include "pwm/threshold_batch.hpp"
#include "runtime/chunks.hpp"

namespace genocl::pwm {
namespace {

void check(const POptions& options) {
  if (options.method != PMethod::bucket) return;
  if (options.slices == 0) throw InputError("bucket: 0 slices; expected 1 or more");
  if (options.buckets == 0) throw InputError("bucket: 0 buckets; expected 1 or more");
}

/// results[i] = work(device, i), matrices taken by devices as they become free.
template <class Result, class Work>
std::vector<Result> for_each_matrix(std::span<const Device> devices, std::size_t count, const Progress& progress,
                                    Work&& work) {
  if (devices.empty()) throw InputError("no device given");
  std::vector<Result> results;
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<std::size_t> {
    return next < count ? std::optional(next++) : std::nullopt;
  };
  runtime::ChunkOptions chunk_options;
  // What the host does for one matrix overlaps with what the device does for another.
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

Distribution bucket_of(const Device& device, const ScoreMatrix& matrix, const POptions& options) {
  if (options.background.order() != 0 || !options.background.uniform())
    throw InputError("bucket counts words: a uniform background only; use certified");
  return bucket_distribution(device, matrix, options.slices, options.buckets);
}

}  // namespace

std::vector<std::vector<PValue>> p_values(std::span<const Device> devices, std::span<const ScoreMatrix> matrices,
                                          std::span<const std::vector<double>> scores, const POptions& options) {
  check(options);
  if (scores.size() != matrices.size())
    throw InputError(std::to_string(matrices.size()) + " matrices and scores for " + std::to_string(scores.size()));
  for (const std::vector<double>& of_matrix : scores)
    for (const double score : of_matrix)
      if (std::isnan(score)) throw InputError("a score that is no number");
  return for_each_matrix<std::vector<PValue>>(
      devices, matrices.size(), options.progress, [&](const Device& device, std::size_t i) {
        if (options.method == PMethod::certified)
          return certified_p_values(device, matrices[i], scores[i], options.background);
        const Distribution distribution = bucket_of(device, matrices[i], options);
        std::vector<PValue> values;
        for (const double score : scores[i]) values.push_back(bucket_p_value(distribution, score));
        return values;
      });
}

std::vector<std::vector<Threshold>> thresholds(std::span<const Device> devices, std::span<const ScoreMatrix> matrices,
                                               std::span<const double> ps, const POptions& options) {
  check(options);
  for (const double p : ps)
    if (!(p > 0 && p <= 1)) throw InputError("p = " + std::to_string(p) + "; expected above 0 and at most 1");
  const auto alone = [&](const Device& device, std::size_t i) {
    if (options.method == PMethod::certified)
      return certified_thresholds(device, matrices[i], ps, options.background, options.paper_convention);
    const Distribution distribution = bucket_of(device, matrices[i], options);
    std::vector<Threshold> results;
    for (const double p : ps)
      results.push_back(bucket_threshold(distribution, matrices[i], p, options.paper_convention));
    return results;
  };
  if (!can_batch_thresholds(devices, options))
    return for_each_matrix<std::vector<Threshold>>(devices, matrices.size(), options.progress, alone);
  auto batched = batched_thresholds(devices, matrices, ps, options);
  // What the batches left out goes by itself.
  std::vector<std::size_t> left_out;
  for (std::size_t i = 0; i < batched.size(); ++i)
    if (!batched[i]) left_out.push_back(i);
  const std::size_t total = matrices.size(), before = total - left_out.size();
  Progress progress;
  if (options.progress)
    progress = [&](const ProgressState& state) {
      const std::uint64_t done = before + state.items_done;
      return options.progress({static_cast<double>(done) / static_cast<double>(total), done, total});
    };
  if (!left_out.empty()) {
    auto found = for_each_matrix<std::vector<Threshold>>(
        devices, left_out.size(), progress,
        [&](const Device& device, std::size_t i) { return alone(device, left_out[i]); });
    for (std::size_t i = 0; i < left_out.size(); ++i) batched[left_out[i]] = std::move(found[i]);
  }
  std::vector<std::vector<Threshold>> results;
  for (std::optional<std::vector<Threshold>>& of_matrix : batched) results.push_back(std::move(*of_matrix));
  return results;
}

PValue p_value(const Device& device, const ScoreMatrix& matrix, double score, const POptions& options) {
  const std::vector<double> scores = {score};
  return p_values(std::span(&device, 1), std::span(&matrix, 1), std::span(&scores, 1), options)[0][0];
}

Threshold threshold(const Device& device, const ScoreMatrix& matrix, double p, const POptions& options) {
  return thresholds(std::span(&device, 1), std::span(&matrix, 1), std::span(&p, 1), options)[0][0];
}

Distribution distribution(const Device& device, const ScoreMatrix& matrix, const POptions& options) {
  check(options);
  if (options.buckets == 0) throw InputError("a distribution of 0 buckets; expected 1 or more");
  if (options.method == PMethod::bucket) return bucket_of(device, matrix, options);
  return certified_distribution(matrix, options.background, options.buckets);
}

}  // namespace genocl::pwm
