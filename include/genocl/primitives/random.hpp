// Random numbers with the same bits on every device: the counter-based generator Philox-4x32-10 of Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3" (2011).
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"

namespace genocl::primitives {

struct RandomOptions {
  /// The key of the generator. Sequences of different seeds are independent.
  std::uint64_t seed = 0;
  /// Different streams of a seed are independent.
  std::uint64_t stream = 0;
  /// The number of the first element in the stream, so that a sequence can be made in parts.
  std::uint64_t first = 0;
};

namespace detail {
GENOCL_EXPORT void random_words(const Device& device, const runtime::MemoryView& results, const RandomOptions& options,
                                const Call& call);
}

/// results[i] = number options.first + i of the stream, uniform in [0, 2^32). Number k is word k % 4 of
/// Philox-4x32-10 with the counter (k / 4, stream) and the key `seed`, low words first. Any number of elements; writes
/// each once. Does not wait, and needs no scratch memory. May be called on several threads at once with different
/// queues.
///
/// For floats in [0, 1): transform(device, "(x >> 8) * 0x1p-24f", words, floats).
template <WritableRange Results>
requires RangeOf<Results, std::uint32_t>
void random_words(const Device& device, Results&& results, const RandomOptions& options = {}, const Call& call = {}) {
  detail::random_words(device, as_span(results).view(), options, call);
}

}  // namespace genocl::primitives
