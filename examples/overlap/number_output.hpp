// Arrays of numbers as the program writes them: raw, little-endian.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "genocl/io/output_file.hpp"
#include "overlap/options.hpp"

namespace program {

/// Bytes of each number for a text of `size` symbols: from 2^31 on 8, for those who read the others as signed, unless
/// they say that they do not.
constexpr std::size_t number_width(bool wide, bool as_unsigned, std::uint64_t size) {
  const std::uint64_t most = as_unsigned ? std::uint64_t{std::numeric_limits<std::uint32_t>::max()}
                                         : std::uint64_t{std::numeric_limits<std::int32_t>::max()};
  return wide || size > most ? 8 : 4;
}
static_assert(number_width(true, false, 1) == 8);
static_assert(number_width(false, false, 0x7fffffff) == 4 && number_width(false, false, 0x80000000) == 8);
static_assert(number_width(false, true, 0xffffffff) == 4 && number_width(false, true, 0x100000000) == 8);

inline std::size_t number_width(const ArraySettings& settings, std::uint64_t size) {
  return number_width(settings.wide, settings.as_unsigned, size);
}

/// `width`: of each number written, 4 or 8.
template <class Number>
void write_numbers(genocl::io::OutputFile& out, std::span<const Number> numbers, std::size_t width) {
  constexpr bool as_they_are = std::endian::native == std::endian::little;
  if (as_they_are && width == sizeof(Number)) {
    out.write({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
    return;
  }
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::vector<std::uint64_t> wide;
  std::string bytes;
  for (std::size_t first = 0; first < numbers.size(); first += piece) {
    const std::span<const Number> now = numbers.subspan(first, std::min(piece, numbers.size() - first));
    if (as_they_are && width == sizeof(std::uint64_t)) {
      wide.assign(now.begin(), now.end());
      out.write({reinterpret_cast<const char*>(wide.data()), width * wide.size()});
      continue;
    }
    bytes.assign(width * now.size(), '\0');
    for (std::size_t i = 0; i < now.size(); ++i)
      for (std::size_t k = 0; k < std::min(width, sizeof(Number)); ++k)
        bytes[width * i + k] = static_cast<char>(now[i] >> (8 * k) & 0xff);
    out.write(bytes);
  }
}

}  // namespace program
