// Mapping by an index of k-mers through the library's own calls, reads and hits in host memory: what a genome with
// repeats costs. Half of the text are copies of 300 templates, each base in 16 of them another; reads of 150 bases have
// one substitution in a hundred.
#include <algorithm>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/bench.hpp"
#include "bench/marose/drawn_text.hpp"
#include "genocl/marose.hpp"

namespace genocl_bench {
namespace {

using namespace genocl::marose;
using genocl::Code;
using genocl::Device;
using genocl::SequenceSet;

constexpr std::uint64_t read_bases = 150;

struct Job {
  std::string name;
  std::uint64_t bases = 0, reads = 0;
};

struct Data {
  SequenceSet text, reads;
  std::vector<std::uint64_t> places;
  std::unique_ptr<Index> index;
  std::unique_ptr<Mapper> mapper;

  void make(const Job& job) {
    if (!text.empty()) return;
    const std::span<Code> codes = text.extend("text", {}, job.bases / 32 * 32).codes;
    for (std::uint64_t word = 0; word < codes.size() / 32; ++word) {
      const std::uint64_t bases = text_word(word, 512);
      for (unsigned i = 0; i < 32; ++i) codes[32 * word + i] = static_cast<Code>(bases >> (62 - 2 * i) & 3);
    }
    std::uint64_t random = 1;
    const auto next = [&](std::uint64_t bound) {
      random = hashed(random);
      return (random >> 32) * bound >> 32;
    };
    for (std::uint64_t r = 0; r < job.reads; ++r) {
      places.push_back(next(codes.size() - read_bases + 1));
      const std::span<Code> read = reads.extend("r", {}, read_bases).codes;
      std::ranges::copy(text[0].subspan(places.back(), read_bases), read.begin());
      for (Code& code : read)
        if (next(100) == 0) code = static_cast<Code>((code + 1 + next(3)) % 4);
    }
  }

  // Reads that lie in one best place lie where they were taken from.
  void check(const std::string& name) const {
    const Hits hits = mapper->map(reads);
    std::uint64_t sure = 0, wrong = 0;
    for (std::size_t r = 0; r < places.size(); ++r) {
      if (hits.reads[r].mapping_quality() < 20) continue;
      ++sure;
      const std::uint64_t there = hits.of(r).front().position;
      wrong += there + read_bases < places[r] || there > places[r] + read_bases;
    }
    if (sure < places.size() / 2 || wrong > 1 + sure / 10'000)
      throw std::runtime_error(name + ": " + std::to_string(wrong) + " of " + std::to_string(sure) +
                               " in wrong places");
    std::cerr << name << ": " << sure << " of " << places.size() << " reads sure, " << wrong << " of them wrong\n";
  }
};

void add_job(const Setting& setting, const Job& job) {
  const Device& device = setting.device();
  if (!fits(device, 4 * job.bases, 24 * job.bases)) return;
  auto data = std::make_shared<Data>();
  const auto release = [=] { data->mapper.reset(), data->index.reset(), device.release_scratch(); };
  add_benchmark(
      "marose/kmers/index/" + job.name, setting, device, {.items = static_cast<double>(job.bases), .per_cpu = true},
      [=] { data->index = std::make_unique<Index>(Index::build(device, data->text)); },
      [=] {
        data->index.reset();
        data->make(job);
      },
      release);
  const auto add_map = [&](const std::string& what, const Report& report) {
    const std::string name = "marose/kmers/" + what + "/" + job.name;
    add_benchmark(
        name, setting, device, {.items = static_cast<double>(job.reads), .per_cpu = true},
        [=] { data->mapper->map(data->reads); },
        [=] {
          if (data->mapper) return;
          data->make(job);
          data->index = std::make_unique<Index>(Index::build(device, data->text));
          data->mapper = std::make_unique<Mapper>(device, *data->index,
                                                  MapOptions{.errors = {.count = 0, .share = 0.05}, .report = report});
          data->check(name);
        },
        release);
  };
  add_map("best", Report::best());
  add_map("all", Report::all());
}

}  // namespace

void add_marose_kmers(const Setting& setting) {
  const bool gpu = setting.device().info().type == genocl::DeviceType::gpu;
  add_job(setting, {"60 Mb", 60'000'000, gpu ? 1'000'000u : 50'000u});
  if (gpu) add_job(setting, {"1 Gb", 1'000'000'000, 4'000'000});
}

}  // namespace genocl_bench
