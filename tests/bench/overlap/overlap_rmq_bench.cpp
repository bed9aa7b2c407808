// Range minima and longest common prefixes.
//
//   overlap/rmq/<structure>/<values>        random queries on random values, all on the device; queries per second
//   overlap/rmq/<structure>/<values>/<ranges>, ranges medium and small: lengths drawn log-normally about n^0.6 and n^0.3
//                                           (deviation 0.3), as RTXRMQ (Meneses et al. 2024) and its successors draw them
//   overlap/rmq-build/<structure>/<values>  the structure alone; values per second
//   overlap/lcp/<text>                      from a suffix array on the device; symbols per second
//   overlap/lcp-kasai/<text>                the same by LcpMethod::kasai
//
// Peers, one core: a sparse table, and Kasai's algorithm.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "bench/bench.hpp"
#include "bench/data.hpp"
#include "genocl/overlap/lcp.hpp"
#include "genocl/overlap/rmq.hpp"
#include "reference/overlap/range_minimum.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
using genocl::Device;
using namespace genocl::overlap;

constexpr RmqStructure structures[] = {RmqStructure::block, RmqStructure::sparse, RmqStructure::bv1};

enum class Ranges { large, medium, small };

std::vector<RangeQuery> random_queries(std::uint64_t values, std::uint64_t count, Ranges ranges = Ranges::large) {
  const std::vector<std::uint32_t> ends = random_words(2 * count, 5);
  std::vector<RangeQuery> queries(count);
  if (ranges == Ranges::large) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto a = static_cast<std::uint32_t>(ends[2 * i] % values);
      const auto b = static_cast<std::uint32_t>(ends[2 * i + 1] % values);
      queries[i] = {std::min(a, b), std::max(a, b)};
    }
    return queries;
  }
  // A million lengths are drawn; each query has one of them.
  std::mt19937 random(6);
  const double middle = std::log(static_cast<double>(values)) * (ranges == Ranges::medium ? 0.6 : 0.3);
  std::lognormal_distribution<double> draw(middle, 0.3);
  std::vector<std::uint32_t> lengths(std::size_t{1} << 20);
  for (std::uint32_t& length : lengths)
    length = static_cast<std::uint32_t>(std::clamp(draw(random), 1.0, static_cast<double>(values)));
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t length = lengths[ends[2 * i] % lengths.size()];
    const auto first = static_cast<std::uint32_t>(ends[2 * i + 1] % (values - length + 1));
    queries[i] = {first, first + length - 1};
  }
  return queries;
}

// Made when a benchmark runs, and gone after it.
struct MinimaData {
  std::unique_ptr<Array<std::uint32_t>> values;
  std::unique_ptr<Array<RangeQuery>> queries;
  std::unique_ptr<Array<RangeMinimum>> answers;
  std::unique_ptr<Rmq> rmq;

  void make(const Device& device, std::uint64_t size, std::uint64_t count, RmqStructure structure,
            Ranges ranges = Ranges::large) {
    if (values) return;
    values = std::make_unique<Array<std::uint32_t>>(device, random_words(size, 4));
    if (count == 0) return;
    queries = std::make_unique<Array<RangeQuery>>(device, random_queries(size, count, ranges));
    answers = std::make_unique<Array<RangeMinimum>>(device, count);
    rmq = std::make_unique<Rmq>(device, *values, structure);
  }
};

