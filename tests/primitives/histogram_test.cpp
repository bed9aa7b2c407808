#include "genocl/primitives/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "primitives/variants.hpp"
#include "reference/primitives/histogram.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

template <class Count>
void compare(const Variant& variant, const std::vector<std::uint32_t>& host, std::size_t bins,
             primitives::BitField field = {}) {
  CAPTURE(variant.name);
  CAPTURE(host.size());
  CAPTURE(bins);
  CAPTURE(field.first);
  CAPTURE(field.count);
  const Array<std::uint32_t> keys(variant.device, host);
  Array<Count> counts(variant.device, bins);
  counts.fill(Count{12345});
  primitives::histogram(variant.device, keys, counts, field, {.tuning = variant.tuning});
  CHECK((counts.download() == genocl_reference::histogram<Count>(host, bins, field.first, field.count)));
}

TEST_CASE("tiny: histograms") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 31);
  for (const Variant& variant : main_variants()) {
    compare<std::uint32_t>(variant, random.values_below<std::uint32_t>(1500, 40), 33);
    compare<std::uint64_t>(variant, random.values<std::uint32_t>(1500), 256, {24, 8});
    if (variant.device.family() == genocl::KernelFamily::cpu)  // two workers
      compare<std::uint32_t>(variant, random.values_below<std::uint32_t>(16'500, 40), 33);
  }
}

TEST_CASE("histograms around tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 32);
  for (const Variant& variant : all_variants())
    for (const std::size_t size : sizes_around_tiles(70'000))
      compare<std::uint32_t>(variant, random.values<std::uint32_t>(size), 256, {3, 8});
}

TEST_CASE("histograms of every number of bins") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 33);
  const auto spread = random.values<std::uint32_t>(300'001);
  for (const Variant& variant : main_variants()) {
    for (const unsigned bits : {1u, 5u, 11u, 12u, 13u, 16u})
      compare<std::uint64_t>(variant, spread, std::size_t{1} << bits, {9, bits});
    // Keys outside, above and not a power of two.
    for (const unsigned bins : {1u, 7u, 2047u, 2049u, 8193u, 20'000u, 65'535u})
      compare<std::uint32_t>(variant, random.values_below<std::uint32_t>(100'000, 70'000), bins);
    compare<std::uint32_t>(variant, spread, 65'536);
    compare<std::uint32_t>(variant, spread, 100, {31, 1});
  }
}

TEST_CASE("histograms of equal and of sorted keys") {
  for (const Variant& variant : main_variants()) {
    compare<std::uint32_t>(variant, std::vector<std::uint32_t>(2'000'001, 7), 256);
    compare<std::uint64_t>(variant, std::vector<std::uint32_t>(200'001, 0xffffffffu), 65'536, {16, 16});
    compare<std::uint32_t>(variant, std::vector<std::uint32_t>(200'001, 0xffffffffu), 65'536);  // all outside
    std::vector<std::uint32_t> sorted(1'000'000);
    for (std::size_t i = 0; i < sorted.size(); i++) sorted[i] = static_cast<std::uint32_t>(i / 300);
    compare<std::uint64_t>(variant, sorted, 5000);
  }
}

TEST_CASE("histograms refuse other bins and fields") {
  for (const Variant& variant : main_variants()) {
    const Array<std::uint32_t> keys(variant.device, 10);
    Array<std::uint32_t> none(variant.device, 0), many(variant.device, 65'537), counts(variant.device, 16);
    CHECK_THROWS_AS(primitives::histogram(variant.device, keys, none), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram(variant.device, keys, many), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram(variant.device, keys, counts, {30, 3}), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram(variant.device, keys, counts, {4, 0}), genocl::InputError);
  }
}

// ---- Samples in bins of equal width, and between levels

template <class T>
std::size_t even_bin(T x, primitives::HistogramLimit<T> lower, primitives::HistogramLimit<T> upper, std::size_t bins) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!(x >= lower && x < upper)) return bins;
    const T factor = static_cast<T>(bins) / (upper - lower), place = (x - lower) * factor;
    return std::min(static_cast<std::size_t>(place), bins - 1);
  } else {
    if (x < lower || x >= upper) return bins;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(lower)) * bins /
                                    (static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower)));
  }
}

/// The oracle: channel c of sample i, bins of one channel after the other.
template <class T, class BinOf>
std::vector<std::uint32_t> count_samples(const std::vector<T>& host, std::size_t bins,
                                         primitives::HistogramChannels channels, const BinOf& bin_of) {
  std::vector<std::uint32_t> counts(bins * channels.counted);
  for (std::size_t i = 0; i < host.size(); ++i) {
    const std::size_t channel = i % channels.interleaved, bin = bin_of(host[i]);
    if (channel < channels.counted && bin < bins) ++counts[channel * bins + bin];
  }
  return counts;
}

