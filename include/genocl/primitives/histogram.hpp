// Histograms: numbers of keys with each value of a bit field, and of samples in bins of equal width or between given
// levels, as CUB's DeviceHistogram::HistogramEven and HistogramRange.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"

namespace genocl::primitives {

/// Bits [first, first + count) of a key; bit 0 is the lowest.
struct BitField {
  unsigned first = 0;
  unsigned count = 32;
};

/// Interleaved samples, such as the channels of pixels: the first `counted` of each group of `interleaved` samples are
/// counted, each channel in separate bins. 1 <= counted <= interleaved <= 8.
struct HistogramChannels {
  unsigned interleaved = 1, counted = 1;
};

/// The type of the limits of bins of equal width: std::int64_t for integers of up to 32 bits, else that of the samples.
template <class Sample>
using HistogramLimit = std::conditional_t<std::integral<Sample> && sizeof(Sample) <= 4, std::int64_t, Sample>;
/// Types of levels: that of the samples, or a larger signed one.
template <class Level, class Sample>
concept HistogramLevel = std::same_as<Level, Sample> ||
                         (std::signed_integral<Level>&& std::integral<Sample> && sizeof(Level) > sizeof(Sample)) ||
                         (std::same_as<Level, double> && std::same_as<Sample, float>);

inline constexpr std::uint64_t max_histogram_bins = 65'536;

namespace detail {
GENOCL_EXPORT void histogram(const Device& device, const runtime::MemoryView& keys, const runtime::MemoryView& counts,
                             std::size_t count_bytes, BitField field, const Call& call);

/// The operands of histogram_even() and histogram_range() with their types erased. `levels`: empty for bins of equal
/// width, whose limits are `integers` or `reals`.
struct SampleHistogram {
  runtime::MemoryView samples, levels, counts;
  ElementType sample_type, level_type;
  std::size_t count_bytes;
  HistogramChannels channels;
  struct Limits {
    std::uint64_t lower = 0, upper = 0;
  } integers = {};
  struct RealLimits {
    double lower = 0, upper = 0;
  } reals = {};
};
GENOCL_EXPORT void histogram(const Device& device, const SampleHistogram& job, const Call& call);
}  // namespace detail

/// counts[b] = the number of keys whose `field` is b, for each b in [0, counts.size()). The default field is the whole
/// key. Larger values are not counted. Overwrites counts. Does not wait.
///
/// Any number of 32-bit keys, 1 to 65,536 bins. Reads each key once; if the bins exceed a group's local memory, once
/// per part that fits (12,032 bins with 48 KiB). Scratch: `cpu` kernels have one table per worker.
///
/// @param counts  32 or 64-bit unsigned integers
/// @throws InputError     if the operands overlap, for another number of bins, a field past bit 32, or 2^32 or more
/// keys
///                        with 32-bit counts
/// @throws CapacityError  if the scratch memory does not fit
template <RangeOf<std::uint32_t> Keys, WritableRange Counts>
requires ElementIndex<ElementOf<Counts>>
void histogram(const Device& device, const Keys& keys, Counts&& counts, BitField field = {}, const Call& call = {}) {
  detail::histogram(device, as_span(keys).view(), as_span(counts).view(), sizeof(ElementOf<Counts>), field, call);
}

// Histograms of samples. counts[c * bins + b] = the number of samples of channel c in bin b. `counts` has the same
// number of bins for each counted channel, 1 to 65,536 together; it is overwritten. Samples in no bin, and NaNs, are
// not counted. Do not wait.
//
// Any number of samples. Each is read once, or once for each part of the bins as in histogram(). Scratch memory: that
// of histogram() for the number of groups of samples and of all bins.
//
// Throw InputError if the operands overlap, for another number of bins or channels, if the samples are no multiple of
// the interleaved channels or the counts of the counted ones, for 2^32 or more samples with 32-bit counts, and for
// double on a device without fp64; CapacityError if the scratch memory does not fit. May be called on several threads
// at once with different queues.

/// Bins of equal width: bin b has the samples x with floor((x - lower) * bins / (upper - lower)) = b. Exact for
/// integers; for floats (x - lower) * (bins / (upper - lower)) is computed in the type of the samples, with the same
/// bits on all devices.
///
/// @param lower, upper  the first bin begins at `lower`, the last one ends before `upper`
/// @throws InputError   also unless lower < upper, both finite, and for integers if (upper - lower) * bins > 2^48
template <DeviceRange Samples, WritableRange Counts>
requires Arithmetic<ElementOf<Samples>> && ElementIndex<ElementOf<Counts>>
void histogram_even(const Device& device, const Samples& samples, Counts&& counts,
                    HistogramLimit<ElementOf<Samples>> lower, HistogramLimit<ElementOf<Samples>> upper,
                    HistogramChannels channels = {}, const Call& call = {}) {
  using Limit = HistogramLimit<ElementOf<Samples>>;
  detail::SampleHistogram job{as_span(samples).view(),
                              {},
                              as_span(counts).view(),
                              element_type<ElementOf<Samples>>(),
                              element_type<Limit>(),
                              sizeof(ElementOf<Counts>),
                              channels};
  if constexpr (std::integral<Limit>)
    job.integers = {static_cast<std::uint64_t>(lower), static_cast<std::uint64_t>(upper)};
  else
    job.reals = {lower, upper};
  detail::histogram(device, job, call);
}

/// Bin b has the samples x with levels[b] <= x < levels[b + 1]. The levels must ascend; the counts are unspecified
/// otherwise. O(log bins) for each sample.
///
/// @param levels       one more than bins of a channel, in device memory
/// @throws InputError  also if the number of levels is not that of the bins of a channel and 1
template <DeviceRange Samples, DeviceRange Levels, WritableRange Counts>
requires Arithmetic<ElementOf<Samples>> && HistogramLevel<ElementOf<Levels>, ElementOf<Samples>> &&
    ElementIndex<ElementOf<Counts>>
void histogram_range(const Device& device, const Samples& samples, const Levels& levels, Counts&& counts,
                     HistogramChannels channels = {}, const Call& call = {}) {
  detail::histogram(
      device,
      {as_span(samples).view(), as_span(levels).view(), as_span(counts).view(), element_type<ElementOf<Samples>>(),
       element_type<ElementOf<Levels>>(), sizeof(ElementOf<Counts>), channels},
      call);
}

/// Scratch memory of the histograms in bytes.
GENOCL_EXPORT std::uint64_t histogram_scratch_bytes(const Device& device, std::uint64_t keys, std::uint64_t bins,
                                                    const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
