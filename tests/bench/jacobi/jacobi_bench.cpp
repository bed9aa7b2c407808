// Jacobi relaxation on one device: every kernel, pass after pass between two arrays. Rates are point updates, counted
// as published: those of the cells inside. The bytes are one reading and one writing of the grid a pass, and one
// reading of an equation's fields.
#include <algorithm>
#include <memory>
#include <utility>

#include "bench/bench.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/sweep.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
using genocl::Device;
using namespace genocl::jacobi;

/// An equation that a benchmark is about; its fields are as large as the grid.
enum class Kind { mean, weights, source, coefficients, periodic };
constexpr const char* kind_names[] = {"", "weights/", "source/", "coefficients/", "periodic/"};

template <class T>
struct EquationOf {
  std::vector<T> values;
  Equation equation;

  EquationOf(const Shape& shape, Kind kind) {
    const double mean = shape.three_dimensional() ? 1.0 / 7 : 0.2;
    if (kind == Kind::weights || kind == Kind::source)
      equation.weights = Weights{
          mean, mean, mean, mean, mean, shape.three_dimensional() ? mean : 0, shape.three_dimensional() ? mean : 0};
    if (kind == Kind::source || kind == Kind::coefficients) {
      const std::vector<std::uint32_t> words = random_words(std::uint64_t{1} << 20, 2);
      for (std::uint64_t i = 0; i < shape.cells(); ++i)
        values.push_back(static_cast<T>(1 + words[i % words.size()] % 1000));
    }
    if (kind == Kind::source) equation.source = values;
    if (kind == Kind::coefficients) equation.coefficients = values;
    if (kind != Kind::periodic) return;
    Boundaries& sides = equation.boundaries;
    sides.left = sides.right = BoundaryKind::periodic;
    if (shape.three_dimensional()) sides.top = sides.bottom = BoundaryKind::periodic;
  }
};

/// Made when its benchmark runs, and gone after it.
template <class T>
struct Relaxed {
  HeldSlices held;
  Plan plan;
  Array<T> from, to, largest;
  Array<double> squares;

  Relaxed(const Device& device, const Shape& shape, const Plan& p, Kind kind = Kind::mean)
      : Relaxed(device, shape, p, EquationOf<T>(shape, kind)) {}
  Relaxed(const Device& device, const Shape& shape, const Plan& p, const EquationOf<T>& of)
      : held(Layout(shape, of.equation.boundaries)), plan(p) {
    held.count = held.layout.slices;
    RunSettings settings{held.layout};
    set_equation<T>(settings, of.equation, {});
    held.formula = settings.formula;
    load_fields<T>(device, held, held.count, settings.readers<T>());
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
                const std::string& suffix, Kind kind = Kind::mean) {
  const Layout layout(shape);
  const std::uint64_t bytes = layout.slice() * layout.slices * sizeof(T);
  const std::uint64_t neighbours = neighbours_of(shape.three_dimensional()).size();
  const std::uint64_t fields = kind == Kind::source ? 1 : kind == Kind::coefficients ? neighbours : 0;
  if (!fits(device, bytes, (2 + fields) * bytes) || (sizeof(T) == 8 && !device.info().fp64)) return;
  const Plan plan = choose_plan(device, layout, sizeof(T), kernel, 0,
                                {.source = kind == Kind::source, .coefficients = kind == Kind::coefficients});
  const Work work{.items = static_cast<double>(shape.interior()) * plan.fused_steps,
                  .bytes = static_cast<double>((2 + fields) * sizeof(T)) * static_cast<double>(shape.cells())};
  auto data = std::make_shared<std::unique_ptr<Relaxed<T>>>();
  const auto make = [=] {
    if (!*data) *data = std::make_unique<Relaxed<T>>(device, shape, plan, kind);
  };
  const std::string name = "jacobi/" + std::string(kind_names[static_cast<int>(kind)]) +
                           std::string(to_string(kernel)) +
                           (plan.fused_steps > 1 ? " k=" + std::to_string(plan.fused_steps) : std::string()) + "/" +
                           (sizeof(T) == 8 ? "double" : "float") + "/" + shape.text() + "/" + suffix;
  add_benchmark(
      name, setting, device, work,
      [=] {
        Relaxed<T>& d = **data;
        sweep<T>(device, plan, d.held, d.from, d.to, 0, d.held.count, plan.fused_steps);
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
  const Work work{.items = static_cast<double>(shape.interior()),
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
  const bool lanes = device.family() == genocl::KernelFamily::cpu;
  const std::vector<Shape> flat =
      lanes ? std::vector<Shape>{{4000, 4000, 1}} : std::vector<Shape>{{4000, 4000, 1}, {16384, 16384, 1}};
  const std::vector<Shape> is_3d =
      lanes ? std::vector<Shape>{{256, 256, 256}} : std::vector<Shape>{{256, 256, 256}, {512, 512, 512}};
  // On a CPU what synchronises is up to ten times slower than `naive`, and on a GPU so is one worker for each row.
  const std::vector<Kernel> kernels =
      lanes ? std::vector<Kernel>{Kernel::naive, Kernel::blocked, Kernel::rolling}
            : std::vector<Kernel>{Kernel::naive, Kernel::local, Kernel::strip, Kernel::stream};
  for (const std::vector<Shape>& shapes : {flat, is_3d})
    for (const Shape& shape : shapes) {
      for (const Kernel kernel : kernels) add_kernel<T>(setting, device, shape, kernel, suffix);
      add_change<T>(setting, device, shape, suffix);
      for (const Kind kind : {Kind::weights, Kind::source, Kind::coefficients, Kind::periodic})
        add_kernel<T>(setting, device, shape, kernels.back(), suffix, kind);
    }
}

}  // namespace

void add_jacobi(const Setting& setting) {
  add_type<double>(setting);
  add_type<float>(setting);
}

}  // namespace genocl_bench
