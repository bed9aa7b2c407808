// Large pages for memory of many megabytes. In a header, so that genocl::io, a library of its own, has it too.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace genocl::runtime {

/// Asks the system for large pages where nothing has been written yet: there fresh memory comes several times as fast
/// to several threads. Linux gives them to those who ask (transparent_hugepage "madvise", as Debian and Ubuntu have it
/// on many machines) or to all; elsewhere, and for less than 16 MiB, nothing happens.
inline void use_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t page = std::size_t{2} << 20;
  constexpr std::size_t least = std::size_t{16} << 20;
  if (begin == nullptr || bytes < least) return;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  // A wish: what it answers changes nothing.
  (void)madvise(static_cast<std::byte*>(begin) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
#endif
}

}  // namespace genocl::runtime
