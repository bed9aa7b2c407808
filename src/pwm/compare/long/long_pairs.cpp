#include "pwm/compare/long/long_pairs.hpp"

#include <algorithm>

#include "genocl/opencl.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {
namespace {

constexpr std::uint32_t grid = 256, fine = pair_bins / grid;

void launch(const Device& device, const Array<std::uint32_t>& tasks, std::uint32_t count, const LongSides& a,
            const LongSides& b, bool below, const cl_float4& frequencies, const Array<float>& results) {
  runtime::Defines defines;
  defines.set("GRID", grid).set("FINE", fine).set("BELOW", below ? 1 : 0);
  constexpr std::uint64_t grid_bytes = std::uint64_t{2} * grid * grid * 4;
  const auto arguments = [&](runtime::Kernel& kernel, const cl::Buffer& grids, const auto&... more) {
    kernel.args(tasks, a.losses(below), b.losses(below), a.tails(below), b.tails(below), frequencies, grids, results,
                pair_bins - 1, count, more...);
  };
  const std::uint64_t bytes = count * std::uint64_t{64};
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, count, 1, 1);
    const runtime::Scratch grids(device, shares.workers * grid_bytes);
    defines.set("ONLY_CPU", 1);
    runtime::Kernel kernel(device, "pwm/compare/long/long_pairs_cpu.cl", "join_pairs_cpu", defines);
    arguments(kernel, grids.buffer(), static_cast<std::uint32_t>(shares.share));
    kernel.run(shares.workers, 1, bytes);
    return;
  }
  const unsigned size = runtime::group_size(device);
  const std::size_t groups = std::min<std::size_t>(count, runtime::groups_that_fill(device));
  const runtime::Scratch grids(device, groups * grid_bytes);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  runtime::Kernel kernel(device, "pwm/compare/long/long_pairs_gpu.cl", "join_pairs_gpu", defines);
  arguments(kernel, grids.buffer());
  kernel.run(groups, size, bytes);
}

}  // namespace

std::vector<std::vector<PValue>> join_pairs(const Device& device, const LongSides& a, std::size_t row,
                                            const LongSides& b, const Background& background) {
  const auto m = static_cast<int>(a.length(row));
  std::vector<std::uint32_t> tasks;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const auto n = static_cast<int>(b.length(j));
    for (int shift = 1 - n; shift < m; ++shift) {
      const auto begin = static_cast<std::uint32_t>(std::max(0, shift));
      const auto end = static_cast<std::uint32_t>(std::min(m, shift + n));
      const auto begin_b = static_cast<std::uint32_t>(std::max(0, -shift));
      tasks.insert(tasks.end(), {a.losses_at(row, begin), b.losses_at(j, begin_b), a.tails_at(row, {begin, end}),
                                 b.tails_at(j, {begin_b, begin_b + end - begin}), end - begin, 0, 0, 0});
    }
  }
  const auto count = static_cast<std::uint32_t>(tasks.size() / 8);
  std::vector<std::vector<PValue>> pairs(b.size());
  if (count == 0) return pairs;
  const Array<std::uint32_t> tasks_there(device, std::span<const std::uint32_t>(tasks));
  const Array<float> results(device, count);
  cl_float4 frequencies;
  for (std::size_t letter = 0; letter < 4; ++letter)
    frequencies.s[letter] = static_cast<float>(background.frequencies()[letter]);
  std::vector<float> bounds[2];
  for (const bool below : {false, true}) {
    launch(device, tasks_there, count, a, b, below, frequencies, results);
    bounds[below ? 1 : 0] = results.download();
  }
  std::size_t task = 0;
  for (std::size_t j = 0; j < b.size(); ++j)
    for (std::uint32_t shifts = a.length(row) + b.length(j) - 1; shifts-- > 0; ++task) {
      // Frequencies in float, four roundings a column, and sums of at most 256 rows and 256 cells of each.
      const double error = 6e-7 * (tasks[8 * task + 4] + 1) + 4e-5;
      pairs[j].push_back({std::max(0.0, bounds[1][task] * (1 - error)),
                          std::min(1.0, bounds[0][task] * (1 + error) + lost_floats), false, std::nullopt});
    }
  return pairs;
}

}  // namespace genocl::pwm
