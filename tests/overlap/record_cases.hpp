// Sets of records for the tests of regions, matches and overlaps.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "genocl/overlap/text.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "overlap/cases.hpp"
#include "overlap/rmq/enhanced_suffix_array.hpp"
#include "reference/overlap/lcp.hpp"
#include "reference/overlap/overlap_records.hpp"

namespace overlap_test {

inline genocl::SequenceSet set_of(const std::vector<std::string>& records) {
  genocl::SequenceSet set;
  for (std::size_t i = 0; i < records.size(); ++i) set.append_letters(std::to_string(i), records[i]);
  return set;
}

/// What the oracles compare.
inline reference::Records letters_of(const genocl::SequenceSet& set, genocl::overlap::Letters letters) {
  reference::Records records;
  for (std::size_t i = 0; i < set.size(); ++i) {
    records.emplace_back();
    for (const genocl::Code code : set[i])
      records.back().push_back(letters == genocl::overlap::Letters::bases && code >= 4 ? -1 : code);
  }
  return records;
}

/// Records as one text with its suffix array and LCPs, which the host makes: for steps that are tested alone.
class HostSorted {
 public:
  HostSorted(const genocl::Device& device, const std::vector<std::string>& records)
      : set_(set_of(records)), text_(genocl::overlap::Text::separated(device, set_)) {
    std::vector<int> letters;
    for (const reference::Record& record : letters_of(set_, genocl::overlap::Letters::bases)) {
      letters.insert(letters.end(), record.begin(), record.end());
      letters.push_back(-1);
    }
    const std::vector<std::uint32_t> positions = genocl_reference::sorted_suffixes(letters);
    array_.emplace(genocl::overlap::SuffixArray(text_, genocl::Array<std::uint32_t>(device, positions)),
                   genocl::Array<std::uint32_t>(device, genocl_reference::kasai(letters, positions)));
  }

  const genocl::SequenceSet& set() const { return set_; }
  genocl::overlap::EnhancedSuffixArray& array() { return *array_; }
  genocl::overlap::SuffixArray suffixes() const {
    return {text_, genocl::Array<std::uint32_t>(text_.device(), array_->positions().download())};
  }

 private:
  genocl::SequenceSet set_;
  genocl::overlap::Text text_;
  std::optional<genocl::overlap::EnhancedSuffixArray> array_;
};

/// `count` records of up to `longest` letters: words of one another with changes, so that much is repeated; some N and
/// some empty ones.
inline std::vector<std::string> related_records(Random& random, std::size_t count, std::size_t longest,
                                                unsigned letters = 4) {
  const Bytes ancestor = random_text(random, longest, letters);
  std::vector<std::string> records;
  for (std::size_t i = 0; i < count; ++i) {
    if (random() % 9 == 0) {
      records.emplace_back();
      continue;
    }
    const std::size_t length = 1 + random() % longest, begin = random() % (longest - length + 1);
    std::string record(ancestor.begin() + static_cast<std::ptrdiff_t>(begin),
                       ancestor.begin() + static_cast<std::ptrdiff_t>(begin + length));
    for (std::size_t changes = random() % 4; changes > 0; --changes)
      record[random() % length] = random() % 4 == 0 ? 'N' : "ACGT"[random() % letters];
    if (random() % 5 == 0) std::reverse(record.begin(), record.end());
    records.push_back(std::move(record));
  }
  return records;
}

/// Sets of records that regions, matches and overlaps are known to go wrong on.
inline std::vector<std::vector<std::string>> hard_records() {
  return {{},
          {""},
          {"", ""},
          {"A"},
          {"N"},
          {"A", "A"},
          {"A", "C"},
          {"ACGT", "", "ACGT", "ACGT"},
          {std::string(40, 'A'), std::string(30, 'A'), std::string(40, 'A')},
          {"NNNNACGTACGTNN", "ACGTNACGTA", "NACGTACGTAN"},
          {"ACACACACACAC", "CACACACACACA", "ACACACACA", "GTGTGTGT"},
          {"AAAACCCC", "CCCCGGGG", "GGGGTTTT", "TTTTAAAA", "CCCC", "CCCCNG", "CCCCN", "GGGGTTTT"}};
}

}  // namespace overlap_test
