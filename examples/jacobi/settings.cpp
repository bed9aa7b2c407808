#include "jacobi/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "common/lists.hpp"
#include "common/numbers.hpp"
#include "genocl/error.hpp"

namespace program {

using genocl::InputError;

jacobi::Shape shape_of(const std::string& text) {
  std::vector<std::uint64_t> sizes;
  for (const std::string_view part : parts_of(text, 'x')) {
    const auto size = number_of<std::uint64_t>(part);
    if (!size) sizes.clear();
    if (!size) break;
    sizes.push_back(*size);
  }
  if (sizes.size() != 2 && sizes.size() != 3)
    throw InputError("--size: " + genocl::in_quotes(text) + "; expected WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH");
  const jacobi::Shape shape{sizes[0], sizes[1], sizes.size() == 3 ? sizes[2] : 1};
  if (sizes.size() == 3 && shape.depth < 3)
    throw InputError("--size: a grid of " + text + " cells; expected at least 3 in each direction");
  shape.check();
  return shape;
}

std::vector<std::uint64_t> cuts_of(const std::string& text) {
  std::vector<std::uint64_t> cuts;
  for (const std::string_view part : parts_of(text, ',')) {
    const auto cut = number_of<std::uint64_t>(part);
    if (!cut) throw InputError("--cut: " + genocl::in_quotes(text) + "; expected slice numbers like 1000,3000");
    cuts.push_back(*cut);
  }
  return cuts;
}

std::vector<double> weights_of(const std::string& text) {
  std::vector<double> weights;
  for (const std::string_view part : parts_of(text, ',')) {
    const auto weight = number_of<double>(part);
    if (!weight || !std::isfinite(*weight) || *weight <= 0)
      throw InputError("--weights: " + genocl::in_quotes(text) + "; expected numbers above 0 like 1,2.5");
    weights.push_back(*weight);
  }
  return weights;
}

unsigned halo_depth_of(const std::string& text) {
  if (text == "auto") return 0;
  const auto every = number_of<unsigned>(text);
  if (!every || *every == 0)
    throw InputError("--halo-depth: " + genocl::in_quotes(text) + "; expected auto or a number of at least 1");
  return *every;
}

void set_kernels(const std::string& text, jacobi::SolveOptions& options) {
  if (text.find('=') == std::string::npos) {
    options.kernel = jacobi::kernel_named(text);
    return;
  }
  for (const std::string_view part : parts_of(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string_view type = part.substr(0, equals);
    jacobi::Kernel* const kernel = type == "cpu"           ? &options.kernels.cpu
                                   : type == "gpu"         ? &options.kernels.gpu
                                   : type == "accelerator" ? &options.kernels.accelerator
                                                           : nullptr;
    if (equals == std::string_view::npos || kernel == nullptr)
      throw InputError("--kernel: " + genocl::in_quotes(text) +
                       "; expected a name, or kernels of types of devices: cpu=NAME, gpu=NAME, accelerator=NAME");
    if (*kernel != jacobi::Kernel::automatic)
      throw InputError("--kernel: " + genocl::in_quotes(text) + "; " + std::string(type) + " has two kernels");
    *kernel = jacobi::kernel_named(part.substr(equals + 1));
  }
}

jacobi::LocalTile tile_of(const std::string& text) {
  if (text.empty()) return {};
  std::vector<unsigned> sizes;
  for (const std::string_view part : parts_of(text, 'x')) sizes.push_back(number_of<unsigned>(part).value_or(0));
  if (sizes.size() != 2 || sizes[0] < 3 || sizes[1] < 3)
    throw InputError("--tile: " + genocl::in_quotes(text) + "; expected COLUMNSxROWS, each at least 3");
  return {sizes[0], sizes[1]};
}

Slice slice_of(const std::string& text, const jacobi::Shape& shape) {
  if (!shape.three_dimensional()) {
    if (!text.empty()) throw InputError("--slice: for grids of three dimensions");
    return {};
  }
  if (text.empty()) return {'z', shape.depth / 2};
  const std::string_view view = text;
  const auto place = view.size() > 2 && view[1] == '=' ? number_of<std::uint64_t>(view.substr(2)) : std::nullopt;
  const char direction = view.front();
  if (!place || (direction != 'x' && direction != 'y' && direction != 'z'))
    throw InputError("--slice: " + genocl::in_quotes(text) + "; expected a plane like z=12");
  const std::uint64_t planes = direction == 'x' ? shape.width : direction == 'y' ? shape.height : shape.depth;
  if (*place >= planes)
    throw InputError("--slice: " + genocl::in_quotes(text) + " of a grid of " + shape.text() + "; expected less than " +
                     std::to_string(planes));
  return {direction, *place};
}

VtkFrame vtk_frame_of(const Settings& settings, const jacobi::Shape& shape) {
  VtkFrame frame;
  const auto take = [&](const char* option, const std::string& text, bool positive, std::array<double, 3>& numbers) {
    if (text.empty()) return;
    if (settings.vtk.empty()) throw InputError(std::string(option) + ": only with --vtk");
    std::vector<double> given;
    for (const std::string_view part : parts_of(text, ',')) {
      const auto number = number_of<double>(part);
      if (number && std::isfinite(*number) && (!positive || *number > 0))
        given.push_back(*number);
      else
        given.resize(4);  // never a valid number of directions
    }
    const std::size_t directions = shape.three_dimensional() ? 3 : 2;
    if (positive && given.size() == 1) given.assign(directions, given[0]);
    if (given.size() != directions)
      throw InputError(
          std::string(option) + ": " + genocl::in_quotes(text) + "; expected " + (directions == 3 ? "three" : "two") +
          (positive ? " numbers above 0, or one for all" : " numbers") + (directions == 3 ? ": X,Y,Z" : ": X,Y"));
    std::copy(given.begin(), given.end(), numbers.begin());
  };
  take("--spacing", settings.spacing, true, frame.spacing);
  take("--origin", settings.origin, false, frame.origin);
  return frame;
}

void check_pauses(const Settings& settings) {
  const auto check_every = [](const char* option, const std::optional<std::uint64_t>& every, const char* of,
                              const std::string& file) {
    if (!every) return;
    if (file.empty()) throw InputError(std::string(option) + ": only with " + of);
    if (*every == 0) throw InputError(std::string(option) + ": expected 1 iteration or more");
  };
  check_every("--every", settings.every, "--checkpoint", settings.checkpoint);
  check_every("--png-every", settings.png_every, "--png", settings.png);
  check_every("--vtk-every", settings.vtk_every, "--vtk", settings.vtk);
  for (const auto& [option, file] : {std::pair{"--checkpoint", settings.checkpoint}, {"--resume", settings.resume}})
    if (file == "-") throw InputError(std::string(option) + ": expected the name of a file");
  if (settings.png_every && settings.png == "-") throw InputError("--png-every: expected the name of a file at --png");
  if (settings.vtk_every && settings.vtk == "-") throw InputError("--vtk-every: expected the name of a file at --vtk");
  if (settings.pauses() && team().size() > 1)
    throw InputError("--checkpoint, --resume, --png-every and --vtk-every: for a run of one process");
}

jacobi::SolveOptions solve_options(const Settings& settings) {
  jacobi::SolveOptions options;
  options.iterations = settings.iterations;
  if (settings.tolerance) {
    if (!std::isfinite(*settings.tolerance) || *settings.tolerance <= 0)
      throw InputError("--tolerance: expected a number above 0");
    options.tolerance = *settings.tolerance;
  }
  if (settings.check) {
    if (!settings.tolerance) throw InputError("--check: only with --tolerance");
    if (*settings.check == 0) throw InputError("--check: expected 1 iteration or more");
    options.check_every = *settings.check;
  }
  set_kernels(settings.kernel, options);
  options.tile = tile_of(settings.tile);
  const auto is_local = [](jacobi::Kernel kernel) { return kernel == jacobi::Kernel::local; };
  if (!settings.tile.empty() && !is_local(options.kernel) && !is_local(options.kernels.cpu) &&
      !is_local(options.kernels.gpu) && !is_local(options.kernels.accelerator))
    throw InputError("--tile: only with --kernel local");
  options.halo_depth = halo_depth_of(settings.halo_depth);
  options.overlap = !settings.no_overlap;
  const bool fixed = !settings.cut.empty() || !settings.weights.empty() || settings.balance == "static";
  if (!settings.cut.empty() && !settings.weights.empty()) throw InputError("--cut and --weights: one of the two");
  if (fixed && settings.balance == "auto")
    throw InputError("--balance auto: it finds the cuts itself, without --cut and --weights");
  if (!settings.cut.empty()) options.cuts = cuts_of(settings.cut);
  if (!settings.weights.empty()) options.weights = weights_of(settings.weights);
  options.balance = fixed ? jacobi::Balance::fixed : jacobi::Balance::automatic;
  return options;
}

}  // namespace program
