// Rates of Boost.Compute on the inputs of primitives_bench.cpp, sort_bench.cpp, expression_bench.cpp and
// algorithms_bench.cpp, timed alike: calls back to back, one wait.
//
//   g++ -O3 -std=c++17 -w tests/bench/primitives/boost_compute_peer.cpp -lOpenCL -o boost_compute_peer
//   ./boost_compute_peer [DEVICE [BITS,... [FILTER]]]
//
// DEVICE: part of the name of a device or a platform [the first device]. BITS: logarithms of the numbers of elements
// [20,24]; 20,28 for a GPU. FILTER: part of a row's name [all rows].
//
// Not part of the build. Prints one line for each algorithm and size: name, size, milliseconds, M items per second,
// M items per CPU-second of the process, and "wrong" if the result differs from that of the standard library.
#define CL_TARGET_OPENCL_VERSION 120
#include <sys/resource.h>

#include <algorithm>
#include <boost/compute/algorithm.hpp>
#include <boost/compute/algorithm/nth_element.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/core.hpp>
#include <boost/compute/functional.hpp>
#include <boost/compute/lambda.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace compute = boost::compute;
using compute::lambda::_1;
using Words = std::vector<std::uint32_t>;
using DeviceWords = compute::vector<std::uint32_t>;
using DeviceFloats = compute::vector<float>;

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
void measure(const std::string& name, unsigned bits, compute::command_queue& queue, const std::function<void()>& call,
             const std::function<bool()>& is_right, const std::function<void()>& prepare = {}) {
  if (name.find(filter) == std::string::npos) return;
  const auto rounds_take = [&](int rounds, bool with_call) {
    queue.finish();
    const Seconds start = now();
    for (int i = 0; i < rounds; ++i) {
      if (prepare) prepare();
      if (with_call) call();
    }
    queue.finish();
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
  } catch (const std::exception& error) {
    std::printf("%-32s 2^%-3u %s\n", name.c_str(), bits, error.what());
  }
  std::fflush(stdout);
}

struct Data {
  Words words, runs, first, second, order;
  std::vector<float> floats;
  DeviceWords u, u_work, u_out, keys, values, sorted, more, permutation;
  DeviceFloats in, out;

  Data(std::size_t size, const compute::context& context, compute::command_queue& queue)
      : words(size),
        runs(size),
        order(size),
        floats(size),
        u(context),
        u_work(context),
        u_out(context),
        keys(context),
        values(context),
        sorted(context),
        more(context),
        permutation(context),
        in(context),
        out(context) {
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < size; ++i) {
      words[i] = static_cast<std::uint32_t>(random());
      runs[i] = static_cast<std::uint32_t>(i / 4);
      floats[i] = static_cast<float>(words[i]);
      order[i] = static_cast<std::uint32_t>(i);
    }
    const auto middle = words.begin() + static_cast<std::ptrdiff_t>(size / 2);
    first.assign(words.begin(), middle);
    second.assign(middle, words.end());
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    std::shuffle(order.begin(), order.end(), random);
    const auto fill = [&queue](auto& array, const auto& host) { array.assign(host.begin(), host.end(), queue); };
    fill(u, words);
    fill(keys, runs);
    fill(in, floats);
    fill(sorted, first);
    fill(more, second);
    fill(permutation, order);
    for (DeviceWords* array : {&u_work, &u_out, &values}) array->resize(size, queue);
    out.resize(size, queue);
  }
};

// Compares the first elements of `found` with `expected`; floats to 0.1%, since sums of floats have any order.
template <class T>
bool same(const compute::vector<T>& found, const std::vector<T>& expected, compute::command_queue& queue) {
  std::vector<T> host(expected.size());
  compute::copy(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(host.size()), host.begin(), queue);
  if (std::is_integral_v<T>) return host == expected;
  return std::equal(host.begin(), host.end(), expected.begin(), [](double a, double b) {
    const double scale = a < 0 ? -a : a;
    return (a > b ? a - b : b - a) <= 1e-3 * scale;
  });
}

template <class T, class Work>
std::vector<T> made_by(std::size_t capacity, Work work) {
  std::vector<T> result(capacity);
  result.erase(work(result.begin()), result.end());
  return result;
}

