#include "genocl/sequence/cigar.hpp"

#include <algorithm>

namespace genocl {

void Cigar::reverse() noexcept { std::ranges::reverse(runs_); }

std::uint64_t Cigar::query_length() const noexcept {
  std::uint64_t length = 0;
  for (const CigarRun& run : runs_)
    if (run.uses_query()) length += run.length();
  return length;
}

std::uint64_t Cigar::reference_length() const noexcept {
  std::uint64_t length = 0;
  for (const CigarRun& run : runs_)
    if (run.uses_reference()) length += run.length();
  return length;
}

std::string Cigar::str() const {
  if (runs_.empty()) return "*";
  std::string text;
  for (const CigarRun& run : runs_) {
    text += std::to_string(run.length());
    text += run.letter();
  }
  return text;
}

}  // namespace genocl
