// What host and kernels both have to know comes from the host: a kernel that is not told says so.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "runtime/kernel.hpp"

namespace {

using genocl::runtime::Defines;

struct Program {
  const char* file;
  const char* kernel;
  std::vector<const char*> names;
};

// Every name once, with a program that needs it.
const std::vector<Program>& programs() {
  static const std::vector<Program> all = {
      {"marose/index_buckets.cl",
       "canonical_buckets",
       {"SEED_RUNS", "SEED_FIRST", "SEED_FIRST_HIGH", "SEED_LENGTH", "SEED_LENGTH_HIGH", "SEED_SPAN", "SEED_WEIGHT",
        "SIDE", "CONTEXT_BASES", "CONTEXT_RUNS", "CONTEXT_FIRST", "CONTEXT_FIRST_HIGH", "CONTEXT_LENGTH",
        "CONTEXT_LENGTH_HIGH", "BUCKET_WORDS", "KEYS"}},
      {"marose/index_canonical.cl", "canonical_keys", {"KEYS", "SEED_UNKNOWN"}},
      {"marose/index_ranges.cl", "count_bins", {"BINS", "BIN_SHIFT", "BLOCK_WORDS"}},
      {"marose/map_hamming_cpu.cl", "map_hamming_cpu", {"KEYS", "MAX_BATCH"}},
      {"marose/map_levenshtein_cpu.cl", "map_levenshtein_cpu", {"LANE_BITS", "ONE_PLAN"}},
      {"marose/map_canonical_gpu.cl",
       "map_hamming",
       {"LANES", "BUCKET_WORDS", "ONE_PLAN", "ITEMS_PER_LANE", "DIAGONAL_BIAS"}},
      {"marose/map_canonical_gpu_order.cl", "order_hits", {"ORDER_CAPACITY"}},
      {"marose/map_levenshtein_gpu.cl", "map_levenshtein", {"BAND_BITS"}},
      {"marose/seed_canonical.cl", "count_candidates", {"LEVENSHTEIN", "DIAGONAL_BIAS"}},
      {"marose/filter_occurrences_gpu.cl", "filter_occurrences", {"LEVENSHTEIN", "DIAGONAL_BIAS"}},
      {"marose/kmer_rounds.cl", "first_round", {"LEVENSHTEIN"}},
      {"marose/window_costs_gpu.cl", "window_costs", {"PARTS", "TEAM"}},
      {"marose/order_hits.cl", "order_hits", {"WITH_ERRORS", "DIAGONAL_BIAS"}},
      {"marose/verify_hamming.cl", "verify_hamming", {"READ_WORDS", "HAS_UNKNOWN", "BLOCK_BASES", "DIAGONAL_BIAS"}},
      {"marose/verify_levenshtein.cl", "verify_levenshtein", {"BAND_BITS", "LANES", "DIAGONAL_BIAS"}},
      {"marose/published/bdz.cl", "bdz_sizes", {"NOBODYS"}},
      {"marose/published/index_bitmap.cl", "bitmap_sectors", {"SECTOR_BITS"}},
      {"marose/published/index_blocks.cl", "pattern_keys", {"KEY", "KEY_NEIGHBOURHOOD", "NEIGHBOURHOOD", "WORD_BITS"}},
      {"marose/published/index_phf.cl", "phf_words", {"KEY"}},
      {"marose/published/list.cl", "list_count", {"PARTS", "DIAGONAL_BIAS"}}};
  return all;
}

Defines all_but(std::string_view missing) {
  Defines defines;
  for (const Program& program : programs())
    for (const std::string_view name : program.names) {
      if (name == missing) continue;
      if (name == "KEY")
        defines.set(name, "uint");
      else
        defines.set(name, 4);
    }
  return defines;
}

std::string build_log(const genocl::Device& device, const Program& program, std::string_view missing) {
  try {
    genocl::runtime::Kernel(device, program.file, program.kernel, all_but(missing));
  } catch (const genocl::BuildError& error) {
    return error.log();
  }
  return "it compiled";
}

}  // namespace

TEST_CASE("marose: a kernel that lacks a constant of the host's says which") {
  const genocl::Device device = genocl::Device::pick();
  for (const Program& program : programs())
    for (const std::string name : program.names) {
      const std::string log = build_log(device, program, name);
      CAPTURE(program.file);
      CAPTURE(log);
      CHECK(log.find(name + " comes from the host") != std::string::npos);
    }
}
