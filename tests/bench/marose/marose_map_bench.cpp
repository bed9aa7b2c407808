// Mapping reads by `canonical`, and building its index. Reads lie on the device, all hits are written there, in order.
//
// What binds on an H200 are random sectors of 32 bytes, 42 G a second. Per read of 40 bases with 3 substitutions: at
// 150 Mb 8 look-ups of a record of one sector, 16% of them with more entries elsewhere, and 2.4 survivors of two to
// three sectors, of which those of the text are in the cache: 14 sectors, 3.0 G reads/s at most; at 3.1 Gb 12 records
// of four sectors side by side, 1.5 KB of 4.26 TB/s, and 3.2 survivors: 1.4 G. Measured 2.29 and 1.22 G with all hits
// in order; 0.49 G with 10% repeats, where some 30 survivors a read are what it takes.
#include <algorithm>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>

#include "bench/bench.hpp"
#include "bench/marose/drawn_text.hpp"
#include "genocl/marose/plan.hpp"
#include "marose/canonical.hpp"
#include "marose/device_state.hpp"

namespace genocl_bench {
namespace {

using namespace genocl::marose;
using genocl::Array;
using genocl::Device;

void on_all_threads(std::uint64_t count, const std::function<void(std::uint64_t, std::uint64_t)>& range) {
  const std::uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> running;
  for (std::uint64_t t = 0; t < threads; ++t)
    running.emplace_back(range, count * t / threads, count * (t + 1) / threads);
  for (std::thread& thread : running) thread.join();
}

struct Job {
  std::string name;
  std::uint64_t bases = 0;
  bool repeats = false;  ///< a tenth of the text are copies of 300 templates of 1,024 bases, one base in 16 replaced
  Plan plan;
  std::uint32_t reads = 0;
};

// Where a read was taken from.
struct Origin {
  std::uint32_t position, strand;
};

struct MapData {
  std::vector<std::uint64_t> text;  // as DeviceReference has it
  DeviceSegment segment;
  ReadBatch batch;
  PlanTable plans;
  std::vector<Origin> origins;

  void make_reference(const Device& device, const Job& job) {
    text.assign(job.bases / 32 + 5, 0);
    on_all_threads(job.bases / 32, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t word = first; word < last; ++word) text[1 + word] = text_word(word, job.repeats ? 102 : 0);
    });
    DeviceReference& reference = segment.reference;
    reference.length = static_cast<std::uint32_t>(job.bases / 32 * 32);
    reference.words = Array<std::uint64_t>(device, std::span<const std::uint64_t>(text));
    reference.special = Array<std::uint32_t>(device, std::vector<std::uint32_t>(job.bases / 256 / 32 + 2));
    reference.unknown_begin = Array<std::uint32_t>(device, std::vector<std::uint32_t>(1));
    reference.unknown_end = Array<std::uint32_t>(device, std::vector<std::uint32_t>(1));
    reference.contig_count = 1;
    reference.contig_begin = Array<std::uint32_t>(device, std::vector<std::uint32_t>{0, reference.length});
    segment.mask = job.plan.mask;
  }

  // 32 bases of the text.
  std::uint64_t window(std::uint64_t position) const {
    const std::uint64_t* word = text.data() + 1 + position / 32;
    const unsigned shift = 2 * (position % 32);
    return shift == 0 ? word[0] : word[0] << shift | word[1] >> (64 - shift);
  }

  void make_reads(const Device& device, const Job& job) {
    const unsigned length = job.plan.length, words = length <= 32 ? 1 : length <= 64 ? 2 : 4;
    std::vector<std::uint64_t> bases(std::size_t{2} * words * job.reads);
    origins.resize(job.reads);
    on_all_threads(job.reads, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t r = first; r < last; ++r) {
        std::uint64_t random = hashed(r << 32);
        const auto next = [&](std::uint64_t bound) {
          random = hashed(random);
          return (random >> 32) * bound >> 32;
        };
        const std::uint64_t position = next(segment.reference.length - length + 1);
        std::uint64_t* forward = bases.data() + 2 * words * r;
        std::uint64_t* reverse = forward + words;
        const bool turned = next(2) != 0;
        if (turned) std::swap(forward, reverse);
        for (unsigned w = 0; w < words; ++w) forward[w] = window(position + 32 * w);
        // Distinct positions, by trying again.
        std::uint64_t changed[4] = {};
        for (unsigned e = 0; e < job.plan.errors;) {
          const std::uint64_t at = next(length), bit = std::uint64_t{1} << (62 - 2 * (at % 32));
          if (changed[at / 32] & bit) continue;
          changed[at / 32] |= bit;
          forward[at / 32] ^= bit * (1 + next(3));
          ++e;
        }
        if (length % 32 != 0) forward[length / 32] &= ~std::uint64_t{0} << (64 - 2 * (length % 32));
        for (unsigned w = length / 32 + (length % 32 != 0); w < words; ++w) forward[w] = 0;
        for (unsigned i = 0; i < length; ++i) {
          const std::uint64_t base = 3 - (forward[i / 32] >> (62 - 2 * (i % 32)) & 3);
          reverse[(length - 1 - i) / 32] |= base << (62 - 2 * ((length - 1 - i) % 32));
        }
        origins[r] = {static_cast<std::uint32_t>(position), turned ? 1u : 0u};
      }
    });
    batch.count = job.reads;
    batch.words = words;
    batch.one_plan = true;
    batch.bases = Array<std::uint64_t>(device, std::span<const std::uint64_t>(bases));
    batch.unknown = Array<std::uint64_t>(device, 1);
    batch.plan = Array<std::uint32_t>(device, std::vector<std::uint32_t>(job.reads));
    plans = make_plan_table(device, std::span(&job.plan, 1));
  }

  Verified map(const Device& device) const {
    return device.family() == genocl::KernelFamily::cpu
               ? map_canonical_cpu(device, segment, batch, plans, both_strands)
               : map_canonical_gpu(device, segment, batch, plans, both_strands);
  }

  // Every read where it was taken from. (Levenshtein: on that very diagonal, as it has substitutions only.)
  void check(const Device& device, const std::string& name) const {
    const Verified found = map(device);
    std::vector<std::uint64_t> keys(found.count);
    found.keys.download(keys);
    std::uint64_t missing = 0;
    for (std::uint64_t r = 0; r < origins.size(); ++r) {
      const std::uint64_t key =
          r << 33 | std::uint64_t{origins[r].strand} << 32 | (std::uint64_t{origins[r].position} + diagonal_bias);
      missing += !std::binary_search(keys.begin(), keys.end(), key);
    }
    if (missing != 0 || !std::is_sorted(keys.begin(), keys.end()))
      throw std::runtime_error(name + ": " + std::to_string(missing) + " reads not found or hits not in order");
    std::cerr << name << ": " << static_cast<double>(found.count) / static_cast<double>(origins.size())
              << " hits a read, every read where it was taken from\n";
  }

  double bytes_per_base() const {
    double bytes = static_cast<double>(segment.reference.words.bytes());
    bytes += static_cast<double>(segment.buckets.bytes());
    for (const auto& [name, table] : segment.tables) bytes += static_cast<double>(table.bytes());
    return bytes / segment.reference.length;
  }
};

