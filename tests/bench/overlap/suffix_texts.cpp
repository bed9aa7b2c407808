#include "bench/overlap/suffix_texts.hpp"

#include <array>
#include <optional>

#include "bench/bench.hpp"
#include "bench/data.hpp"
#include "bench/overlap/drawn_genome.hpp"
#if GENOCL_BENCH_IO
#include "genocl/io/sequence_reader.hpp"
#endif

namespace genocl_bench {
namespace {

Bytes random_bases(std::uint64_t size) {
  Bytes text(size);
  const std::vector<std::uint32_t> words = random_words(size / 16 + 1, 11);
  for (std::uint64_t i = 0; i < size; ++i)
    text[i] = static_cast<std::uint8_t>("ACGT"[words[i / 16] >> 2 * (i % 16) & 3]);
  return text;
}

/// Copies of a genome of 14 kb, one base in 500 changed in each.
Bytes drawn_set(std::uint64_t size) {
  const Bytes genome = random_bases(14'000);
  Bytes text(size);
  for (std::uint64_t i = 0; i < size; ++i) text[i] = genome[i % genome.size()];
  for (const std::uint32_t word : random_words(size / 500, 12)) text[word % size] = "ACGT"[word >> 30];
  return text;
}

#if GENOCL_BENCH_IO
/// The letters of all records one after the other, over and over up to `size` where that is given.
std::optional<Source> file_source(const std::string& name, const std::string& file, std::uint64_t size = 0) {
  const std::string path = test_data("dna/" + file);
  if (path.empty()) return std::nullopt;
  const auto read = [path, size] {
    const genocl::SequenceSet set = genocl::io::read_sequences(path);
    Bytes text(size != 0 ? size : set.residues());
    const std::span<const genocl::Code> codes = set.codes();
    for (std::uint64_t i = 0; i < text.size(); ++i)
      text[i] = static_cast<std::uint8_t>(genocl::dna::letters[codes[i % codes.size()]]);
    return text;
  };
  return Source{name, size != 0 ? size : read().size(), read};
}
#endif

}  // namespace

std::vector<Source> suffix_texts() {
  std::vector<Source> all;
  const auto random = [](std::uint64_t size) { return [size] { return random_bases(size); }; };
  // Table V, CPU and GPU.
  struct Row {
    unsigned bits;
    double cpu, gpu;
  };
  for (const Row& row : std::array<Row, 14>{{{8, 0, 0},
                                             {9, 0, 0},
                                             {10, 0, 0},
                                             {11, 0, 0},
                                             {12, 0, 0},
                                             {13, 0, 0},
                                             {14, 1.43, 0.53},
                                             {15, 0, 0},
                                             {16, 5.3, 1.8},
                                             {17, 0, 0},
                                             {18, 19.4, 3.3},
                                             {19, 0, 0},
                                             {20, 98.3, 6.7},
                                             {21, 0, 0}}}) {
    const std::uint64_t size = std::uint64_t{1} << row.bits;
    all.push_back({"paper " + size_name(size), size, random(size), row.cpu, row.gpu});
  }
  for (const unsigned bits : {24u, 28u})
    all.push_back({"random 2^" + std::to_string(bits), std::uint64_t{1} << bits, random(std::uint64_t{1} << bits)});
  all.push_back({"drawn genome 190M", 190'000'000, [] { return drawn_genome(190'000'000); }});
  all.push_back({"drawn copies 2^26", std::uint64_t{1} << 26, [] { return drawn_set(std::uint64_t{1} << 26); }});
#if GENOCL_BENCH_IO
  const std::array<std::optional<Source>, 6> files = {
      file_source("E. coli", "ecoli_k12.fa.gz"),
      file_source("Salmonella", "salmonella_LT2_GCF_000006945.1.fa.gz"),
      file_source("human chr20", "human_chr20_1Mb_z.fa.gz"),
      file_source("LPA haplotypes", "human_LPA_14haps.fa.gz"),
      file_source("SARS-CoV-2", "sarscov2_418.fa.gz"),
      file_source("SARS-CoV-2 2^26", "sarscov2_418.fa.gz", std::uint64_t{1} << 26)};
  for (const std::optional<Source>& file : files)
    if (file) all.push_back(*file);
#endif
  return all;
}

}  // namespace genocl_bench
