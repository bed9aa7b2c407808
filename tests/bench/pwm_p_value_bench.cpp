// P-values: exact thresholds for three P-values (matrices per second), and the paper's bucket distribution (words per
// second). All letters of a column score differently here: nothing is merged, the most work that a length can be.
#include <array>
#include <memory>
#include <string>

#include "bench.hpp"
#include "genocl/pwm/p_value.hpp"

namespace genocl_bench {
namespace {

using genocl::Device;
using namespace genocl::pwm;

ScoreMatrix distinct_matrix(std::size_t length) {
  const std::vector<std::uint32_t> words = random_words(4 * length, length);
  std::vector<std::array<double, 4>> columns(length);
  for (std::size_t i = 0; i < length; ++i)
    for (std::size_t x = 0; x < 4; ++x) columns[i][x] = words[4 * i + x] / 4294967296.0 * 6 - 4;
  return {"drawn", "", std::move(columns)};
}

void add_thresholds(const Variant& variant, std::size_t length, bool per_cpu) {
  const auto matrix = std::make_shared<ScoreMatrix>(distinct_matrix(length));
  const Device device = variant.device;
  add_host("pwm/thresholds/m" + std::to_string(length) + "/" + variant.name, {.items = 1, .per_cpu = per_cpu}, [=] {
    const std::array<double, 3> ps = {1e-3, 1e-4, 1e-5};
    benchmark::DoNotOptimize(thresholds(std::span(&device, 1), std::span(matrix.get(), 1), ps));
  });
}

void add_bucket(const Variant& variant, std::size_t length, unsigned slices, bool per_cpu) {
  const auto matrix = std::make_shared<ScoreMatrix>(distinct_matrix(length));
  const Device device = variant.device;
  double words = 0;
  for (std::size_t s = 0, left = length; s < slices; ++s) {
    const std::size_t columns = (left + slices - s - 1) / (slices - s);
    words += static_cast<double>(std::uint64_t{1} << (2 * columns));
    left -= columns;
  }
  POptions options;
  options.method = PMethod::bucket;
  options.slices = slices;
  options.buckets = 3600;
  add_host("pwm/bucket/m" + std::to_string(length) + "_N" + std::to_string(slices) + "_B3600/" + variant.name,
           {.items = words, .per_cpu = per_cpu},
           [=] { benchmark::DoNotOptimize(distribution(device, *matrix, options)); });
}

}  // namespace

void add_pwm_p_values(const Setting& setting) {
  for (const Variant& variant : setting.variants) {
    const bool cpu = variant.device.info().type == genocl::DeviceType::cpu;
    for (const std::size_t length : {10, 14, 18, 22}) add_thresholds(variant, length, cpu);
    add_bucket(variant, 24, 2, cpu);
    if (!cpu) add_bucket(variant, ScoreMatrix::longest, 4, false);
  }
}

}  // namespace genocl_bench
