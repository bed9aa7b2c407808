#include "bench.hpp"

#include <algorithm>
#include <utility>

namespace genocl_bench {
namespace {

using Timer = std::function<Seconds(int, const std::function<void()>&)>;

void register_timed(const std::string& name, double ceiling, Work work, Timer timer, std::function<void()> call,
                    std::function<void()> prepare, std::function<void()> release) {
  auto run = [=](benchmark::State& state) {
    const auto both = [&] {
      if (prepare) prepare();
      call();
    };
    Seconds total;
    double calls = 0;
    timer(1, both);  // compiles, touches memory
    // As many rounds as take a tenth of a second, so that a launch's cost to the host hides behind the work.
    const Seconds once = timer(1, both);
    const int rounds = std::clamp(static_cast<int>(0.1 / std::max(once.wall, 1e-6)), 1, 200);
    Seconds preparing;
    if (prepare) {
      timer(1, prepare);
      preparing = timer(rounds, prepare);
    }
    for (auto iteration : state) {
      (void)iteration;
      const Seconds spent = timer(rounds, both);
      const double wall = std::max(spent.wall - preparing.wall, 1e-9);
      total.wall += wall;
      total.cpu += std::max(spent.cpu - preparing.cpu, 1e-9);
      calls += rounds;
      state.SetIterationTime(wall / rounds);
    }
    if (work.commands) state.counters["commands"] = work.commands();
    if (release) release();
    const double done = work.items * calls;
    state.counters["items_per_second"] = done / total.wall;
    if (work.per_cpu) {
      state.counters["items_per_cpu_second"] = done / total.cpu;
      state.counters["cores_busy"] = total.cpu / total.wall;
    }
    if (work.bytes > 0) {
      const double rate = work.bytes * calls / total.wall;
      state.counters["bytes_per_second"] = rate;
      if (ceiling > 0) state.counters["share_of_copy"] = rate / ceiling;
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);
}

}  // namespace

void add_benchmark(const std::string& name, const Setting& setting, const genocl::Device& device, Work work,
                   std::function<void()> call, std::function<void()> prepare, std::function<void()> release) {
  work.per_cpu = device.info().type == genocl::DeviceType::cpu;
  register_timed(
      name, setting.ceilings.copy_bytes, work,
      [device](int rounds, const std::function<void()>& one) { return time_calls(device, rounds, one); },
      std::move(call), std::move(prepare), std::move(release));
}

void add_host(const std::string& name, Work work, std::function<void()> call, std::function<void()> prepare,
              std::function<void()> release) {
  work.per_cpu = true;
  register_timed(
      name, 0, work,
      [](int rounds, const std::function<void()>& one) {
        const Seconds start = now();
        for (int i = 0; i < rounds; ++i) one();
        const Seconds end = now();
        return Seconds{end.wall - start.wall, end.cpu - start.cpu};
      },
      std::move(call), std::move(prepare), std::move(release));
}

void add_peer(const std::string& name, Work work, std::function<void()> call, std::function<void()> prepare,
              std::function<void()> release) {
  add_host("peer/" + name, work, std::move(call), std::move(prepare), std::move(release));
}

bool fits(const genocl::Device& device, std::uint64_t largest, std::uint64_t total) {
  const genocl::DeviceInfo& info = device.info();
  return largest <= info.max_allocation && total <= info.global_memory / 10 * 9;
}

}  // namespace genocl_bench
