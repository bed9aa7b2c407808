// The copy of cl/ inside the library. cmake/GenoclEmbedKernels.cmake makes the definitions at build time.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genocl::runtime {

struct EmbeddedKernel {
  std::string_view path;  ///< Inside cl/: "primitives/scan.cl".
  std::string_view text;
};

/// Empty in a build without GENOCL_EMBED_KERNELS.
std::span<const EmbeddedKernel> embedded_kernels() noexcept;

/// kernel_stamp() of cl/ as it was when the library was built, with or without a copy inside.
std::string_view built_stamp() noexcept;

/// A name for the build tree that the library was built in, which does not tell where that is. The same stands in the
/// tree's own share/genocl/build-tree.
std::string_view build_tree_name() noexcept;

/// All that KernelSources::locate() looks at.
struct KernelPlaces {
  /// GENOCL_KERNEL_DIR; empty when it is not set.
  std::string given;
  /// The file that this code was loaded from: the shared library, or the program that it is linked into. Empty when
  /// the system does not say.
  std::filesystem::path loaded;
  /// See build_tree_name() and built_stamp().
  std::string_view build_tree, stamp;
  /// Is there a copy inside the library?
  bool embedded = false;

  /// Finds those of this process.
  static KernelPlaces here();
};

/// The stamp of a tree of kernels: the SHA-256 of one line for each .cl and .clh file, sorted by path, with the file's
/// own SHA-256, two spaces and its path inside the tree. That is what this prints, in the tree:
///   find * -name '*.cl' -o -name '*.clh' | LC_ALL=C sort | xargs sha256sum | sha256sum
/// cmake/GenoclEmbedKernels.cmake computes the same at build time. Throws BuildError for what cannot be read.
std::string kernel_stamp(const std::filesystem::path& folder);
std::string kernel_stamp(std::span<const EmbeddedKernel> kernels);

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

  /// The text of `file` ("primitives/scan.cl") with every `#include "..."` (named inside cl/) replaced by that
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
