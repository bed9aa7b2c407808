// The copy of cl/ inside the library. cmake/GenoclEmbedKernels.cmake makes the definitions at build time.
#pragma once

#include <span>
#include <string_view>

namespace genocl::runtime {

struct EmbeddedKernel {
  std::string_view path;  ///< Inside cl/: "primitives/scan/scan.cl".
  std::string_view text;
};

/// Empty in a build without GENOCL_EMBED_KERNELS.
std::span<const EmbeddedKernel> embedded_kernels() noexcept;

/// kernel_stamp() of cl/ as it was when the library was built, with or without a copy inside.
std::string_view built_stamp() noexcept;

/// A name for the build tree that the library was built in, which does not tell where that is. The same stands in the
/// tree's own share/genocl/build-tree.
std::string_view build_tree_name() noexcept;

}  // namespace genocl::runtime
