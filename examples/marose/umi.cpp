#include "marose/umi.hpp"

#include <algorithm>
#include <cctype>

#include "genocl/error.hpp"

namespace program {
namespace {

/// Whether the part is not empty and contains only letters of a UMI.
bool append_part(std::string_view part, std::string& umi) {
  constexpr std::string_view bases = "ACGTN", complements = "TGCAN";
  const bool turned = part.starts_with('r');
  if (turned) part.remove_prefix(1);
  if (part.empty()) return false;
  const std::size_t begin = umi.size();
  for (const char c : part) {
    const std::size_t base = bases.find(c);
    if (base == std::string_view::npos) return false;
    umi += turned ? complements[base] : c;
  }
  if (turned) std::reverse(umi.begin() + static_cast<std::ptrdiff_t>(begin), umi.end());
  return true;
}

}  // namespace

std::optional<std::string> umi_of(std::string_view name, char separator) {
  const std::size_t at = name.rfind(separator);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  std::string umi;
  for (std::string_view rest = name.substr(at + 1);;) {
    const std::size_t end = std::min(rest.find_first_of("+-_"), rest.size());
    if (!append_part(rest.substr(0, end), umi)) return std::nullopt;
    if (end == rest.size()) return umi;
    umi += '-';
    rest.remove_prefix(end + 1);
  }
}

bool has_umi_tag(std::string_view tags) {
  return tags.starts_with("RX:") || tags.find("\tRX:") != std::string_view::npos;
}

char umi_separator_of(const std::string& text) {
  if (text.empty()) return 0;
  if (text.size() != 1 || std::ispunct(static_cast<unsigned char>(text.front())) == 0 || text == "@" || text == "/")
    throw genocl::InputError("--umi-separator", {}, genocl::in_quotes(text), "one character like : or _");
  return text.front();
}

}  // namespace program
