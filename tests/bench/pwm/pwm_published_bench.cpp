// Figures 6, 7 and 8 and Table 1 of Giraud and Varre, "Parallel Position Weight Matrices Algorithms", each by one
// command, the paper's numbers as counters beside ours (paper_*):
//
//   genocl-bench --benchmark_filter=pwm/figure6   SCAN against the length of the matrix, one strand (pc/s)
//   genocl-bench --benchmark_filter=pwm/figure7   BUCKET SCORE DISTRIBUTION against length and slices (words/s)
//   genocl-bench --benchmark_filter=pwm/figure8   shares of matrices with an error of at most 10%
//   genocl-bench --benchmark_filter=pwm/table1    the speed of both
//
// The paper's own numbers are those that could be had: SCAN of 225 Mb by a matrix of 20 in 480 ms on a GTX 280, 21
// times its CPU's speed; m = 65, N = 4, B = 3600 in 18.5 s there, 1,426 s on the CPU; 83 of 101 matrices within 10%.
// The heights of the other bars are not known here.
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "pwm/scan.hpp"
#include "pwm_data.hpp"

namespace genocl_bench {
namespace {

using genocl::Device;
using namespace genocl::pwm;

constexpr double paper_scan_letters = 225e6, paper_scan_length = 20, paper_scan_seconds = 0.48, paper_scan_times = 21;
constexpr std::size_t paper_bucket_length = 65;
constexpr unsigned paper_bucket_slices = 4, paper_buckets = 3600;
constexpr double paper_bucket_seconds = 18.5, paper_bucket_cpu_seconds = 1426;
constexpr double paper_within = 83.0 / 101;

/// A row: what it takes, and counters beside it. `items`: of one call.
struct Row {
  std::string name;
  double items = 0;
  std::function<void()> call;
  /// After the last call.
  std::function<void(benchmark::State&, double seconds)> finish = {};
  bool once = false;  ///< takes long
};

void add_row(const Row& row) {
  benchmark::RegisterBenchmark(row.name.c_str(),
                               [row](benchmark::State& state) {
                                 if (!row.once) row.call();  // compiles, touches memory
                                 double seconds = 0;
                                 std::uint64_t calls = 0;
                                 for (auto iteration : state) {
                                   (void)iteration;
                                   const Seconds start = now();
                                   row.call();
                                   const double taken = now().wall - start.wall;
                                   state.SetIterationTime(taken);
                                   seconds += taken;
                                   ++calls;
                                 }
                                 seconds /= static_cast<double>(calls);
                                 state.counters["items_per_second"] = row.items / seconds;
                                 if (row.finish) row.finish(state, seconds);
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(row.once ? 1 : 3);
}

struct Scanned {
  std::shared_ptr<ResidentText> text;
  std::uint64_t size = 0;
};

/// One strand, counts only, the text on the device.
Row scan_row(const std::string& name, const Device& device, const Scanned& scanned, std::size_t length, Method method) {
  struct Data {
    ScoreMatrix matrix;
    std::unique_ptr<Scanner> scanner;
  };
  Drawn drawn(length);
  const auto data = std::make_shared<Data>(Data{drawn_matrix(drawn, length), nullptr});
  const auto call = [=] {
    if (!data->scanner) {
      const double score = threshold(device, data->matrix, 1e-4).score;
      data->scanner =
          std::make_unique<Scanner>(std::span(&device, 1), std::span(&data->matrix, 1), std::span(&score, 1),
                                    ScanOptions{.strands = Strands::forward, .method = method, .counts_only = true});
    }
    data->scanner->scan(scanned.text->of(scanned.size));
  };
  return {name, static_cast<double>(scanned.size) * static_cast<double>(length), call};
}

Row bucket_row(const std::string& name, const Device& device, std::size_t length, unsigned slices) {
  PValueOptions options;
  options.method = PValueMethod::bucket;
  options.slices = slices;
  options.buckets = paper_buckets;
  return {name, bucket_words(length, slices),
          [=] { benchmark::DoNotOptimize(distribution(device, distinct_matrix(length), options)); }};
}

void add_figure6(const Variant& variant, const Scanned& scanned) {
  for (const Method method : {Method::naive, Method::automatic})
    for (const unsigned length : {5u, 10u, 15u, 20u, 25u, 30u}) {
      Row row = scan_row("pwm/figure6/" + std::string(to_string(method)) + "/m" + std::to_string(length) + "/" +
                             letters_name(scanned.size) + "/" + variant.name,
                         variant.device, scanned, length, method);
      if (length == paper_scan_length)
        row.finish = [](benchmark::State& state, double) {
          state.counters["paper_gpu_items_per_second"] = paper_scan_letters * paper_scan_length / paper_scan_seconds;
        };
      add_row(row);
    }
}

void add_figure7(const Variant& variant, bool cpu) {
  const auto add = [&](std::size_t length, unsigned slices) {
    Row row = bucket_row("pwm/figure7/m" + std::to_string(length) + "-N" + std::to_string(slices) + "/" + variant.name,
                         variant.device, length, slices);
    if (length == paper_bucket_length)
      row.finish = [](benchmark::State& state, double) {
        const double words = bucket_words(paper_bucket_length, paper_bucket_slices);
        state.counters["paper_gpu_items_per_second"] = words / paper_bucket_seconds;
        state.counters["paper_cpu_items_per_second"] = words / paper_bucket_cpu_seconds;
      };
    add_row(row);
  };
  for (const std::size_t length : {8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 65})
    for (const unsigned slices : {1u, 2u, 3u, 4u})
      // What a CPU does in seconds, and a GPU in tenths of one.
      if (bucket_words(length, slices) <= (cpu ? 1e9 : 4e10)) add(length, slices);
}

/// How many of the collection's thresholds are within 10% in P-value.
struct Accuracy {
  std::array<std::size_t, 3> of_exact = {}, of_requested = {};
};

constexpr std::array<double, 3> figure8_ps = {1e-3, 1e-5, 1e-7};
constexpr std::array<const char*, 3> figure8_names = {"1e-3", "1e-5", "1e-7"};

/// The distribution's own P of its threshold against the exact one, and that against the P asked for.
Accuracy accuracy_of(const Device& device, const std::vector<ScoreMatrix>& matrices,
                     const std::vector<std::vector<Threshold>>& found) {
  std::vector<std::vector<double>> scores;
  for (const std::vector<Threshold>& of_matrix : found) {
    scores.emplace_back();
    for (const Threshold& threshold : of_matrix) scores.back().push_back(threshold.score);
  }
  const auto exact = p_values(std::span(&device, 1), matrices, scores);
  Accuracy accuracy;
  for (std::size_t i = 0; i < matrices.size(); ++i)
    for (std::size_t k = 0; k < figure8_ps.size(); ++k) {
      const double truth = (exact[i][k].low + exact[i][k].high) / 2;
      accuracy.of_exact[k] += std::abs(found[i][k].p.low - truth) <= 0.1 * truth ? 1 : 0;
      accuracy.of_requested[k] += std::abs(truth - figure8_ps[k]) <= 0.1 * figure8_ps[k] ? 1 : 0;
    }
  return accuracy;
}

void add_figure8(const Variant& variant, unsigned slices, const std::shared_ptr<std::vector<ScoreMatrix>>& matrices) {
  const Device device = variant.device;
  PValueOptions options;
  options.method = PValueMethod::bucket;
  options.slices = slices;
  options.buckets = paper_buckets;
  options.paper_convention = true;
  const auto found = std::make_shared<std::vector<std::vector<Threshold>>>();
  Row row{"pwm/figure8/N" + std::to_string(slices) + "/" + variant.name, static_cast<double>(matrices->size()),
          [=] { *found = thresholds(std::span(&device, 1), *matrices, figure8_ps, options); }};
  row.once = true;
  row.finish = [=](benchmark::State& state, double) {
    const Accuracy accuracy = accuracy_of(device, *matrices, *found);
    const auto count = static_cast<double>(matrices->size());
    state.counters["matrices"] = count;
    for (std::size_t k = 0; k < figure8_ps.size(); ++k) {
      const std::string p = figure8_names[k];
      state.counters["of_exact_" + p] = static_cast<double>(accuracy.of_exact[k]) / count;
      state.counters["of_requested_" + p] = static_cast<double>(accuracy.of_requested[k]) / count;
    }
    state.counters["paper_of_requested_1e-5"] = paper_within;
  };
  add_row(row);
}

void add_table1(const Variant& variant, const Scanned& scanned, bool cpu) {
  Row scan = scan_row("pwm/table1/scan-m20/" + letters_name(scanned.size) + "/" + variant.name, variant.device, scanned,
                      static_cast<std::size_t>(paper_scan_length), Method::automatic);
  scan.finish = [items = scan.items](benchmark::State& state, double seconds) {
    const double paper = paper_scan_letters * paper_scan_length / paper_scan_seconds;
    state.counters["paper_gpu_items_per_second"] = paper;
    state.counters["paper_cpu_items_per_second"] = paper / paper_scan_times;
    state.counters["times_paper_gpu"] = items / seconds / paper;
  };
  add_row(scan);
  // A CPU counts fewer words, 1e9, beside which merging is little: rates are compared.
  const std::size_t length = cpu ? 56 : paper_bucket_length;
  Row bucket = bucket_row("pwm/table1/bucket-m" + std::to_string(length) + "-N4/" + variant.name, variant.device,
                          length, paper_bucket_slices);
  bucket.finish = [items = bucket.items](benchmark::State& state, double seconds) {
    const double words = bucket_words(paper_bucket_length, paper_bucket_slices);
    state.counters["paper_gpu_items_per_second"] = words / paper_bucket_seconds;
    state.counters["paper_cpu_items_per_second"] = words / paper_bucket_cpu_seconds;
    state.counters["times_paper_gpu"] = items / seconds / (words / paper_bucket_seconds);
  };
  add_row(bucket);
}

}  // namespace

void add_pwm_published(const Setting& setting) {
  const bool cpu = setting.device().info().type == genocl::DeviceType::cpu;
  const Scanned scanned{std::make_shared<ResidentText>(setting.device()),
                        cpu ? ecoli_size : static_cast<std::uint64_t>(paper_scan_letters)};
  // Lengths that the paper's matrices have; longer ones have no exact P-value to compare with.
  const auto matrices = std::make_shared<std::vector<ScoreMatrix>>();
  for (const Motif& motif : bench_motifs())
    if (motif.length() >= 10 && motif.length() <= 22) matrices->push_back(log_odds(motif));
  if (matrices->empty())
    benchmark::AddCustomContext("pwm/figure8", "left out: no motifs in GENOCL_BENCH_MOTIFS or GENOCL_TEST_DATA");
  for (const Variant& variant : setting.variants) {
    add_figure6(variant, scanned);
    add_figure7(variant, cpu);
    if (!matrices->empty())
      for (const unsigned slices : {2u, 3u, 4u}) add_figure8(variant, slices, matrices);
    add_table1(variant, scanned, cpu);
  }
}

}  // namespace genocl_bench
