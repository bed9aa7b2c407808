#include "genocl/primitives/segmented_sort.hpp"

#include <algorithm>
#include <numeric>

#include "genocl/error.hpp"
#include "primitives/variants.hpp"
#include "reference/primitives/segmented_sort.hpp"
#include "runtime/kernel.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

/// Offsets of segments of the given lengths from `first` on.
template <class Offset>
std::vector<Offset> offsets_of(const std::vector<std::size_t>& lengths, std::size_t first = 0) {
  std::vector<Offset> offsets = {static_cast<Offset>(first)};
  for (const std::size_t length : lengths) offsets.push_back(static_cast<Offset>(offsets.back() + length));
  return offsets;
}

std::vector<std::size_t> random_lengths(Random& random, std::size_t total, std::size_t most) {
  std::vector<std::size_t> lengths;
  for (std::size_t sum = 0; sum < total; sum += lengths.back())
    lengths.push_back(std::min(total - sum, random.below(most + 1)));
  return lengths;
}

/// `distinct`: keys below this, so that there are equal ones; 0: any. `around`: elements before and after all segments.
template <class Key, class Offset>
void compare(const Variant& variant, Random& random, const std::vector<std::size_t>& lengths, std::uint64_t distinct,
             std::size_t around = 0, std::uint64_t longest = std::numeric_limits<std::uint64_t>::max()) {
  const std::vector<Offset> offsets = offsets_of<Offset>(lengths, around);
  const std::size_t size = offsets.back() + around;
  CAPTURE(variant.name);
  CAPTURE(size);
  CAPTURE(lengths.size());
  CAPTURE(sizeof(Key));
  std::vector<Key> keys = distinct != 0 ? random.values_below<Key>(size, distinct) : random.values<Key>(size);
  std::vector<std::uint32_t> values(size);
  std::iota(values.begin(), values.end(), 0u);
  Array<Key> device_keys(variant.device, keys);
  Array<std::uint32_t> device_values(variant.device, values);
  const Array<Offset> device_offsets(variant.device, offsets);
  primitives::segmented_sort(variant.device, device_keys, device_values, device_offsets, {.longest_segment = longest},
                             {.tuning = variant.tuning});
  genocl_reference::segmented_sort(keys, values, offsets);
  CHECK((device_keys.download() == keys));
  CHECK((device_values.download() == values));
}

TEST_CASE("tiny: segmented sort") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 51);
  for (const Variant& variant : main_variants()) {
    // Few bits of key: each digit of the radix sort costs seconds under Oclgrind.
    compare<std::uint32_t, std::uint32_t>(variant, random, {0, 1, 2, 3, 0, 17, 256, 257, 40, 300, 1}, 2, 3);
    // Two windows of the `gpu` kernels.
    compare<std::uint32_t, std::uint32_t>(variant, random, std::vector<std::size_t>(53, 40), 2, 3);
  }
}

// What surrounds the two sorts of large segments whose keys leave no room for a number, without those sorts.
TEST_CASE("tiny: segmented sort puts back what was sorted twice") {
  const genocl::Device& device = device_under_test();
  genocl::runtime::Defines defines;
  defines.set("KEY_BITS", 64).set("KEY_KIND", 0).set("DESCENDING", 0);
  defines.set("HAS_VALUES", 1).set("OFFSET", "uint").set("GROUP_SIZE", 64);
  const char* file = "primitives/segmented_sort_large.cl";
  // Segments 1 and 3 are the large ones: elements 2 to 5 and 6 to 8, copied as 0 to 3 and 4 to 6.
  const Array<std::uint32_t> offsets(device, std::vector<std::uint32_t>{0, 2, 6, 6, 9});
  const Array<std::uint64_t> large(device, std::vector<std::uint64_t>{1, 3}),
      starts(device, std::vector<std::uint64_t>{0, 4, 7});
  const Array<std::uint32_t> by_key(device, std::vector<std::uint32_t>{6, 0, 3, 4, 2, 5, 1});
  Array<std::uint32_t> numbers(device, 7);
  const std::uint64_t count = 2, total = 7, share = 1;
  genocl::runtime::Kernel(device, file, "segmented_sort_numbers", defines)
      .args(by_key, starts, count, total, share, numbers)
      .run(1, 64);
  CHECK(numbers.download() == std::vector<std::uint32_t>{1, 0, 0, 1, 0, 1, 0});

  const Array<std::uint32_t> order(device, std::vector<std::uint32_t>{0, 3, 2, 1, 6, 4, 5});  // by number, then by key
  const Array<std::uint64_t> taken_keys(device, std::vector<std::uint64_t>{10, 40, 30, 20, 60, 70, 50});
  const Array<std::uint32_t> taken_values(device, std::vector<std::uint32_t>{100, 101, 102, 103, 104, 105, 106});
  Array<std::uint64_t> keys(device, std::vector<std::uint64_t>(10, 7));
  Array<std::uint32_t> values(device, std::vector<std::uint32_t>(10, 8));
  genocl::runtime::Kernel(device, file, "segmented_sort_put_ordered", defines)
      .args(order, taken_keys, taken_values, offsets, large, starts, count, total, share, keys, values)
      .run(1, 64);
  CHECK(keys.download() == std::vector<std::uint64_t>{7, 7, 10, 20, 30, 40, 50, 60, 70, 7});
  CHECK(values.download() == std::vector<std::uint32_t>{8, 8, 100, 103, 102, 101, 106, 104, 105, 8});
}

