#include "genocl/io/text_file.hpp"

#include "io/byte_source.hpp"

namespace genocl::io {

std::string read_text_file(const std::string& path) {
  ByteSource source(path, {});
  std::string text;
  constexpr std::size_t piece = std::size_t{1} << 16;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + piece);
    const std::size_t count = source.read(text.data() + size, piece);
    text.resize(size + count);
    if (count == 0) return text;
  }
}

}  // namespace genocl::io
