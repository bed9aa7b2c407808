#include "genocl/sequence/cigar.hpp"

#include <algorithm>

namespace genocl {

void Cigar::reverse() noexcept {
  if (size_ <= few)
    std::reverse(few_.begin(), few_.begin() + static_cast<std::ptrdiff_t>(size_));
  else
    std::ranges::reverse(many_);
}

bool operator==(const Cigar& a, const Cigar& b) noexcept { return std::ranges::equal(a.runs(), b.runs()); }

std::uint64_t Cigar::query_length() const noexcept {
  std::uint64_t length = 0;
  for (const CigarRun& run : runs())
    if (run.uses_query()) length += run.length();
  return length;
}

std::uint64_t Cigar::reference_length() const noexcept {
  std::uint64_t length = 0;
  for (const CigarRun& run : runs())
    if (run.uses_reference()) length += run.length();
  return length;
}

std::string Cigar::str() const {
  if (empty()) return "*";
  std::string text;
  for (const CigarRun& run : runs()) {
    text += std::to_string(run.length());
    text += run.letter();
  }
  return text;
}

}  // namespace genocl
