#include "align/alphabet_guard.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "genocl/error.hpp"

namespace program {
namespace {

/// Of ten amino acids as they come in proteins, nine are among these in six cases of a hundred thousand.
constexpr std::uint64_t least_letters = 10, most_letters = 1'000'000;

constexpr std::array<bool, genocl::protein::letters.size()> make_table() {
  std::array<bool, genocl::protein::letters.size()> table{};
  for (const char letter : std::string_view("ACGTUN")) table[genocl::protein::encode(letter)] = true;
  return table;
}
constexpr auto of_dna = make_table();

}  // namespace

AlphabetGuard::AlphabetGuard(std::string file, bool insists, std::string expected)
    : file_(std::move(file)), expected_(std::move(expected)), settled_(insists) {}

void AlphabetGuard::see(const genocl::SequenceSet& batch) {
  settled_ = settled_ || batch.alphabet() != genocl::Alphabet::protein;
  for (std::size_t i = 0; i < batch.size() && !settled_ && letters_ < most_letters; ++i) {
    const auto letters = batch[i].first(std::min<std::size_t>(batch.length(i), most_letters - letters_));
    letters_ += letters.size();
    bases_ +=
        static_cast<std::uint64_t>(std::ranges::count_if(letters, [](genocl::Code code) { return of_dna[code]; }));
  }
}

void AlphabetGuard::check() const {
  if (settled_ || letters_ < least_letters || 10 * bases_ < 9 * letters_) return;
  throw genocl::InputError(file_, {},
                           "looks like DNA, for " + std::to_string(100 * bases_ / letters_) +
                               "% of its letters are A, C, G, T, U or N, and is read as protein",
                           expected_);
}

}  // namespace program
