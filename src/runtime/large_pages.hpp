// Large pages for large allocations. Header-only, since genocl::io uses it also.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace genocl::runtime {

/// Requests large pages for memory that has not been written yet; several threads then fault it in several times
/// faster. Linux grants the request if transparent_hugepage is "madvise" (common on Debian and Ubuntu) or "always". No
/// effect on other systems or below 16 MiB.
inline void use_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t page = std::size_t{2} << 20;
  constexpr std::size_t least = std::size_t{16} << 20;
  if (begin == nullptr || bytes < least) return;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  // Advice only: the result is ignored.
  (void)madvise(static_cast<std::byte*>(begin) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
#endif
}

}  // namespace genocl::runtime
