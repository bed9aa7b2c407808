// The checksum of what genocl writes and reads again: XXH3 of xxHash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace genocl::runtime {

/// XXH3 with 64 bits, over pieces of 4 MiB and then over their sums and the size, so that several threads can share the
/// work; the result does not depend on their number. Any change is seen but for one in 2^64.
std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace genocl::runtime
