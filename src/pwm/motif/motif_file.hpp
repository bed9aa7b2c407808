// One function for each format of motif files (genocl/pwm/motif.hpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/pwm/motif.hpp"
#include "pwm/scan/file_text.hpp"

namespace genocl::pwm {

/// Probabilities stand for so many sites where a file does not say.
constexpr double usual_sites = 20;

/// Each goes on from where `lines` is to the end. Throws InputError.
std::vector<Motif> parse_jaspar(TextLines& lines);
std::vector<Motif> parse_meme(TextLines& lines);
std::vector<Motif> parse_transfac(TextLines& lines);
std::vector<Motif> parse_homer(TextLines& lines);

/// Throws InputError, about the line the motif begins in, for one without columns or with a column of zeros.
void check_motif(const TextLines& lines, std::size_t line_number, const Motif& motif);

/// Four counts of a position, from fields[first] on.
std::array<double, 4> column_of(const TextLines& lines, const std::vector<std::string_view>& fields, std::size_t first);

/// Whether the line is made of nothing but numbers.
bool is_numbers(std::string_view line);

/// "MA0004.1", "Arnt" of "MA0004.1 Arnt"; the rest is all that follows, blanks inside included.
struct TwoNames {
  std::string first, rest;
};
TwoNames two_names(std::string_view text);

}  // namespace genocl::pwm
