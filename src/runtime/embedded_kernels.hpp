// The copy of cl/ inside the library. cmake/EmbedKernels.cmake makes the definition at build time.
#pragma once

#include <span>
#include <string_view>

namespace genocl::runtime {

struct EmbeddedKernel {
  std::string_view path;  ///< Inside cl/: "primitives/scan.cl".
  std::string_view text;
};

/// Empty in a build without GENOCL_EMBED_KERNELS.
std::span<const EmbeddedKernel> embedded_kernels() noexcept;

}  // namespace genocl::runtime
