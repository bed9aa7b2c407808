// What a SuffixIndex holds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/overlap/suffix_index.hpp"

namespace genocl::overlap {

struct SuffixIndex::State {
  SuffixArray suffixes;
  std::vector<std::string> names;
  std::uint32_t symbols = 1;    ///< that the table goes by
  Array<std::uint32_t> starts;  ///< of cl/overlap/find/prefix_table.cl

  State(SuffixArray of, std::vector<std::string> record_names);
};

}  // namespace genocl::overlap
