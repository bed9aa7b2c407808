// What follows from suffix arrays, on E. coli K-12 and Salmonella LT2 and on 28,160 real reads of 100 bases:
//
//   overlap/mem/...            maximal matches: the whole run, from sequences in host memory to matches there
//   overlap/mem, mum/.../indexed  the same with an index that is on the device already
//   overlap/lcs/...            longest common regions
//   overlap/suffix_prefix/...  all pairs of reads with their longest overlaps, and each read's best successor
//
// Items are letters (of reference and queries), and for suffix_prefix pairs. Without GENOCL_TEST_DATA, or without
// genocl::io, drawn sequences stand in: a genome and a copy with 15% of its letters changed.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "bench/bench.hpp"
#include "bench/data.hpp"
#include "genocl/overlap/match_index.hpp"
#include "genocl/overlap/matches.hpp"
#include "genocl/overlap/regions.hpp"
#include "genocl/overlap/suffix_prefix.hpp"
#include "genocl/sequence.hpp"
#include "overlap/matches/suffix_prefix.hpp"
#if GENOCL_BENCH_IO
#include "genocl/io/sequence_reader.hpp"
#endif

namespace genocl_bench {
namespace {

using genocl::Code;
using genocl::Device;
using genocl::Progress;
using genocl::SequenceSet;
using namespace genocl::overlap;

/// Empty where it cannot be read.
SequenceSet real(const std::string& name) {
#if GENOCL_BENCH_IO
  if (const std::string path = test_data(name); !path.empty()) return genocl::io::read_sequences(path);
#endif
  (void)name;
  return SequenceSet();
}

SequenceSet drawn(std::uint64_t size, std::uint64_t seed) {
  SequenceSet set;
  const std::span<Code> codes = set.extend("drawn", {}, size).codes;
  const std::vector<std::uint32_t> words = random_words(size, seed);
  for (std::uint64_t i = 0; i < size; ++i) codes[i] = static_cast<Code>(words[i] >> 30);
  return set;
}

/// Letters of E. coli and Salmonella, and of what stands in for them.
constexpr std::uint64_t reference_size = 4'641'652, query_size = 4'951'371;

/// The reference with 15% of its letters changed, and something more.
SequenceSet changed(const SequenceSet& reference) {
  SequenceSet set;
  const std::span<Code> codes = set.extend("changed", {}, query_size).codes;
  const std::vector<std::uint32_t> words = random_words(query_size, 2);
  for (std::uint64_t i = 0; i < query_size; ++i) {
    const std::uint32_t before = i < reference_size ? reference[0][i] : words[i] >> 8;
    codes[i] = static_cast<Code>((before + (words[i] % 100 < 15 ? 1 + words[i] % 3 : 0)) % 4);
  }
  return set;
}

/// Read when the first of the benchmarks runs.
struct Sets {
  SequenceSet reference, queries, reads;
  static const Sets& get() {
    static const Sets sets;
    return sets;
  }

 private:
  Sets()
      : reference(real("dna/ecoli_k12.fa.gz")),
        queries(real("dna/salmonella_LT2_GCF_000006945.1.fa.gz")),
        reads(real("reads/reads_100bp_28160.fq.gz")) {
    constexpr std::uint64_t short_genome = 30'000, read_count = 28'160, read_length = 100;
    if (reference.empty() || queries.empty()) {
      reference = drawn(reference_size, 1);
      queries = changed(reference);
    }
    if (reads.empty()) {
      const SequenceSet text = drawn(short_genome, 3);
      for (const std::uint32_t word : random_words(read_count, 4))
        reads.append("read", text[0].subspan(word % (short_genome - read_length), read_length));
    }
  }
};

double letters(bool both_strands) { return static_cast<double>(reference_size + (both_strands ? 2 : 1) * query_size); }

struct IndexedReads {
  Progress none;
  Text text;
  Stages stages;
  EnhancedSuffixArray array;

  explicit IndexedReads(const Device& device)
      : text([&] {
          const std::array<const SequenceSet*, 1> reads = {&Sets::get().reads};
          return Text::separated(device, reads);
        }()),
        stages(none, text.size()),
        array(text, "overlaps", bytes_of_overlapping, stages) {
    array.minima();
  }
};

void add_matches(const Setting& setting, const Variant& variant) {
  const Device device = variant.device;
  for (const std::uint32_t length : {20u, 50u}) {
    for (const bool both : {false, true}) {
      const std::string name =
          "overlap/mem/" + std::to_string(length) + (both ? "/both_strands/" : "/forward/") + variant.name;
      add_benchmark(name, setting, device, {.items = letters(both)}, [=] {
        const Sets& sets = Sets::get();
        maximal_matches(device, sets.reference, sets.queries, {.min_length = length, .both_strands = both});
      });
    }
    const auto index = std::make_shared<std::unique_ptr<MatchIndex>>();
    for (const MatchKind kind : {MatchKind::all, MatchKind::unique})
      add_benchmark(
          std::string(kind == MatchKind::all ? "overlap/mem/" : "overlap/mum/") + std::to_string(length) +
              "/both_strands/indexed/" + variant.name,
          setting, device, {.items = 2.0 * query_size},
          [=] {
            (*index)->find(Sets::get().queries, {.min_length = length, .kind = kind, .both_strands = true},
                           [](std::span<const MaximalMatch>) {});
          },
          [=] {
            if (!*index) *index = std::make_unique<MatchIndex>(device, Sets::get().reference);
          },
          [=] { index->reset(); });
  }
}

void add_common(const Setting& setting, const Variant& variant) {
  const Device device = variant.device;
  for (const bool both : {false, true})
    add_benchmark(std::string("overlap/lcs/") + (both ? "both_strands/" : "forward/") + variant.name, setting, device,
                  {.items = letters(both)}, [=] {
                    const Sets& sets = Sets::get();
                    longest_common(device, sets.reference, sets.queries, {.reverse_complement = both});
                  });
}

void add_overlaps(const Setting& setting, const Variant& variant) {
  const Device device = variant.device;
  constexpr double pairs = 2.7e6;
  for (const bool best : {false, true})
    add_benchmark(std::string("overlap/suffix_prefix/20/") + (best ? "best/" : "all/") + variant.name, setting, device,
                  {.items = pairs},
                  [=] { suffix_prefix(device, Sets::get().reads, {.min_length = 20, .best_only = best}); });
  const auto indexed = std::make_shared<std::unique_ptr<IndexedReads>>();
  add_benchmark(
      "overlap/suffix_prefix/20/sorted/" + variant.name, setting, device, {.items = pairs},
      [=] {
        IndexedReads& index = **indexed;
        ReadOverlaps(index.array, 20).all(index.stages);
      },
      [=] {
        if (!*indexed) *indexed = std::make_unique<IndexedReads>(device);
      },
      [=] { indexed->reset(); });
}

}  // namespace

void add_overlap_regions(const Setting& setting) {
  for (const Variant& variant : setting.variants) {
    add_matches(setting, variant);
    add_common(setting, variant);
    add_overlaps(setting, variant);
  }
}

}  // namespace genocl_bench
