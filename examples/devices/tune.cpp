#include "devices/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "devices/operations.hpp"
#include "genocl/error.hpp"
#include "genocl/tuning.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

using genocl::Device;
using genocl::KernelFamily;
using genocl::Tuning;

/// Minimum gain of a value that differs from the default. Smaller differences may be chance, in particular on a device
/// that others use.
constexpr double worth_a_change = 1.1;

struct Step {
  const char* name;
  Operation (*operation)(const Device&);
};

struct Candidate {
  std::string value;  ///< of the field
  Tuning tuning;
  bool refused = false;  ///< by the device's limits
};

/// A candidate's times in each step.
using Times = std::vector<std::optional<double>>;

double seconds_of(const Device& device, const Work& work, unsigned times) {
  using clock = std::chrono::steady_clock;
  device.finish();
  const auto start = clock::now();
  for (unsigned i = 0; i < times; ++i) work();
  device.finish();
  return std::chrono::duration<double>(clock::now() - start).count() / times;
}

/// One candidate in one step.
class Measured {
 public:
  Measured(const Operation& operation, const Device& device, const Candidate& candidate)
      : device_(device), runs_(!candidate.refused) {
    attempt([&] {
      work_ = operation(device.with_tuning(candidate.tuning));
      seconds_of(device_, work_, 1);  // compiles
      const double once = seconds_of(device_, work_, 1);
      // Short operations are repeated, since a clock does not resolve them.
      times_ = static_cast<unsigned>(std::clamp(2e-3 / once, 1.0, 64.0));
      best_ = once;
    });
  }
  /// Operations of half a second or more are run once.
  void again() {
    if (best_ < 0.5) attempt([&] { best_ = std::min(best_, seconds_of(device_, work_, times_)); });
  }
  std::optional<double> seconds() const { return runs_ ? std::optional(best_) : std::nullopt; }

 private:
  template <class Action>
  void attempt(const Action& action) {
    if (!runs_) return;
    try {
      action();
    } catch (const genocl::Error&) {
      runs_ = false;
    }
  }

  Device device_;
  bool runs_;
  Work work_;
  unsigned times_ = 1;
  double best_ = 0;
};

std::optional<double> logarithm_of(const Times& times) {
  double sum = 0;
  for (const std::optional<double>& one : times) {
    if (!one) return std::nullopt;
    sum += std::log(*one);
  }
  return sum / static_cast<double>(times.size());
}

class Tuner {
 public:
  Tuner(const Device& device, std::ostream& log)
      : device_(device), log_(log), shipped_(genocl::default_tuning(device.info())), chosen_(shipped_) {
    const genocl::DeviceInfo& info = device.info();
    text_ << "# genocl " << GENOCL_VERSION << ": " << info.name << ", " << info.vendor << ", " << info.platform << ", "
          << info.platform_version << ", driver " << info.driver_version << ", " << info.compute_units << " units\n"
          << "field\tvalue\toperation\trun\tms\n";
  }

