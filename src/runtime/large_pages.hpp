// Large pages for memory of many megabytes. In a header, so that genocl::io, a library of its own, has it too.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace genocl::runtime {

/// Asks the system for large pages where nothing has been written yet: there fresh memory comes several times as fast
/// to several threads. Linux gives them to those who ask (transparent_hugepage "madvise", as Debian and Ubuntu have it
/// on many machines) or to all; elsewhere, and for less than 16 MiB, nothing happens.
inline void use_large_pages([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  constexpr std::size_t least = std::size_t{16} << 20;
  if (begin == nullptr || bytes < least) return;
  const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / page * page;
  // A wish: what it answers changes nothing.
  if (end > first) (void)madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#endif
}

}  // namespace genocl::runtime
