// Arrays of numbers as the program writes them: raw, little-endian.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "genocl/io/output_file.hpp"
#include "overlap/options.hpp"

namespace program {

/// Bytes of each number for a text of `size` symbols: from 2^31 on 8, for those who read the others as signed.
inline std::size_t number_width(const ArraySettings& settings, std::uint64_t size) {
  return settings.wide || size > std::uint64_t{std::numeric_limits<std::int32_t>::max()} ? 8 : 4;
}

/// `width`: of each number written, 4 or 8.
template <class Number>
void write_numbers(genocl::io::OutputFile& out, std::span<const Number> numbers, std::size_t width) {
  if constexpr (std::endian::native == std::endian::little)
    if (width == sizeof(Number)) {
      out.write({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
      return;
    }
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::string bytes;
  for (std::size_t first = 0; first < numbers.size(); first += piece) {
    const std::span<const Number> now = numbers.subspan(first, std::min(piece, numbers.size() - first));
    bytes.assign(width * now.size(), '\0');
    for (std::size_t i = 0; i < now.size(); ++i)
      for (std::size_t k = 0; k < std::min(width, sizeof(Number)); ++k)
        bytes[width * i + k] = static_cast<char>(now[i] >> (8 * k) & 0xff);
    out.write(bytes);
  }
}

}  // namespace program
