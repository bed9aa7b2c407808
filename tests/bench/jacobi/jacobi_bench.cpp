// Jacobi relaxation on one device: every kernel, pass after pass between two arrays. Rates are point updates, counted
// as published: those of the cells inside. The bytes are one reading and one writing of the grid a pass.
#include <algorithm>
#include <memory>
#include <utility>

#include "bench/bench.hpp"
#include "jacobi/kernels/sweep.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
using genocl::Device;
using namespace genocl::jacobi;

/// Made when its benchmark runs, and gone after it.
template <class T>
struct Relaxed {
  HeldSlices held;
  Plan plan;
  Array<T> from, to, largest;
  Array<double> squares;

  Relaxed(const Device& device, const Shape& shape, const Plan& p) : held(Layout(shape)), plan(p) {
    held.count = held.layout.slices;
    from = Array<T>(device, held.elements());
    to = Array<T>(device, held.elements());
    // Random, as equal numbers let a GPU clock higher than it does at work.
    const std::vector<std::uint32_t> words = random_words(std::uint64_t{1} << 20, 1);
    const std::vector<T> block(words.begin(), words.end());
    for (std::uint64_t i = 0; i < held.elements(); i += block.size()) {
      const std::size_t size = std::min<std::uint64_t>(block.size(), held.elements() - i);
      from.upload(std::span<const T>(block.data(), size), i);
      to.upload(std::span<const T>(block.data(), size), i);
    }
  }
};

template <class T>
void add_kernel(const Setting& setting, const Device& device, const Shape& shape, Kernel kernel,
                const std::string& suffix) {
  const Layout layout(shape);
  const std::uint64_t bytes = layout.slice() * layout.slices * sizeof(T);
  if (!fits(device, bytes, 2 * bytes) || (sizeof(T) == 8 && !device.info().fp64)) return;
  const Plan plan = choose_plan(device, layout, sizeof(T), kernel, 0);
  const Work work{.items = static_cast<double>(shape.inside()) * plan.levels,
                  .bytes = 2.0 * sizeof(T) * static_cast<double>(shape.cells())};
  auto data = std::make_shared<std::unique_ptr<Relaxed<T>>>();
  const auto make = [=] {
    if (!*data) *data = std::make_unique<Relaxed<T>>(device, shape, plan);
  };
  const std::string name = "jacobi/" + std::string(to_string(kernel)) +
                           (plan.levels > 1 ? " k=" + std::to_string(plan.levels) : std::string()) + "/" +
                           (sizeof(T) == 8 ? "double" : "float") + "/" + shape.text() + "/" + suffix;
  add_benchmark(
      name, setting, device, work,
      [=] {
        Relaxed<T>& d = **data;
        sweep<T>(device, plan, d.held, d.from, d.to, 0, d.held.count, plan.levels);
        std::swap(d.from, d.to);
      },
      make, [=] { data->reset(); });
}

/// The sweep that measures the change.
template <class T>
void add_change(const Setting& setting, const Device& device, const Shape& shape, const std::string& suffix) {
  const Layout layout(shape);
  const std::uint64_t bytes = layout.slice() * layout.slices * sizeof(T);
  if (!fits(device, bytes, 2 * bytes) || (sizeof(T) == 8 && !device.info().fp64)) return;
  const Work work{.items = static_cast<double>(shape.inside()),
                  .bytes = 2.0 * sizeof(T) * static_cast<double>(shape.cells())};
  auto data = std::make_shared<std::unique_ptr<Relaxed<T>>>();
  add_benchmark(
      std::string("jacobi/change/") + (sizeof(T) == 8 ? "double" : "float") + "/" + shape.text() + "/" + suffix,
      setting, device, work,
      [=] {
        Relaxed<T>& d = **data;
        sweep_with_change<T>(device, d.held, d.from, d.to, 0, d.held.count, d.largest, d.squares, device.info().fp64);
        std::swap(d.from, d.to);
      },
      [=] {
        if (*data) return;
        *data = std::make_unique<Relaxed<T>>(device, shape, Plan{});
        (*data)->largest = Array<T>(device, layout.slices * layout.rows_per_slice);
        (*data)->squares = Array<double>(device, layout.slices * layout.rows_per_slice);
      },
      [=] { data->reset(); });
}

template <class T>
void add_type(const Setting& setting) {
  const Device& device = setting.device();
  const std::string suffix = setting.variants.front().name;
  const bool lanes = device.family() == genocl::KernelFamily::lanes;
  const std::vector<Shape> flat =
      lanes ? std::vector<Shape>{{4000, 4000, 1}} : std::vector<Shape>{{4000, 4000, 1}, {16384, 16384, 1}};
  const std::vector<Shape> solid =
      lanes ? std::vector<Shape>{{256, 256, 256}} : std::vector<Shape>{{256, 256, 256}, {512, 512, 512}};
  // On a CPU what synchronises is up to ten times slower than `naive`, and on a GPU so is one worker for each row.
  const std::vector<Kernel> kernels =
      lanes ? std::vector<Kernel>{Kernel::naive, Kernel::blocked, Kernel::rolling}
            : std::vector<Kernel>{Kernel::naive, Kernel::local, Kernel::strip, Kernel::stream};
  for (const std::vector<Shape>& shapes : {flat, solid})
    for (const Shape& shape : shapes) {
      for (const Kernel kernel : kernels) add_kernel<T>(setting, device, shape, kernel, suffix);
      add_change<T>(setting, device, shape, suffix);
    }
}

}  // namespace

void add_jacobi(const Setting& setting) {
  add_type<double>(setting);
  add_type<float>(setting);
}

}  // namespace genocl_bench
