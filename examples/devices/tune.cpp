#include "devices/tune.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "genocl/align.hpp"
#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/jacobi.hpp"
#include "genocl/primitives.hpp"
#include "genocl/tuning.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

using genocl::Device;
using genocl::KernelFamily;

/// So much better must be what is not the rule for the type of the device: less may be chance.
constexpr double worth_a_change = 1.1;

/// Prepares an operation on a device, and gives what is measured of it.
using Operation = std::function<void()> (*)(const Device&);

std::function<void()> sorting(const Device& device) {
  std::vector<std::uint32_t> numbers(std::size_t{1} << 20);
  std::mt19937 random(1);
  for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random());
  const auto unsorted = std::make_shared<genocl::Array<std::uint32_t>>(device, std::span<const std::uint32_t>(numbers));
  return [device, unsorted] {
    genocl::Array<std::uint32_t> keys(device, unsorted->size());
    keys.copy_from(*unsorted, unsorted->size());
    genocl::primitives::sort(device, keys);
  };
}

std::function<void()> scanning(const Device& device) {
  auto values = std::make_shared<genocl::Array<std::uint32_t>>(device, std::size_t{1} << 22);
  auto sums = std::make_shared<genocl::Array<std::uint32_t>>(device, values->size());
  values->fill(1);
  return [device, values, sums] { genocl::primitives::exclusive_scan(device, *values, *sums); };
}

std::function<void()> searching(const Device& device) {
  std::mt19937 random(2);
  genocl::SequenceSet proteins(genocl::Alphabet::protein);
  for (unsigned i = 0; i < 500; ++i) {
    std::string letters(100 + i % 400, ' ');
    for (char& letter : letters) letter = "ACDEFGHIKLMNPQRSTVWY"[random() % 20];
    proteins.append_letters("p" + std::to_string(i), letters);
  }
  const auto searcher = std::make_shared<genocl::align::Searcher>(
      device, genocl::align::Database::build(proteins), genocl::align::SearchOptions{.top = 10, .align = false});
  const auto queries = std::make_shared<genocl::SequenceSet>(proteins.slice(200, 2));
  return [searcher, queries] { searcher->search(*queries); };
}

std::function<void()> relaxing(const Device& device) {
  return [device] {
    genocl::jacobi::Grid<float> grid(500, 500);
    grid.fill({.top = 100, .left = 25, .right = 75}, 0);
    genocl::jacobi::solve<float>(std::vector<Device>{device}, grid, {.iterations = 200});
  };
}

/// Who takes longer than this need not be measured again.
constexpr double long_enough = 0.5;

/// The best of three, after one that compiles; no value where the device cannot run it.
std::optional<double> seconds_of(Operation operation, const Device& device) {
  using clock = std::chrono::steady_clock;
  try {
    const std::function<void()> run = operation(device);
    double best = 0;
    for (int round = 0; round < 4; ++round) {
      device.finish();
      const auto start = clock::now();
      run();
      device.finish();
      const std::chrono::duration<double> seconds = clock::now() - start;
      if (round == 1 || (round > 1 && seconds.count() < best)) best = seconds.count();
      if (best > long_enough) break;
    }
    return best;
  } catch (const genocl::Error&) {
    return std::nullopt;
  }
}

std::string milliseconds(const std::optional<double>& seconds) {
  std::ostringstream text;
  if (seconds) text << std::fixed << std::setprecision(3) << *seconds * 1e3;
  return seconds ? text.str() : "none";
}

}  // namespace

std::string tune(const Device& device, std::ostream& log) {
  struct Step {
    const char* name;
    Operation operation;
  };
  const genocl::DeviceInfo& info = device.info();
  std::ostringstream text;
  text << "# genocl " << GENOCL_VERSION << ": " << info.name << ", " << info.platform << ", " << info.platform_version
       << ", driver " << info.driver_version << ", " << info.compute_units << " units\n"
       << "operation\tlanes_ms\tgroup_ms\n";
  double gain = 0;  // of group to lanes: the sum of logarithms
  bool lanes_run = true, group_runs = true;
  for (const auto& step :
       {Step{"sort", sorting}, Step{"scan", scanning}, Step{"search", searching}, Step{"relaxation", relaxing}}) {
    log << "measuring " << step.name << " on " << info.name << "\n" << std::flush;
    const auto lanes = seconds_of(step.operation, device.with_family(KernelFamily::lanes)),
               group = seconds_of(step.operation, device.with_family(KernelFamily::group));
    lanes_run = lanes_run && lanes;
    group_runs = group_runs && group;
    if (lanes && group) gain += std::log(*lanes / *group);
    text << step.name << '\t' << milliseconds(lanes) << '\t' << milliseconds(group) << '\n';
  }
  if (!lanes_run && !group_runs)
    throw genocl::DeviceError("tuning", info.name, {}, 0, "neither family of kernels runs");
  const genocl::Tuning rule = genocl::default_tuning(info);
  const double steps = 4, needed = steps * std::log(worth_a_change);
  genocl::Tuning chosen = rule;
  if (!lanes_run || (group_runs && gain > needed)) chosen.family = KernelFamily::group;
  if (!group_runs || (lanes_run && gain < -needed)) chosen.family = KernelFamily::lanes;
  const bool kept = genocl::store_tuning(info, chosen);
  text << "# family " << to_string(chosen.family) << ", by its type " << to_string(rule.family) << ": "
       << (kept ? "kept for later runs" : "not kept, for the cache's folder cannot be written") << '\n';
  return text.str();
}

}  // namespace program
