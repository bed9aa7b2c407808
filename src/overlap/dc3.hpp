// DC3 on strings of numbers, for whoever has names instead of a text.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/suffix_array.hpp"

namespace genocl::overlap {

/// Fills order[0, size) with the suffix array of names[0, size), numbers in [1, largest]. Returns the levels of
/// recursion. Waits once a level.
unsigned sort_suffixes_of_names(const Device& device, const cl::Buffer& names, std::uint64_t size,
                                std::uint64_t largest, const cl::Buffer& order);

/// What that takes besides names and order.
std::uint64_t names_dc3_bytes(const Device& device, std::uint64_t size);

}  // namespace genocl::overlap
