#include "devices/selftest.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <sstream>

#include "genocl/json.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

using genocl::Device;
using genocl::KernelFamily;

SelftestResult run_check(const SelftestCheck& check, const Device& device, KernelFamily family) {
  SelftestResult result{.name = std::string(check.name), .family = std::string(to_string(family))};
  const auto start = std::chrono::steady_clock::now();
  try {
    check.run(device.with_family(family));
    result.passed = true;
  } catch (const std::exception& error) {
    result.error = error.what();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

/// One line, for the table: line breaks of a compiler's message become spaces.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return text;
}

std::string seconds_text(double seconds) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << seconds;
  return text.str();
}

void write_member(std::ostream& out, const char* name, std::string_view value) {
  out << "    \"" << name << "\": " << genocl::json_string(value) << ",\n";
}
void write_member(std::ostream& out, const char* name, std::uint64_t value) {
  out << "    \"" << name << "\": " << value << ",\n";
}

void write_device(std::ostream& out, const DeviceSelftest& device) {
  const genocl::DeviceInfo& info = device.info;
  out << "   {\n";
  write_member(out, "name", info.name);
  write_member(out, "vendor", info.vendor);
  write_member(out, "type", to_string(info.type));
  write_member(out, "platform", info.platform);
  write_member(out, "platform_version", info.platform_version);
  write_member(out, "driver", info.driver_version);
  write_member(out, "opencl", info.opencl_version);
  write_member(out, "opencl_c", info.opencl_c_version);
  write_member(out, "memory_bytes", info.global_memory);
  write_member(out, "largest_allocation_bytes", info.max_allocation);
  write_member(out, "local_memory_bytes", info.local_memory);
  write_member(out, "work_group_size", info.max_work_group_size);
  write_member(out, "buffer_alignment", info.buffer_alignment);
  write_member(out, "compute_units", std::uint64_t{info.compute_units});
  write_member(out, "clock_mhz", std::uint64_t{info.clock_mhz});
  out << "    \"fp64\": " << (info.fp64 ? "true" : "false")
      << ",\n    \"shares_host_memory\": " << (info.host_unified_memory ? "true" : "false") << ",\n";
  write_member(out, "failures", std::uint64_t{device.failures()});
  out << "    \"checks\": [";
  for (const SelftestResult& result : device.results)
    out << (&result == device.results.data() ? "\n" : ",\n") << "     {\"name\": " << genocl::json_string(result.name)
        << ", \"family\": " << genocl::json_string(result.family) << ", \"result\": \""
        << (result.passed ? "passed" : "failed") << "\", \"seconds\": " << seconds_text(result.seconds)
        << ", \"error\": " << genocl::json_string(result.error) << "}";
  out << "\n    ]\n   }";
}

}  // namespace

std::size_t DeviceSelftest::failures() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [](const SelftestResult& result) { return !result.passed; }));
}

void write_selftest_header(std::ostream& out) { out << "device\tcheck\tfamily\tresult\tseconds\terror\n"; }

DeviceSelftest selftest(const Device& device, std::ostream& out, std::ostream& log) {
  DeviceSelftest all{.info = device.info()};
  std::vector<SelftestCheck> checks = primitive_checks();
  for (auto&& more : {alignment_checks(), sequence_checks(), stencil_checks(device.info().fp64)})
    checks.insert(checks.end(), more.begin(), more.end());
  log << "testing " << device.info().name << " [" << device.info().platform << "]\n" << std::flush;
  for (const SelftestCheck& check : checks)
    for (const KernelFamily family : {KernelFamily::cpu, KernelFamily::gpu}) {
      log << "  " << check.name << ", " << to_string(family) << "\n" << std::flush;
      const SelftestResult& result = all.results.emplace_back(run_check(check, device, family));
      out << device.info().index << '\t' << result.name << '\t' << result.family << '\t'
          << (result.passed ? "passed" : "FAILED") << '\t' << seconds_text(result.seconds) << '\t'
          << one_line(result.error) << '\n';
    }
  return all;
}

void write_selftest_json(std::ostream& out, const std::vector<DeviceSelftest>& devices) {
  out << "{\n  \"genocl\": \"" GENOCL_VERSION "\",\n  \"environment\": {";
  bool first = true;
  for (const char* name : {"GENOCL_VARIANT", "GENOCL_VENDOR", "GENOCL_TUNING", "GENOCL_MAP", "GENOCL_KERNEL_DIR",
                           "GENOCL_DEVICE_MEMORY", "GENOCL_DEVICE_LIMITS"})
    if (const char* const value = std::getenv(name); value != nullptr) {
      out << (first ? "" : ", ") << genocl::json_string(name) << ": " << genocl::json_string(value);
      first = false;
    }
  out << "},\n  \"devices\": [\n";
  for (const DeviceSelftest& device : devices) {
    if (&device != devices.data()) out << ",\n";
    write_device(out, device);
  }
  out << "\n  ]\n}\n";
}

}  // namespace program
