// genocl-jacobi: Jacobi relaxation of a grid on every device of the machine at once.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "common/command_line.hpp"
#include "common/main.hpp"
#include "common/program.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"
#include "jacobi/relax.hpp"

namespace program {
namespace {

void add_grid(CLI::App& app, Settings& settings) {
  app.add_option("--size", settings.size, "Size of a new grid in cells: WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH");
  app.add_option("--in", settings.input, "Initial grid (.npy); its outermost cells are the boundary");
  app.add_option("--precision", settings.precision, "Precision: double or float")
      ->check(CLI::IsMember({"double", "float"}))
      ->capture_default_str();
  add_number(app, "--top", settings.top, "Value of the top row; top and bottom rows include the corners [0]");
  add_number(app, "--bottom", settings.bottom, "Value of the bottom row [0]");
  add_number(app, "--left", settings.left, "Value of the left column [0]");
  add_number(app, "--right", settings.right, "Value of the right column [0]");
  add_number(app, "--front", settings.front, "Value of the plane z = 0, including its edges [0]");
  add_number(app, "--back", settings.back, "Value of the last plane, including its edges [0]");
  add_number(app, "--inside", settings.inside, "Initial value of all other cells [0]");
  app.add_option(
      "--mask", settings.mask,
      "Cells with fixed values: the pixels of a PNG of the grid's width and height that are not black, or "
      "the nonzero cells of an array (.npy) of the grid's shape; a mask of one plane applies to every plane");
  add_number(app, "--mask-value", settings.mask_value, "Initial value of masked cells inside the grid");
}

void add_equation(CLI::App& app, Settings& settings) {
  app.add_option(
      "--stencil", settings.stencil,
      "Weights of the centre and its neighbours: PLACE=WEIGHT,... of centre, top, bottom, left, right, front, back, "
      "like top=0.25,bottom=0.25,left=0.25,right=0.25; others are 0 [the mean of all]");
  app.add_option("--source", settings.source,
                 "Array (.npy) of the grid's size, added to each update (Poisson's equation: -h^2 f / 4)");
  app.add_option("--coefficients", settings.coefficients,
                 "Conductivities (.npy) of the grid's size, above 0, for heat conduction");
  add_number(app, "--damping", settings.damping, "Damping of weighted Jacobi, between 0 and 2 [1]");
  app.add_option("--boundary", settings.boundary,
                 "Boundary conditions fixed, periodic (on opposite sides) or zero-flux: SIDE=KIND,... of left, right, "
                 "top, bottom, front, back [fixed]");
}

/// Takes --exchange-every, the name of --halo-depth before version 0.2, with a warning.
void add_halo_depth(CLI::App& app, Settings& settings) {
  app.add_option("--halo-depth", settings.halo_depth,
                 "Halo depth: iterations between exchanges of neighbouring devices, auto or a number")
      ->capture_default_str();
  app.add_option_function<std::string>(
         "--exchange-every",
         [&settings](const std::string& depth) {
           std::cerr << "genocl-jacobi: warning: --exchange-every is now --halo-depth\n";
           settings.halo_depth = depth;
         },
         "Former name of --halo-depth")
      ->group("")
      ->excludes("--halo-depth");
}

void add_run(CLI::App& app, Settings& settings) {
  add_number_with_default(app, "--iterations", settings.iterations,
                          "Number of iterations; with --tolerance the maximum");
  add_number(app, "--tolerance", settings.tolerance, "Stop when no cell changes by this much in an iteration");
  add_number(app, "--check", settings.check, "Iterations between convergence tests [100]");
  app.add_option("--kernel", settings.kernel,
                 "Kernel: auto, strip, stream or rolling; published: naive, local or blocked")
      ->capture_default_str();
  add_halo_depth(app, settings);
  app.add_option("--balance", settings.balance,
                 "Partition sizes of the devices: measured (auto) or equal (static) [auto]")
      ->check(CLI::IsMember({"auto", "static"}));
  app.add_option("--cut", settings.cut, "First slice (row; plane in 3D) of each device except the first: R1,R2");
  app.add_option("--weights", settings.weights, "Proportions of the devices' partitions: W1,W2");
  app.add_flag("--no-overlap", settings.no_overlap, "Exchange halos after computing instead of during it");
}

void add_checkpoints(CLI::App& app, Settings& settings) {
  app.add_option("--checkpoint", settings.checkpoint,
                 "Write the grid and its iterations to this file at the end, for --resume");
  add_number(app, "--every", settings.every, "Also write the checkpoint after each N iterations");
  app.add_option("--resume", settings.resume,
                 "Continue from a checkpoint, whose iterations count; the bits are those of an uninterrupted run");
}

void add_output(CLI::App& app, Settings& settings) {
  app.add_option("--png", settings.png,
                 "Write a heat map with a legend to this file, with the cuts between devices if several took part");
  add_number(app, "--png-every", settings.png_every,
             "Also draw the initial grid, and the grid after each N iterations: heat.png, heat-000000.png, ...");
  app.add_option("--slice", settings.slice, "Plane of a 3D grid to draw, like z=12 [the middle one]");
  app.add_option("--npy", settings.npy,
                 "Write the result as an array (.npy) of shape (height, width) or (depth, height, width)");
  app.add_option("--vtk", settings.vtk, "Write the result as an image of points for ParaView (.vti), y from the top");
  app.add_option("--spacing", settings.spacing,
                 "Distance of neighbouring points in the .vti: X,Y or X,Y,Z, or one number for all [1]");
  app.add_option("--origin", settings.origin, "Coordinates of the first cell in the .vti: X,Y or X,Y,Z [0]");
  add_number(app, "--vtk-every", settings.vtk_every,
             "Also write the initial grid, and the grid after each N iterations: u.vti, u-000000.vti, ...");
  app.add_option("--report", settings.report, "Format of the report: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("-o,--output", settings.output, "File of the report; - is standard output")->capture_default_str();
}

}  // namespace

const char* const program_name = "genocl-jacobi";

void run(int argc, char** argv) {
  CLI::App app(
      "Jacobi relaxation: in each iteration every cell becomes the mean of itself and its neighbours. Runs on all "
      "given "
      "devices; the result has the same bits on each.");
  app.set_version_flag("--version", "genocl-jacobi " GENOCL_VERSION);
  Settings settings;
  add_grid(app, settings);
  add_equation(app, settings);
  add_run(app, settings);
  add_checkpoints(app, settings);
  add_output(app, settings);
  add_common(app, settings.common);
  add_example(
      app,
      "  genocl-jacobi --size 1000x1000 --top 100 --left 25 --right 75 --iterations 2000 --device all --png heat.png\n"
      "  genocl-jacobi --size 1000x1000 --top 100 --iterations 2000 --checkpoint heat.gjr --every 500 -o first.txt\n"
      "  genocl-jacobi --resume heat.gjr --iterations 4000 --png heat.png --png-every 1000 -o second.txt\n");
  if (parse(app, argc, argv)) relax_grid(settings);
}

}  // namespace program
