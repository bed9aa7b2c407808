#include "runtime/kernel_source.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "genocl/error.hpp"
#include "genocl/version.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl_test;

namespace {

namespace fs = std::filesystem;

// A tree of two kernels in `folder`; returns its stamp.
std::string make_kernels(const fs::path& folder, const std::string& text = "__kernel void one() {}\n") {
  write_file(folder / "room/one.cl", text);
  write_file(folder / "common/two.clh", "#define TWO 2\n");
  return runtime::kernel_stamp(folder);
}

// A library that nothing lies next to.
runtime::KernelPlaces places_in(const fs::path& prefix, std::string_view stamp) {
  fs::create_directories(prefix / "lib");
  runtime::KernelPlaces places;
  places.loaded = prefix / "lib/libgenocl.so.0.1";
  places.build_tree = "0123456789abcdef";
  places.stamp = stamp;
  return places;
}

std::string refusal(const runtime::KernelPlaces& places) {
  return message_of<BuildError>([&] { runtime::KernelSources::locate(places); });
}

}  // namespace

TEST_CASE("a stamp changes with every text, name and file, and with nothing else") {
  const TemporaryFolder folder;
  const std::string stamp = make_kernels(folder.path() / "a");
  CHECK(stamp.size() == 64);
  CHECK(make_kernels(folder.path() / "b") == stamp);
  write_file(folder.path() / "b/README.md", "no kernel\n");
  write_file(folder.path() / "b/stamp", "no kernel\n");
  CHECK(runtime::kernel_stamp(folder.path() / "b") == stamp);

  fs::rename(folder.path() / "b/common/two.clh", folder.path() / "b/common/three.clh");
  CHECK(runtime::kernel_stamp(folder.path() / "b") != stamp);
  fs::rename(folder.path() / "b/common/three.clh", folder.path() / "b/common/two.clh");
  CHECK(runtime::kernel_stamp(folder.path() / "b") == stamp);
  write_file(folder.path() / "b/room/empty.cl", "");
  CHECK(runtime::kernel_stamp(folder.path() / "b") != stamp);
  CHECK(make_kernels(folder.path() / "c", "__kernel void one() { }\n") != stamp);
  CHECK(contains(message_of<BuildError>([&] { runtime::kernel_stamp(folder.path() / "none"); }), "none"));
}

TEST_CASE("the stamp of the build is that of the source tree and of the copy inside, as found at run time") {
  const auto here = runtime::KernelPlaces::here();
  const fs::path cl = here.loaded.parent_path() / "../share/genocl/cl";
  REQUIRE(fs::is_directory(cl));
  // A kernel edited since the build is no error here, but then there is nothing to compare.
  const std::string stamp(runtime::built_stamp());
  CHECK(stamp == runtime::kernel_stamp(cl));
  if (here.embedded) CHECK(stamp == runtime::kernel_stamp(runtime::embedded_kernels()));
  // By other people's tools.
  const TemporaryFolder folder;
  const std::string command =
      "cd '" + cl.string() +
      "' && find * -name '*.cl' -o -name '*.clh' | LC_ALL=C sort | xargs sha256sum | sha256sum >'" +
      (folder.path() / "sum").string() + "'";
  REQUIRE(std::system(command.c_str()) == 0);
  CHECK(read_file(folder.path() / "sum").substr(0, 64) == stamp);
}

TEST_CASE("GENOCL_KERNEL_DIR comes before everything, and is not asked for a stamp") {
  const TemporaryFolder folder;
  const std::string stamp = make_kernels(folder.path() / "share/genocl/cl");
  make_kernels(folder.path() / "given", "__kernel void other() {}\n");
  auto places = places_in(folder.path(), stamp);
  places.embedded = true;
  places.given = (folder.path() / "given").string();
  CHECK(runtime::KernelSources::locate(places).name() == places.given);
  places.given = (folder.path() / "missing").string();
  CHECK(contains(message_of<InputError>([&] { runtime::KernelSources::locate(places); }), "GENOCL_KERNEL_DIR"));
}

