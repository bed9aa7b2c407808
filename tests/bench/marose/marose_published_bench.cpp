// The published methods of MAROSE: look-ups (Figure 8 of the paper), candidates of reads (its Table II), and building.
//
// The paper: Tran, Giraud, Varre, "Perfect hashing structures for parallel similarity searches", 2015. The heights of
// the bars of its Figure 8 and the size of its text were not to be had. What can be said of its GTX 480: 177 GB/s are
// 5.5 G sectors of 32 bytes a second, so no more than 1.4 G perfect hashes (three vertices and a word each) from
// memory, and 88 G neighbourhoods of 16 bits; and perfect hashing was up to ten times as fast as binary search.
//
// Figure 8, seeds of 4, M patterns a second on an H200 (4 Mb of random text; a pattern stands for 1, 3 n + 1 or
// 9 n (n - 1) / 2 + 3 n + 1 words):
//
//             ln = 4, e = 0     1     2    ln = 8     0     1     2   ln = 16     0     1     2
//   list               166   118    96            281   223   132            149   135   141
//   binary           5,440   569   120          9,600 1,270   140         11,300 1,180    75
//   phf             23,800 2,690   614         32,200 1,820   221         37,500 1,120    69
//
// Table I of the paper: 10 million reads of 40 bases with 3 substitutions against a human genome in 2 h 41 min (1.0 k
// reads/s), of which 5,715 were not mapped. Table II: 460,544 of them against chromosome 10 in 21.3 s on a Titan (21.6
// k reads/s; bwa -o 0, 1, 2 on 8 threads 24.7, 74.3, 97.2 s). Seeds ######-##, neighbourhoods of 7, a pattern at every
// base: 1,100 words a read with one error, 10,550 with two. M reads a second on an H200, from packed reads to
// candidates and to hits (every one of them; no read unmapped):
//
//            150 Mb: candidates, e = 1     2    hits, e = 1    3.1 Gb: candidates, e = 1    hits
//   list                           6.9   3.9            6.1                         0.31    0.29
//   binary                         8.9   2.1            7.8
//   phf                           12.8   2.0           10.6                          2.1     1.3
//   bitmap                        24.0   3.9           17.3                          3.8     1.8
//
// Tables of 150 Mb take 7 ms (list), 9 (binary), 285 (phf), 11 (bitmap); of 3.1 Gb 0.2 s, phf 1.5 s.
#include <algorithm>
#include <memory>

#include "bench/bench.hpp"
#include "genocl/error.hpp"
#include "genocl/sequence.hpp"
#include "marose/device_state.hpp"
#include "marose/published/published.hpp"

namespace genocl_bench {
namespace {

using namespace genocl::marose;
using genocl::Code;

constexpr unsigned read_length = 40;

std::vector<Code> random_codes(std::uint64_t bases) {
  std::vector<Code> codes(bases);
  const auto words = random_words(bases / 16 + 1, 11);
  for (std::uint64_t i = 0; i < bases; ++i) codes[i] = static_cast<Code>(words[i / 16] >> 2 * (i % 16) & 3);
  return codes;
}

// A random text, made when it is first asked for, at two bits a base.
class Text {
 public:
  explicit Text(std::uint64_t bases) : bases_(bases) {}
  std::uint64_t bases() const { return bases_; }
  const genocl::PackedDna& packed() {
    if (!packed_) packed_ = std::make_unique<genocl::PackedDna>(random_codes(bases_));
    return *packed_;
  }

  // Reads from anywhere, each with 3 substitutions, every other one reversed.
  genocl::SequenceSet reads(std::uint32_t count) {
    const auto random = random_words(std::uint64_t{5} * count, 12);
    std::vector<Code> codes(read_length), reversed(read_length);
    genocl::SequenceSet reads;
    for (std::uint32_t r = 0; r < count; ++r) {
      const std::uint32_t* word = random.data() + std::size_t{5} * r;
      packed().unpack(word[0] % (bases_ - read_length), codes);
      for (unsigned i = 1; i <= 3; ++i) {
        Code& base = codes[(word[i] % (read_length / 3)) + (i - 1) * (read_length / 3)];
        base = static_cast<Code>((base + 1 + (word[i] >> 16) % 3) % 4);
      }
      if (r % 2 != 0) {
        genocl::dna::reverse_complement(codes, reversed);
        codes.swap(reversed);
      }
      reads.append("", codes);
    }
    return reads;
  }

