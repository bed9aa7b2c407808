#include "devices/warm_up.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
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
SequenceSet reads_of(std::mt19937& random, const std::string& genome, std::size_t length, bool with_n) {
  SequenceSet reads;
  for (unsigned i = 0; i < 64; ++i) {
    std::string read = genome.substr(random() % (genome.size() - length), length);
    read[length / 2] = read[length / 2] == 'A' ? 'C' : 'A';
    if (with_n && i == 63) read[0] = 'N';
    reads.append_letters("r" + std::to_string(i), read);
  }
  return reads;
}

/// The layout of the index, and with it the kernels, depends on the size of the reference: phage, bacterium, fly,
/// human. The genome is long enough for the sort of large genomes.
void map_reads(const Device& device) {
  namespace marose = genocl::marose;
  std::mt19937 random(1);
  const std::string genome = random_letters(random, "ACGT", 100'000);
  SequenceSet reference;
  reference.append_letters("chr", genome);
  std::set<std::string> masks;
  for (const std::uint64_t bases : {50'000ull, 5'000'000ull, 140'000'000ull, 3'100'000'000ull}) {
    marose::IndexOptions options;
    options.method = marose::Method::kmers;
    marose::PlanRequest request;
    request.method = options.method;
    request.length = options.read_length;
    request.errors = options.errors.at(options.read_length);
    request.reference_bases = bases;
    options.seed_mask = marose::make_plan(request).mask.pattern();
    if (!masks.insert(options.seed_mask).second) continue;
    try {
      const auto index = marose::Index::build(device, reference, options);
      const marose::Mapper mapper(device, index);
      for (const unsigned length : {100u, 150u})
        for (const bool with_n : {false, true}) mapper.map(reads_of(random, genome, length, with_n));
    } catch (const genocl::CapacityError&) {
      // The table of a long seed takes gigabytes. A device without them cannot map to such a reference.
    }
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

void search_proteins(const Device& device) {
  std::mt19937 random(2);
  SequenceSet proteins(Alphabet::protein);
  for (unsigned i = 0; i < 200; ++i)
    proteins.append_letters("p" + std::to_string(i), random_letters(random, "ACDEFGHIKLMNPQRSTVWY", 60 + 5 * i));
  const auto database = genocl::align::Database::build(proteins);
  for (const bool aligned : {false, true})
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

/// Different kernels sort short and long texts.
void sort_suffixes(const Device& device) {
  std::mt19937 random(4);
  for (const std::size_t length : {10'000u, 300'000u}) {
    SequenceSet a, b;
    a.append_letters("a", random_letters(random, "ACGT", length));
    b.append_letters("b", a.letters(0).substr(1'000, 2'000) + random_letters(random, "ACGT", 1'000));
    genocl::overlap::longest_common(device, a, b, {.reverse_complement = true});
    genocl::overlap::maximal_matches(device, a, b, {.min_length = 50, .both_strands = true});
  }
}

void relax(const Device& device) {
  genocl::jacobi::Grid<double> grid(500, 500);
  grid.fill({.top = 100, .left = 25, .right = 75}, 0);
  genocl::jacobi::solve<double>(std::vector<Device>{device}, grid, {.iterations = 100});
}

}  // namespace

void warm_up(const Device& device, std::ostream& log) {
  struct Step {
    const char* what;
    void (*run)(const Device&);
  };
  for (const auto& [what, run] :
       {Step{"marose", map_reads}, Step{"sorting", sort_candidates}, Step{"align", search_proteins},
        Step{"pwm", scan_motifs}, Step{"overlap", sort_suffixes}, Step{"jacobi", relax}}) {
    log << "compiling the kernels of " << what << " for " << device.info().name << "\n" << std::flush;
    run(device);
  }
}

}  // namespace program
