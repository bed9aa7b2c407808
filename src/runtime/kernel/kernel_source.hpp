// Finds the kernel sources and puts a kernel file together with what it includes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace genocl::runtime {

struct KernelPlaces;

/// Reads a folder laid out like cl/, or the copy built into the library.
class KernelSources {
 public:
  /// In this order: GENOCL_KERNEL_DIR; the source tree, for a library (or a program with it inside) that runs in its
  /// build tree, so that an edited kernel takes effect at the next start; the copy inside the library; share/genocl/cl
  /// beside it, which must carry the library's stamp. Never the working directory. Throws InputError when
  /// GENOCL_KERNEL_DIR is not a folder, BuildError when there is nothing at all (naming every place tried) and when the
  /// kernels beside the library are not those that it was built with (naming both).
  static KernelSources locate();
  /// The same with given places, for tests.
  static KernelSources locate(const KernelPlaces& places);

  /// An empty `folder` means the built-in copy.
  explicit KernelSources(std::filesystem::path folder, std::vector<std::string> places_tried = {});

  /// The text of `file` ("primitives/scan/scan.cl") with every `#include "..."` (named inside cl/) replaced by that
  /// file, each once, and #line directives so that a compiler's message names the right file and line. An include must
  /// not stand inside a conditional: what is skipped there would be missing later. Throws BuildError when a file is
  /// missing.
  std::string expand(std::string_view file) const;

  /// Lists every .cl file, sorted, named inside cl/.
  std::vector<std::string> files() const;

  /// Names it in messages: the folder, or "the copy built into genocl".
  std::string name() const;

 private:
  std::string read(const std::string& file, const std::string& included_from) const;

  std::filesystem::path folder_;
  std::vector<std::string> places_tried_;
};

/// A compiler's log on `source` (as KernelSources::expand() gives it) with "<kernel>:7:", which is how NVIDIA's names
/// line 7 of the whole text whatever #line says, replaced by the file and the line there.
std::string resolve_lines(const std::string& log, const std::string& source);

}  // namespace genocl::runtime
