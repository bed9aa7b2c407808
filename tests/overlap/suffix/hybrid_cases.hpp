// Texts in records, and what the tests of `hybrid` start from.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "genocl/overlap/text.hpp"
#include "overlap/cases.hpp"
#include "reference/overlap/suffix_array.hpp"

namespace overlap_test {

using Positions = std::vector<std::uint32_t>;

/// The same on a device.
struct Separated : BytesInRecords {
  genocl::overlap::Text text;

  Separated(const genocl::Device& device, const Bytes& whole, std::size_t count)
      : BytesInRecords(whole, count), text(genocl::overlap::Text::separated(device, records)) {}
};

}  // namespace overlap_test
