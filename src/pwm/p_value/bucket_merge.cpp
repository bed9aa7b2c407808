#include "pwm/p_value/bucket_merge.hpp"

#include <cmath>
#include <cstdint>

#include "genocl/array.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

/// In units of 2^-32 buckets of both, rounded down so that no bucket is above its scores; never 0.
std::uint64_t width(double own_range, double whole_range) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ldexp(own_range / whole_range * (1 - 1e-12), 32)));
}

}  // namespace

BucketSlice merge_buckets(const Device& device, const BucketSlice& a, const BucketSlice& b) {
  BucketSlice merged{.probability = {}, .range = a.range + b.range};
  const std::size_t buckets = a.probability.size();
  // All words of a slice without a range are in its first bucket.
  if (a.range <= 0 || b.range <= 0) {
    const BucketSlice &wide = a.range <= 0 ? b : a, &point = a.range <= 0 ? a : b;
    for (const double p : wide.probability) merged.probability.push_back(p * point.probability[0]);
    return merged;
  }
  const std::uint64_t width_a = width(a.range, merged.range), width_b = width(b.range, merged.range);
  if (device.info().fp64) {
    const Array<double> from_a(device, std::span<const double>(a.probability));
    const Array<double> from_b(device, std::span<const double>(b.probability));
    Array<double> to(device, buckets);
    runtime::launch_items(device, "pwm/p_value/bucket_merge.cl", "bucket_merge", {},
                          {.items = buckets, .bytes = 3 * to.bytes()}, from_a, from_b, width_a, width_b,
                          static_cast<std::uint32_t>(buckets), to);
    merged.probability = to.download();
  } else {
    merged.probability.assign(buckets, 0.0);
    for (std::size_t i = 0; i < buckets; ++i)
      for (std::size_t j = 0; j < buckets; ++j)
        merged.probability[(i * width_a + j * width_b) >> 32] += a.probability[i] * b.probability[j];
  }
  return merged;
}

}  // namespace genocl::pwm
