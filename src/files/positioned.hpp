// Bytes at a place of an open file, all of them: the system's calls may do less.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

namespace genocl::files {

/// One call to the system gets no more: it takes less than 2 GiB.
constexpr std::size_t most_at_once = std::size_t{64} << 20;

/// False with errno, which is 0 where the file ends before.
inline bool read_at(int file, std::uint64_t at, std::span<std::byte> place) {
  for (std::size_t done = 0; done < place.size();) {
    errno = 0;
    const ssize_t count =
        pread(file, place.data() + done, std::min(place.size() - done, most_at_once), static_cast<off_t>(at + done));
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (count == 0 || errno != EINTR)
      return false;
  }
  return true;
}

/// False with errno.
inline bool write_at(int file, std::uint64_t at, std::span<const std::byte> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        pwrite(file, bytes.data() + done, std::min(bytes.size() - done, most_at_once), static_cast<off_t>(at + done));
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      return false;
  }
  return true;
}

}  // namespace genocl::files
