// genocl-bench: every rate that README.md next to this quotes, each with the device's own ceiling and its peers
// measured in the same run.
//
//   genocl-bench --device nvidia --benchmark_filter='sort.*' --benchmark_format=json
//
// items_per_second is in the field's unit (elements, pairs), share_of_copy is the least traffic the algorithm needs
// over the bandwidth of a copy, items_per_cpu_second counts the CPU time of all threads.
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

#include "bench.hpp"
#include "genocl/error.hpp"

namespace {

// Takes --device SPEC or --device=SPEC out of the arguments; Google Benchmark must not see it.
std::string take_device(int& argc, char** argv) {
  std::string spec;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--device") {
      if (i + 1 == argc) throw genocl::InputError("--device needs a value");
      spec = argv[++i];
    } else if (argument.rfind("--device=", 0) == 0) {
      spec = argument.substr(std::strlen("--device="));
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return spec;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string spec = take_device(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    const genocl::Device device = genocl::Device::pick(spec);
    genocl_bench::Setting setting;
    if (device.has_ptx()) {
      setting.variants.push_back({"vendor", device});
      setting.variants.push_back({"portable", device.without_vendor_paths()});
    } else {
      setting.variants.push_back({std::string(to_string(device.family())), device});
    }
    benchmark::AddCustomContext("device", device.info().name);
    benchmark::AddCustomContext("platform", device.info().platform_version);
    benchmark::AddCustomContext("driver", device.info().driver_version);
    genocl_bench::add_ceilings(setting);
    genocl_bench::add_primitives(setting);
    genocl_bench::add_sorts(setting);
    genocl_bench::add_expressions(setting);
    genocl_bench::add_algorithms(setting);
    genocl_bench::add_segmented(setting);
    genocl_bench::add_small(setting);
    genocl_bench::add_pairwise(setting);
    genocl_bench::add_marose_published(setting);
    genocl_bench::add_marose_map(setting);
    genocl_bench::add_marose_kmers(setting);
    genocl_bench::add_align(setting);
    genocl_bench::add_align_published(setting);
    genocl_bench::add_align_search(setting);
    genocl_bench::add_align_cpu(setting);
    genocl_bench::add_pwm_scan(setting);
    genocl_bench::add_pwm_p_values(setting);
    genocl_bench::add_overlap_suffix(setting);
    genocl_bench::add_overlap_pieces(setting);
    genocl_bench::add_overlap_regions(setting);
    genocl_bench::add_overlap_rmq(setting);
    genocl_bench::add_overlap_find(setting);
#if GENOCL_BENCH_OPENMP
    genocl_bench::add_jacobi_peers(setting);
#endif
    genocl_bench::add_jacobi(setting);
    genocl_bench::add_jacobi_solve(device);
#if GENOCL_BENCH_IO
    genocl_bench::add_io();
    const std::filesystem::path programs = std::filesystem::path(argv[0]).parent_path();
    genocl_bench::add_marose_runs(std::to_string(device.info().index), programs.string());
#endif
    benchmark::RunSpecifiedBenchmarks();
    // Before the OpenCL driver's own clean-up at exit: the benchmarks own device memory.
    benchmark::ClearRegisteredBenchmarks();
    benchmark::Shutdown();
    return 0;
  } catch (const genocl::DeviceError& error) {
    std::cerr << "genocl-bench: error: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "genocl-bench: error: " << error.what() << "\n";
    return 1;
  }
}
