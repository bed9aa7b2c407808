#include "runtime/kernel/kernel_places.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "runtime/kernel/kernel_source.hpp"
#include "runtime/kernel/sha256.hpp"

namespace genocl::runtime {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

fs::path loaded_file() {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(&loaded_file), &found) == 0 || found.dli_fname == nullptr) return {};
  std::error_code error;
  fs::path real = fs::canonical(found.dli_fname, error);
  if (!error && fs::is_regular_file(real, error)) return real;
  // A program found through PATH is named without its folder.
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) program.clear();
  return program;
}

[[noreturn]] void fail(const std::string& wrong) { throw BuildError("kernel sources", {}, 0, {}, wrong); }

// The first line of a file; empty when there is none.
std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

class Manifest {
 public:
  void add(std::string path, std::string_view text) { lines_.emplace_back(std::move(path), sha256(text)); }
  std::string stamp() {
    std::sort(lines_.begin(), lines_.end());
    std::string text;
    for (const auto& [path, hash] : lines_) text.append(hash).append("  ").append(path).push_back('\n');
    return sha256(text);
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

void check_stamp(const fs::path& folder, const KernelPlaces& places) {
  const std::string found = kernel_stamp(folder);
  if (found == places.stamp) return;
  const std::string library = places.loaded.string();
  const std::string way_out = "; install both anew from one build, or set GENOCL_KERNEL_DIR to run these all the same";
  if (first_line(folder / "stamp") == places.stamp)
    fail(folder.string() + " was changed after it was installed with " + library + way_out);
  fail(folder.string() + " belongs to another genocl than " + library + " (stamp " + found.substr(0, 12) +
       " instead of " + std::string(places.stamp.substr(0, 12)) + ")" + way_out);
}

}  // namespace

KernelPlaces KernelPlaces::here() {
  const char* given = std::getenv("GENOCL_KERNEL_DIR");
  return {given != nullptr ? given : "", loaded_file(), build_tree_name(), built_stamp(), !embedded_kernels().empty()};
}

std::string kernel_stamp(const fs::path& folder) {
  Manifest manifest;
  try {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cl" && path.extension() != ".clh") continue;
      std::ifstream stream(path, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      if (!stream.is_open() || stream.bad()) fail(path.string() + " cannot be read");
      manifest.add(path.lexically_relative(folder).generic_string(), text);
    }
  } catch (const fs::filesystem_error& error) {
    fail(folder.string() + " cannot be read: " + error.code().message());
  }
  return manifest.stamp();
}

std::string kernel_stamp(std::span<const EmbeddedKernel> kernels) {
  Manifest manifest;
  for (const EmbeddedKernel& kernel : kernels) manifest.add(std::string(kernel.path), kernel.text);
  return manifest.stamp();
}

KernelSources KernelSources::locate(const KernelPlaces& places) {
  if (!places.given.empty()) {
    if (!is_folder(places.given))
      throw InputError("GENOCL_KERNEL_DIR", places.given, "is not a folder", "a folder laid out like genocl's cl/");
    return KernelSources(places.given, {"GENOCL_KERNEL_DIR=" + places.given});
  }

  std::vector<std::string> tried;
  const fs::path beside = places.loaded.parent_path();
  if (!beside.empty()) {
    // The build tree is laid out like an installation, with a link to the sources in the place of the kernels and
    // with its name beside that: another build's program that was copied here is not at home.
    const fs::path share = (beside / "../share/genocl").lexically_normal();
    if (!places.build_tree.empty() && first_line(share / "build-tree") == places.build_tree) {
      tried.push_back((share / "cl").string());
      if (is_folder(share / "cl")) return KernelSources(share / "cl", tried);
    }
  }
  tried.emplace_back("the copy built into genocl");
  if (places.embedded) return KernelSources({}, tried);
  if (!beside.empty()) {
    // GENOCL_KERNELS_FROM_LIBRARY leads from the library's folder to the kernels' as they were configured.
    for (const char* way : {GENOCL_KERNELS_FROM_LIBRARY, "../share/genocl/cl", "../../share/genocl/cl"}) {
      const fs::path folder = (beside / way).lexically_normal();
      if (std::find(tried.begin(), tried.end(), folder.string()) != tried.end()) continue;
      tried.push_back(folder.string());
      if (!is_folder(folder)) continue;
      check_stamp(folder, places);
      return KernelSources(folder, tried);
    }
  }
  std::string all;
  for (const std::string& place : tried) all += (all.empty() ? "" : ", ") + place;
  fail("none found; tried " + all + "; set GENOCL_KERNEL_DIR to genocl's cl/ folder");
}

KernelSources KernelSources::locate() { return locate(KernelPlaces::here()); }

}  // namespace genocl::runtime