TEST_CASE("segmented sort of many small segments") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 52);
  for (const Variant& variant : all_variants())
    for (const std::size_t most : {2u, 5u, 40u, 256u}) {
      compare<std::uint32_t, std::uint32_t>(variant, random, random_lengths(random, 50'000, most), 30, 0, 256);
      compare<std::uint64_t, std::uint32_t>(variant, random, random_lengths(random, 20'000, most), 0, 7);
    }
}

TEST_CASE("segmented sort of segments of one length") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 53);
  for (const Variant& variant : main_variants())
    for (const std::size_t length : {1u, 2u, 31u, 32u, 33u, 255u, 256u, 257u, 2047u, 2048u, 2049u})
      compare<std::uint32_t, std::uint64_t>(variant, random, std::vector<std::size_t>(20'000 / length, length), 50, 2);
}

TEST_CASE("segmented sort of small and large segments together") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 54);
  std::vector<std::size_t> lengths = random_lengths(random, 100'000, 30);
  for (const std::size_t length : {300u, 5000u, 16'384u, 16'385u, 100'000u})
    lengths.insert(lengths.begin() + static_cast<std::ptrdiff_t>(random.below(lengths.size())), length);
  for (const Variant& variant : main_variants()) {
    compare<std::uint32_t, std::uint32_t>(variant, random, lengths, 0);
    compare<std::uint32_t, std::uint32_t>(variant, random, lengths, 1);  // all keys equal: nothing may move
    compare<std::uint64_t, std::uint32_t>(variant, random, lengths, 0);
    compare<std::uint64_t, std::uint64_t>(variant, random, lengths, 1'000'000);
  }
}

TEST_CASE("segmented sort of one segment and of none") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 55);
  for (const Variant& variant : main_variants()) {
    compare<std::uint64_t, std::uint32_t>(variant, random, {200'000}, 0, 5);
    compare<std::uint32_t, std::uint32_t>(variant, random, {}, 0, 5);
    compare<std::uint32_t, std::uint32_t>(variant, random, std::vector<std::size_t>(100, 0), 0, 5);
    compare<std::uint32_t, std::uint32_t>(variant, random, {0, 0}, 0);
  }
}

TEST_CASE("segmented sort keeps inside its arrays whatever the offsets say") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 56);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    std::vector<std::uint32_t> host = random.values<std::uint32_t>(10'000),
                               offsets = random.values_below<std::uint32_t>(500, 12'000);
    Array<std::uint32_t> whole_keys(variant.device, host), whole_values(variant.device, host);
    const Array<std::uint32_t> falling(variant.device, offsets);
    primitives::segmented_sort(variant.device, whole_keys.first(9000), whole_values.first(9000), falling,
                               {.longest_segment = 256});
    const std::vector<std::uint32_t> after = whole_keys.download();
    CHECK(std::equal(host.begin() + 9000, host.end(), after.begin() + 9000));
  }
}

TEST_CASE("segmented sort refuses sizes that do not match") {
  for (const Variant& variant : main_variants()) {
    Array<std::uint32_t> keys(variant.device, 10), values(variant.device, 9), ten(variant.device, 10);
    const Array<std::uint32_t> offsets(variant.device, 2), none(variant.device, 0);
    CHECK_THROWS_AS(primitives::segmented_sort(variant.device, keys, values, offsets), genocl::InputError);
    CHECK_THROWS_AS(primitives::segmented_sort(variant.device, keys, ten, none), genocl::InputError);
  }
}

}  // namespace
