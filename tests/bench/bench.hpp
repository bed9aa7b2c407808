// What the benchmarks share: the device under test, its ceilings, and how a call is timed.
#pragma once

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/data.hpp"
#include "genocl/array.hpp"
#include "genocl/device.hpp"

namespace genocl_bench {

/// A device and the name its benchmarks carry.
struct Variant {
  std::string name;  ///< "vendor", "portable", "cpu"
  genocl::Device device;
};

struct Ceilings {
  double copy_bytes = 0;  ///< bytes per second, read + written, by primitives::copy
};

struct Setting {
  std::vector<Variant> variants;  ///< default first
  Ceilings ceilings;
  const genocl::Device& device() const { return variants.front().device; }
};

/// Seconds on the clock and of all the process's threads.
struct Seconds {
  double wall = 0, cpu = 0;
};

inline Seconds now() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
          seconds(used.ru_utime) + seconds(used.ru_stime)};
}

/// `rounds` calls back to back, waited for at the end.
inline Seconds time_calls(const genocl::Device& device, int rounds, const std::function<void()>& call) {
  device.finish();
  const Seconds start = now();
  for (int i = 0; i < rounds; ++i) call();
  device.finish();
  const Seconds end = now();
  return {end.wall - start.wall, end.cpu - start.cpu};
}

/// What one benchmark counts besides its time.
struct Work {
  double items = 0;                  ///< for the rate
  double bytes = 0;                  ///< read + written at least, for the share of the copy ceiling; 0: no share
  bool per_cpu = false;              ///< also items per CPU-second (CPU devices and peers)
  std::function<double()> commands;  ///< OpenCL commands of a call, asked after the last one; may be empty
};

/// Registers `call`, timed by back-to-back rounds; what `prepare` costs (it runs before each call) is measured apart
/// and taken off. `release` runs last: registered benchmarks live until the end, and their data would not fit together.
void add_benchmark(const std::string& name, const Setting& setting, const genocl::Device& device, Work work,
                   std::function<void()> call, std::function<void()> prepare = {}, std::function<void()> release = {});

/// Work of the host's: no device in it.
void add_host(const std::string& name, Work work, std::function<void()> call, std::function<void()> prepare = {},
              std::function<void()> release = {});
/// The same for somebody else's.
void add_peer(const std::string& name, Work work, std::function<void()> call, std::function<void()> prepare = {},
              std::function<void()> release = {});

/// Whether `bytes` of arrays fit the device with room for scratch.
bool fits(const genocl::Device& device, std::uint64_t largest, std::uint64_t total);

void add_ceilings(Setting& setting);
void add_primitives(const Setting& setting);
void add_sorts(const Setting& setting);
/// Expressions, operators and sorts of floating-point keys.
void add_expressions(const Setting& setting);
/// Histograms, merges, set operations, selections and merge sorts.
void add_algorithms(const Setting& setting);
/// Reductions and scans of segments.
void add_segmented(const Setting& setting);
/// Calls on few data next to bare OpenCL.
void add_small(const Setting& setting);
void add_jacobi(const Setting& setting);
void add_jacobi_solve(const genocl::Device& chosen);
/// On a CPU: `rolling` and OpenMP C++ on the same grids. Only where OpenMP was found.
void add_jacobi_peers(const Setting& setting);
void add_io();
void add_align_cpu(const Setting& setting);
void add_pairwise(const Setting& setting);
void add_marose_published(const Setting& setting);
void add_marose_map(const Setting& setting);
void add_marose_kmers(const Setting& setting);
void add_align(const Setting& setting);
void add_align_published(const Setting& setting);
void add_align_search(const Setting& setting);
void add_pwm_scan(const Setting& setting);
void add_pwm_p_values(const Setting& setting);
void add_overlap_suffix(const Setting& setting);
void add_overlap_pieces(const Setting& setting);
void add_overlap_regions(const Setting& setting);
void add_overlap_rmq(const Setting& setting);
void add_overlap_find(const Setting& setting);
/// Programs in the folder `programs`, run as children; nothing where genocl-marose or the genome is missing.
void add_marose_runs(const std::string& device, const std::string& programs);

}  // namespace genocl_bench