template <class T>
void compare_samples(const Variant& variant, Random& random, std::vector<T> host, std::size_t bins,
                     primitives::HistogramLimit<T> lower, primitives::HistogramLimit<T> upper,
                     primitives::HistogramChannels channels = {}) {
  CAPTURE(variant.name);
  CAPTURE(host.size());
  CAPTURE(bins);
  CAPTURE(sizeof(T));
  CAPTURE(channels.interleaved);
  host.resize(host.size() / channels.interleaved * channels.interleaved);
  const genocl::Call call{.tuning = variant.tuning};
  const Array<T> samples(variant.device, host);
  Array<std::uint32_t> counts(variant.device, bins * channels.counted);
  counts.fill(77);
  primitives::histogram_even(variant.device, samples, counts, lower, upper, channels, call);
  CHECK((counts.download() ==
         count_samples(host, bins, channels, [&](T x) { return even_bin<T>(x, lower, upper, bins); })));
  // Levels among the samples, some of them equal.
  std::vector<T> levels(bins + 1);
  for (T& level : levels) level = host.empty() ? T{} : host[random.below(host.size())];
  std::sort(levels.begin(), levels.end());
  primitives::histogram_range(variant.device, samples, Array<T>(variant.device, levels), counts, channels, call);
  CHECK((counts.download() == count_samples(host, bins, channels, [&](T x) {
           return static_cast<std::size_t>(std::upper_bound(levels.begin(), levels.end(), x) - levels.begin()) - 1;
         })));
}

TEST_CASE("tiny: histograms of samples in bins of equal width and between levels") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 34);
  for (const Variant& variant : main_variants())
    compare_samples<float>(variant, random, random.values<float>(1500), 33, -990.0f, 1000.0f);
}

TEST_CASE("histograms of samples: types, sizes, channels") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 35);
  using Check = void (*)(const Variant&, Random&);
  const std::vector<Check> checks{
      [](const Variant& v, Random& r) {
        for (const std::size_t size : {0u, 1u, 70'001u})
          compare_samples<std::uint8_t>(v, r, r.values<std::uint8_t>(size), 256, 0, 256, {4, 3});
      },
      [](const Variant& v, Random& r) {
        for (const std::size_t size : {0u, 1u, 70'001u})
          compare_samples<std::int32_t>(v, r, r.values<std::int32_t>(size), 65'536, -2'000'000'000, 2'111'222'333);
      },
      // 32-bit arithmetic: widths of 2^n and others, the smallest and the largest sample, limits inside the samples.
      [](const Variant& v, Random& r) {
        std::vector<std::uint32_t> words = r.values<std::uint32_t>(70'001);
        words.insert(words.end(), {0, 1, 0x7fffffffu, 0x80000000u, 0xffffffffu});
        compare_samples<std::uint32_t>(v, r, words, 256, 0, std::int64_t{1} << 32);
        compare_samples<std::uint32_t>(v, r, words, 1000, 0xf0000001u, (std::int64_t{1} << 32));
        compare_samples<std::uint32_t>(v, r, r.values_below<std::uint32_t>(40'001, 10'000), 65'000, 777, 9'001);
      },
      [](const Variant& v, Random& r) {
        std::vector<std::int32_t> words = r.values<std::int32_t>(70'001);
        words.insert(words.end(), {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX});
        compare_samples<std::int32_t>(v, r, words, 256, INT32_MIN, std::int64_t{1} << 31);
        compare_samples<std::int32_t>(v, r, words, 65'535, INT32_MIN, INT32_MIN + (std::int64_t{1} << 30));
        compare_samples<std::int32_t>(v, r, words, 9'999, -500'000'001, 500'000'000);
      },
      [](const Variant& v, Random& r) {
        compare_samples<std::int8_t>(v, r, r.values<std::int8_t>(70'001), 5, -128, 127, {3, 3});
        compare_samples<std::int16_t>(v, r, r.values<std::int16_t>(70'001), 64, -4096, 4096, {5, 2});
      },
      [](const Variant& v, Random& r) {
        for (const std::size_t bins : {1u, 7u, 1000u})
          compare_samples<std::uint64_t>(v, r, r.values_below<std::uint64_t>(40'001, 100'000), bins, 77, 99'999,
                                         {2, 1});
      },
      [](const Variant& v, Random& r) {
        for (const std::size_t size : {0u, 1u, 70'001u})
          compare_samples<double>(v, r, r.values<double>(size), 500, -1.0, 999.0);
      }};
  const std::vector<Variant> variants = all_variants();
  for (const Check check : random.some_of(checks)) check(variants[random.below(variants.size())], random);
}

TEST_CASE("histograms of samples: NaN, wider levels, 64-bit counts, errors") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const genocl::Device& device = variant.device;
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const Array<float> samples(device, std::vector<float>{nan, 0, 0.5f, 1, -infinity, infinity, 2, 1.9999999f});
    Array<std::uint64_t> counts(device, 2);
    primitives::histogram_even(device, samples, counts, 0, 2);
    CHECK(counts.download() == std::vector<std::uint64_t>{2, 2});
    const Array<double> levels(device, std::vector<double>{0, 0.75, infinity});
    primitives::histogram_range(device, samples, levels, counts);
    CHECK(counts.download() == std::vector<std::uint64_t>{2, 3});
    CHECK_THROWS_AS(primitives::histogram_even(device, samples, counts, 2, 2), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram_even(device, samples, counts, 0, infinity), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram_even(device, samples, counts, 0, 2, {3, 1}), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram_even(device, samples, counts, 0, 2, {2, 3}), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram_range(device, samples, levels.first(2), counts), genocl::InputError);
    Array<std::uint64_t> wide(device, 2);
    CHECK_THROWS_AS(primitives::histogram_even(device, wide, counts, 0, std::uint64_t{1} << 48), genocl::InputError);
  }
}

}  // namespace
