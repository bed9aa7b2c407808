// Finds the kernel sources, verifies their stamp and expands includes. cmake/GenoclEmbedKernels.cmake defines the
// embedded copy at build time.
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

/// kernel_stamp() of cl/ at build time, with or without an embedded copy.
std::string_view built_stamp() noexcept;

/// An identifier of the build tree that reveals no path. The build tree stores the same in share/genocl/build-tree.
std::string_view build_tree_name() noexcept;

/// The inputs of KernelSources::locate().
struct KernelPlaces {
  /// GENOCL_KERNEL_DIR; empty if unset.
  std::string given;
  /// The file that contains this code: the shared library, or the program that links it statically. Empty if the system
  /// does not tell.
  std::filesystem::path loaded;
  /// See build_tree_name() and built_stamp().
  std::string_view build_tree, stamp;
  /// True if the library contains a copy.
  bool embedded = false;

  /// The inputs of this process.
  static KernelPlaces here();
};

/// The stamp of a tree of kernels: the SHA-256 of a list of files, one line for each .cl and .clh file in the order of
/// the paths: SHA-256 of the file, two spaces, path. Equivalent to, inside the tree:
///   find * -name '*.cl' -o -name '*.clh' | LC_ALL=C sort | xargs sha256sum | sha256sum
/// cmake/GenoclEmbedKernels.cmake computes it at build time. Throws BuildError for an unreadable file.
std::string kernel_stamp(const std::filesystem::path& folder);
std::string kernel_stamp(std::span<const EmbeddedKernel> kernels);

struct KernelPlaces;

/// A folder with the structure of cl/, or the embedded copy.
class KernelSources {
 public:
  /// Searches in this order: GENOCL_KERNEL_DIR; the source tree, if the library runs from its build tree, so that an
  /// edited kernel takes effect at the next start; the embedded copy; share/genocl/cl next to the library, which must
  /// carry the library's stamp. Never the working directory. Throws InputError if GENOCL_KERNEL_DIR is not a folder.
  /// Throws BuildError if no kernels are found, naming all places tried, or if the stamp differs, naming both stamps.
  static KernelSources locate();
  /// As above with given places, for tests.
  static KernelSources locate(const KernelPlaces& places);

  /// An empty `folder` is the embedded copy.
  explicit KernelSources(std::filesystem::path folder, std::vector<std::string> places_tried = {});

  /// The text of `file` ("primitives/scan.cl") in which every `#include "..."` (a path inside cl/) is replaced by that
  /// file, each file once. #line directives keep file names and line numbers of compiler messages right. An include
  /// must not be inside a conditional, since its text would be missing later. Throws BuildError if a file is missing.
  std::string expand(std::string_view file) const;

  /// Paths of all .cl files inside cl/, sorted.
  std::vector<std::string> files() const;

  /// The name for messages: the folder, or "the copy built into genocl".
  std::string name() const;

 private:
  std::string read(const std::string& file, const std::string& included_from) const;

  std::filesystem::path folder_;
  std::vector<std::string> places_tried_;
};

/// Replaces "<kernel>:7:" in a compiler's log by the file and line of line 7 of `source`, which is a result of
/// KernelSources::expand(). NVIDIA's compiler ignores #line in messages.
std::string resolve_lines(const std::string& log, const std::string& source);

}  // namespace genocl::runtime
