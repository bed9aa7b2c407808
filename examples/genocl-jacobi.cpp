// genocl-jacobi: Jacobi relaxation of a grid on every device of the machine at once.
#include <CLI/CLI.hpp>
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
  begin_group(app, "Grid and equation");
  add_value(app, "--size WxH[xD]", settings.size, "Size of a new grid, in cells");
  add_value(app, "--in FILE.npy", settings.input, "Initial grid; its outermost cells are the boundary");
  add_choice(app, "--precision TYPE", settings.precision, {"double", "float"}, "double or float");
  add_number(app, "--top V", settings.top, "Value of the top row, with its corners [0]");
  add_number(app, "--bottom V", settings.bottom, "Value of the bottom row, with its corners [0]");
  add_number(app, "--left V", settings.left, "Value of the left column [0]");
  add_number(app, "--right V", settings.right, "Value of the right column [0]");
  begin_group(app, "+Grid and equation");
  add_number(app, "--front V", settings.front, "Value of the plane z = 0, with its edges [0]");
  add_number(app, "--back V", settings.back, "Value of the last plane, with its edges [0]");
  add_number(app, "--inside V", settings.inside, "Initial value of all other cells [0]");
  add_value(app, "--mask FILE", settings.mask,
            "Cells with fixed values: pixels of a PNG that are not black, or nonzero cells of an .npy");
  add_number(app, "--mask-value V", settings.mask_value, "Initial value of masked cells");
}

void add_equation(CLI::App& app, Settings& settings) {
  begin_group(app, "Grid and equation");
  add_value(app, "--source FILE.npy", settings.source, "Array added in each update (Poisson's equation: -h^2 f / 4)");
  add_value(app, "--boundary KINDS", settings.boundary,
            "Boundary conditions SIDE=KIND,...: fixed, periodic or zero-flux [fixed]");
  begin_group(app, "+Grid and equation");
  add_value(app, "--coefficients FILE", settings.coefficients, "Conductivities (.npy) of heat conduction, above 0");
  add_value(app, "--stencil WEIGHTS", settings.stencil,
            "Weights PLACE=W,... of centre, top, bottom, left, right, front, back; others are 0 [mean of neighbours]");
  add_number(app, "--damping W", settings.damping, "Damping of weighted Jacobi, between 0 and 2 [1]");
}

void add_iterations(CLI::App& app, Settings& settings) {
  begin_group(app, "Iterations");
  add_number_with_default(app, "--iterations N", settings.iterations,
                          "Number of iterations; with --tolerance the maximum");
  add_number(app, "--tolerance T", settings.tolerance, "Stop when no cell changes by T or more in an iteration");
  add_value(app, "--checkpoint FILE", settings.checkpoint, "Write the grid and its iterations for --resume");
  add_number(app, "--every N", settings.every, "Also write the checkpoint after each N iterations");
  add_value(app, "--resume FILE", settings.resume, "Continue from a checkpoint; the result has the same bits");
  begin_group(app, "+Iterations");
  add_number(app, "--check N", settings.check, "Iterations between convergence tests [100]");
}

void add_running(CLI::App& app, Settings& settings) {
  begin_group(app, "+Running");
  add_value(app, "--halo-depth N", settings.halo_depth, "Iterations between halo exchanges, or auto")
      ->capture_default_str();
  add_value(app, "--balance NAME", settings.balance, "Partitions: measured (auto) or equal (static) [auto]")
      ->check(CLI::IsMember({"auto", "static"}));
  add_value(app, "--cut R1,R2", settings.cut, "First row (plane in 3D) of each partition except the first");
  add_value(app, "--weights W1,W2", settings.weights, "Relative sizes of the partitions");
  app.add_flag("--no-overlap", settings.no_overlap, "Exchange halos after computing instead of during it");
  begin_group(app, "Running");
  add_common(app, settings.common);
  begin_group(app, "+Published methods");
  add_value(app, "--kernel NAME", settings.kernel,
            "auto, strip, stream or rolling; published: naive, local or blocked. By type: gpu=local,cpu=blocked")
      ->capture_default_str();
  add_value(app, "--tile COLUMNSxROWS", settings.tile, "Tile of kernel local, edges included: BSX x BSY of Listing 3");
}

void add_results(CLI::App& app, Settings& settings) {
  begin_group(app, "Output");
  add_output(app, settings.output, "Report file");
  add_value(app, "--npy FILE", settings.npy, "Write the result as an array of shape (height, width)");
  add_value(app, "--png FILE", settings.png, "Write the result as a heat map with a legend");
  begin_group(app, "+Output");
  add_value(app, "--vtk FILE.vti", settings.vtk, "Write the result for ParaView, y from the top");
  add_choice(app, "--report FORMAT", settings.report, {"text", "json"}, "Format of the report: text or json");
  add_number(app, "--png-every N", settings.png_every,
             "Also draw the initial grid, and the grid after each N iterations: heat-000000.png, ...");
  add_value(app, "--slice z=N", settings.slice, "Plane of a 3D grid to draw [the middle one]");
  add_number(app, "--vtk-every N", settings.vtk_every,
             "Also write the initial grid, and the grid after each N iterations: u-000000.vti, ...");
  add_value(app, "--spacing X,Y,Z", settings.spacing, "Distance of neighbouring points in the .vti [1]");
  add_value(app, "--origin X,Y,Z", settings.origin, "Coordinates of the first cell in the .vti [0]");
}

}  // namespace

const char* const program_name = "genocl-jacobi";

void run(int argc, char** argv) {
  CLI::App app("Jacobi relaxation of a grid in 2D or 3D on all devices of a machine.");
  add_program_options(app, GENOCL_VERSION);
  Settings settings;
  add_grid(app, settings);
  add_equation(app, settings);
  add_iterations(app, settings);
  add_results(app, settings);
  add_running(app, settings);
  add_example(app,
              "  genocl jacobi --size 1000x1000 --top 100 --left 25 --iterations 2000 --device all --png heat.png\n"
              "  genocl jacobi --size 1000x1000 --top 100 --checkpoint heat.gjr --every 500 -o first.txt\n"
              "  genocl jacobi --resume heat.gjr --iterations 4000 --png heat.png --png-every 1000 -o second.txt\n");
  if (parse(app, arguments_of(argc, argv, {{"--exchange-every", "--halo-depth"}}))) relax_grid(settings);
}

}  // namespace program
