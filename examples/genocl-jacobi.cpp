// genocl-jacobi: Jacobi relaxation of a grid on every device of the machine at once.
#include <CLI/CLI.hpp>
#include <string>

#include "common/command_line.hpp"
#include "common/main.hpp"
#include "common/program.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"
#include "jacobi/relax_grid.hpp"

namespace program {
namespace {

void add_grid(CLI::App& app, Settings& settings) {
  app.add_option("--size", settings.size, "Make a grid of this size in cells: WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH");
  app.add_option("--in", settings.input, "Start with this array (.npy), its outermost cells the boundary");
  app.add_option("--precision", settings.precision, "Compute in double or float")
      ->check(CLI::IsMember({"double", "float"}))
      ->capture_default_str();
  add_number(app, "--top", settings.top,
             "Keep the top row at this value (default: 0); top and bottom rows own the corners");
  add_number(app, "--bottom", settings.bottom, "Keep the bottom row at this value (default: 0)");
  add_number(app, "--left", settings.left, "Keep the left column at this value (default: 0)");
  add_number(app, "--right", settings.right, "Keep the right column at this value (default: 0)");
  add_number(app, "--front", settings.front, "Keep the plane z = 0 at this value (default: 0); it owns its edges");
  add_number(app, "--back", settings.back, "Keep the last plane at this value (default: 0); it owns its edges");
  add_number(app, "--inside", settings.inside, "Start all other cells with this value (default: 0)");
  app.add_option("--mask", settings.mask,
                 "Cells that keep their values: a PNG of the grid's width and height, those that are not black, or an "
                 "array (.npy) "
                 "of the grid's shape, those that are not 0; a mask of one plane goes for every plane");
  add_number(app, "--mask-value", settings.mask_value, "Start those of them that are inside the grid with this value");
}

void add_equation(CLI::App& app, Settings& settings) {
  app.add_option(
      "--stencil", settings.stencil,
      "Weight the centre and its neighbours: PLACE=WEIGHT,... of centre, top, bottom, left, right, front, back "
      "(others: 0; default: the mean of all), like top=0.25,bottom=0.25,left=0.25,right=0.25");
  app.add_option("--source", settings.source,
                 "Add this array (.npy, of the grid's size) to each update (Poisson's equation: -h^2 f / 4)");
  app.add_option("--coefficients", settings.coefficients,
                 "Conduct heat by the conductivities of this array (.npy, of the grid's size, above 0)");
  add_number(app, "--damping", settings.damping, "Go so much of the way to the update, between 0 and 2 (default: 1)");
  app.add_option(
      "--boundary", settings.boundary,
      "Make sides fixed (default), periodic (with the opposite one) or zero-flux: SIDE=KIND,... of left, right, "
      "top, bottom, front, back");
}

void add_run(CLI::App& app, Settings& settings) {
  add_number_with_default(app, "--iterations", settings.iterations,
                          "Do so many iterations (with --tolerance: so many at most)");
  add_number(app, "--tolerance", settings.tolerance, "Stop when no cell changes by so much in an iteration");
  add_number(app, "--check", settings.check, "Look at the change after every so many iterations (default: 100)");
  app.add_option("--kernel", settings.kernel,
                 "Compute with this kernel: auto, naive, local, blocked, strip, stream or rolling")
      ->capture_default_str();
  app.add_option("--exchange-every", settings.halo_depth,
                 "Do so many iterations between the devices' exchanges: auto or a number")
      ->capture_default_str();
  app.add_option("--balance", settings.balance,
                 "Measure the devices' shares (auto, the default) or take equal ones (static)")
      ->check(CLI::IsMember({"auto", "static"}));
  app.add_option("--cut", settings.cut, "Begin each device but the first at this slice: R1,R2 (rows; planes in 3D)");
  app.add_option("--weights", settings.weights, "Give the devices slices in these proportions: W1,W2");
  app.add_flag("--no-overlap", settings.no_overlap, "Compute first and exchange then, instead of both at once");
}

void add_checkpoints(CLI::App& app, Settings& settings) {
  app.add_option("--checkpoint", settings.checkpoint,
                 "Write the grid and its iterations to this file at the end, for --resume");
  add_number(app, "--every", settings.every, "Write it also after every so many iterations");
  app.add_option("--resume", settings.resume,
                 "Go on from a checkpoint, whose iterations count: the same bits as without a pause");
}

void add_output(CLI::App& app, Settings& settings) {
  app.add_option("--png", settings.png,
                 "Draw a heat map with a legend into this file, and the cuts where several devices took part");
  add_number(app, "--png-every", settings.png_every,
             "Draw one also of the beginning and after every so many iterations: heat.png, heat-000000.png, ...");
  app.add_option("--slice", settings.slice, "Draw this plane of a 3D grid, like z=12 (default: the middle one)");
  app.add_option("--npy", settings.npy,
                 "Write the result as an array (.npy) of shape (height, width) or (depth, height, width)");
  app.add_option("--vtk", settings.vtk, "Write the result as an image of points for ParaView (.vti), y from the top");
  app.add_option("--spacing", settings.spacing,
                 "Distance of neighbouring points in the .vti: X,Y or X,Y,Z, or one number for all [1]");
  app.add_option("--origin", settings.origin, "Coordinates of the first cell in the .vti: X,Y or X,Y,Z [0]");
  add_number(app, "--vtk-every", settings.vtk_every,
             "Write one also of the beginning and after every so many iterations: u.vti, u-000000.vti, ...");
  app.add_option("--report", settings.report, "Write the report as text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("-o,--output", settings.output, "Write the report here; - is standard output")->capture_default_str();
}

}  // namespace

const char* const program_name = "genocl-jacobi";

void run(int argc, char** argv) {
  CLI::App app(
      "Jacobi relaxation: every cell becomes the mean of itself and its neighbours, again and again, on all devices "
      "given, with the same bits whatever they are.");
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
