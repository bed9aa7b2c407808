#include <algorithm>
#include <bit>

#include "genocl/error.hpp"
#include "genocl/marose/plan.hpp"

namespace genocl::marose {

SeedMask::SeedMask(std::string_view pattern) : pattern_(pattern) {
  const auto fail = [&](const char* wrong) { throw InputError("seed mask " + in_quotes(pattern_) + ": " + wrong); };
  if (pattern_.empty()) fail("is empty");
  if (pattern_.size() > longest) fail("longer than 32 bases");
  if (pattern_.find_first_not_of("#-") != std::string::npos) fail("must be made of '#' and '-'");
  if (pattern_.front() != '#' || pattern_.back() != '#') fail("must begin and end with '#'");
  for (std::size_t i = 0; i < pattern_.size(); ++i)
    if (pattern_[i] == '#') bits_ |= std::uint64_t{1} << i;
  weight_ = static_cast<unsigned>(std::popcount(bits_));
}

SeedMask SeedMask::solid(unsigned weight) { return SeedMask(std::string(weight, '#')); }

bool SeedMask::is_palindrome() const noexcept {
  return std::equal(pattern_.begin(), pattern_.end(), pattern_.rbegin());
}

std::string_view to_string(Model model) noexcept { return model == Model::hamming ? "hamming" : "levenshtein"; }

namespace {
constexpr std::string_view method_names[] = {"auto", "canonical", "list", "binary", "phf", "bitmap", "offset"};
}

std::string_view to_string(Method method) noexcept { return method_names[static_cast<std::size_t>(method)]; }

Method method_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(method_names); ++i)
    if (name == method_names[i]) return static_cast<Method>(i);
  throw InputError("method " + in_quotes(name) + ": expected auto, canonical, list, binary, phf, bitmap or offset");
}

}  // namespace genocl::marose