Plan plan_of(std::string_view mask, const std::vector<unsigned>& offsets) {
  Plan plan{.length = 40, .errors = 3, .model = Model::hamming, .mask = SeedMask(mask)};
  for (const unsigned offset : offsets) plan.places.push_back({offset, 0, 40, 3});
  return plan;
}

void add_job(const Setting& setting, const Job& job) {
  const Device& device = setting.device();
  // Text, tables, records of keys, and what building takes.
  if (!fits(device, 24 * job.bases / 3, 30 * job.bases + 100 * std::uint64_t{job.reads})) return;
  auto data = std::make_shared<MapData>();
  const auto release = [=] {
    *data = {};
    device.release_scratch();
  };
  add_benchmark(
      "marose/index/" + job.name, setting, device, {.items = static_cast<double>(job.bases)},
      [=] { data->segment.tables = build_canonical(device, data->segment.reference, job.plan.mask); },
      [=] {
        data->segment.tables.clear();
        if (data->text.empty()) data->make_reference(device, job);
      },
      release);
  add_benchmark(
      "marose/map/" + job.name, setting, device, {.items = static_cast<double>(job.reads)}, [=] { data->map(device); },
      [=] {
        if (!data->text.empty()) return;
        data->make_reference(device, job);
        data->segment.tables = build_canonical(device, data->segment.reference, job.plan.mask);
        device.release_scratch();
        if (job.plan.model == Model::hamming) add_buckets(device, data->segment, device.info().global_memory / 4);
        data->make_reads(device, job);
        std::cerr << "marose/map/" << job.name << ": " << data->bytes_per_base() << " bytes a base\n";
        data->check(device, "marose/map/" + job.name);
      },
      release);
}

}  // namespace

void add_marose_map(const Setting& setting) {
  const bool gpu = setting.device().info().type == genocl::DeviceType::gpu;
  const std::uint32_t few = 1u << 16, many = 1u << 25;
  const Plan weight12 = plan_of("####--####--####", {0, 2, 4, 20, 22, 24});
  const Plan weight13 = plan_of("###-###-#-###-###", {0, 1, 2, 3, 20, 21, 22, 23});
  const Plan weight14 = plan_of("##-##---#---##-##---#---##-##", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const auto levenshtein = [](unsigned length, unsigned errors, std::uint64_t bases) {
    return make_plan({.length = length, .errors = errors, .reference_bases = bases, .method = Method::canonical});
  };
  const std::uint64_t bacterium = 4'900'000, chromosome = 150'000'000, human = 3'100'000'000;
  // On a CPU, where an instruction costs more than a sector, four look-ups that are checked in pairs.
  const Plan bacterium_plan = gpu ? weight12
                                  : make_plan({.length = 40,
                                               .errors = 3,
                                               .model = Model::hamming,
                                               .reference_bases = bacterium,
                                               .method = Method::canonical});
  add_job(setting, {"4.9 Mb, Hamming 40/3", bacterium, false, bacterium_plan, gpu ? many : few});
  add_job(setting,
          {"4.9 Mb, Levenshtein 40/3", bacterium, false, levenshtein(40, 3, bacterium), gpu ? many / 16 : few});
  add_job(setting,
          {"4.9 Mb, Levenshtein 100/5", bacterium, false, levenshtein(100, 5, bacterium), gpu ? many / 16 : few});
  if (!gpu) return;
  add_job(setting, {"150 Mb, Hamming 40/3", chromosome, false, weight13, many});
  add_job(setting, {"3.1 Gb, Hamming 40/3", human, false, weight14, many});
  add_job(setting, {"3.1 Gb, 10% repeats, Hamming 40/3", human, true, weight14, many / 2});
  add_job(setting, {"3.1 Gb, Levenshtein 100/5", human, false, levenshtein(100, 5, human), many / 8});
}

}  // namespace genocl_bench
