// `rolling` and OpenMP C++ on the same grids in the same run, on a CPU: plain, blocked as published, and with the same
// temporal blocking.
#include "jacobi_peers_bench.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/bench.hpp"
#include "jacobi/sweep.hpp"
#include "reference/jacobi.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
using genocl::Device;
using namespace genocl::jacobi;

/// Two arrays that take turns. Not vectors: those would be touched by one thread.
template <class T>
struct HostGrids {
  PeerGrid grid;
  std::unique_ptr<T, void (*)(void*)> from, to;

  static std::unique_ptr<T, void (*)(void*)> allocate(std::size_t count) {
    constexpr std::size_t page = 4096;
    void* memory = std::aligned_alloc(page, (count * sizeof(T) + page - 1) / page * page);
    if (memory == nullptr) throw std::bad_alloc();
    return {static_cast<T*>(memory), std::free};
  }
  HostGrids(const Layout& layout, std::span<const T> start)
      : grid{layout.shape.width, layout.shape.height, layout.pitch},
        from(allocate(layout.slices * layout.pitch)),
        to(allocate(layout.slices * layout.pitch)) {
    for (T* const elements : {from.get(), to.get()}) {
      peer_touch(elements, layout.slices * layout.pitch, T(0));
      fill(elements, layout, start);
    }
  }
  static void fill(T* elements, const Layout& layout, std::span<const T> start) {
    const std::size_t count = layout.slices * layout.pitch;
    for (std::size_t i = 0; i < count; i += start.size())
      std::copy_n(start.begin(), std::min(start.size(), count - i), elements + i);
  }
};

template <class T>
struct DeviceGrids {
  HeldSlices held;
  Array<T> from, to;

  DeviceGrids(const Device& device, const Layout& layout, std::span<const T> start) : held(layout) {
    held.count = layout.slices;
    from = Array<T>(device, held.elements());
    to = Array<T>(device, held.elements());
    for (std::size_t i = 0; i < held.elements(); i += start.size()) {
      const std::span<const T> part = start.first(std::min(start.size(), held.elements() - i));
      from.upload(part, i);
      to.upload(part, i);
    }
  }
};

/// What every grid begins with, again and again.
template <class T>
std::vector<T> random_cells() {
  const std::vector<std::uint32_t> words = random_words(std::uint64_t{1} << 20, 7);
  return {words.begin(), words.end()};
}

template <class T>
using Pass = void (*)(const PeerGrid&, const T*, T*);

template <class T>
struct Peer {
  const char* name;
  Pass<T> pass;
  unsigned fused_steps;
};

template <class T>
constexpr Peer<T> peers[] = {
    {"plain", peer_plain<T>, 1}, {"blocked", peer_blocked<T>, 1}, {"temporal k=16", peer_temporal<T>, peer_levels}};

/// Peers and kernel do the same work only if they reach the same bits. Throws where they do not.
template <class T>
void compare_results(const Device& device) {
  constexpr unsigned iterations = 2 * peer_levels;
  const Layout layout(Shape{2389, 1217, 1});
  const std::vector<T> start = random_cells<T>();
  const auto hash = [&](const T* elements) {
    std::vector<T> cells;
    for (std::size_t y = 0; y < layout.slices; y++)
      cells.insert(cells.end(), elements + y * layout.pitch, elements + y * layout.pitch + layout.shape.width);
    return genocl_reference::hash_of<T>(cells);
  };
  DeviceGrids<T> kernel(device, layout, start);
  const Plan plan = choose_plan(device, layout, sizeof(T), Kernel::rolling, peer_levels);
  for (unsigned done = 0; done < iterations; done += plan.fused_steps) {
    sweep<T>(device, plan, kernel.held, kernel.from, kernel.to, 0, layout.slices, plan.fused_steps);
    std::swap(kernel.from, kernel.to);
  }
  const std::uint64_t expected = hash(kernel.from.download().data());
  for (const Peer<T>& peer : peers<T>) {
    HostGrids<T> host(layout, start);
    for (unsigned done = 0; done < iterations; done += peer.fused_steps) {
      peer.pass(host.grid, host.from.get(), host.to.get());
      std::swap(host.from, host.to);
    }
    if (hash(host.from.get()) != expected)
      throw std::runtime_error(std::string("jacobi/peer/") + peer.name + " and rolling reach different results");
  }
}

template <class T>
bool grids_fit(const Device& device, const Shape& shape) {
  const Layout layout(shape);
  const std::uint64_t bytes = layout.slice() * layout.slices * sizeof(T);
  return fits(device, bytes, 2 * bytes) && (sizeof(T) == 4 || device.info().fp64);
}

template <class T>
void add_size(const Setting& setting, const Shape& shape) {
  const Device& device = setting.device();
  const Layout layout(shape);
  const std::string size = std::string(sizeof(T) == 8 ? "double/" : "float/") + shape.text();
  const auto work = [&](unsigned fused_steps) {
    return Work{.items = static_cast<double>(shape.interior()) * fused_steps,
                .bytes = 2.0 * sizeof(T) * static_cast<double>(shape.cells())};
  };

  static const auto compared = std::make_shared<bool>(false);  // one for each T
  for (const Peer<T>& peer : peers<T>) {
    auto grids = std::make_shared<std::unique_ptr<HostGrids<T>>>();
    add_host(
        std::string("jacobi/peer/") + peer.name + "/" + size, work(peer.fused_steps),
        [=] {
          HostGrids<T>& g = **grids;
          peer.pass(g.grid, g.from.get(), g.to.get());
          std::swap(g.from, g.to);
        },
        [=] {
          if (!std::exchange(*compared, true)) compare_results<T>(device);
          if (!*grids) *grids = std::make_unique<HostGrids<T>>(layout, random_cells<T>());
        },
        [=] { grids->reset(); });
  }

  const Plan plan = choose_plan(device, layout, sizeof(T), Kernel::rolling, peer_levels);
  auto grids = std::make_shared<std::unique_ptr<DeviceGrids<T>>>();
  add_benchmark(
      "jacobi/rolling/beside peers/" + size, setting, device, work(plan.fused_steps),
      [=] {
        DeviceGrids<T>& g = **grids;
        sweep<T>(device, plan, g.held, g.from, g.to, 0, layout.slices, plan.fused_steps);
        std::swap(g.from, g.to);
      },
      [=] {
        if (!*grids) *grids = std::make_unique<DeviceGrids<T>>(device, layout, random_cells<T>());
      },
      [=] { grids->reset(); });
}

template <class T>
void add_type(const Setting& setting) {
  // 16384 x 16384 doubles are a little more than 2 GiB, which some drivers refuse.
  for (const std::vector<std::uint64_t>& sides : {std::vector<std::uint64_t>{4000}, {16384, 15360, 8192}})
    for (const std::uint64_t side : sides) {
      const Shape shape{side, side, 1};
      if (!grids_fit<T>(setting.device(), shape)) continue;
      add_size<T>(setting, shape);
      break;
    }
}

}  // namespace

void add_jacobi_peers(const Setting& setting) {
  if (setting.device().info().type != genocl::DeviceType::cpu) return;
  add_type<double>(setting);
  add_type<float>(setting);
}

}  // namespace genocl_bench
