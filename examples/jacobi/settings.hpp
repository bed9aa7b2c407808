// The options of genocl-jacobi.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/common.hpp"
#include "genocl/jacobi.hpp"
#include "jacobi/vtk.hpp"

namespace program {

namespace jacobi = genocl::jacobi;

struct Settings {
  Common common;
  std::string size, input, precision = "double";
  std::uint64_t iterations = 1000;
  std::optional<double> tolerance;
  std::optional<std::uint64_t> check;
  std::string cut, weights, balance;
  std::string kernel = "auto", tile, halo_depth = "auto";
  bool no_overlap = false;
  std::optional<double> top, bottom, left, right, front, back, inside, mask_value;
  std::string stencil, source, coefficients, boundary;
  std::optional<double> damping;
  std::string mask, png, npy, vtk, spacing, origin, slice, report = "text", output = "-";
  std::optional<std::uint64_t> png_every, vtk_every, every;
  std::string checkpoint, resume;

  bool any_value() const { return top || bottom || left || right || front || back || inside; }
  /// Whether the run writes intermediate results or resumes from a checkpoint.
  bool pauses() const { return png_every || vtk_every || !checkpoint.empty() || !resume.empty(); }
};

/// Parse options. Each throws InputError with the option's name.
jacobi::Shape shape_of(const std::string& text);              // 4000x3000, 256x256x256
std::vector<std::uint64_t> cuts_of(const std::string& text);  // 100,200
std::vector<double> weights_of(const std::string& text);      // 1,2.5
unsigned halo_depth_of(const std::string& text);              // auto (0), 8

/// Sets the kernel of all devices ("local") or of types of devices ("gpu=local,cpu=blocked").
void set_kernels(const std::string& text, jacobi::SolveOptions& options);
jacobi::LocalTile tile_of(const std::string& text);  // 16x16

/// The plane of a grid to draw.
struct Slice {
  char direction = 'z';
  std::uint64_t place = 0;
};
Slice slice_of(const std::string& text, const jacobi::Shape& shape);  // z=12; empty: the middle one

/// The positions of the points of --vtk. Throws InputError if an option is used without --vtk.
VtkFrame vtk_frame_of(const Settings& settings, const jacobi::Shape& shape);

/// Throws InputError for intermediate outputs without their main option.
void check_pauses(const Settings& settings);

/// The options of a run, except the mask. Throws InputError for contradictory ones.
jacobi::SolveOptions solve_options(const Settings& settings);

}  // namespace program
