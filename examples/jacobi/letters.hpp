// Digits and what numbers need, five by seven pixels.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace program {

/// Rows come from the top, and bit 4 is the leftmost pixel.
using Letter = std::array<std::uint8_t, 7>;

constexpr Letter letter_of(char c) {
  constexpr std::string_view known = "0123456789.-+e";
  constexpr std::array<Letter, 15> letters = {{{14, 17, 19, 21, 25, 17, 14},
                                               {4, 12, 4, 4, 4, 4, 14},
                                               {14, 17, 1, 2, 4, 8, 31},
                                               {31, 2, 4, 2, 1, 17, 14},
                                               {2, 6, 10, 18, 31, 2, 2},
                                               {31, 16, 30, 1, 1, 17, 14},
                                               {6, 8, 16, 30, 17, 17, 14},
                                               {31, 1, 2, 4, 8, 8, 8},
                                               {14, 17, 17, 14, 17, 17, 14},
                                               {14, 17, 17, 15, 1, 2, 12},
                                               {0, 0, 0, 0, 0, 12, 12},
                                               {0, 0, 0, 31, 0, 0, 0},
                                               {0, 4, 4, 31, 4, 4, 0},
                                               {0, 0, 14, 17, 31, 16, 14},
                                               {0, 0, 0, 0, 0, 0, 0}}};
  const std::size_t place = known.find(c);
  return letters[place == std::string_view::npos ? letters.size() - 1 : place];
}

}  // namespace program
