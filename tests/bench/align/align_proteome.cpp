#include "align_proteome.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "bench/data.hpp"

namespace genocl_bench {
namespace {

using genocl::Code;
using genocl::SequenceSet;

/// Letters with the frequencies of UniProt proteomes.
class Letters {
 public:
  explicit Letters(std::uint64_t seed) : state_(seed) {
    constexpr unsigned per_mille[] = {70, 51, 59, 54, 14, 39, 65, 61, 22, 64, 94, 66, 23, 40, 44, 70, 55, 12, 35, 62};
    for (unsigned code = 0; code < 20; ++code) table_.insert(table_.end(), per_mille[code], static_cast<Code>(code));
  }
  std::uint32_t next() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>(z >> 32);
  }
  std::vector<Code> draw(std::size_t length) {
    std::vector<Code> codes(length);
    for (Code& code : codes) code = table_[static_cast<std::size_t>(next() * std::uint64_t{table_.size()} >> 32)];
    return codes;
  }

 private:
  std::uint64_t state_;
  std::vector<Code> table_;
};

/// Lengths by the quantiles of 117,248 real ones: 32 equal parts, but the last (long) one, which is finer.
unsigned draw_length(Letters& letters) {
  constexpr unsigned quantiles[] = {13,  72,  95,  114, 133, 151, 169, 187, 207, 224, 242, 258, 272, 286, 295,  311,
                                    328, 346, 366, 383, 397, 420, 445, 471, 503, 543, 589, 651, 735, 855, 1034, 1393};
  constexpr unsigned tail[] = {1393, 1460, 1560, 1680, 1850, 2050, 2400, 3300, 10549};
  const auto between = [&](const unsigned* table, unsigned parts) {
    const std::uint64_t place = std::uint64_t{letters.next()} * parts;
    const unsigned part = static_cast<unsigned>(place >> 32);
    const std::uint64_t share = place & 0xffff'ffffu;
    return table[part] + static_cast<unsigned>((table[part + 1] - table[part]) * share >> 32);
  };
  if (letters.next() >> 27 == 31) {
    const unsigned length = between(tail, 8);
    // The last part is not even: few are as long as that.
    return length > 3300 && letters.next() % 4 != 0 ? 3300 + (length - 3300) / 5 : length;
  }
  return between(quantiles, 31);
}

/// Empty without such a file.
SequenceSet from_environment(const char* variable) {
  const char* const name = std::getenv(variable);
  if (name == nullptr) return SequenceSet(genocl::Alphabet::protein);
  const char* const folder = std::getenv("GENOCL_TEST_DATA");
  return read_fasta((std::filesystem::path(folder != nullptr ? folder : "") / name).string(),
                    genocl::Alphabet::protein);
}

}  // namespace

SequenceSet drawn_queries(const std::vector<unsigned>& lengths) {
  SequenceSet set(genocl::Alphabet::protein);
  Letters letters(5);
  for (const unsigned length : lengths) set.append("", letters.draw(length));
  return set;
}

SequenceSet classic_queries() {
  SequenceSet set = from_environment("GENOCL_BENCH_QUERIES");
  return set.empty() ? drawn_queries({std::begin(classic_lengths), std::end(classic_lengths)}) : set;
}

SequenceSet drawn_proteome(std::uint64_t residues) {
  SequenceSet set(genocl::Alphabet::protein);
  Letters letters(6);
  while (set.residues() < residues) set.append("", letters.draw(draw_length(letters)));
  return set;
}

SequenceSet proteome(std::uint64_t residues) {
  SequenceSet set = from_environment("GENOCL_BENCH_DATABASE");
  return set.empty() ? drawn_proteome(residues) : set;
}

SequenceSet equal_subjects(std::size_t count, unsigned length) {
  SequenceSet set(genocl::Alphabet::protein);
  Letters letters(7);
  for (std::size_t i = 0; i < count; ++i) set.append("", letters.draw(length));
  return set;
}

}  // namespace genocl_bench