void add_minima(const Setting& setting, const Variant& variant, std::uint64_t size, std::uint64_t count) {
  const Device& device = variant.device;
  for (const RmqStructure structure : structures) {
    // By what each takes of a value: block 2.3 bytes, sparse up to 92, bv1 40 while it is made.
    const std::uint64_t bytes = structure == RmqStructure::block ? 8 : structure == RmqStructure::sparse ? 100 : 48;
    if (!fits(device, 8 * count, 16 * count + bytes * size)) continue;
    const auto data = std::make_shared<MinimaData>();
    const auto release = [=] {
      *data = {};
      device.release_scratch();
    };
    const std::string suffix = std::string(to_string(structure)) + "/" + size_name(size) + "/" + variant.name;
    add_benchmark(
        "overlap/rmq/" + suffix, setting, device, {.items = static_cast<double>(count)},
        [=] { data->rmq->minima(*data->queries, *data->answers); }, [=] { data->make(device, size, count, structure); },
        release);
    add_benchmark(
        "overlap/rmq-build/" + suffix, setting, device, {.items = static_cast<double>(size)},
        [=] { Rmq(device, *data->values, structure); }, [=] { data->make(device, size, 0, structure); }, release);
  }
}

void add_lengths(const Setting& setting, const Variant& variant, std::uint64_t size, std::uint64_t count) {
  const Device& device = variant.device;
  for (const RmqStructure structure : {RmqStructure::block, RmqStructure::sparse})
    for (const Ranges ranges : {Ranges::medium, Ranges::small}) {
      const std::uint64_t bytes = structure == RmqStructure::sparse ? 100 * size : 8 * size;
      if (!fits(device, 8 * count, 16 * count + bytes)) continue;
      const auto data = std::make_shared<MinimaData>();
      add_benchmark(
          "overlap/rmq/" + std::string(to_string(structure)) + "/" + size_name(size) + "/" +
              (ranges == Ranges::medium ? "medium" : "small") + "/" + variant.name,
          setting, device, {.items = static_cast<double>(count)},
          [=] { data->rmq->minima(*data->queries, *data->answers); },
          [=] { data->make(device, size, count, structure, ranges); },
          [=] {
            *data = {};
            device.release_scratch();
          });
    }
}

void add_minima_peer(std::uint64_t size) {
  constexpr std::uint64_t count = 1 << 20;
  struct Data {
    std::vector<std::uint32_t> values;
    std::vector<RangeQuery> queries;
    std::optional<genocl_reference::RangeMinima> minima;
  };
  const auto data = std::make_shared<Data>();
  add_peer(
      "overlap/rmq/sparse-table/" + size_name(size), {.items = static_cast<double>(count)},
      [=] {
        std::uint64_t sum = 0;
        for (const RangeQuery& query : data->queries) sum += (*data->minima)(query.first, query.last);
        benchmark::DoNotOptimize(sum);
      },
      [=] {
        if (data->minima) return;
        data->values = random_words(size, 4);
        data->queries = random_queries(size, count);
        data->minima.emplace(data->values);
      },
      [=] { *data = {}; });
}

using Bytes = std::vector<std::uint8_t>;

Bytes random_bases(std::uint64_t size) {
  Bytes text(size);
  const std::vector<std::uint32_t> words = random_words(size, 6);
  for (std::uint64_t i = 0; i < size; ++i) text[i] = static_cast<std::uint8_t>("ACGT"[words[i] % 4]);
  return text;
}

/// Copies of one genome of 30,000 bases with a change in every thousand.
Bytes near_copies(std::uint64_t size) {
  constexpr std::uint64_t genome = 30'000;
  const Bytes one = random_bases(genome);
  Bytes text(size);
  const std::vector<std::uint32_t> words = random_words(size, 7);
  for (std::uint64_t i = 0; i < size; ++i)
    text[i] = words[i] % 1000 == 0 ? static_cast<std::uint8_t>("ACGT"[words[i] >> 30]) : one[i % genome];
  return text;
}

Bytes ecoli(std::uint64_t size) {
  const genocl::SequenceSet records = bench_text(size);
  Bytes text;
  for (const genocl::Code code : records.codes()) text.push_back(static_cast<std::uint8_t>("ACGT"[code & 3]));
  return text;
}

struct TextCase {
  std::string name;
  std::uint64_t size = 0;
  Bytes (*make)(std::uint64_t) = nullptr;
};

