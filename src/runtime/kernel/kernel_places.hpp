// Where the kernel sources may lie, and the stamp that tells whether they are those that this library was built with.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "runtime/kernel/embedded_kernels.hpp"

namespace genocl::runtime {

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

}  // namespace genocl::runtime
