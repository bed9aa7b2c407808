// The pairwise merges of BUCKET SCORE DISTRIBUTION.
#pragma once

#include <vector>

#include "genocl/device.hpp"

namespace genocl::pwm {

/// Words of some columns: probability[b] of a score in [b, b + 1) * range / (number of buckets) above the lowest.
struct BucketSlice {
  std::vector<double> probability;
  double range = 0;
};

/// Both have as many buckets, and so has the result. A score's bucket is that of the lower ends of its parts' buckets.
/// O(buckets^2), on the device where it has fp64.
BucketSlice merge_buckets(const Device& device, const BucketSlice& a, const BucketSlice& b);

}  // namespace genocl::pwm
