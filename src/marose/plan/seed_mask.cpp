#include <algorithm>
#include <bit>

#include "genocl/error.hpp"
#include "genocl/marose/plan.hpp"
#include "runtime/names.hpp"

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
constexpr runtime::Names<Method, 8> names = {{{Method::automatic, "auto"},
                                              {Method::kmers, "kmers"},
                                              {Method::canonical, "canonical"},
                                              {Method::list, "list"},
                                              {Method::binary, "binary"},
                                              {Method::phf, "phf"},
                                              {Method::bitmap, "bitmap"},
                                              {Method::offset, "offset"}}};
}

std::string_view to_string(Method method) noexcept { return runtime::name_of(names, method); }

Method method_named(std::string_view name) { return runtime::value_named(names, "method", name); }

}  // namespace genocl::marose