 private:
  std::uint64_t bases_;
  std::unique_ptr<genocl::PackedDna> packed_;
};

struct Shape {
  Method method;
  std::string mask;
  unsigned neighbourhood, errors;

  unsigned span() const { return static_cast<unsigned>(mask.size()) + neighbourhood; }
  unsigned places() const { return read_length - span() + 1; }
  double words() const {
    const double n = neighbourhood;
    return 1 + (errors > 0 ? 3 * n : 0) + (errors > 1 ? 9 * n * (n - 1) / 2 : 0);
  }
};

struct Data {
  DeviceSegment segment;
  ReadBatch batch;
  PlanTable plans;

  void make_index(const genocl::Device& device, Text& text, const Shape& shape) {
    segment.reference = upload_reference(device, text.packed(), {0, text.bases(), {0, text.bases()}});
    segment.method = shape.method;
    segment.mask = SeedMask(shape.mask);
    segment.neighbourhood = shape.neighbourhood;
    segment.tables = build_published(device, segment.reference, segment.mask, shape.neighbourhood, shape.method);
  }

  void make(const genocl::Device& device, Text& text, const Shape& shape, std::uint32_t reads) {
    make_index(device, text, shape);
    Plan plan;
    plan.length = read_length;
    plan.errors = 3;
    plan.method = shape.method;
    plan.mask = segment.mask;
    plan.neighbourhood = shape.neighbourhood;
    plan.neighbourhood_errors = shape.errors;
    for (unsigned offset = 0; offset < shape.places(); ++offset)
      plan.places.push_back({offset, offset, offset + shape.span(), shape.errors});
    plans = make_plan_table(device, std::span(&plan, 1));
    std::vector<std::uint32_t> which(reads);
    for (std::uint32_t i = 0; i < reads; ++i) which[i] = i;
    batch = pack_reads(device, text.reads(reads), which, std::vector<std::uint32_t>(reads, 0));
    device.release_scratch();
  }
};

std::string millions(std::uint64_t bases) { return std::to_string(bases / 1'000'000) + " Mb"; }

// What a call may compare and look up, so that it takes some milliseconds.
struct Budget {
  double entries, words, reads;
};

void add_figure8(const Setting& setting, const Shape& shape, const std::shared_ptr<Text>& text, const Budget& budget) {
  const genocl::Device& device = setting.device();
  const double per_read = 2.0 * shape.places();
  const double block = static_cast<double>(text->bases()) / 256;
  const double look_ups = shape.method == Method::list ? budget.entries / block : budget.words / shape.words();
  const auto reads = static_cast<std::uint32_t>(std::max(16.0, look_ups / per_read));
  auto data = std::make_shared<Data>();
  add_benchmark(
      "marose/figure8/" + std::string(to_string(shape.method)) + "/ls4-ln" + std::to_string(shape.neighbourhood) +
          "/e" + std::to_string(shape.errors) + "/" + millions(text->bases()),
      setting, device, {.items = reads * per_read},
      [=] { count_candidates_published(device, data->segment, data->batch, data->plans, both_strands); },
      [=] {
        if (data->segment.tables.empty()) data->make(device, *text, shape, reads);
      },
      [=] {
        *data = {};
        device.release_scratch();
      });
}

void add_table2(const Setting& setting, const Shape& shape, const std::shared_ptr<Text>& text, std::uint32_t reads) {
  const genocl::Device& device = setting.device();
  auto data = std::make_shared<Data>();
  add_benchmark(
      "marose/table2/" + std::string(to_string(shape.method)) + "/######-##+7/e" + std::to_string(shape.errors) + "/" +
          millions(text->bases()),
      setting, device, {.items = static_cast<double>(reads)},
      [=] { find_candidates_published(device, data->segment, data->batch, data->plans, both_strands); },
      [=] {
        if (data->segment.tables.empty()) data->make(device, *text, shape, reads);
      },
      [=] {
        *data = {};
        device.release_scratch();
      });
}

// Throws when a read has no hit: by enumeration of all 9,880 placements of 3 substitutions the paper's setting misses
// none.
void check_mapped(const Data& data, const DeviceHits& hits) {
  std::vector<std::uint64_t> keys(hits.count);
  hits.keys.download(std::span(keys));
  std::uint64_t mapped = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) mapped += i == 0 || keys[i] >> 33 != keys[i - 1] >> 33 ? 1 : 0;
  if (mapped != data.batch.count)
    throw genocl::Error(std::to_string(data.batch.count - mapped) + " reads were not mapped");
}

// From packed reads to hits, all of them, as Tables I and II have it.
void add_mapping(const Setting& setting, const std::string& name, const Shape& shape, const std::shared_ptr<Text>& text,
                 std::uint32_t reads) {
  const genocl::Device& device = setting.device();
  auto data = std::make_shared<Data>();
  const auto map = [=] {
    return resolve(device, data->segment, data->batch, data->plans,
                   find(device, data->segment, data->batch, data->plans, both_strands));
  };
  add_benchmark(
      "marose/" + name + ", mapped/" + std::string(to_string(shape.method)) + "/######-##+7/e" +
          std::to_string(shape.errors) + "/" + millions(text->bases()),
      setting, device, {.items = static_cast<double>(reads)}, [=] { map(); },
      [=] {
        if (!data->segment.tables.empty()) return;
        data->make(device, *text, shape, reads);
        check_mapped(*data, map());
      },
      [=] {
        *data = {};
        device.release_scratch();
      });
}

void add_build(const Setting& setting, const Shape& shape, const std::shared_ptr<Text>& text) {
  const genocl::Device& device = setting.device();
  auto data = std::make_shared<Data>();
  add_benchmark(
      "marose/build/" + std::string(to_string(shape.method)) + "/" + shape.mask + "+" +
          std::to_string(shape.neighbourhood) + "/" + millions(text->bases()),
      setting, device, {.items = static_cast<double>(text->bases())},
      [=] { build_published(device, data->segment.reference, data->segment.mask, shape.neighbourhood, shape.method); },
      [=] {
        if (data->segment.tables.empty()) data->make_index(device, *text, shape);
      },
      [=] {
        *data = {};
        device.release_scratch();
      });
}

}  // namespace

