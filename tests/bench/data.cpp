#include "bench/data.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>

namespace genocl_bench {
namespace {

using genocl::Code;
using genocl::SequenceSet;

/// What gzip makes of a compressed file: the benchmarks need no zlib.
std::string unpacked(const std::string& path) {
  std::string command = "gzip -dc '";
  for (const char c : path) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  std::FILE* const pipe = ::popen((command + "'").c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  char block[1 << 16];
  for (std::size_t size; (size = std::fread(block, 1, sizeof block, pipe)) > 0;) text.append(block, size);
  ::pclose(pipe);
  return text;
}

SequenceSet drawn_text(std::uint64_t size) {
  SequenceSet set;
  const std::span<Code> codes = set.extend("drawn", "", size).codes;
  Drawn drawn(7);
  for (std::size_t i = 0; i < codes.size(); i += 16) {
    const std::uint32_t letters = drawn();
    for (std::size_t k = i; k < std::min(i + 16, codes.size()); ++k)
      codes[k] = static_cast<Code>(letters >> (2 * (k - i)) & 3);
  }
  return set;
}

}  // namespace

std::string size_name(std::uint64_t size) {
  return std::has_single_bit(size) ? "2^" + std::to_string(std::countr_zero(size)) : std::to_string(size);
}

std::vector<std::uint32_t> random_words(std::uint64_t size, std::uint64_t seed) {
  std::vector<std::uint32_t> words(size);
  std::uint64_t state = seed;
  for (auto& word : words) {  // splitmix64
    state += 0x9e3779b97f4a7c15;
    std::uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    word = static_cast<std::uint32_t>(z >> 32);
  }
  return words;
}

std::string test_data(const std::string& name) {
  const char* const folder = std::getenv("GENOCL_TEST_DATA");
  const std::string path = std::string(folder != nullptr ? folder : "../shared/data") + "/" + name;
  return std::filesystem::exists(path) ? path : std::string();
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  return text.starts_with("\x1f\x8b") ? unpacked(path) : text;
}

SequenceSet read_fasta(const std::string& path, genocl::Alphabet alphabet) {
  SequenceSet set(alphabet);
  std::string name, letters;
  const auto close = [&] {
    if (!name.empty()) set.append_letters(name, letters);
    letters.clear();
  };
  const std::string text = read_file(path);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    if (line.starts_with('>')) {
      close();
      name = line.substr(1, line.find(' ') - 1);
    } else {
      letters += line;
    }
    begin = end + 1;
  }
  close();
  return set;
}

std::uint32_t Drawn::operator()() {
  if (at_ == words_.size()) {
    words_ = random_words(1 << 16, seed_++);
    at_ = 0;
  }
  return words_[at_++];
}

SequenceSet bench_text(std::uint64_t size) {
  if (const std::string path = test_data("dna/ecoli_k12.fa.gz"); size == ecoli_size && !path.empty()) {
    SequenceSet set = read_fasta(path);
    if (set.residues() == size) return set;
  }
  return drawn_text(size);
}

std::string letters_name(std::uint64_t letters) {
  char name[32];
  const double millions = static_cast<double>(letters) / 1e6;
  std::snprintf(name, sizeof name, millions < 1000 ? "%.3gM" : "%.3gG", millions < 1000 ? millions : millions / 1000);
  return name;
}

}  // namespace genocl_bench
