// Compresses standard input as bgzip does, for tests: Debian has that program in a package of its own.
#include <htslib/bgzf.h>

#include <array>
#include <cstdio>

int main() {
  BGZF* const out = bgzf_open("-", "w");
  if (out == nullptr) return 1;
  std::array<char, 1 << 16> bytes{};
  for (std::size_t count; (count = std::fread(bytes.data(), 1, bytes.size(), stdin)) > 0;)
    if (bgzf_write(out, bytes.data(), count) != static_cast<ssize_t>(count)) return 1;
  return bgzf_close(out) == 0 ? 0 : 1;
}
