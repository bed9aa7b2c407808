// genocl-jacobi: Jacobi relaxation of a grid on every device of the machine at once.
#include <CLI/CLI.hpp>
#include <string>

#include "common/command_line.hpp"
#include "common/main.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"
#include "jacobi/run.hpp"

namespace {

using namespace program;

void add_grid(CLI::App& app, Settings& settings) {
  app.add_option("--size", settings.size, "Cells: WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH");
  app.add_option("--in", settings.input, "Start with this array (.npy, C order), its outermost cells the boundary");
  app.add_option("--precision", settings.precision, "double or float")
      ->check(CLI::IsMember({"double", "float"}))
      ->capture_default_str();
  add_number(app, "--top", settings.top, "Boundary values (default: 0). Top and bottom rows own the corners");
  add_number(app, "--bottom", settings.bottom, "");
  add_number(app, "--left", settings.left, "");
  add_number(app, "--right", settings.right, "");
  add_number(app, "--front", settings.front, "Of the planes z = 0 and the last, which own their edges");
  add_number(app, "--back", settings.back, "");
  add_number(app, "--inside", settings.inside, "Of all other cells at the start (default: 0)");
  app.add_option("--mask", settings.mask,
                 "PNG of the grid's width and height: cells that are not black keep their values (in every plane)");
  add_number(app, "--mask-value", settings.mask_value, "What those inside the grid start with");
}

void add_run(CLI::App& app, Settings& settings) {
  add_number_with_default(app, "--iterations", settings.iterations, "At most, with --tolerance");
  add_number(app, "--tolerance", settings.tolerance, "Stop when no cell changes by so much in an iteration");
  add_number(app, "--check", settings.check, "Iterations between looks at the change (default: 100)");
  app.add_option("--kernel", settings.kernel, "auto, naive, local, blocked, strip, stream or rolling")
      ->capture_default_str();
  app.add_option("--depth", settings.depth, "Iterations between exchanges of devices: auto or a number")
      ->capture_default_str();
  app.add_option("--balance", settings.balance, "auto (default): shares are measured; static: equal ones")
      ->check(CLI::IsMember({"auto", "static"}));
  app.add_option("--cut", settings.cut, "First slice of each device but the first: R1,R2 (rows; planes in 3D)");
  app.add_option("--weights", settings.weights, "Shares of the devices: W1,W2");
  app.add_flag("--no-overlap", settings.no_overlap, "Compute, then exchange");
}

void add_output(CLI::App& app, Settings& settings) {
  app.add_option("--png", settings.png, "Heat map with a legend, and the cuts where several devices took part");
  app.add_option("--slice", settings.slice,
                 "The plane of a 3D grid that is drawn, like z=12 (default: the middle one)");
  app.add_option("--npy", settings.npy,
                 "The result as an array (.npy), shape (height, width) or (depth, height, width)");
  app.add_option("--report", settings.report, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("-o,--output", settings.output, "Write the report here; - is standard output")->capture_default_str();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("genocl-jacobi", [&] {
    CLI::App app(
        "Jacobi relaxation: every cell becomes the mean of itself and its neighbours, again and again, on all devices "
        "given, with the same bits whatever they are.\n\nExample:\n"
        "  genocl-jacobi --size 4000x4000 --top 100 --left 25 --right 75 --iterations 2000 --device gpu,cpu --png "
        "heat.png\n");
    app.set_version_flag("--version", "genocl-jacobi " GENOCL_VERSION);
    Settings settings;
    add_grid(app, settings);
    add_run(app, settings);
    add_output(app, settings);
    add_common(app, settings.common);
    if (parse(app, argc, argv)) run(settings);
  });
}