void add_prefixes(const Setting& setting, const Variant& variant, const TextCase& c, LcpMethod method) {
  const Device& device = variant.device;
  const auto suffixes = std::make_shared<std::unique_ptr<SuffixArray>>();
  add_benchmark((method == LcpMethod::kasai ? "overlap/lcp-kasai/" : "overlap/lcp/") + c.name + "/" + variant.name,
                setting, device, {.items = static_cast<double>(c.size)},
                [=] { benchmark::DoNotOptimize(Lcp(**suffixes, method).size()); },
                [=] {
                  if (!*suffixes) *suffixes = std::make_unique<SuffixArray>(device, c.make(c.size));
                },
                [=] {
                  suffixes->reset();
                  device.release_scratch();
                });
}

/// Kasai et al. 2001.
std::vector<std::uint32_t> kasai(const Bytes& text, const std::vector<std::uint32_t>& positions) {
  std::vector<std::uint32_t> ranks(text.size()), values(text.size());
  for (std::uint32_t rank = 0; rank < positions.size(); ++rank) ranks[positions[rank]] = rank;
  std::size_t length = 0;
  for (std::size_t i = 0; i<text.size(); ++i, length -= length> 0 ? 1 : 0) {
    if (ranks[i] == 0) {
      length = 0;
      continue;
    }
    const std::size_t j = positions[ranks[i] - 1];
    while (std::max(i, j) + length < text.size() && text[i + length] == text[j + length]) ++length;
    values[ranks[i]] = static_cast<std::uint32_t>(length);
  }
  return values;
}

void add_prefixes_peer(const Setting& setting, const TextCase& c) {
  struct Data {
    Bytes text;
    std::vector<std::uint32_t> positions;
  };
  const auto data = std::make_shared<Data>();
  const Device device = setting.device();
  add_peer(
      "overlap/lcp/kasai/" + c.name, {.items = static_cast<double>(c.size)},
      [=] { benchmark::DoNotOptimize(kasai(data->text, data->positions)); },
      [=] {
        if (!data->text.empty()) return;
        data->text = c.make(c.size);
        data->positions = SuffixArray(device, data->text).download();
      },
      [=] { *data = {}; });
}

}  // namespace

void add_overlap_rmq(const Setting& setting) {
  const bool cpu = setting.device().info().type == genocl::DeviceType::cpu;
  const std::uint64_t count = cpu ? std::uint64_t{1} << 22 : 100'000'000;
  for (const unsigned bits : {20u, 24u, 28u, 31u}) {
    const std::uint64_t size = std::uint64_t{1} << bits;
    if (cpu && bits > 24) break;
    for (const Variant& variant : setting.variants) {
      add_minima(setting, variant, size, count);
      add_lengths(setting, variant, size, count);
    }
    if (bits <= 24) add_minima_peer(size);
  }
  const auto equal = [](std::uint64_t size) { return Bytes(size, 'A'); };
  std::vector<TextCase> texts = {{"random-2^24", std::uint64_t{1} << 24, random_bases},
                                 {"ecoli", ecoli_size, ecoli},
                                 {"copies-2^24", std::uint64_t{1} << 24, near_copies},
                                 {"equal-2^24", std::uint64_t{1} << 24, equal}};
  if (!cpu) texts.push_back({"random-2^28", std::uint64_t{1} << 28, random_bases});
  for (const TextCase& c : texts) {
    if (!fits(setting.device(), 4 * c.size, 24 * c.size)) continue;
    for (const Variant& variant : setting.variants)
      for (const LcpMethod method : {LcpMethod::irreducible, LcpMethod::kasai}) {
        // There each stretch compares the whole text again.
        if (method == LcpMethod::kasai && c.name == "equal-2^24") continue;
        add_prefixes(setting, variant, c, method);
      }
    if (c.size <= std::uint64_t{1} << 24) add_prefixes_peer(setting, c);
  }
}

}  // namespace genocl_bench
