// Rates of VexCL on the inputs of sort_bench.cpp and expression_bench.cpp, timed alike: calls back to back, one wait.
// Needs VexCL's headers, Boost and its library filesystem.
//
//   g++ -O3 -std=c++17 -w -I vexcl tests/bench/primitives/vexcl_peer.cpp -lOpenCL -lboost_filesystem -o vexcl_peer
//   ./vexcl_peer [DEVICE [BITS,... [FILTER]]]
//
// DEVICE: part of the name of a device [the first device]. BITS: logarithms of the numbers of elements [20,24]; 20,28
// for a GPU. FILTER: part of a row's name [all rows].
//
// Not part of the build. Prints one line for each algorithm and size: name, size, milliseconds, M items per second,
// M items per CPU-second of the process, and "wrong" if the result differs from that of the standard library.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_TARGET_OPENCL_VERSION 120
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>
#include <vexcl/vexcl.hpp>

namespace {

using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

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

// `prepare` runs before each call; its time is subtracted. `is_right` compares the result after the last call.
void measure(const std::string& name, unsigned bits, const vex::Context& context, const std::function<void()>& call,
             const std::function<bool()>& is_right, const std::function<void()>& prepare = {}) {
  if (name.find(filter) == std::string::npos) return;
  const auto rounds_take = [&](int rounds, bool with_call) {
    context.finish();
    const Seconds start = now();
    for (int i = 0; i < rounds; ++i) {
      if (prepare) prepare();
      if (with_call) call();
    }
    context.finish();
    const Seconds end = now();
    return Seconds{end.wall - start.wall, end.cpu - start.cpu};
  };
  try {
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
    std::printf("%-32s 2^%-3u %10.4f %10.1f %10.1f%s\n", name.c_str(), bits, best.wall * 1e3, items / best.wall / 1e6,
                items / best.cpu / 1e6, is_right() ? "" : "  wrong");
  } catch (const vex::backend::error& error) {
    std::printf("%-32s 2^%-3u OpenCL error %s\n", name.c_str(), bits, error.what());
  } catch (const std::exception& error) {
    std::printf("%-32s 2^%-3u %s\n", name.c_str(), bits, error.what());
  }
  std::fflush(stdout);
}

// Compares the first elements; floats to 0.1%, since sums of floats have any order.
template <class T>
bool same(const vex::vector<T>& found, const std::vector<T>& expected) {
  std::vector<T> host(found.size());
  vex::copy(found, host);
  return std::equal(expected.begin(), expected.end(), host.begin(), [](T a, T b) {
    if (std::is_integral<T>::value) return a == b;
    return (a > b ? a - b : b - a) <= 1e-3 * (a < 0 ? -a : a);
  });
}

struct Data {
  Words words, runs;
  Floats floats;
  vex::vector<std::uint32_t> u, u_work, u_out, values, keys;
  vex::vector<float> in, out;

  Data(std::size_t size, const vex::Context& context) : words(size), runs(size), floats(size) {
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < size; ++i) {
      words[i] = static_cast<std::uint32_t>(random());
      runs[i] = static_cast<std::uint32_t>(i / 4);
      floats[i] = static_cast<float>(words[i]);
    }
    u.resize(context.queue(), words);
    keys.resize(context.queue(), runs);
    in.resize(context.queue(), floats);
    for (vex::vector<std::uint32_t>* array : {&u_work, &u_out, &values}) array->resize(context.queue(), size);
    out.resize(context.queue(), size);
  }
};

void run_linear(Data& d, unsigned bits, const vex::Context& context) {
  const auto row = [&](const char* name, auto call, auto is_right) { measure(name, bits, context, call, is_right); };
  const Words& w = d.words;
  const Floats& f = d.floats;
  const std::size_t size = w.size();
  Words words(size);
  Floats floats(size);
  row(
      "copy/f32", [&] { d.out = d.in; }, [&] { return same(d.out, f); });
  row(
      "transform x * 2 + 1/f32", [&] { d.out = d.in * 2.0f + 1.0f; },
      [&] {
        std::transform(f.begin(), f.end(), floats.begin(), [](float x) { return x * 2 + 1; });
        return same(d.out, floats);
      });
  float largest = 0;
  const vex::Reductor<float, vex::MAX> max(context);
  row(
      "reduce by max/f32", [&] { largest = max(d.in); },
      [&] { return largest == *std::max_element(f.begin(), f.end()); });
  std::uint32_t total = 0;
  const vex::Reductor<std::uint32_t, vex::SUM> sum(context);
  row(
      "reduce by sum/u32", [&] { total = sum(d.u); }, [&] { return total == std::accumulate(w.begin(), w.end(), 0u); });
  row(
      "exclusive_scan/u32", [&] { vex::exclusive_scan(d.u, d.u_out); },
      [&] {
        std::exclusive_scan(w.begin(), w.end(), words.begin(), 0u);
        return same(d.u_out, words);
      });
  row(
      "inclusive_scan by sum/f32", [&] { vex::inclusive_scan(d.in, d.out); },
      [&] {
        double all = 0;
        std::transform(f.begin(), f.end(), floats.begin(), [&](float x) { return static_cast<float>(all += x); });
        return same(d.out, floats);
      });
  row(
      "inclusive_scan_by_key, runs of 4/f32", [&] { vex::inclusive_scan_by_key(d.keys, d.in, d.out); },
      [&] {
        for (std::size_t i = 0; i < size; ++i) floats[i] = i % 4 == 0 ? f[i] : floats[i - 1] + f[i];
        return same(d.out, floats);
      });
  vex::vector<std::uint32_t> unique_keys;
  vex::vector<float> totals;
  row(
      "reduce_by_key, runs of 4/f32", [&] { vex::reduce_by_key(d.keys, d.in, unique_keys, totals); },
      [&] {
        Floats expected(size / 4);
        for (std::size_t i = 0; i < size; ++i) expected[i / 4] += f[i];
        return same(totals, expected);
      });
}

void run_sorts(Data& d, unsigned bits, const vex::Context& context) {
  Words expected = d.words;
  Floats expected_floats = d.floats;
  std::sort(expected.begin(), expected.end());
  std::sort(expected_floats.begin(), expected_floats.end());
  const auto restore = [&] {
    d.u_work = d.u;
    d.values = d.u;
  };
  measure(
      "sort/u32", bits, context, [&] { vex::sort(d.u_work); }, [&] { return same(d.u_work, expected); }, restore);
  measure(
      "sort/f32", bits, context, [&] { vex::sort(d.out); }, [&] { return same(d.out, expected_floats); },
      [&] { d.out = d.in; });
  measure(
      "sort_by_key/u32+u32", bits, context, [&] { vex::sort_by_key(d.u_work, d.values); },
      [&] { return same(d.u_work, expected) && same(d.values, expected); }, restore);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string name = count > 1 ? arguments[1] : "";
  const vex::Context context(vex::Filter::Name(name) && vex::Filter::Count(1));
  if (context.size() == 0) {
    std::fprintf(stderr, "no device %s\n", name.c_str());
    return 1;
  }
  filter = count > 3 ? arguments[3] : "";
  std::printf("%s, VexCL\n", context.device(0).getInfo<CL_DEVICE_NAME>().c_str());
  std::istringstream sizes(count > 2 ? arguments[2] : "20,24");
  for (std::string bits; std::getline(sizes, bits, ',');) {
    const auto exponent = static_cast<unsigned>(std::stoul(bits));
    Data data(std::size_t{1} << exponent, context);
    run_linear(data, exponent, context);
    run_sorts(data, exponent, context);
  }
}
