// Radix sort against std::sort, its parallel form where there is one, and a plain radix sort of the host.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "bench/bench.hpp"
#include "genocl/primitives/copy.hpp"
#include "genocl/primitives/segmented_sort.hpp"
#include "genocl/primitives/sort.hpp"
#if GENOCL_BENCH_TBB
#include <execution>
#endif

namespace genocl_bench {
namespace {

using genocl::Array;
namespace primitives = genocl::primitives;

template <class Key>
std::vector<Key> make_keys(std::uint64_t size, bool equal) {
  const auto words = random_words(size * (sizeof(Key) / 4), 1);
  std::vector<Key> keys(size, Key{5});
  if (!equal)
    for (std::uint64_t i = 0; i < size; ++i) {
      keys[i] = static_cast<Key>(words[i * (sizeof(Key) / 4)]);
      if constexpr (sizeof(Key) == 8) keys[i] = keys[i] << 32 | words[i * 2 + 1];
    }
  return keys;
}

// Made when its benchmark runs, and gone after it.
template <class Key>
struct SortData {
  std::unique_ptr<Array<Key>> original_keys, keys;
  std::unique_ptr<Array<std::uint32_t>> original_values, values;

  void make(const genocl::Device& device, std::uint64_t size, bool with_values, bool equal) {
    if (keys) return;
    original_keys = std::make_unique<Array<Key>>(device, make_keys<Key>(size, equal));
    keys = std::make_unique<Array<Key>>(device, size);
    if (!with_values) return;
    original_values = std::make_unique<Array<std::uint32_t>>(device, random_words(size, 2));
    values = std::make_unique<Array<std::uint32_t>>(device, size);
  }
};

template <class Key>
void add_sort(const Setting& setting, std::uint64_t size, bool with_values, bool equal) {
  const std::uint64_t item = sizeof(Key) + (with_values ? 4 : 0);
  if (!fits(setting.device(), size * sizeof(Key), 3 * size * item + (std::uint64_t{64} << 20))) return;
  const std::string kind =
      std::string(sizeof(Key) == 8 ? "u64" : "u32") + (with_values ? "+u32" : "") + (equal ? " equal" : "");
  for (const Variant& variant : setting.variants) {
    const genocl::Device& device = variant.device;
    const double digits = device.family() == genocl::KernelFamily::cpu ? (sizeof(Key) == 8 ? 6 : 3) : sizeof(Key);
    const Work work{.items = static_cast<double>(size), .bytes = 2.0 * digits * static_cast<double>(size * item)};
    auto data = std::make_shared<SortData<Key>>();
    add_benchmark(
        "sort/" + kind + "/" + size_name(size) + "/" + variant.name, setting, device, work,
        [=] {
          with_values ? primitives::sort(device, *data->keys, *data->values) : primitives::sort(device, *data->keys);
        },
        [=] {
          data->make(device, size, with_values, equal);
          primitives::copy(device, *data->original_keys, *data->keys);
          if (with_values) primitives::copy(device, *data->original_values, *data->values);
        },
        [=] {
          *data = {};
          device.release_scratch();
        });
  }
}

// Segments of 0 to `longest` elements: what refining the groups of a suffix array or the candidates of a read is like.
void add_segmented_sort(const Setting& setting, std::uint64_t size, std::uint32_t longest) {
  if (!fits(setting.device(), size * 8, 40 * size)) return;
  struct Data : SortData<std::uint32_t> {
    std::unique_ptr<Array<std::uint64_t>> offsets;
  };
  for (const Variant& variant : setting.variants) {
    const genocl::Device& device = variant.device;
    auto data = std::make_shared<Data>();
    add_benchmark(
        "segmented sort/u32+u32, segments of 0 to " + std::to_string(longest) + "/" + size_name(size) + "/" +
            variant.name,
        setting, device, {.items = static_cast<double>(size), .bytes = 16 * static_cast<double>(size)},
        [=] {
          primitives::segmented_sort(device, *data->keys, *data->values, *data->offsets, {.longest_segment = longest});
        },
        [=] {
          if (!data->keys) {
            data->make(device, size, true, false);
            std::vector<std::uint64_t> offsets{0};
            for (const std::uint32_t word : random_words(size, 3)) {
              if (offsets.back() == size) break;
              offsets.push_back(std::min(size, offsets.back() + word % (longest + 1)));
            }
            offsets.push_back(size);
            data->offsets = std::make_unique<Array<std::uint64_t>>(device, offsets);
          }
          primitives::copy(device, *data->original_keys, *data->keys);
          primitives::copy(device, *data->original_values, *data->values);
        },
        [=] {
          *data = {};
          device.release_scratch();
        });
  }
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// Least significant digit first, 11 bits, plain stores: what a good programmer writes on a quiet afternoon.
void plain_radix_sort(std::vector<Pair>& pairs, std::vector<Pair>& other) {
  for (const unsigned shift : {0u, 11u, 22u}) {
    std::array<std::size_t, 2048> place{};
    for (const Pair& pair : pairs) ++place[pair.first >> shift & 2047];
    std::size_t sum = 0;
    for (std::size_t& count : place) sum += std::exchange(count, sum);
    for (const Pair& pair : pairs) other[place[pair.first >> shift & 2047]++] = pair;
    pairs.swap(other);
  }
}

void add_sort_peers(std::uint64_t size) {
  struct Data {
    std::vector<Pair> original, pairs, other;
  };
  auto data = std::make_shared<Data>();
  const auto prepare = [=] {
    if (data->original.empty()) {
      const auto keys = random_words(size, 1), values = random_words(size, 2);
      for (std::uint64_t i = 0; i < size; ++i) data->original.emplace_back(keys[i], values[i]);
      data->other.resize(size);
    }
    data->pairs = data->original;
  };
  const Work work{.items = static_cast<double>(size)};
  const auto by_key = [](const Pair& a, const Pair& b) { return a.first < b.first; };
  add_peer(
      "std::sort/u32+u32/" + size_name(size), work, [=] { std::sort(data->pairs.begin(), data->pairs.end(), by_key); },
      prepare, [=] { *data = {}; });
#if GENOCL_BENCH_TBB
  add_peer(
      "std::sort(par)/u32+u32/" + size_name(size), work,
      [=] { std::sort(std::execution::par, data->pairs.begin(), data->pairs.end(), by_key); }, prepare,
      [=] { *data = {}; });
#endif
  add_peer(
      "plain radix sort/u32+u32/" + size_name(size), work, [=] { plain_radix_sort(data->pairs, data->other); }, prepare,
      [=] { *data = {}; });
}

}  // namespace

void add_sorts(const Setting& setting) {
  for (const unsigned bits : {20u, 22u, 24u, 28u}) {
    const std::uint64_t size = std::uint64_t{1} << bits;
    add_sort<std::uint32_t>(setting, size, false, false);
    add_sort<std::uint32_t>(setting, size, true, false);
    add_sort<std::uint64_t>(setting, size, true, false);
    add_sort<std::uint32_t>(setting, size, true, true);
    if (bits <= 24) add_sort_peers(size);
  }
  for (const std::uint32_t longest : {4u, 32u, 256u, 4096u})
    add_segmented_sort(setting, std::uint64_t{1} << 24, longest);
}

}  // namespace genocl_bench
