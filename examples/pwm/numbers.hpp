// Numbers as the tables have them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "genocl/pwm.hpp"

namespace program {

template <class Number>
std::string formatted(const char* format, Number number) {
  char text[400];
  const int size = std::snprintf(text, sizeof text, format, number);
  return {text, static_cast<std::size_t>(size)};
}

/// Writes 9 decimals.
inline std::string score_text(double score) { return formatted("%.9f", score); }
/// Writes three digits, which is what FIMO does.
inline std::string p_text(double p) { return formatted("%.3g", p); }
/// Writes so many digits that the same number is read back.
inline std::string whole_p_text(double p) { return formatted("%.17g", p); }
/// One number for what is known between two: the higher one, which promises no more than is sure.
inline double one_of(const genocl::pwm::PValue& p) { return p.high; }

/// Writes low, high, exact (yes, no) and the number of words, or nothing for it.
inline std::string bounds_text(const genocl::pwm::PValue& p) {
  return whole_p_text(p.low) + '\t' + whole_p_text(p.high) + '\t' + (p.exact ? "yes" : "no") + '\t' +
         (p.words ? std::to_string(*p.words) : std::string());
}

}  // namespace program
