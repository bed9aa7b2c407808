#include "genocl/sequence/cigar.hpp"

#include <algorithm>
#include <utility>

namespace genocl {

Cigar::Cigar(Cigar&& other) noexcept
    : few_(other.few_), size_(std::exchange(other.size_, 0)), many_(std::move(other.many_)) {}

Cigar& Cigar::operator=(Cigar&& other) noexcept {
  if (this == &other) return *this;
  few_ = other.few_;
  size_ = std::exchange(other.size_, 0);
  many_ = std::move(other.many_);
  return *this;
}

void Cigar::append(const Cigar& other) {
  if (&other == this) return append(Cigar(other));
  for (const CigarRun& run : other.runs()) append(run);
}

void Cigar::append(const CigarRun& run) {
  if (run.length() == 0) return;
  CigarRun* const last = size_ == 0 ? nullptr : size_ <= few ? &few_[size_ - 1] : &many_.back();
  if (last != nullptr && ((last->encoded ^ run.encoded) & 15) == 0) {
    last->encoded += run.encoded & ~std::uint32_t{15};
    return;
  }
  if (size_ < few) {
    few_[size_] = run;
  } else {
    if (size_ == few) many_.assign(few_.begin(), few_.end());
    many_.push_back(run);
  }
  ++size_;
}

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
