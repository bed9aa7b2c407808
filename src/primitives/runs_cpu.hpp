// Runs of equal keys by `cpu` kernels: the keys and totals of reduce_by_key(), unique() and unique_by_key().
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/primitives/scan.hpp"
#include "primitives/expression.hpp"

namespace genocl::primitives {

/// A call. The buffers are those of its frame.
struct CpuRuns {
  const detail::OperatorScan& job;
  const cl::Buffer& values;  ///< not read without totals
  const cl::Buffer& keys;
  const cl::Buffer& unique_keys;
  std::uint64_t key_capacity = 0;  ///< elements of `unique_keys`
  const cl::Buffer& totals;        ///< not written without totals
  std::uint64_t total_capacity = 0;
  const cl::Buffer& count;  ///< receives the number of runs
  bool has_totals = true;
  bool merges = true;  ///< false: the operator keeps the first value of a run
};

/// Reads the keys twice and the values once, writes each result once. A run is combined in parts of the workers'
/// shares, which are merged in order: floats have the same bits in each call.
void reduce_runs_on_cpu(const Device& device, const CpuRuns& runs, const LaunchTuning& tuning);
/// `value_bytes`: 0 without values.
std::uint64_t cpu_runs_scratch_bytes(const Device& device, std::uint64_t elements, std::size_t value_bytes,
                                     const LaunchTuning& tuning);

}  // namespace genocl::primitives
