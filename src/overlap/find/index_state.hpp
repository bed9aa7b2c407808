// What a SuffixIndex holds.
#pragma once

#include <string>
#include <vector>

#include "genocl/overlap/suffix_index.hpp"
#include "overlap/find/prefix_table.hpp"

namespace genocl::overlap {

struct SuffixIndex::State {
  SuffixArray suffixes;
  std::vector<std::string> names;
  PrefixTable table;
  std::vector<SuffixIndex> others;  ///< the same on further devices

  State(SuffixArray of, std::vector<std::string> record_names);
};

}  // namespace genocl::overlap
