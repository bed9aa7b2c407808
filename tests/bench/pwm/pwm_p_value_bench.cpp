// P-values: exact thresholds for three P-values (matrices per second), and the paper's bucket distribution (words per
// second). All letters of a column of the drawn matrices score differently: nothing is merged, the most work that a
// length can be.
#include <array>
#include <memory>
#include <string>

#include "bench/bench.hpp"
#include "pwm_data.hpp"

namespace genocl_bench {
namespace {

using genocl::Device;
using namespace genocl::pwm;

constexpr std::array<double, 3> ps = {1e-3, 1e-4, 1e-5};

void add_thresholds(const std::string& name, const Variant& variant, std::vector<ScoreMatrix> matrices) {
  const Device device = variant.device;
  const auto shared = std::make_shared<std::vector<ScoreMatrix>>(std::move(matrices));
  add_host(name + "/" + variant.name, {.items = static_cast<double>(shared->size())},
           [=] { benchmark::DoNotOptimize(thresholds(std::span(&device, 1), *shared, ps)); });
}

void add_bucket(const std::string& name, const Variant& variant, std::size_t length, unsigned slices) {
  const Device device = variant.device;
  PValueOptions options;
  options.method = PValueMethod::bucket;
  options.slices = slices;
  options.buckets = 3600;
  add_host(name + "/" + variant.name, {.items = bucket_words(length, slices)},
           [=] { benchmark::DoNotOptimize(distribution(device, distinct_matrix(length), options)); });
}

}  // namespace

void add_pwm_p_values(const Setting& setting) {
  const bool cpu = setting.device().info().type == genocl::DeviceType::cpu;
  // Up to 22 columns: the few longer ones take as long as all others.
  constexpr std::size_t longest = 22;
  std::vector<ScoreMatrix> jaspar = bench_matrices();
  std::erase_if(jaspar, [](const ScoreMatrix& matrix) { return matrix.length() > longest; });
  for (const Variant& variant : setting.variants) {
    add_thresholds("pwm/threshold/jaspar", variant, jaspar);
    for (const std::size_t length : {10, 14, 18, 22})
      add_thresholds("pwm/threshold/one-of-" + std::to_string(length), variant, {distinct_matrix(length)});
    if (cpu)
      add_bucket("pwm/bucket/24-N2", variant, 24, 2);
    else
      add_bucket("pwm/bucket/65", variant, 65, 4);
  }
}

}  // namespace genocl_bench
