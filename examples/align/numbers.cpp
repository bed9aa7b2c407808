#include "align/numbers.hpp"

#include <cmath>
#include <cstdio>

namespace program {
namespace {

template <class Number>
std::string formatted(const char* format, Number number) {
  char text[64];
  const int size = std::snprintf(text, sizeof text, format, number);
  return {text, static_cast<std::size_t>(size)};
}

/// A number that every parser of tables reads.
std::string unknown() { return "nan"; }

/// What BLAST writes for all but the small ones (CAlignFormatUtil::GetScoreString).
std::string large_evalue(double evalue) {
  if (evalue < 0.1) return formatted("%4.3f", evalue);
  if (evalue < 1) return formatted("%3.2f", evalue);
  return formatted(evalue < 10 ? "%2.1f" : "%2.0f", evalue);
}

}  // namespace

std::string evalue_text(double evalue) { return std::isnan(evalue) ? unknown() : formatted("%.3g", evalue); }

std::string bits_text(double bits) { return std::isnan(bits) ? unknown() : formatted("%.1f", bits); }

std::string blast_table_evalue(double evalue) {
  if (std::isnan(evalue)) return unknown();
  if (evalue < 1e-180) return "0.0";
  return evalue < 0.0009 ? formatted("%.2e", evalue) : large_evalue(evalue);
}

std::string blast_report_evalue(double evalue) {
  if (std::isnan(evalue)) return unknown();
  if (evalue < 1e-180) return "0.0";
  return evalue < 0.0009 ? formatted("%.0e", evalue) : large_evalue(evalue);
}

std::string blast_bits(double bits) {
  if (std::isnan(bits)) return unknown();
  if (bits > 99999) return formatted("%5.3e", bits);
  if (bits > 99.9) return std::to_string(static_cast<long long>(bits));
  return formatted("%4.1f", bits);
}

std::string percent(std::uint64_t part, std::uint64_t whole, int digits) {
  const double share = whole == 0 ? 0.0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  return formatted(("%." + std::to_string(digits) + "f").c_str(), share);
}

Place place_of(const genocl::align::Hit& hit, std::uint64_t query_length) {
  const genocl::align::Alignment& found = *hit.alignment;
  Place place{found.query_begin + 1, found.query_end, found.subject_begin + 1, found.subject_end};
  if (hit.minus) {
    place.query_start = query_length - found.query_end + 1;
    place.query_end = query_length - found.query_begin;
  }
  return place;
}

std::uint64_t gap_letters(const genocl::align::Alignment& alignment) {
  std::uint64_t letters = 0;
  for (const genocl::align::EditRun& run : alignment.runs)
    if (run.operation == 'I' || run.operation == 'D') letters += run.length;
  return letters;
}

}  // namespace program
