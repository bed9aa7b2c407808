// FM-indexes of real genomes next to their suffix arrays.
#include "genocl/overlap/fm_index.hpp"

#include <algorithm>
#include <filesystem>

#include "overlap_data/real_texts.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::overlap;

TEST_CASE("the FM-index of a genome finds what the suffix array finds, in an eighth of the file") {
  const genocl_test::TemporaryFolder folder;
  const Device device = Device::pick();
  for (const char* name : {"ecoli_k12.fa.gz", "celegans_1pct.fa.gz", "human_chr1_5k-55k.fa.gz"}) {
    CAPTURE(name);
    const SequenceSet set = overlap_test::dna_of(name);
    if (set.size() == 0) continue;
    const SuffixIndex full{SuffixArray(Text::separated(device, set))};
    const FmIndex index(full.suffixes());
    std::vector<std::string> patterns;
    for (std::size_t record = 0; record < set.size(); ++record) {
      const std::string letters = set.letters(record);
      for (std::size_t at = 0, length = 8; at + length <= letters.size(); at += 997, length = 8 + at % 90)
        patterns.push_back(letters.substr(at, length));
    }
    const std::vector<std::string_view> views(patterns.begin(), patterns.end());
    CHECK(index.count(views) == full.count(views));
    const Occurrences found = index.locate(views), expected = full.locate(views);
    CHECK(found.begins == expected.begins);
    CHECK(found.positions == expected.positions);
    CHECK(found.positions.size() > patterns.size() / 2);
    full.save((folder.path() / "full").string());
    index.save((folder.path() / "fm").string());
    // Sections begin at multiples of 4 KB.
    const auto sections = std::uintmax_t{10} * 4096;
    CHECK(8 * (std::filesystem::file_size(folder.path() / "fm") - sections) <=
          std::filesystem::file_size(folder.path() / "full"));
  }
}