void run_linear(Data& d, unsigned bits, compute::command_queue& queue) {
  const std::size_t size = d.words.size();
  const Words &w = d.words, &runs = d.runs;
  const std::vector<float>& f = d.floats;
  // `expected` makes the results of the standard library.
  const auto words = [&](const char* name, auto call, auto expected) {
    measure(name, bits, queue, call, [&] { return same(d.u_out, made_by<std::uint32_t>(size, expected), queue); });
  };
  const auto floats = [&](const char* name, auto call, auto expected) {
    measure(name, bits, queue, call, [&] { return same(d.out, made_by<float>(size, expected), queue); });
  };
  floats(
      "copy/f32", [&] { compute::copy(d.in.begin(), d.in.end(), d.out.begin(), queue); },
      [&](auto to) { return std::copy(f.begin(), f.end(), to); });
  floats(
      "transform x * 2 + 1/f32",
      [&] { compute::transform(d.in.begin(), d.in.end(), d.out.begin(), _1 * 2.0f + 1.0f, queue); },
      [&](auto to) { return std::transform(f.begin(), f.end(), to, [](float x) { return x * 2 + 1; }); });
  floats(
      "reduce by max/f32",
      [&] { compute::reduce(d.in.begin(), d.in.end(), d.out.begin(), compute::max<float>(), queue); },
      [&](auto to) { return *to = *std::max_element(f.begin(), f.end()), to + 1; });
  words(
      "reduce by sum/u32",
      [&] { compute::reduce(d.u.begin(), d.u.end(), d.u_out.begin(), compute::plus<std::uint32_t>(), queue); },
      [&](auto to) { return *to = std::accumulate(w.begin(), w.end(), 0u), to + 1; });
  std::ptrdiff_t place = 0;
  measure(
      "max_element/f32", bits, queue,
      [&] { place = compute::max_element(d.in.begin(), d.in.end(), queue) - d.in.begin(); },
      [&] { return place == std::max_element(f.begin(), f.end()) - f.begin(); });
  words(
      "exclusive_scan/u32", [&] { compute::exclusive_scan(d.u.begin(), d.u.end(), d.u_out.begin(), queue); },
      [&](auto to) { return std::exclusive_scan(w.begin(), w.end(), to, 0u); });
  floats(
      "inclusive_scan by sum/f32", [&] { compute::inclusive_scan(d.in.begin(), d.in.end(), d.out.begin(), queue); },
      [&](auto to) {
        return std::transform_inclusive_scan(f.begin(), f.end(), to, std::plus<>(), [](double x) { return x; });
      });
  words(
      "copy_if half/u32", [&] { compute::copy_if(d.u.begin(), d.u.end(), d.u_out.begin(), _1 < 0x80000000u, queue); },
      [&](auto to) { return std::copy_if(w.begin(), w.end(), to, [](std::uint32_t x) { return x < 0x80000000u; }); });
  words(
      "unique_copy, runs of 4/u32", [&] { compute::unique_copy(d.keys.begin(), d.keys.end(), d.u_out.begin(), queue); },
      [&](auto to) { return std::unique_copy(runs.begin(), runs.end(), to); });
  words(
      "adjacent_difference/u32", [&] { compute::adjacent_difference(d.u.begin(), d.u.end(), d.u_out.begin(), queue); },
      [&](auto to) { return std::adjacent_difference(w.begin(), w.end(), to); });
  floats(
      "reduce_by_key, runs of 4/f32",
      [&] {
        compute::reduce_by_key(d.keys.begin(), d.keys.end(), d.in.begin(), d.u_out.begin(), d.out.begin(), queue);
      },
      [&](auto to) {
        for (std::size_t i = 0; i < size; i += 4) *to++ = f[i] + f[i + 1] + f[i + 2] + f[i + 3];
        return to;
      });
  words(
      "gather at random/u32",
      [&] { compute::gather(d.permutation.begin(), d.permutation.end(), d.u.begin(), d.u_out.begin(), queue); },
      [&](auto to) {
        return std::transform(d.order.begin(), d.order.end(), to, [&](std::uint32_t i) { return w[i]; });
      });
}

