// Patterns in a suffix index: overlap/find/<text>/<length>/<variant>. 10^7 patterns (10^6 on a CPU) are on the device
// and how often they occur stays there; half are words of the text, half have one letter changed. Items are patterns.
//
//   overlap/find-all/...  the same from strings in host memory to counts there
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bench/bench.hpp"
#include "bench/data.hpp"
#include "bench/overlap/drawn_genome.hpp"
#include "genocl/overlap/suffix_index.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
using genocl::Device;
using namespace genocl::overlap;

struct Searched {
  std::optional<SuffixIndex> index;
  std::string words;
  std::vector<std::string_view> patterns;
  std::optional<Patterns> packed;
  Array<std::uint32_t> first, counts;

  void make(const Device& device, std::uint64_t size, std::size_t length, std::size_t count) {
    if (index) return;
    const std::vector<std::uint8_t> genome = drawn_genome(size);
    words.resize(count * length);
    Drawn drawn(5);
    for (std::size_t p = 0; p < count; ++p) {
      const std::uint64_t place = (std::uint64_t{drawn()} << 32 | drawn()) % (size - length);
      std::copy_n(genome.begin() + static_cast<std::ptrdiff_t>(place), length,
                  words.begin() + static_cast<std::ptrdiff_t>(p * length));
      if (p % 2 == 1) words[p * length + drawn() % length] = "ACGT"[drawn() >> 30];
      patterns.push_back(std::string_view(words).substr(p * length, length));
    }
    const std::span<const std::uint8_t> record = genome;
    index.emplace(SuffixArray(Text::separated(device, std::span(&record, 1))));
    packed.emplace(index->suffixes().text(), patterns);
    first = Array<std::uint32_t>(device, count);
    counts = Array<std::uint32_t>(device, count);
  }
};

}  // namespace

void add_overlap_find(const Setting& setting) {
  const bool cpu = setting.device().info().type == genocl::DeviceType::cpu;
  const std::size_t count = cpu ? 1'000'000 : 10'000'000;
  std::vector<std::uint64_t> sizes = {std::uint64_t{1} << 24};
  if (!cpu) sizes = {std::uint64_t{1} << 24, 3'100'000'000};
  for (const std::uint64_t size : sizes)
    for (const std::size_t length : {std::size_t{32}, std::size_t{100}})
      for (const Variant& variant : setting.variants) {
        const Device& device = variant.device;
        if (!fits(device, 8 * size, 21 * size) || (size > std::uint64_t{1} << 30 && &variant != &setting.variants[0]))
          continue;
        const auto data = std::make_shared<Searched>();
        const std::string name = letters_name(size) + "/" + std::to_string(length) + "/" + variant.name;
        const auto prepare = [=] { data->make(device, size, length, count); };
        const auto release = [=] {
          *data = {};
          device.release_scratch();
        };
        const Work work{.items = static_cast<double>(count)};
        add_benchmark(
            "overlap/find/" + name, setting, device, work,
            [=] { data->index->find(*data->packed, data->first, data->counts); }, prepare, release);
        add_benchmark(
            "overlap/find-all/" + name, setting, device, work, [=] { data->index->count(data->patterns); }, prepare,
            release);
      }
}

}  // namespace genocl_bench