void add_marose_published(const Setting& setting) {
  const bool cpu = setting.device().info().type == genocl::DeviceType::cpu;
  const Budget budget = cpu ? Budget{2e8, 5e5, 2000} : Budget{1e11, 1e8, 100'000};
  const std::vector<std::uint64_t> sizes =
      cpu ? std::vector<std::uint64_t>{4'000'000} : std::vector<std::uint64_t>{4'000'000, 100'000'000};
  for (const std::uint64_t size : sizes) {
    auto text = std::make_shared<Text>(size);
    for (const unsigned neighbourhood : {4u, 8u, 16u})
      for (const Method method : {Method::list, Method::binary, Method::phf_published, Method::phf})
        for (const unsigned errors : {0u, 1u, 2u})
          add_figure8(setting, {method, "####", neighbourhood, errors}, text, budget);
  }
  auto text = std::make_shared<Text>(cpu ? 5'000'000 : 150'000'000);
  for (const Method method : {Method::list, Method::binary, Method::phf_published, Method::phf, Method::bitmap}) {
    for (const unsigned errors : {1u, 2u})
      add_table2(setting, {method, "######-##", 7, errors}, text, static_cast<std::uint32_t>(budget.reads));
    add_mapping(setting, "table2", {method, "######-##", 7, 1}, text, static_cast<std::uint32_t>(budget.reads));
    add_build(setting, {method, "######-##", 7, 0}, text);
  }
  add_build(setting, {Method::offset, "######-##", 0, 0}, text);

  // A human genome's size.
  constexpr std::uint64_t human = 3'100'000'000;
  if (!fits(setting.device(), 5 * human, 40 * human)) return;
  auto large = std::make_shared<Text>(human);
  for (const Method method : {Method::list, Method::phf, Method::bitmap}) {
    const auto reads = static_cast<std::uint32_t>(budget.reads);
    add_table2(setting, {method, "######-##", 7, 1}, large, reads);
    add_mapping(setting, "table1", {method, "######-##", 7, 1}, large, reads);
    add_build(setting, {method, "######-##", 7, 0}, large);
  }
}

}  // namespace genocl_bench
