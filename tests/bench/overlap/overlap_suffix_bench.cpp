// Suffix arrays, MB of text per second as items: overlap/suffix/<algorithm>/<text>/<columns>/<variant>.
//
//   with copies   text on the host (pinned) -> array on the host (pinned), packing included
//   on device     text and array on the device
//
//   overlap/bwt/<text>/<variant>    text on the host (pinned) -> transform there, by hybrid
//   overlap/unbwt/<text>/<variant>  back: transform on the host -> text there
//
// At the paper's sizes (Zhong et al., Table V, whose unit is very probably the millisecond) its times stand next to
// ours:
//
//   genocl-bench --benchmark_filter=overlap/suffix/.*/paper
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bench/bench.hpp"
#include "bench/overlap/suffix_texts.hpp"
#include "genocl/overlap/suffix_array.hpp"
#ifdef GENOCL_BENCH_DIVSUFSORT
#include <divsufsort.h>
#endif

namespace genocl_bench {
namespace {

using genocl::Device;
namespace overlap = genocl::overlap;

/// Of the benchmark that runs.
struct Data {
  genocl::HostArray<std::uint8_t> bytes;
  genocl::HostArray<std::uint32_t> positions;
  std::optional<overlap::Text> text;
  std::optional<overlap::SuffixArray> suffixes;

  void make(const Device& device, const Source& source, const overlap::SuffixArrayOptions& options) {
    if (suffixes) return;
    const Bytes made = source.make();
    bytes = genocl::HostArray<std::uint8_t>(device, made.size());
    std::memcpy(bytes.data(), made.data(), made.size());
    positions = genocl::HostArray<std::uint32_t>(device, made.size());
    text.emplace(device, made);
    suffixes.emplace(*text, options);
  }
};

void add_transforms(const Setting& setting, const Source& source) {
  for (const Variant& variant : setting.variants) {
    const Device& device = variant.device;
    if (source.paper_gpu != 0 || source.name.starts_with("paper") || !fits(device, 8 * source.size, 22 * source.size))
      continue;
    if (device.info().type == genocl::DeviceType::cpu && source.size > std::uint64_t{1} << 26) continue;
    struct Transformed : Data {
      genocl::HostArray<std::uint8_t> symbols;
      std::uint64_t primary = 0;
    };
    auto data = std::make_shared<Transformed>();
    const auto prepare = [=] {
      if (data->suffixes) return;
      data->make(device, source, {});
      data->symbols = genocl::HostArray<std::uint8_t>(device, source.size);
      data->primary = overlap::bwt(*data->suffixes, std::span(data->symbols.data(), data->symbols.size()));
    };
    const auto release = [=] {
      *data = {};
      device.release_scratch();
    };
    const Work work{.items = static_cast<double>(source.size)};
    const std::string name = source.name + "/" + variant.name;
    add_benchmark(
        "overlap/bwt/" + name, setting, device, work,
        [=] {
          const overlap::Text text(device, std::span<const std::uint8_t>(data->bytes.data(), data->bytes.size()));
          data->suffixes->rebuild(text);
          overlap::bwt(*data->suffixes, std::span(data->symbols.data(), data->symbols.size()));
        },
        prepare, release);
    add_benchmark(
        "overlap/unbwt/" + name, setting, device, work,
        [=] {
          const std::span<const std::uint8_t> symbols(data->symbols.data(), data->symbols.size());
          benchmark::DoNotOptimize(overlap::inverse_bwt(device, symbols, data->primary).size());
        },
        prepare, release);
  }
}

void add_text(const Setting& setting, const Source& source, overlap::Algorithm algorithm) {
  const overlap::SuffixArrayOptions options{.algorithm = algorithm};
  for (const Variant& variant : setting.variants) {
    const Device& device = variant.device;
    const bool published = algorithm == overlap::Algorithm::published;
    if (!fits(device, 8 * source.size, (published ? 23 : 21) * source.size)) continue;
    // What a CPU takes minutes for tells no more than the smaller ones.
    const unsigned max_bits = published ? 23 : 26;
    if (device.info().type == genocl::DeviceType::cpu && source.size > std::uint64_t{1} << max_bits) continue;
    const std::string name = "overlap/suffix/" + std::string(to_string(algorithm)) + "/" + source.name + "/";
    const Work work{.items = static_cast<double>(source.size)};
    auto data = std::make_shared<Data>();
    const auto release = [=] {
      *data = {};
      device.release_scratch();
    };
    const auto prepare = [=] { data->make(device, source, options); };
    add_benchmark(
        name + "with copies/" + variant.name, setting, device, work,
        [=] {
          const overlap::Text text(device, std::span<const std::uint8_t>(data->bytes.data(), data->bytes.size()));
          data->suffixes->rebuild(text, options);
          data->suffixes->positions().download(std::span(data->positions.data(), data->positions.size()));
        },
        prepare, release);
    add_benchmark(
        name + "on device/" + variant.name, setting, device, work,
        [=] { data->suffixes->rebuild(*data->text, options); }, prepare, release);
  }
  if (algorithm == overlap::Algorithm::hybrid) add_transforms(setting, source);
  if (algorithm != overlap::Algorithm::hybrid || source.paper_gpu == 0) return;
  // As a row of the same table: a second of "time" is the paper's.
  benchmark::RegisterBenchmark(("overlap/suffix/the paper/" + source.name + "/GPU").c_str(),
                               [source](benchmark::State& state) {
                                 for (auto iteration : state) {
                                   (void)iteration;
                                   state.SetIterationTime(source.paper_gpu * 1e-3);
                                 }
                                 state.counters["paper_cpu_ms"] = source.paper_cpu;
                                 state.counters["items_per_second"] =
                                     static_cast<double>(source.size) / (source.paper_gpu * 1e-3);
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1);
}

#ifdef GENOCL_BENCH_DIVSUFSORT
void add_divsufsort(const Source& source) {
  if (source.size > std::uint64_t{1} << 26) return;
  struct Host {
    Bytes text;
    std::vector<saidx_t> positions;
  };
  auto host = std::make_shared<Host>();
  add_peer(
      "libdivsufsort/" + source.name, {.items = static_cast<double>(source.size)},
      [=] { divsufsort(host->text.data(), host->positions.data(), static_cast<saidx_t>(host->text.size())); },
      [=] {
        if (!host->text.empty()) return;
        host->text = source.make();
        host->positions.resize(host->text.size());
      },
      [=] { *host = {}; });
}
#endif

}  // namespace

void add_overlap_suffix(const Setting& setting) {
  for (const Source& source : suffix_texts()) {
    add_text(setting, source, overlap::Algorithm::hybrid);
    add_text(setting, source, overlap::Algorithm::dc3);
    add_text(setting, source, overlap::Algorithm::published);
#ifdef GENOCL_BENCH_DIVSUFSORT
    add_divsufsort(source);
#endif
  }
}

}  // namespace genocl_bench
