// A suffix index with any bytes in its sections: one that patterns are found with, or an InputError.
#include <array>
#include <cstdint>

#include "genocl/overlap/suffix_index.hpp"
#include "sections.hpp"

using namespace genocl;
using namespace genocl::overlap;

namespace {

const Device& device() {
  static const Device one = Device::pick("cpu");
  return one;
}

}  // namespace

const unsigned fuzz::examples = 3;

void fuzz::save_example(unsigned number, const std::string& path) {
  SequenceSet set(Alphabet::dna);
  set.append_letters("one", "ACGTACGTN");
  set.append_letters("two", "GATTACA");
  const SequenceSet* const only = &set;
  const std::array<std::uint8_t, 11> bytes{'m', 'i', 's', 's', 'i', 's', 's', 'i', 'p', 'p', 'i'};
  const std::span<const std::uint8_t> record = bytes;
  const Text text = number == 0   ? Text::separated(device(), std::span(&only, 1), {.letters = Letters::bases})
                    : number == 1 ? Text::separated(device(), std::span(&only, 1), {.letters = Letters::written})
                                  : Text::separated(device(), std::span(&record, 1));
  SuffixIndex(SuffixArray(text), number == 2 ? std::vector<std::string>{} : std::vector<std::string>{"one", "two"})
      .save(path);
}

void fuzz::open_and_use(const std::string& path) {
  const SuffixIndex index = SuffixIndex::open(device(), path);
  const std::uint64_t size = index.suffixes().text().size();
  const std::array<std::string_view, 4> patterns{"A", "ss", "GATTACA", "ACGTN"};
  const Occurrences found = index.locate(patterns, 100);
  for (const std::uint32_t position : found.positions) {
    require(position < size, "places are in the text");
    require(index.record_of(position) < index.suffixes().text().begins().size(), "places are in a record");
    if (!index.names().empty()) require(index.record_of(position) < index.names().size(), "records have a name");
  }
}