TEST_CASE("in its build tree a library takes the source tree's kernels, edited or not; anywhere else it does not") {
  const TemporaryFolder folder;
  make_kernels(folder.path() / "source/cl", "__kernel void edited() {}\n");
  fs::create_directories(folder.path() / "build/share/genocl");
  fs::create_directory_symlink(folder.path() / "source/cl", folder.path() / "build/share/genocl/cl");
  const std::string stamp(64, '0');
  auto places = places_in(folder.path() / "build", stamp);
  places.embedded = true;
  const std::string inside = runtime::KernelSources({}).name();
  // Without the name of the tree it is an installation's.
  CHECK(runtime::KernelSources::locate(places).name() == inside);
  write_file(folder.path() / "build/share/genocl/build-tree", "0123456789abcdef\n");
  const auto sources = runtime::KernelSources::locate(places);
  CHECK(sources.name() == (folder.path() / "build/share/genocl/cl").string());
  CHECK(contains(sources.expand("room/one.cl"), "edited"));

  // Another build's program that was copied here.
  places.build_tree = "fedcba9876543210";
  CHECK(runtime::KernelSources::locate(places).name() == inside);
  places.embedded = false;
  CHECK(contains(refusal(places), "belongs to another genocl"));
  places.build_tree = {};
  write_file(folder.path() / "build/share/genocl/build-tree", "");
  CHECK(contains(refusal(places), "belongs to another genocl"));

  // The sources are gone.
  places.build_tree = "0123456789abcdef";
  write_file(folder.path() / "build/share/genocl/build-tree", "0123456789abcdef\n");
  fs::remove_all(folder.path() / "source");
  CHECK(contains(refusal(places), (folder.path() / "build/share/genocl/cl").string()));
  places.embedded = true;
  CHECK(runtime::KernelSources::locate(places).name() == inside);
}

TEST_CASE("the copy inside comes before what lies beside the library") {
  const TemporaryFolder folder;
  const std::string stamp = make_kernels(folder.path() / "share/genocl/cl");
  auto places = places_in(folder.path(), stamp);
  places.embedded = true;
  CHECK(runtime::KernelSources::locate(places).name() == runtime::KernelSources({}).name());
  // Nobody knows where the program lies.
  places.loaded.clear();
  CHECK(runtime::KernelSources::locate(places).name() == runtime::KernelSources({}).name());
  places.embedded = false;
  CHECK(contains(refusal(places), "none found"));
}

TEST_CASE("kernels beside the library must be those that it was built with") {
  const TemporaryFolder folder;
  const fs::path kernels = folder.path() / "share/genocl/cl";
  const std::string stamp = make_kernels(kernels);
  const auto places = places_in(folder.path(), stamp);
  CHECK(runtime::KernelSources::locate(places).name() == kernels.string());
  write_file(kernels / "stamp", stamp + "\n");
  CHECK(runtime::KernelSources::locate(places).name() == kernels.string());

  // Changed since, by the words of the file `stamp`.
  write_file(kernels / "room/one.cl", "__kernel void changed() {}\n");
  std::string message = refusal(places);
  CHECK(contains(message, kernels.string() + " was changed"));
  CHECK(contains(message, places.loaded.string()));
  CHECK(contains(message, "GENOCL_KERNEL_DIR"));
  CHECK_FALSE(contains(message, "\n"));

  // Another version's.
  write_file(kernels / "stamp", runtime::kernel_stamp(kernels) + "\n");
  message = refusal(places);
  CHECK(contains(message, kernels.string() + " belongs to another genocl than " + places.loaded.string()));
  fs::remove(kernels / "stamp");
  CHECK(contains(refusal(places), "belongs to another genocl"));
}

TEST_CASE("kernels are found from a library two folders below the prefix; without any, the places are named") {
  const TemporaryFolder folder;
  auto places = places_in(folder.path(), "");
  places.loaded = folder.path() / "lib/x86_64-linux-gnu/libgenocl.so.0.1";
  const std::string message = refusal(places);
  CHECK(contains(message, (folder.path() / "share/genocl/cl").string()));
  CHECK(contains(message, (folder.path() / "lib/share/genocl/cl").string()));
  CHECK(contains(message, "the copy built into genocl"));
  CHECK(contains(message, "GENOCL_KERNEL_DIR"));

  const std::string stamp = make_kernels(folder.path() / "share/genocl/cl");
  places.stamp = stamp;
  CHECK(runtime::KernelSources::locate(places).name() == (folder.path() / "share/genocl/cl").string());
}

TEST_CASE("never the working directory") {
  const TemporaryFolder folder;
  const std::string stamp = make_kernels(folder.path() / "share/genocl/cl");
  make_kernels(folder.path() / "cl");
  const fs::path before = fs::current_path();
  fs::create_directories(folder.path() / "work");
  fs::current_path(folder.path() / "work");
  runtime::KernelPlaces places;
  places.stamp = stamp;
  const std::string message = refusal(places);
  fs::current_path(before);
  CHECK(contains(message, "none found"));
}

TEST_CASE("the library's version is the headers'") {
  CHECK(version() == GENOCL_VERSION);
  CHECK(std::string(GENOCL_VERSION) == std::to_string(GENOCL_VERSION_MAJOR) + "." +
                                           std::to_string(GENOCL_VERSION_MINOR) + "." +
                                           std::to_string(GENOCL_VERSION_PATCH));
  CHECK(GENOCL_VERSION_NUMBER / 10000 == GENOCL_VERSION_MAJOR);
  CHECK(GENOCL_VERSION_NUMBER / 100 % 100 == GENOCL_VERSION_MINOR);
}
