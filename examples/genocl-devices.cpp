// genocl-devices: lists OpenCL devices, measures their memory, tunes kernels for them, and tests them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "common/check_files.hpp"
#include "common/columns.hpp"
#include "common/command_line.hpp"
#include "common/main.hpp"
#include "devices/selftest.hpp"
#include "devices/tune.hpp"
#include "devices/warm_up.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "genocl/json.hpp"
#include "genocl/primitives/copy.hpp"
#include "genocl/version.hpp"

namespace {

using genocl::json_string;

struct Row {
  genocl::DeviceInfo info;
  genocl::KernelFamily family = genocl::KernelFamily::gpu;
  std::optional<double> copy_rate;  // bytes per second, read + written
};

// The best of five copies of an eighth of the device's memory, 1 GiB at most.
double measure_copy(const genocl::Device& device) {
  using clock = std::chrono::steady_clock;
  const std::uint64_t bytes =
      std::min({std::uint64_t{1} << 30, device.info().max_allocation / 2, device.info().global_memory / 8}) / 64 * 64;
  genocl::Array<std::uint8_t> from(device, bytes), to(device, bytes);
  from.fill(1);
  to.fill(2);
  double best = 0;
  for (int round = 0; round < 6; ++round) {  // the first compiles and touches the pages
    device.finish();
    const auto start = clock::now();
    genocl::primitives::copy(device, from, to);
    device.finish();
    const std::chrono::duration<double> seconds = clock::now() - start;
    if (round > 0) best = std::max(best, 2.0 * static_cast<double>(bytes) / seconds.count());
  }
  return best;
}

std::string gibibytes(std::uint64_t bytes) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << static_cast<double>(bytes) / (1 << 30);
  return text.str();
}

void write_json(std::ostream& out, const std::vector<Row>& rows) {
  out << "[";
  for (const Row& row : rows) {
    const genocl::DeviceInfo& info = row.info;
    out << (&row == rows.data() ? "\n" : ",\n") << "  {\"index\": " << info.index << ", \"place\": \""
        << info.platform_index << ":" << info.platform_device << "\", \"platform\": " << json_string(info.platform)
        << ", \"platform_version\": " << json_string(info.platform_version) << ", \"name\": " << json_string(info.name)
        << ", \"vendor\": " << json_string(info.vendor) << ", \"driver\": " << json_string(info.driver_version)
        << ", \"type\": " << json_string(std::string(to_string(info.type)))
        << ", \"memory_bytes\": " << info.global_memory << ", \"largest_allocation_bytes\": " << info.max_allocation
        << ", \"local_memory_bytes\": " << info.local_memory << ", \"compute_units\": " << info.compute_units
        << ", \"clock_mhz\": " << info.clock_mhz << ", \"work_group_size\": " << info.max_work_group_size
        << ", \"opencl_c\": " << json_string(info.opencl_c_version) << ", \"fp64\": " << (info.fp64 ? "true" : "false")
        << ", \"shares_host_memory\": " << (info.host_unified_memory ? "true" : "false")
        << ", \"family\": " << json_string(std::string(to_string(row.family)));
    if (row.copy_rate) out << ", \"copy_bytes_per_second\": " << static_cast<std::uint64_t>(*row.copy_rate);
    out << "}";
  }
  out << "\n]\n";
}

void write_table(std::ostream& out, const std::vector<Row>& rows, bool measured) {
  out << "index\tplace\ttype\tname\tplatform\tmemory_GiB\tlargest_GiB\tlocal_KiB\tunits\topencl_c\tfp64\tfamily"
      << (measured ? "\tcopy_GB_per_s" : "") << "\n";
  for (const Row& row : rows) {
    const genocl::DeviceInfo& info = row.info;
    out << info.index << "\t" << info.platform_index << ":" << info.platform_device << "\t" << to_string(info.type)
        << "\t" << info.name << "\t" << info.platform << "\t" << gibibytes(info.global_memory) << "\t"
        << gibibytes(info.max_allocation) << "\t" << info.local_memory / 1024 << "\t" << info.compute_units << "\t"
        << info.opencl_c_version << "\t" << (info.fp64 ? "yes" : "no") << "\t" << to_string(row.family);
    if (row.copy_rate) out << "\t" << std::fixed << std::setprecision(1) << *row.copy_rate / 1e9;
    out << "\n";
  }
}