  /// Returns the number of the selected candidate; the first one is the default. No value if none runs.
  std::optional<std::size_t> settle(const char* field, const std::vector<Candidate>& candidates,
                                    const std::vector<Step>& steps) {
    const auto first = measure(field, candidates, steps, 1);
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < candidates.size(); ++c)
      if (first[c] && (!best || *first[c] < *first[*best])) best = c;
    if (!best || *best == 0 || !first[0]) return best;
    if (!is_better(first[0], first[*best])) return 0;
    // The best of many candidates may be so by chance: it must win a second time.
    const auto second = measure(field, {candidates[0], candidates[*best]}, steps, 2);
    return is_better(second[0], second[1]) ? *best : 0;
  }

  /// Returns whether one of the two runs; otherwise the field keeps its default.
  bool settle_family(const char* field, KernelFamily Tuning::*family, const std::vector<Step>& steps) {
    const KernelFamily other = shipped_.*family == KernelFamily::cpu ? KernelFamily::gpu : KernelFamily::cpu;
    std::vector<Candidate> candidates;
    for (const KernelFamily one : {shipped_.*family, other}) {
      candidates.push_back({std::string(to_string(one)), shipped_});
      candidates.back().tuning.*family = one;
    }
    const auto taken = settle(field, candidates, steps);
    chosen_.*family = candidates[taken.value_or(0)].tuning.*family;
    return taken.has_value();
  }

  /// Uses the kernels of the family that the field belongs to, even if the other family is faster.
  void settle_number(const char* field, std::uint32_t Tuning::*number, KernelFamily family,
                     const std::vector<std::uint32_t>& numbers, const std::vector<Step>& steps) {
    Tuning tuning = shipped_;
    tuning.family = family;
    std::vector<Candidate> candidates = {{std::to_string(shipped_.*number), tuning}};
    for (const std::uint32_t one : numbers) {
      if (one == shipped_.*number) continue;
      tuning.*number = one;
      // The library lowers the default to the device's limit, and would also lower this value.
      const bool too_many = tuning.group_size != shipped_.group_size && one > device_.info().max_work_group_size;
      candidates.push_back({std::to_string(one), tuning, too_many});
    }
    chosen_.*number = candidates[settle(field, candidates, steps).value_or(0)].tuning.*number;
  }

  void settle_packed_scores(const std::vector<Step>& steps) {
    if (device_.has_ptx()) return;  // which does not use the field
    std::vector<Candidate> candidates;
    for (const bool packed : {shipped_.packed_scores, !shipped_.packed_scores}) {
      candidates.push_back({packed ? "yes" : "no", shipped_});
      candidates.back().tuning.search_family = KernelFamily::gpu;
      candidates.back().tuning.packed_scores = packed;
    }
    chosen_.packed_scores = candidates[settle("packed_scores", candidates, steps).value_or(0)].tuning.packed_scores;
  }

  void measure_share() {
    say("share", "relaxation of double");
    std::optional<double> rate;
    try {
      rate = std::clamp(std::round(relaxation_rate(device_.with_tuning(chosen_))), 1.0, 1e6);
    } catch (const genocl::Error&) {
      // The field keeps its default.
    }
    text_ << "share\t" << (rate ? std::to_string(static_cast<std::uint32_t>(*rate)) : "none") << "\trelaxation\t1\t-\n";
    if (rate && std::max(*rate / shipped_.share, shipped_.share / *rate) > worth_a_change)
      chosen_.share = static_cast<std::uint32_t>(*rate);
  }

  std::string finish() {
    const bool kept = genocl::store_tuning(device_.info(), chosen_);
    std::istringstream ours(to_string(chosen_)), theirs(to_string(shipped_));
    text_ << "# field\tchosen\tshipped\n";
    for (std::string one, other; std::getline(ours, one) && std::getline(theirs, other);) {
      const std::size_t at = one.find('=');
      if (at != std::string::npos)
        text_ << "# " << one.substr(0, at) << '\t' << one.substr(at + 1) << '\t' << other.substr(at + 1) << '\n';
    }
    text_ << (kept ? "# kept for later runs\n" : "# not kept, for the cache's folder cannot be written\n");
    return text_.str();
  }

 private:
  static bool is_better(const std::optional<double>& shipped, const std::optional<double>& other) {
    return shipped && other && *shipped - *other > std::log(worth_a_change);
  }

  void say(std::string_view field, std::string_view what) {
    log_ << "measuring " << field << " of " << device_.info().name << ": " << what << "\n" << std::flush;
  }

  /// The logarithm of each candidate's geometric mean.
  std::vector<std::optional<double>> measure(const char* field, const std::vector<Candidate>& candidates,
                                             const std::vector<Step>& steps, int run) {
    std::vector<Times> times(candidates.size());
    for (const Step& step : steps) {
      say(field, step.name);
      const Operation operation = ready(step);
      std::vector<Measured> all;
      for (const Candidate& one : candidates) all.emplace_back(operation, device_, one);
      // Candidates are run in turns, so that other load on the machine affects all of them.
      for (int round = 0; round < 5; ++round)
        for (Measured& one : all) one.again();
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        times[c].push_back(all[c].seconds());
        text_ << field << '\t' << candidates[c].value << '\t' << step.name << '\t' << run << '\t'
              << milliseconds(times[c].back()) << '\n';
      }
    }
    std::vector<std::optional<double>> means;
    for (const Times& one : times) means.push_back(logarithm_of(one));
    return means;
  }

  /// If the device has too little memory for an operation, no candidate runs it.
  Operation ready(const Step& step) const {
    try {
      return step.operation(device_);
    } catch (const genocl::Error& error) {
      return [why = std::string(error.what())](const Device&) -> Work { throw genocl::Error(why); };
    }
  }

  static std::string milliseconds(const std::optional<double>& seconds) {
    std::ostringstream text;
    if (seconds) text << std::fixed << std::setprecision(3) << *seconds * 1e3;
    return seconds ? text.str() : "none";
  }

  Device device_;
  std::ostream& log_;
  Tuning shipped_, chosen_;
  std::ostringstream text_;
};

}  // namespace

std::string tune(const Device& device, std::ostream& log) {
  const Step copy{"copy", copying}, sum{"sum", summing}, scan{"scan", scanning}, histogram{"histogram", counting},
      gather{"gather", gathering}, sort{"sort", sorting}, search{"search", searching},
      relaxation{"relaxation", relaxing};
  Tuner tuner(device, log);
  if (!tuner.settle_family("family", &Tuning::family, {sort, scan, histogram, gather}))
    throw genocl::DeviceError("tuning", device.info().name, {}, 0, "neither family of kernels runs");
  tuner.settle_family("search_family", &Tuning::search_family, {search});
  tuner.settle_family("relaxation_family", &Tuning::relaxation_family, {relaxation});
  tuner.settle_number("workers_per_unit", &Tuning::workers_per_unit, KernelFamily::cpu, {4, 8, 16, 32, 64, 128},
                      {copy, sum, scan, histogram});
  tuner.settle_number("groups_per_unit", &Tuning::groups_per_unit, KernelFamily::gpu, {2, 4, 8, 16, 32},
                      {histogram, sort});
  tuner.settle_number("group_size", &Tuning::group_size, KernelFamily::gpu, {64, 128, 256}, {copy, sum, scan, gather});
  tuner.settle_packed_scores({search});
  tuner.measure_share();
  return tuner.finish();
}

}  // namespace program
