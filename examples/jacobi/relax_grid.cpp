#include "jacobi/relax.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <utility>

#include "common/check_files.hpp"
#include "common/columns.hpp"
#include "common/format_name.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "jacobi/equation_options.hpp"
#include "jacobi/npy.hpp"
#include "jacobi/picture.hpp"
#include "jacobi/report.hpp"
#include "jacobi/vtk.hpp"

namespace program {
namespace {

using genocl::InputError;
using jacobi::Grid;
using jacobi::Shape;

template <class T>
T value_of(const std::optional<double>& value, const char* option) {
  if (value && !std::isfinite(static_cast<T>(*value)))
    throw InputError(std::string(option) + ": expected a finite number");
  return static_cast<T>(value.value_or(0));
}

/// The shape of a checkpoint; its cells are loaded to the devices later.
template <class T>
Grid<T> grid_for_checkpoint(const Settings& settings) {
  if (settings.any_value() || settings.mask_value || !settings.input.empty())
    throw InputError(
        "--resume has all values: without --in, --top, --bottom, --left, --right, --front, --back, --inside and "
        "--mask-value");
  const jacobi::CheckpointInfo info = jacobi::checkpoint_info(settings.resume);
  if (!settings.size.empty() && shape_of(settings.size) != info.shape)
    throw InputError(settings.resume, {}, "of a grid of " + info.shape.text(), "--size " + settings.size);
  return Grid<T>(info.shape);
}

/// The grid from --size and the boundary values, or from the file.
template <class T>
Grid<T> make_grid(const Settings& settings) {
  if (!settings.resume.empty()) return grid_for_checkpoint<T>(settings);
  if (!settings.input.empty()) {
    if (settings.any_value())
      throw InputError("--in has all values: without --top, --bottom, --left, --right, --front, --back and --inside");
    NpyArray<T> array = read_npy<T>(settings.input);
    if (!settings.size.empty() && shape_of(settings.size) != array.shape)
      throw InputError(settings.input, {}, "a grid of " + array.shape.text(), "--size " + settings.size);
    Grid<T> grid(array.shape);
    std::ranges::copy(array.cells, grid.cells().begin());
    return grid;
  }
  if (settings.size.empty()) throw InputError("--size or --in is needed");
  const Shape shape = shape_of(settings.size);
  if (!shape.three_dimensional() && (settings.front || settings.back))
    throw InputError("--front and --back: for grids of three dimensions");
  const jacobi::Boundary<T> boundary{.top = value_of<T>(settings.top, "--top"),
                                     .bottom = value_of<T>(settings.bottom, "--bottom"),
                                     .left = value_of<T>(settings.left, "--left"),
                                     .right = value_of<T>(settings.right, "--right"),
                                     .front = value_of<T>(settings.front, "--front"),
                                     .back = value_of<T>(settings.back, "--back")};
  const T inside = value_of<T>(settings.inside, "--inside");
  Grid<T> grid(shape);
  grid.fill(boundary, inside);
  return grid;
}

/// Returns the mask for every plane, and sets the values of its cells.
template <class T>
std::vector<std::uint8_t> apply_mask(const Settings& settings, Grid<T>& grid) {
  if (settings.mask.empty()) {
    if (settings.mask_value) throw InputError("--mask-value: only with --mask");
    return {};
  }
  const Shape& shape = grid.shape();
  NpyArray<std::uint8_t> mask;
  if (is_npy(settings.mask)) {
    mask = read_npy_mask(settings.mask);
  } else {
    Mask picture = read_mask(settings.mask);
    mask = {{picture.width, picture.height, 1}, std::move(picture.cells)};
  }
  const Shape plane{shape.width, shape.height, 1};
  if (mask.shape != shape && mask.shape != plane)
    throw InputError(settings.mask, {}, "a mask of " + mask.shape.text(),
                     plane.text() + (shape.three_dimensional() ? ", or an array of " + shape.text() : ""));
  std::vector<std::uint8_t> fixed;
  fixed.reserve(shape.cells());
  while (fixed.size() < shape.cells()) fixed.insert(fixed.end(), mask.cells.begin(), mask.cells.end());
  if (settings.mask_value) {
    const T value = value_of<T>(settings.mask_value, "--mask-value");
    const std::uint64_t outer = shape.three_dimensional() ? 1 : 0;  // boundary planes at either end
    for (std::uint64_t z = outer; z + outer < shape.depth; ++z)
      for (std::uint64_t y = 1; y + 1 < shape.height; ++y)
        for (std::uint64_t x = 1; x + 1 < shape.width; ++x)
          if (fixed[(z * shape.height + y) * shape.width + x] != 0) grid(x, y, z) = value;
  }
  return fixed;
}

/// The first rows of the partitions, except the first.
std::vector<std::uint64_t> cuts_of_report(const Settings& settings, const jacobi::Report& report) {
  // The picture must not depend on the team: only cuts from the options are drawn.
  const bool shown = team().size() == 1 || !settings.cut.empty() || !settings.weights.empty();
  std::vector<std::uint64_t> cuts;
  for (const jacobi::DeviceReport& device : report.devices)
    if (shown && device.used && device.first_row > 0) cuts.push_back(device.first_row);
  return cuts;
}

template <class T>
void draw(const std::string& path, const Slice& slice, const Grid<T>& grid, std::vector<std::uint64_t> cuts,
          Range& range) {
  const Shape& shape = grid.shape();
  Plane plane;
  const std::uint64_t p = slice.place;
  switch (slice.direction) {
    case 'x':
      plane = {shape.height, shape.depth, [&grid, p](auto x, auto y) { return double{grid(p, x, y)}; }, {}};
      break;
    case 'y':
      plane = {shape.width, shape.depth, [&grid, p](auto x, auto y) { return double{grid(x, p, y)}; }, {}};
      break;
    default:
      plane = {shape.width, shape.height, [&grid, p](auto x, auto y) { return double{grid(x, y, p)}; }, {}};
  }
  // Cuts are across the last direction: not visible in a plane of constant z.
  if (!shape.three_dimensional() || slice.direction != 'z') plane.cuts = std::move(cuts);
  write_png(path, plane, range);
}

/// The file name in a series: heat.png after 500 of 20000 iterations is heat-00500.png.
std::string numbered(const std::string& path, std::uint64_t iterations, std::uint64_t total) {
  const std::filesystem::path name = path;
  std::string number = std::to_string(iterations);
  number.insert(0, std::to_string(total).size() - std::min(number.size(), std::to_string(total).size()), '0');
  return (name.parent_path() / (name.stem().string() + '-' + number + name.extension().string())).string();
}

/// The data of the root.
template <class T>
struct Work {
  Grid<T> grid;
  Slice slice;
  std::vector<std::uint8_t> fixed;
  Range range;  // of all pictures
  EquationArrays<T> arrays;
  VtkFrame frame;
};

template <class T>
Work<T> make_work(const Settings& settings) {
  Work<T> work{make_grid<T>(settings), {}, {}, {}, {}, {}};
  work.slice = slice_of(settings.slice, work.grid.shape());
  if (!settings.slice.empty() && settings.png.empty()) throw InputError("--slice: only with --png");
  work.frame = vtk_frame_of(settings, work.grid.shape());
  work.fixed = apply_mask(settings, work.grid);
  work.arrays = read_equation_arrays<T>(settings, work.grid.shape());
  return work;
}

template <class T>
std::span<const T> cells_of(const Grid<T>& grid) {
  return grid.cells();
}

template <class T>
Pauses pauses_of(const Settings& settings, Work<T>& work) {
  Pauses pauses;
  pauses.resume = settings.resume;
  pauses.checkpoint = settings.checkpoint;
  pauses.checkpoint_every = settings.every.value_or(0);
  if (settings.png_every)
    pauses.looks.push_back({*settings.png_every, [&](std::uint64_t iterations) {
                              draw(numbered(settings.png, iterations, settings.iterations), work.slice, work.grid, {},
                                   work.range);
                            }});
  if (settings.vtk_every)
    pauses.looks.push_back({*settings.vtk_every, [&](std::uint64_t iterations) {
                              write_vti<T>(numbered(settings.vtk, iterations, settings.iterations), work.grid.shape(),
                                           cells_of(work.grid), work.frame);
                            }});
  return pauses;
}

template <class T>
void write_results(const Settings& settings, Work<T>& work, const jacobi::Report& report) {
  const Grid<T>& grid = work.grid;
  if (!report.diverged) {
    if (!settings.npy.empty()) write_npy<T>(settings.npy, grid.shape(), cells_of(grid));
    if (!settings.vtk.empty()) write_vti<T>(settings.vtk, grid.shape(), cells_of(grid), work.frame);
    if (!settings.png.empty()) draw(settings.png, work.slice, grid, cuts_of_report(settings, report), work.range);
  }
  genocl::io::OutputFile out(settings.output);
  out.write(settings.report == "json"
                ? json_report(report, grid.shape(), settings.precision)
                : for_output(text_report(report, grid.shape(), settings.precision, settings.tolerance.has_value()),
                             settings.output));
  out.commit();
  if (settings.common.quiet || settings.report == "json") return;
  const std::string devices = device_table(report, grid.shape());
  std::cerr << (is_terminal(STDERR_FILENO) ? aligned(devices) : devices);
  for (const std::string& decision : report.decisions) std::cerr << decision << '\n';
}

/// Writes the profiles of all members in order.
void write_profiles(std::span<const genocl::Device> devices) {
  std::ostringstream own;
  for (const genocl::Device& device : devices) write_profile(own, device);
  for (const std::string& profile : team().gather(own.str())) std::cerr << profile;
}

template <class T>
void run_as(const Settings& settings) {
  jacobi::SolveOptions options = solve_options(settings);
  options.equation = equation_of(settings);
  std::vector<genocl::Device> devices;
  if (team().size() == 1 && settings.input.empty() && !settings.size.empty()) {
    const Shape shape = shape_of(settings.size);
    shape.check();
    // A large grid takes long to create: check the memory first.
    if (shape.cells() > (std::uint64_t{1} << 23)) {
      devices = settings.common.open_devices(settings.common.profile);
      jacobi::check_memory<T>(devices, shape);
    }
  }
  std::optional<Work<T>> work;
  if (team().is_root()) work.emplace(make_work<T>(settings));
  if (work) {
    options.fixed_cells = work->fixed;
    options.equation.source = work->arrays.source;
    options.equation.coefficients = work->arrays.coefficients;
  }
  if (devices.empty()) devices = settings.common.open_devices(settings.common.profile);
  ProgressBar bar("relax", settings.common.quiet || !work, "iterations", 1);
  options.progress = [&](const genocl::ProgressState& state) {
    bar.show(static_cast<double>(state.items_done) / static_cast<double>(options.iterations), state.items_done);
    return true;
  };
  const Pauses pauses = work ? pauses_of(settings, *work) : Pauses();
  const jacobi::Report report = relax<T>(devices, work ? &work->grid : nullptr, options, pauses);
  bar.clear();
  if (work) write_results(settings, *work, report);
  if (settings.common.profile) write_profiles(devices);
  if (report.diverged && work)
    throw InputError("diverged: the change in iteration " + std::to_string(report.iterations) +
                     " is infinite or not a number; only the report is written");
}

}  // namespace

void relax_grid(const Settings& settings) {
  check_pauses(settings);
  check_files({settings.input, settings.mask, settings.source, settings.coefficients, settings.resume},
              {settings.output, settings.png, settings.npy, settings.vtk});
  check_format_name(settings.png, "png", {});
  check_format_name(settings.npy, "npy", {});
  // A checkpoint may replace the one that the run resumes from.
  check_files({settings.input, settings.mask, settings.source, settings.coefficients},
              {settings.checkpoint, settings.output, settings.png, settings.npy, settings.vtk});
  if (settings.precision == "float")
    run_as<float>(settings);
  else
    run_as<double>(settings);
}

}  // namespace program