void write_file(const std::string& name, const std::string& text) {
  genocl::files::AtomicFile file(name);
  file.write(program::for_output(text, name));
  file.commit();
}

/// Writes the table to `output`, or JSON instead of it or to its own file. Throws DeviceError if a check failed.
void run_selftest(const std::string& devices, bool json, const std::string& json_file, const std::string& output,
                  std::ostream& messages) {
  std::vector<program::DeviceSelftest> all;
  std::ostringstream table, report;
  program::write_selftest_header(table);
  for (const genocl::Device& device : genocl::Device::list(devices.empty() ? "all" : devices))
    all.push_back(program::selftest(device, table, messages));
  program::write_selftest_json(report, all);
  if (json && !json_file.empty()) write_file(json_file, report.str());
  write_file(output, json && json_file.empty() ? report.str() : table.str());
  std::size_t checks = 0, failures = 0;
  for (const program::DeviceSelftest& device : all) {
    checks += device.results.size();
    failures += device.failures();
  }
  if (failures != 0)
    throw genocl::DeviceError("the self-test", {}, {}, 0,
                              std::to_string(failures) + " of " + std::to_string(checks) + " checks failed");
}

}  // namespace

const char* const program::program_name = "genocl-devices";

int main(int argc, char** argv) {
  return program::run_program(program::program_name, [&] {
    CLI::App app("List the OpenCL devices that genocl can use.");
    std::vector<std::string> specs;
    std::string output = "-", json_file;
    bool measure = false, warms_up = false, tunes = false, tests = false, quiet = false;
    program::add_program_options(app, GENOCL_VERSION);
    program::begin_group(app, "Output");
    program::add_value(app, "--device SPEC", specs,
                       "all, gpu, cpu, accelerator, an index, platform:device, or part of a name [all]")
        ->delimiter(',');
    program::add_output(app, output);
    const CLI::Option* const json_option =
        program::add_value(app, "--json [FILE]", json_file,
                           "Write JSON instead of a table; with --selftest FILE, a report in addition")
            ->expected(0, 1);
    app.add_flag("--measure", measure, "Measure the copy bandwidth, bytes read + written");
    program::begin_group(app, "Preparation and tests");
    app.add_flag("--warm-up", warms_up, "Compile the kernels of all commands, once after an installation");
    std::optional<std::size_t> part;
    app.add_option("--warm-up-part", part)->group("");
    app.add_flag("--tune", tunes, "Measure and store the fastest launch parameters (docs/devices.md); a minute");
    app.add_flag("--selftest", tests,
                 "Compare a small case of every algorithm with scalar functions, with all kernels; minutes");
    program::begin_group(app, "Running");
    program::add_quiet(app, quiet);
    program::add_example(app, "  genocl devices --measure --device all\n");
    if (!program::parse(app, program::arguments_of(argc, argv))) return;

    const bool json = json_option->count() > 0;
    if (tunes && (json || measure))
      throw genocl::InputError("--tune with --json or --measure; --tune prints its own table");
    if (tests && (tunes || measure || warms_up))
      throw genocl::InputError("--selftest with --tune, --measure or --warm-up, which are separate runs");
    program::check_files({}, {output, json_file});
    std::ostream silent(nullptr);
    std::ostream& messages = quiet ? silent : std::cerr;
    std::string joined;
    for (const std::string& spec : specs) joined += (joined.empty() ? "" : ",") + spec;
    if (tests) {
      run_selftest(joined, json, json_file, output, messages);
      return;
    }
    // If the driver has its own cache, genocl stores no kernels unless this is set.
    if (warms_up || part) setenv("GENOCL_CACHE", "on", 0);
    if (part) {
      program::warm_up_part(genocl::Device::pick(joined), *part);
      return;
    }
    std::vector<Row> rows;
    std::ostringstream text;
    for (const genocl::Device& device : genocl::Device::list(joined.empty() ? "all" : joined)) {
      if (warms_up) program::warm_up(device, messages);
      if (tunes) {
        text << program::tune(device, messages);
        continue;
      }
      rows.push_back({device.info(), device.family(), measure ? std::optional(measure_copy(device)) : std::nullopt});
    }
    if (!tunes) json ? write_json(text, rows) : write_table(text, rows, measure);
    write_file(json && !json_file.empty() ? json_file : output, text.str());
  });
}
