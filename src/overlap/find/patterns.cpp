#include "overlap/find/patterns.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "genocl/error.hpp"
#include "overlap/text/text_state.hpp"
#include "runtime/parallel.hpp"

namespace genocl::overlap {
namespace {

constexpr std::uint16_t no_code = 256;

/// Writes the pattern's words; returns whether all its bytes are the text's.
bool pack_pattern(std::string_view pattern, const std::array<std::uint16_t, 256>& codes, unsigned bits,
                  std::uint64_t* words) {
  const std::size_t per_word = 64 / bits;
  for (std::size_t at = 0; at < pattern.size(); at += per_word) {
    const std::size_t end = std::min(pattern.size(), at + per_word);
    std::uint64_t word = 0;
    for (std::size_t i = at; i < end; ++i) {
      const std::uint16_t code = codes[static_cast<unsigned char>(pattern[i])];
      if (code == no_code) return false;
      word |= std::uint64_t{code} << (64 - bits * (i - at + 1));
    }
    *words++ = word;
  }
  return true;
}

}  // namespace

void check_patterns(std::span<const std::string_view> patterns) {
  if (patterns.size() > Text::longest)
    throw InputError("patterns", {}, std::to_string(patterns.size()), "at most " + std::to_string(Text::longest));
  for (std::size_t p = 0; p < patterns.size(); ++p)
    if (patterns[p].empty() || patterns[p].size() >= Patterns::State::nowhere)
      throw InputError("pattern " + std::to_string(p + 1), {}, std::to_string(patterns[p].size()) + " symbols",
                       "1 to " + std::to_string(Patterns::State::nowhere - 1));
}

Patterns::State pack_patterns(const Device& device, const Text::State& text,
                              std::span<const std::string_view> patterns) {
  check_patterns(patterns);
  std::array<std::uint16_t, 256> codes{};
  codes.fill(no_code);
  for (std::size_t code = 0; code < text.alphabet.size(); ++code)
    codes[text.alphabet[code]] = static_cast<std::uint16_t>(code);
  std::vector<std::uint64_t> begins(patterns.size() + 1);
  std::vector<std::uint32_t> lengths(patterns.size());
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    begins[p + 1] = begins[p] + (patterns[p].size() + text.symbols_per_word() - 1) / text.symbols_per_word();
    lengths[p] = static_cast<std::uint32_t>(patterns[p].size());
  }
  // Kernels read the word behind a window too.
  std::vector<std::uint64_t> words(begins.back() + 1);
  constexpr std::size_t together = 1 << 14;
  const std::size_t tasks = (patterns.size() + together - 1) / together;
  runtime::parallel_for(tasks, runtime::threads_for(tasks, 4, 64), [&](std::size_t task) {
    for (std::size_t p = task * together, end = std::min(patterns.size(), p + together); p < end; ++p)
      if (!pack_pattern(patterns[p], codes, text.bits, words.data() + begins[p])) lengths[p] = Patterns::State::nowhere;
  });
  Patterns::State packed;
  packed.count = patterns.size();
  packed.words = Array<std::uint64_t>(device, std::span<const std::uint64_t>(words));
  packed.begins = Array<std::uint64_t>(device, std::span<const std::uint64_t>(begins));
  packed.lengths = Array<std::uint32_t>(device, std::span<const std::uint32_t>(lengths));
  return packed;
}

Patterns::Patterns(const Text& text, std::span<const std::string_view> patterns)
    : state_(std::make_unique<State>(pack_patterns(text.device(), text.state(), patterns))) {}
Patterns::Patterns(Patterns&&) noexcept = default;
Patterns& Patterns::operator=(Patterns&&) noexcept = default;
Patterns::~Patterns() = default;

std::uint64_t Patterns::size() const noexcept { return state_->count; }

}  // namespace genocl::overlap
