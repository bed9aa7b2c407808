#include "devices/operations.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "genocl/align.hpp"
#include "genocl/array.hpp"
#include "genocl/jacobi.hpp"
#include "genocl/primitives.hpp"

namespace program {
namespace {

using genocl::Device;
using Numbers = genocl::Array<std::uint32_t>;

constexpr std::size_t many = std::size_t{1} << 22;

std::shared_ptr<Numbers> random_numbers(const Device& device, std::size_t count, std::uint32_t below) {
  std::vector<std::uint32_t> numbers(count);
  std::mt19937 random(1);
  for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random()) % below;
  return std::make_shared<Numbers>(device, std::span<const std::uint32_t>(numbers));
}

template <class T>
double updates_per_second(const Device& device) {
  constexpr std::uint64_t side = 4096;
  double rate = 0;
  for (int round = 0; round < 4; ++round) {  // the first round compiles, and writes to new pages
    genocl::jacobi::Grid<T> grid(side, side);
    grid.fill({.top = 100, .left = 25, .right = 75}, 0);
    const auto report = genocl::jacobi::solve<T>(std::vector<Device>{device}, grid, {.iterations = 100});
    rate = std::max(rate, report.updates_per_second);
    if (report.seconds > 2) break;
  }
  return rate;
}

}  // namespace

std::string random_letters(std::mt19937& random, std::string_view letters, std::size_t count) {
  std::string text(count, ' ');
  for (char& letter : text) letter = letters[random() % letters.size()];
  return text;
}

Operation copying(const Device& device) {
  const auto from = std::make_shared<Numbers>(device, many), to = std::make_shared<Numbers>(device, many);
  from->fill(1);
  return [from, to](const Device& one) { return [one, from, to] { genocl::primitives::copy(one, *from, *to); }; };
}

Operation summing(const Device& device) {
  const auto values = std::make_shared<Numbers>(device, many), result = std::make_shared<Numbers>(device, 1);
  values->fill(1);
  return [values, result](const Device& one) {
    return [one, values, result] { genocl::primitives::sum(one, *values, *result); };
  };
}

Operation scanning(const Device& device) {
  const auto values = std::make_shared<Numbers>(device, many), sums = std::make_shared<Numbers>(device, many);
  values->fill(1);
  return [values, sums](const Device& one) {
    return [one, values, sums] { genocl::primitives::exclusive_scan(one, *values, *sums); };
  };
}

Operation counting(const Device& device) {
  const auto keys = random_numbers(device, many, 256), counts = std::make_shared<Numbers>(device, 256);
  return [keys, counts](const Device& one) {
    return [one, keys, counts] { genocl::primitives::histogram(one, *keys, *counts, {.first = 0, .count = 8}); };
  };
}

Operation gathering(const Device& device) {
  const auto from = std::make_shared<Numbers>(device, many), to = std::make_shared<Numbers>(device, many);
  const auto places = random_numbers(device, many, many);
  from->fill(1);
  return [from, places, to](const Device& one) {
    return [one, from, places, to] { genocl::primitives::gather(one, *from, *places, *to); };
  };
}

Operation sorting(const Device& device) {
  const auto unsorted = random_numbers(device, many / 4, ~std::uint32_t{0});
  const auto keys = std::make_shared<Numbers>(device, unsorted->size());
  return [unsorted, keys](const Device& one) {
    return [one, unsorted, keys] {
      keys->copy_from(*unsorted, unsorted->size());
      genocl::primitives::sort(one, *keys);
    };
  };
}

Operation searching(const Device&) {
  std::mt19937 random(2);
  genocl::SequenceSet proteins(genocl::Alphabet::protein);
  for (unsigned i = 0; i < 500; ++i) {
    std::string letters(100 + i % 400, ' ');
    for (char& letter : letters) letter = "ACDEFGHIKLMNPQRSTVWY"[random() % 20];
    proteins.append_letters("p" + std::to_string(i), letters);
  }
  const auto database = std::make_shared<genocl::align::Database>(genocl::align::Database::build(proteins));
  const auto queries = std::make_shared<genocl::SequenceSet>(proteins.slice(200, 2));
  return [database, queries](const Device& one) {
    const auto searcher = std::make_shared<genocl::align::Searcher>(
        one, *database, genocl::align::SearchOptions{.top = 10, .align = false});
    return [searcher, queries] { searcher->search(*queries); };
  };
}

Operation relaxing(const Device&) {
  return [](const Device& one) {
    return [one] {
      genocl::jacobi::Grid<float> grid(500, 500);
      grid.fill({.top = 100, .left = 25, .right = 75}, 0);
      genocl::jacobi::solve<float>(std::vector<Device>{one}, grid, {.iterations = 200});
    };
  };
}

double relaxation_rate(const Device& device) {
  const double rate = device.info().fp64 ? updates_per_second<double>(device) : updates_per_second<float>(device) / 1.7;
  return rate / 1e6 / std::max(1u, device.info().compute_units);
}

}  // namespace program
