// Where the suffixes that begin with the same few symbols begin in a suffix array, or in a piece of one
// (cl/overlap/find/prefix_table.cl).
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "overlap/text/text_state.hpp"

namespace genocl::overlap {

struct PrefixTable {
  std::uint32_t symbols = 1;  ///< that the table goes by
  Array<std::uint32_t> starts;
};

/// `positions`: suffixes of the text in their order; 32 or 64 bits, unsigned. Nothing is waited for.
template <class Position>
PrefixTable prefix_table(const Device& device, const Text::State& text, const Array<Position>& positions);

/// What that of so many suffixes takes on a device, at most.
std::uint64_t prefix_table_bytes(std::uint64_t suffixes);

}  // namespace genocl::overlap
