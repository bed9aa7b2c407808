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

Patterns::Patterns(const Text& text, std::span<const std::string_view> patterns) : state_(std::make_unique<State>()) {
  const Text::State& of = text.state();
  if (patterns.size() > Text::longest)
    throw InputError("patterns", {}, std::to_string(patterns.size()), "at most " + std::to_string(Text::longest));
  std::array<std::uint16_t, 256> codes{};
  codes.fill(no_code);
  for (std::size_t code = 0; code < of.alphabet.size(); ++code)
    codes[of.alphabet[code]] = static_cast<std::uint16_t>(code);
  std::vector<std::uint64_t> begins(patterns.size() + 1);
  std::vector<std::uint32_t> lengths(patterns.size());
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (patterns[p].empty() || patterns[p].size() >= State::nowhere)
      throw InputError("pattern " + std::to_string(p + 1), {}, std::to_string(patterns[p].size()) + " symbols",
                       "1 to " + std::to_string(State::nowhere - 1));
    begins[p + 1] = begins[p] + (patterns[p].size() + of.symbols_per_word() - 1) / of.symbols_per_word();
    lengths[p] = static_cast<std::uint32_t>(patterns[p].size());
  }
  // Kernels read the word behind a window too.
  std::vector<std::uint64_t> words(begins.back() + 1);
  constexpr std::size_t together = 1 << 14;
  const std::size_t tasks = (patterns.size() + together - 1) / together;
  runtime::parallel_for(tasks, runtime::threads_for(tasks, 4, 64), [&](std::size_t task) {
    for (std::size_t p = task * together, end = std::min(patterns.size(), p + together); p < end; ++p)
      if (!pack_pattern(patterns[p], codes, of.bits, words.data() + begins[p])) lengths[p] = State::nowhere;
  });
  state_->count = patterns.size();
  const Device& device = text.device();
  state_->words = Array<std::uint64_t>(device, std::span<const std::uint64_t>(words));
  state_->begins = Array<std::uint64_t>(device, std::span<const std::uint64_t>(begins));
  state_->lengths = Array<std::uint32_t>(device, std::span<const std::uint32_t>(lengths));
}

Patterns::Patterns(Patterns&&) noexcept = default;
Patterns& Patterns::operator=(Patterns&&) noexcept = default;
Patterns::~Patterns() = default;

std::uint64_t Patterns::size() const noexcept { return state_->count; }

}  // namespace genocl::overlap
