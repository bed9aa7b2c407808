// Rates of the parallel algorithms of libstdc++, which use TBB, on the inputs of the primitives' benchmarks, timed
// alike.
//
//   g++ -O3 -march=native -std=c++17 tests/bench/primitives/tbb_peer.cpp -ltbb -o tbb_peer
//   ./tbb_peer [BITS,... [FILTER]]
//
// BITS: logarithms of the numbers of elements [20,24]. FILTER: part of a row's name [all rows].
//
// Not part of the build. Prints one line for each algorithm and size: name, size, milliseconds, M items per second,
// M items per CPU-second of the process.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <execution>
#include <functional>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;
constexpr auto par = std::execution::par_unseq;

struct Seconds {
  double wall, cpu;
};

Seconds now() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
          seconds(used.ru_utime) + seconds(used.ru_stime)};
}

std::string filter;

// `prepare` runs before each call; its time is subtracted.
void measure(const std::string& name, unsigned bits, const std::function<void()>& call,
             const std::function<void()>& prepare = {}) {
  if (name.find(filter) == std::string::npos) return;
  const auto rounds_take = [&](int rounds, bool with_call) {
    const Seconds start = now();
    for (int i = 0; i < rounds; ++i) {
      if (prepare) prepare();
      if (with_call) call();
    }
    const Seconds end = now();
    return Seconds{end.wall - start.wall, end.cpu - start.cpu};
  };
  rounds_take(2, true);
  const int rounds = static_cast<int>(std::max(3.0, std::min(300.0, 0.1 / (rounds_take(2, true).wall / 2 + 1e-7))));
  Seconds best{1e9, 1e9};
  for (int i = 0; i < 3; ++i) {
    const Seconds prepared = prepare ? rounds_take(rounds, false) : Seconds{0, 0};
    const Seconds all = rounds_take(rounds, true);
    best.wall = std::min(best.wall, (all.wall - prepared.wall) / rounds);
    best.cpu = std::min(best.cpu, (all.cpu - prepared.cpu) / rounds);
  }
  const double items = static_cast<double>(std::size_t{1} << bits);
  std::printf("%-32s 2^%-3u %10.4f %10.1f %10.1f\n", name.c_str(), bits, best.wall * 1e3, items / best.wall / 1e6,
              items / best.cpu / 1e6);
  std::fflush(stdout);
}

volatile double sink;

void run(unsigned bits) {
  const std::size_t size = std::size_t{1} << bits;
  std::mt19937_64 random(1);
  Words u(size), runs(size), work(size), out(size);
  Floats in(size), result(size);
  for (std::size_t i = 0; i < size; ++i) {
    u[i] = static_cast<std::uint32_t>(random());
    runs[i] = static_cast<std::uint32_t>(i / 4);
    in[i] = static_cast<float>(u[i]);
  }
  const auto middle = u.begin() + static_cast<std::ptrdiff_t>(size / 2);
  Words first(u.begin(), middle), second(middle, u.end());
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  const auto row = [bits](const char* name, const std::function<void()>& call) { measure(name, bits, call); };
  row("copy/f32", [&] { std::copy(par, in.begin(), in.end(), result.begin()); });
  row("transform x * 2 + 1/f32",
      [&] { std::transform(par, in.begin(), in.end(), result.begin(), [](float x) { return x * 2 + 1; }); });
  row("max_element/f32", [&] { sink = *std::max_element(par, in.begin(), in.end()); });
  row("reduce by max/f32",
      [&] { sink = std::reduce(par, in.begin(), in.end(), 0.0f, [](float a, float b) { return b > a ? b : a; }); });
  row("sum of squares/f32", [&] {
    sink = std::transform_reduce(par, in.begin(), in.end(), 0.0f, std::plus<>(), [](float x) { return x * x; });
  });
  row("exclusive_scan/u32", [&] { std::exclusive_scan(par, u.begin(), u.end(), out.begin(), 0u); });
  row("inclusive_scan by sum/f32", [&] { std::inclusive_scan(par, in.begin(), in.end(), result.begin()); });
  row("copy_if half/u32",
      [&] { std::copy_if(par, u.begin(), u.end(), out.begin(), [](std::uint32_t x) { return x < 0x80000000u; }); });
  row("unique_copy, runs of 4/u32", [&] { std::unique_copy(par, runs.begin(), runs.end(), out.begin()); });
  row("adjacent_difference/u32", [&] { std::adjacent_difference(par, u.begin(), u.end(), out.begin()); });
  const auto halves = [&](const char* name, auto algorithm) {
    measure(name, bits, [&] { algorithm(first.begin(), first.end(), second.begin(), second.end(), out.begin()); });
  };
  halves("merge/u32", [](auto... all) { std::merge(par, all...); });
  halves("set_union/u32", [](auto... all) { std::set_union(par, all...); });
  halves("set_intersection/u32", [](auto... all) { std::set_intersection(par, all...); });
  const auto restore = [&] { std::copy(par, u.begin(), u.end(), work.begin()); };
  const auto center = work.begin() + static_cast<std::ptrdiff_t>(size / 2);
  measure(
      "sort/u32", bits, [&] { std::sort(par, work.begin(), work.end()); }, restore);
  measure(
      "stable_sort/u32", bits, [&] { std::stable_sort(par, work.begin(), work.end()); }, restore);
  measure(
      "nth_element, median/u32", bits, [&] { std::nth_element(par, work.begin(), center, work.end()); }, restore);
  row("partial_sort_copy, k = 1000/u32",
      [&] { std::partial_sort_copy(par, u.begin(), u.end(), out.begin(), out.begin() + 1000, std::greater<>()); });
}

}  // namespace

int main(int count, char** arguments) {
  filter = count > 2 ? arguments[2] : "";
  std::istringstream sizes(count > 1 ? arguments[1] : "20,24");
  for (std::string bits; std::getline(sizes, bits, ',');) run(static_cast<unsigned>(std::stoul(bits)));
}
