// Options that every program has.
#pragma once

#include <unistd.h>

#include <atomic>
#include <iomanip>
#include <iostream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "common/program.hpp"
#include "common/reading_threads.hpp"
#include "common/team.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"

namespace program {

struct Common {
  std::vector<std::string> devices;
  bool quiet = false, profile = false;

  /// Opens the devices of --device, or the default device. `profiling`: measure the time of each kernel, which costs an
  /// event for each launch.
  std::vector<genocl::Device> open_devices(bool profiling = true) const {
    std::string joined;
    for (const std::string& spec : devices) joined += (joined.empty() ? "" : ",") + spec;
    std::vector<genocl::Device> opened = team().open_devices(joined);
    if (max_threads > 0)
      for (genocl::Device& device : opened)
        if (device.info().type == genocl::DeviceType::cpu) device = device.with_compute_units(max_threads);
    if (profiling)
      for (genocl::Device& device : opened) device.enable_profiling();
    // The failure of a device is reported also with --quiet.
    for (const genocl::Device& device : opened)
      device.on_failure([](const genocl::DeviceError& error) {
        std::cerr << std::string(program_name) +
                         ": warning: the other devices go on without this one: " + error.what() + "\n";
      });
    // On a terminal, a note explains the delay of the first run after an installation.
    if (!quiet && isatty(STDERR_FILENO) == 1) {
      const auto told = std::make_shared<std::atomic_flag>();
      for (const genocl::Device& device : opened)
        device.on_compiling([told] {
          if (!told->test_and_set())
            std::cerr << "compiling kernels, once: later runs find them compiled\n" << std::flush;
        });
    }
    return opened;
  }
};

/// Writes launches, seconds and GB/s of each kernel.
inline void write_profile(std::ostream& out, const genocl::Device& device) {
  out << "kernel\tlaunches\tseconds\tGB_per_s\t(" << device.info().name << ")\n";
  for (const genocl::KernelProfile& kernel : device.profile())
    out << kernel.kernel << '\t' << kernel.launches << '\t' << std::fixed << std::setprecision(6) << kernel.seconds
        << '\t' << std::setprecision(1)
        << (kernel.seconds > 0 ? static_cast<double>(kernel.bytes) / kernel.seconds / 1e9 : 0) << '\n';
}

}  // namespace program
