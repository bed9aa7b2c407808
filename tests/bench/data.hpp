// Data of benchmarks: numbers drawn, files of GENOCL_TEST_DATA, texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "genocl/sequence.hpp"

namespace genocl_bench {

/// The size as a power of two or a plain number: "2^24".
std::string size_name(std::uint64_t size);

/// Random numbers, the same in every run.
std::vector<std::uint32_t> random_words(std::uint64_t size, std::uint64_t seed);

/// Numbers drawn, the same in every run.
class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : seed_(seed) {}
  std::uint32_t operator()();
  /// From 0 up to 1.
  double unit() { return static_cast<double>((*this)()) / 4294967296.0; }

 private:
  std::uint64_t seed_;
  std::vector<std::uint32_t> words_;
  std::size_t at_ = 0;
};

/// The path of a file of GENOCL_TEST_DATA (else of ../shared/data); empty where there is no such file.
std::string test_data(const std::string& name);
/// The bytes of a file, unpacked where gzip made it.
std::string read_file(const std::string& path);

/// The records of a FASTA file, also one that gzip compressed. Empty if the file cannot be read.
genocl::SequenceSet read_fasta(const std::string& path, genocl::Alphabet alphabet = genocl::Alphabet::dna);

/// E. coli K-12 of GENOCL_TEST_DATA where it has that size and is there, else drawn letters.
genocl::SequenceSet bench_text(std::uint64_t size);
constexpr std::uint64_t ecoli_size = 4'641'652;

/// "4.6M", "225M", "3.1G".
std::string letters_name(std::uint64_t letters);

}  // namespace genocl_bench
