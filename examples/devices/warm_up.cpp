#include "devices/warm_up.hpp"

#include <spawn.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "devices/operations.hpp"
#include "genocl/align.hpp"
#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/jacobi.hpp"
#include "genocl/marose.hpp"
#include "genocl/overlap.hpp"
#include "genocl/primitives.hpp"
#include "genocl/pwm.hpp"

namespace program {
namespace {

using genocl::Alphabet;
using genocl::Device;
using genocl::SequenceSet;

/// Reads of one length from `genome`, each with a substitution; the last one contains an N if requested.
SequenceSet reads_of(std::mt19937& random, const std::string& genome, unsigned count, std::size_t length, bool with_n) {
  SequenceSet reads;
  for (unsigned i = 0; i < count; ++i) {
    std::string read = genome.substr(random() % (genome.size() - length), length);
    read[length / 2] = read[length / 2] == 'A' ? 'C' : 'A';
    if (with_n && i + 1 == count) read[0] = 'N';
    reads.append_letters("r" + std::to_string(i), read);
  }
  return reads;
}

/// The options of an index of a reference of `bases` letters. They determine its layout, and with it the kernels.
genocl::marose::IndexOptions index_options(std::uint64_t bases) {
  namespace marose = genocl::marose;
  marose::IndexOptions options;
  options.method = marose::Method::kmers;
  marose::PlanRequest request;
  request.method = options.method;
  request.length = options.read_length;
  request.errors = options.errors.at(options.read_length);
  request.reference_bases = bases;
  options.seed_mask = marose::make_plan(request).mask.pattern();
  return options;
}

/// The genome is long enough for the sort of large genomes.
void map_reads(const Device& device, const genocl::marose::IndexOptions& options, std::size_t length) {
  std::mt19937 random(1);
  const std::string genome = random_letters(random, "ACGT", 100'000);
  SequenceSet reference;
  reference.append_letters("chr", genome);
  try {
    const auto index = genocl::marose::Index::build(device, reference, options);
    const genocl::marose::Mapper mapper(device, index);
    // Different kernels select from few and from many.
    for (const unsigned count : {64u, 4'000u})
      for (const bool with_n : {false, true}) mapper.map(reads_of(random, genome, count, length, with_n));
  } catch (const genocl::CapacityError&) {
    // The table of a long seed takes gigabytes. A device without them cannot map to such a reference.
  }
}

/// Different kernels sort few and many candidates and diagonals.
void sort_candidates(const Device& device) {
  for (const std::size_t count : {100u, 5'000u, 200'000u}) {
    genocl::Array<std::uint64_t> keys(device, count), with_values(device, count);
    genocl::Array<std::uint32_t> values(device, count);
    keys.fill(1);
    with_values.fill(1);
    values.fill(1);
    genocl::primitives::sort(device, keys, {.last_bit = 48});
    genocl::primitives::sort(device, with_values, values, {.last_bit = 48});
  }
}

void search_proteins(const Device& device, bool aligned) {
  std::mt19937 random(2);
  SequenceSet proteins(Alphabet::protein);
  for (unsigned i = 0; i < 200; ++i)
    proteins.append_letters("p" + std::to_string(i), random_letters(random, "ACDEFGHIKLMNPQRSTVWY", 60 + 5 * i));
  const auto database = genocl::align::Database::build(proteins);
  genocl::align::Searcher(device, database, {.top = 10, .align = aligned}).search(proteins.slice(100, 2));
}

void scan_motifs(const Device& device) {
  std::mt19937 random(3);
  SequenceSet text;
  text.append_letters("chr", random_letters(random, "ACGT", 100'000));
  std::vector<genocl::pwm::ScoreMatrix> matrices;
  std::vector<double> thresholds;
  for (const unsigned length : {8u, 12u, 16u}) {
    genocl::pwm::Motif motif;
    motif.id = "m" + std::to_string(length);
    for (unsigned i = 0; i < length; ++i) motif.counts.push_back({1, 2, 3, 14});
    matrices.push_back(genocl::pwm::log_odds(motif, {.pseudocount = 1}));
    const auto threshold = genocl::pwm::threshold(device, matrices.back(), 1e-4);
    thresholds.push_back(threshold.score);
  }
  genocl::pwm::Scanner(device, matrices, thresholds).scan(text);
}

void sort_suffixes(const Device& device, std::size_t length) {
  std::mt19937 random(4);
  SequenceSet a, b;
  a.append_letters("a", random_letters(random, "ACGT", length));
  b.append_letters("b", a.letters(0).substr(1'000, 2'000) + random_letters(random, "ACGT", 1'000));
  genocl::overlap::longest_common(device, a, b, {.reverse_complement = true});
  genocl::overlap::maximal_matches(device, a, b, {.min_length = 50, .both_strands = true});
}

void relax(const Device& device) {
  genocl::jacobi::Grid<double> grid(500, 500);
  grid.fill({.top = 100, .left = 25, .right = 75}, 0);
  genocl::jacobi::solve<double>(std::vector<Device>{device}, grid, {.iterations = 100});
}

struct Part {
  std::string what;
  std::function<void(const Device&)> run;
};

/// The slowest first.
std::vector<Part> make_parts() {
  std::vector<Part> parts;
  // Phage, bacterium, fly, human.
  std::set<std::string> masks;
  for (const std::uint64_t bases : {3'100'000'000ull, 140'000'000ull, 5'000'000ull, 50'000ull}) {
    const auto options = index_options(bases);
    if (!masks.insert(options.seed_mask).second) continue;
    for (const std::size_t length : {150u, 100u})
      parts.push_back({"marose", [=](const Device& device) { map_reads(device, options, length); }});
  }
  for (const bool aligned : {true, false})
    parts.push_back({"align", [=](const Device& device) { search_proteins(device, aligned); }});
  // Different kernels sort short and long texts.
  for (const std::size_t length : {300'000u, 10'000u})
    parts.push_back({"overlap", [=](const Device& device) { sort_suffixes(device, length); }});
  parts.push_back({"pwm", scan_motifs});
  parts.push_back({"sorting", sort_candidates});
  parts.push_back({"jacobi", relax});
  return parts;
}

/// Starts this program for one part. Its messages go to standard error.
pid_t start_part(const std::string& program, const Device& device, std::size_t part) {
  const genocl::DeviceInfo& info = device.info();
  std::vector<std::string> arguments = {
      program,          "--quiet",
      "--device",       std::to_string(info.platform_index) + ":" + std::to_string(info.platform_device),
      "--warm-up-part", std::to_string(part)};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int failure = ::posix_spawn(&process, program.c_str(), nullptr, nullptr, pointers.data(), environ);
  if (failure != 0) throw genocl::InputError(program + " does not start: " + std::generic_category().message(failure));
  return process;
}

void stop(const std::map<pid_t, std::string>& running) {
  for (const auto& [process, name] : running) ::kill(process, SIGTERM);
  for (const auto& [process, name] : running)
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

/// Waits until one of the processes ends, and removes it. Throws DeviceError if it failed.
void wait_for_one(std::map<pid_t, std::string>& running, const Device& device) {
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(-1, &status, 0);
  while (ended < 0 && errno == EINTR);
  const auto found = running.find(ended);
  if (ended >= 0 && found == running.end()) return;
  const std::string what = ended < 0 ? "the kernels" : "the kernels of " + found->second;
  if (ended >= 0) running.erase(found);
  if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw genocl::DeviceError("compiling " + what, device.info().name, {}, 0, "its process failed");
}

}  // namespace

void warm_up_part(const Device& device, std::size_t part) {
  const std::vector<Part> parts = make_parts();
  if (part >= parts.size())
    throw genocl::InputError("--warm-up-part", std::to_string(part), "is no part",
                             "0 to " + std::to_string(parts.size() - 1));
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // ends with the process that waits for it
#endif
  parts[part].run(device);
}

void warm_up(const Device& device, std::ostream& log) {
  const std::vector<Part> parts = make_parts();
  std::error_code error;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  const std::size_t processes = error ? 1 : std::min<std::size_t>(parts.size(), std::thread::hardware_concurrency());
  std::map<pid_t, std::string> running;
  std::string said;
  try {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].what != said)
        log << "compiling the kernels of " << parts[i].what << " for " << device.info().name << "\n" << std::flush;
      said = parts[i].what;
      if (processes <= 1) {
        parts[i].run(device);
        continue;
      }
      while (running.size() == processes) wait_for_one(running, device);
      running.emplace(start_part(program, device, i), parts[i].what);
    }
    while (!running.empty()) wait_for_one(running, device);
  } catch (...) {
    stop(running);
    throw;
  }
}

}  // namespace program