void run_sorts(Data& d, unsigned bits, compute::command_queue& queue) {
  Words expected = d.words;
  std::vector<float> expected_floats = d.floats;
  std::sort(expected.begin(), expected.end());
  std::sort(expected_floats.begin(), expected_floats.end());
  const std::size_t half = d.words.size() / 2;
  const auto restore = [&] {
    compute::copy(d.u.begin(), d.u.end(), d.u_work.begin(), queue);
    compute::copy(d.u.begin(), d.u.end(), d.values.begin(), queue);
  };
  const auto is_sorted = [&] { return same(d.u_work, expected, queue); };
  measure(
      "sort/u32", bits, queue, [&] { compute::sort(d.u_work.begin(), d.u_work.end(), queue); }, is_sorted, restore);
  measure(
      "sort/f32", bits, queue, [&] { compute::sort(d.out.begin(), d.out.end(), queue); },
      [&] { return same(d.out, expected_floats, queue); },
      [&] { compute::copy(d.in.begin(), d.in.end(), d.out.begin(), queue); });
  measure(
      "sort_by_key/u32+u32", bits, queue,
      [&] { compute::sort_by_key(d.u_work.begin(), d.u_work.end(), d.values.begin(), queue); },
      [&] { return is_sorted() && same(d.values, expected, queue); }, restore);
  measure(
      "stable_sort/u32", bits, queue, [&] { compute::stable_sort(d.u_work.begin(), d.u_work.end(), queue); }, is_sorted,
      restore);
  measure(
      "nth_element, median/u32", bits, queue,
      [&] {
        const auto middle = d.u_work.begin() + static_cast<std::ptrdiff_t>(half);
        compute::nth_element(d.u_work.begin(), middle, d.u_work.end(), queue);
      },
      [&] {
        Words host(d.words.size());
        compute::copy(d.u_work.begin(), d.u_work.end(), host.begin(), queue);
        return host[half] == expected[half];
      },
      restore);
}

void run_merges(Data& d, unsigned bits, compute::command_queue& queue) {
  const auto row = [&](const char* name, auto algorithm, auto of_std) {
    measure(
        name, bits, queue,
        [&] { algorithm(d.sorted.begin(), d.sorted.end(), d.more.begin(), d.more.end(), d.u_out.begin()); },
        [&] {
          return same(d.u_out,
                      made_by<std::uint32_t>(d.words.size(),
                                             [&](auto to) {
                                               return of_std(d.first.begin(), d.first.end(), d.second.begin(),
                                                             d.second.end(), to);
                                             }),
                      queue);
        });
  };
  row(
      "merge/u32", [&](auto... all) { compute::merge(all..., queue); }, [](auto... all) { return std::merge(all...); });
  row(
      "set_union/u32", [&](auto... all) { compute::set_union(all..., queue); },
      [](auto... all) { return std::set_union(all...); });
  row(
      "set_intersection/u32", [&](auto... all) { compute::set_intersection(all..., queue); },
      [](auto... all) { return std::set_intersection(all...); });
}

compute::device find_device(const std::string& name) {
  for (const compute::device& device : compute::system::devices())
    if (device.name().find(name) != std::string::npos || device.platform().name().find(name) != std::string::npos)
      return device;
  std::fprintf(stderr, "no device %s\n", name.c_str());
  std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  const compute::device device = find_device(count > 1 ? arguments[1] : "");
  filter = count > 3 ? arguments[3] : "";
  const compute::context context(device);
  compute::command_queue queue(context, device);
  std::printf("%s, Boost.Compute of Boost %d\n", device.name().c_str(), BOOST_VERSION);
  std::istringstream sizes(count > 2 ? arguments[2] : "20,24");
  for (std::string bits; std::getline(sizes, bits, ',');) {
    const auto exponent = static_cast<unsigned>(std::stoul(bits));
    const std::size_t size = std::size_t{1} << exponent;
    Data data(size, context, queue);
    run_linear(data, exponent, queue);
    run_sorts(data, exponent, queue);
    run_merges(data, exponent, queue);
  }
}
